package report

import (
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

func TestSpent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what   string
		phases []event.Phase
		want   string
	}{
		{"an older stream", nil, ""},
		{"no time at all", []event.Phase{{Name: event.PhaseLoad}}, ""},
		{"in the order of the journey, short ones left out", []event.Phase{
			{Name: event.PhaseCalls, Seconds: 30}, {Name: event.PhaseBuild, Seconds: 10}, {Name: event.PhaseReport, Seconds: 0.2}},
			"building 10 s (25 %), calls 30 s (75 %)"},
		{"modules together", []event.Phase{{Name: event.PhaseBuild, Seconds: 3}, {Name: event.PhaseNegation, Seconds: 6}, {Name: event.PhaseBuild, Seconds: 3}},
			"building 6.0 s (50 %), forced branches 6.0 s (50 %)"},
		{"a name of a later version", []event.Phase{{Name: "new", Seconds: 5}, {Name: event.PhaseBuild, Seconds: 5}}, "building 5.0 s (50 %)"},
	} {
		if got := spent(&event.Stream{Phases: c.phases}); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// Every phase that the engine can name has words.
func TestEveryPhaseHasWords(t *testing.T) {
	t.Parallel()
	have := map[string]bool{}
	for _, p := range phaseWords {
		have[p.name] = true
	}
	for _, name := range []string{event.PhaseLoad, event.PhaseBuild, event.PhaseBaseline, event.PhaseCalls, event.PhaseVariation, event.PhaseRelations,
		event.PhaseNegation, event.PhaseConfirm, event.PhaseTests, event.PhaseBlame, event.PhaseReport} {
		if !have[name] {
			t.Errorf("phase %s has no words", name)
		}
	}
}
