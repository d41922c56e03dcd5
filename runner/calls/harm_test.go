package calls

import (
	"testing"

	"github.com/isodelta/isodelta/runner/probe"
)

// That head fails or breaks off has room of its own among the differences of an operation: what is meant is
// mostly met first, and would fill it.
func TestHarmHasItsOwnRoom(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		at   spot
		want harm
	}{
		{"another value", spot{Component: 1}, differs},
		{"base alone gives an error", spot{Fails: baseFails}, differs},
		{"head alone gives an error", spot{Fails: headFails}, fails},
		{"head panics", spot{Component: -1, Head: probe.Panicked}, breaks},
		{"head does not come to an end", spot{Component: -1, Head: probe.Exhausted}, breaks},
		{"base panics", spot{Component: -1, Base: probe.Panicked}, differs},
		{"both end otherwise", spot{Component: -1, Base: probe.Panicked, Head: probe.Exhausted}, differs},
	} {
		if got := test.at.harm(); got != test.want {
			t.Errorf("%s: harm %d, want %d", test.name, got, test.want)
		}
		if mostOfHarm[test.want] == 0 {
			t.Errorf("%s: no room", test.name)
		}
	}
}
