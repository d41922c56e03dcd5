package contrast

import (
	"testing"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/probe"
)

// What is told of a finding is about what differs there, not about anything else of the
// call.
func TestDiffers(t *testing.T) {
	t.Parallel()
	one, two := []wire.Lit{{Form: wire.Int, N: 1}}, []wire.Lit{{Form: wire.Int, N: 2}}
	base := wire.Valued{Results: one, Args: one}
	result, argument, panics := wire.Valued{Results: two, Args: one}, wire.Valued{Results: one, Args: two}, wire.Valued{Ending: probe.Panicked}
	for component, want := range map[string][3]bool{
		"result":     {true, false, true},
		"error":      {true, false, true},
		"argument s": {false, true, true},
		"receiver":   {false, true, true},
		"panic":      {false, false, true},
	} {
		f := event.Finding{Rung: event.Reached, Program: "00", Component: component}
		got := [3]bool{differs(f, base, result), differs(f, base, argument), differs(f, base, panics)}
		if got != want || !tellable(f) {
			t.Errorf("%s: %v, want %v", component, got, want)
		}
	}
	if tellable(event.Finding{Rung: event.Reached, Program: "00", Component: "value"}) {
		t.Error("what is seen only after the call is told of the call")
	}
}
