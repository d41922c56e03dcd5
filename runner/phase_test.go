package runner

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/stage"
)

// Phases are told in the order in which they began; one that goes on later adds to
// what it took before, and one that fails took its time, too.
func TestPhases(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	env := &stage.Env{Now: func() time.Time { return now }}
	var p phases
	failed := errors.New("failed")
	for _, x := range []struct {
		name    string
		seconds int
		err     error
	}{{event.PhaseBuild, 2, nil}, {event.PhaseCalls, 3, nil}, {event.PhaseNegation, 1, failed}, {event.PhaseCalls, 4, nil}} {
		err := p.measure(env, x.name, func() error {
			now = now.Add(time.Duration(x.seconds) * time.Second)
			return x.err
		})
		if err != x.err {
			t.Errorf("%s: %v", x.name, err)
		}
	}
	want := []event.Phase{{Type: "phase", Name: event.PhaseBuild, Seconds: 2, Share: 0.1},
		{Type: "phase", Name: event.PhaseCalls, Seconds: 7, Share: 0.35}, {Type: "phase", Name: event.PhaseNegation, Seconds: 1, Share: 0.05}}
	if diff := cmp.Diff(want, p.events(20*time.Second)); diff != "" {
		t.Error(diff)
	}
	if got := p.seconds(event.PhaseTests); got != 0 {
		t.Errorf("what was not begun took %v s", got)
	}
	for _, total := range []time.Duration{0, time.Second} {
		for _, e := range p.events(total) {
			if e.Share < 0 || e.Share > 1 || total == 0 && e.Share != 0 {
				t.Errorf("of %s, %s took the share %v", total, e.Name, e.Share)
			}
		}
	}
}

// What a phase does within another one is its own time, and not the other's.
func TestPhaseWithinPhase(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	env := &stage.Env{Now: func() time.Time { return now }}
	var p phases
	spend := func(seconds int) { now = now.Add(time.Duration(seconds) * time.Second) }
	within := func(name string, seconds int, inner func()) {
		_ = p.measure(env, name, func() error {
			spend(seconds)
			inner()
			return nil
		})
	}
	none := func() {}
	within(event.PhaseBuild, 5, func() {
		within(event.PhaseCalls, 2, none)
		spend(10)
		within(event.PhaseCalls, 1, func() { within(event.PhaseConfirm, 4, none) })
	})
	within(event.PhaseCalls, 7, none)
	got := map[string]float64{}
	for _, e := range p.events(29 * time.Second) {
		got[e.Name] = e.Seconds
	}
	want := map[string]float64{event.PhaseBuild: 15, event.PhaseCalls: 10, event.PhaseConfirm: 4}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if p.names[0] != event.PhaseBuild {
		t.Errorf("the order is %v", p.names)
	}
}
