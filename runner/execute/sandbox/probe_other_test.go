//go:build !linux

package sandbox

import "testing"

// Without a sandbox there is no keeper either, so limits must not ask for one.
func TestProbeAsksForNoKeeper(t *testing.T) {
	t.Parallel()
	f, err := Probe(t.Context(), "", Policy{MemoryBytes: 1, FileBytes: 1, TempBytes: 1, Processes: 1})
	if err != nil || restrictions(f.Level, f.Policy) != nil {
		t.Errorf("%+v, %v", f, err)
	}
}
