package reach

import (
	"testing"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/probe"
	"github.com/isodelta/isodelta/runner/version"
)

// A call in which the run time ended one version's process is a difference. One in which both
// ended is not, and neither is one that ended without a word of the run time.
func TestEndedIn(t *testing.T) {
	t.Parallel()
	const deadlock = "fatal error: all goroutines are asleep - deadlock!"
	passed := outcome.Result{Outcome: event.Pass}
	dead := outcome.Result{Outcome: event.Died, Key: 7, Hook: 2, Verdict: deadlock}
	for _, c := range []struct {
		what    string
		results version.Both[outcome.Result]
		side    version.Side
		ok      bool
	}{
		{"on head alone", version.Both[outcome.Result]{passed, dead}, version.Head, true},
		{"on base alone", version.Both[outcome.Result]{dead, passed}, version.Base, true},
		{"on both, in the same call", version.Both[outcome.Result]{dead, dead}, version.Head, false},
		{"without a word of the run time", version.Both[outcome.Result]{passed, {Outcome: event.Died, Key: 7}}, version.Head, false},
		{"by the watchdog", version.Both[outcome.Result]{passed, {Outcome: event.Hung, Key: 7, Verdict: deadlock}}, version.Head, false},
	} {
		d, ok := endedIn(c.results, c.side)
		if ok != c.ok {
			t.Errorf("%s: %t", c.what, ok)
			continue
		}
		want := calls.InPlaceDifference{Hook: 2, Key: 7, Base: probe.Returned, Head: probe.Died}
		if c.side == version.Base {
			want.Base, want.Head = want.Head, want.Base
		}
		if ok && (d.Hook != want.Hook || d.Key != want.Key || d.Base != want.Base || d.Head != want.Head) {
			t.Errorf("%s: %+v, want %+v", c.what, d, want)
		}
	}
}

// Who waits for a mutex that was locked when the call began waits for a caller that is not there.
func TestWaitsForCaller(t *testing.T) {
	t.Parallel()
	returned, died := wire.Explained{Ending: probe.Returned, Held: true}, wire.Explained{Ending: probe.Died}
	for _, c := range []struct {
		e    version.Both[wire.Explained]
		want bool
	}{
		{version.Both[wire.Explained]{returned, died}, true},
		{version.Both[wire.Explained]{died, returned}, true},
		{version.Both[wire.Explained]{returned, {Ending: probe.Panicked}}, false},
		{version.Both[wire.Explained]{{Ending: probe.Returned}, died}, false},
	} {
		if got := waitsForCaller(c.e); got != c.want {
			t.Errorf("%+v: %t", c.e, got)
		}
	}
}
