package promote

import (
	"slices"
	"testing"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/reach"
	"github.com/isodelta/isodelta/runner/version"
)

// What lies next to something executed comes first, then functions of Δ, then what one
// version alone has.
func TestRanks(t *testing.T) {
	t.Parallel()
	want := []rank{{}, {matched: true}, {aside: true}, {aside: true, matched: true}, {hidden: true}, {hidden: true, aside: true}}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortStableFunc(got, rank.compare)
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestFateWithoutASearch(t *testing.T) {
	t.Parallel()
	forced := event.Finding{Rung: event.Forced, Negations: []event.Negation{{ID: "m.F#x#0", Text: "x", Taken: true}}}
	var none *Stage
	if f := none.Fate(forced); f.State != event.GoalNotTried || f.Why == "" {
		t.Errorf("without calls: %+v", f)
	}
	if f := none.Fate(event.Finding{Rung: event.Forced}); f.State != event.GoalNotTried || f.Why == "" {
		t.Errorf("with nothing negated: %+v", f)
	}
}

func TestGoalsThatWereNotSearchedFor(t *testing.T) {
	t.Parallel()
	tried, left := branch{version.Head, outcome.Of(1, true)}, branch{version.Base, outcome.Of(2, false)}
	s := &Stage{order: []goal{{branch: tried}, {branch: left}}, states: map[branch]*state{tried: {state: event.GoalNotFound, tried: 7, why: "far"}}}
	got := s.Goals()
	if len(got) != 2 || got[0].State != event.GoalNotFound || got[0].Tried != 7 || got[0].Why != "far" {
		t.Errorf("%+v", got)
	}
	if got[1].State != event.GoalNotTried || got[1].Why == "" || got[1].Version != "base" {
		t.Errorf("%+v", got[1])
	}
}

func TestExecutionsFollowSequences(t *testing.T) {
	t.Parallel()
	for sequences, want := range map[int]int{0: most, 100: 400, most: most} {
		if got := (&Stage{Calls: &reach.Stage{MaxSequences: sequences}}).executions(); got != want {
			t.Errorf("with %d sequences: %d executions, want %d", sequences, got, want)
		}
	}
}
