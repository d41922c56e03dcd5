package report

import (
	"strings"
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

func plainWords(p phrase) string {
	var b strings.Builder
	for _, s := range p {
		b.WriteString(s.text)
	}
	return b.String()
}

func TestWhatBecameOfAForcedFinding(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fate     *event.Fate
		branches int
		want     string
	}{
		{nil, 1, ""},
		{&event.Fate{State: event.GoalTaken, Calls: 1}, 1, "; one call takes it, and does not show this"},
		{&event.Fate{State: event.GoalTaken, Calls: 12}, 2, "; 12 calls take all of them, and none shows this"},
		{&event.Fate{State: event.GoalTaken}, 2, "; calls take each of them, and none takes all"},
		{&event.Fate{State: event.GoalNotFound, Tried: 20000}, 1, "; 20,000 inputs tried, none takes it"},
		{&event.Fate{State: event.GoalNotFound}, 1, "; no input was searched for"},
		{&event.Fate{State: event.GoalNotTried, Why: "no time"}, 1, "; no input was searched for"},
	} {
		if got := plainWords(inputsFor(c.fate, c.branches)); got != c.want {
			t.Errorf("%+v: %q, want %q", c.fate, got, c.want)
		}
	}
}

func TestWhatBecameOfTheBranchesOfTheChange(t *testing.T) {
	t.Parallel()
	goal := func(state event.GoalState, branch, why string) event.Goal {
		return event.Goal{State: state, Branch: branch, Function: "F", Tried: 20, Why: why}
	}
	list := []event.Goal{goal(event.GoalTaken, "a", ""), goal(event.GoalNotFound, "b", "far"), goal(event.GoalNotFound, "c", "far"),
		goal(event.GoalNotFound, "d", "far"), goal(event.GoalNotFound, "e", "far"), goal(event.GoalNotTried, "f", "no time")}
	want := "1 of 6 branches that nothing had taken: inputs were found; none for b in F (20 inputs tried), c in F (20 inputs tried), " +
		"d in F (20 inputs tried), and 1 more; 1 not searched for: no time"
	if got := plainWords(sought(list)); got != want {
		t.Errorf("%q, want\n%q", got, want)
	}
	if got := sought(nil); got != nil {
		t.Errorf("of nothing: %q", plainWords(got))
	}
	two := []event.Goal{goal(event.GoalNotTried, "f", "no time"), goal(event.GoalNotTried, "g", "not built")}
	if got := plainWords(sought(two)); !strings.HasSuffix(got, "2 not searched for: for several reasons") {
		t.Errorf("%q", got)
	}
}

func TestWhatNoInputLeadsTo(t *testing.T) {
	t.Parallel()
	list := []event.Folded{{Condition: "n < 0", Function: "F", Taken: true, Infeasible: true}, {Condition: "x", Function: "F", Calls: 30}}
	taken, never := foldedBy(list)
	if len(taken) != 1 || len(never) != 1 {
		t.Fatalf("%v and %v", taken, never)
	}
	want := "1 difference in forced states that no input leads to, as equations for all paths show: n < 0 in F is never true"
	if got := plainWords(impossible(never)); got != want {
		t.Errorf("%q, want\n%q", got, want)
	}
}
