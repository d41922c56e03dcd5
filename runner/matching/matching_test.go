package matching

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/version"
)

// conditioned is a version with so many conditions: condition i is called cI, and
// stands in file f at offset 10*i.
func conditioned(side version.Side, conditions int) *build.Version {
	v := &build.Version{Side: side, Tree: &load.Tree{Module: "example.com/m"}, Program: &instrument.Program{}, Index: map[load.Place]int{}}
	for i := range conditions {
		at := load.Place{File: "f.go", Offset: 10 * i}
		v.Program.Conditions = append(v.Program.Conditions, instrument.Condition{Index: i, ID: fmt.Sprintf("c%d", i), Place: at, Line: i + 1, Negatable: true})
		v.Index[at] = i
	}
	return v
}

// paired matches conditions of base with those of head, by number.
func paired(base, head int, pairs ...isomorph.Pair) *Matching {
	m := &Matching{Result: &isomorph.Result{Conditions: pairs}, Versions: version.Both[*build.Version]{conditioned(version.Base, base), conditioned(version.Head, head)}}
	m.Pair(Options{NoPrune: true})
	return m
}

func match(base, head int, kind isomorph.Kind) isomorph.Pair {
	return isomorph.Pair{Base: load.Place{File: "f.go", Offset: 10 * base}, Head: load.Place{File: "f.go", Offset: 10 * head}, Kind: kind}
}

func TestPairsMeetByPosition(t *testing.T) {
	t.Parallel()
	other := match(0, 0, isomorph.Strict)
	other.Head.File = "g.go"
	m := paired(3, 4, match(0, 2, isomorph.Strict), other, match(1, 7, isomorph.Strict), match(2, 3, isomorph.Resynchronised))
	want := []Pair{{version.Both[int]{0, 2}, isomorph.Strict}, {version.Both[int]{2, 3}, isomorph.Resynchronised}}
	if diff := cmp.Diff(want, m.Pairs); diff != "" {
		t.Fatal(diff)
	}
	if e := m.Event(); e.MatchedConditions != 2 || e.Resynchronised != 1 || e.Conditions != 4 {
		t.Errorf("%+v", e)
	}
	both := []outcome.Branch{outcome.Of(1, true), outcome.Of(0, false)}
	if diff := cmp.Diff(version.Both[[]int]{{2, 0}, {3, 2}}, version.Both[[]int]{m.Negated(version.Base, both), m.Negated(version.Head, both)}); diff != "" {
		t.Error(diff)
	}
	if m.Strict(both) || !m.Strict(both[1:]) || !m.Strict(nil) {
		t.Error("a set is matched strictly if each of its conditions is")
	}
	if pair, ok := m.Find("c3"); !ok || pair != 1 {
		t.Errorf("c3 of head is pair %d, %t", pair, ok)
	}
	if _, ok := m.Find("c0"); ok {
		t.Error("c0 of head is in no pair")
	}
}

// Projecting the branches of a version and looking them up again gives those that are
// in pairs, and no others.
func TestProjectIsTheInverseOfOn(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "conditions")
		order := rapid.Permutation(numbers(n)).Draw(t, "order")
		var pairs []isomorph.Pair
		for i, j := range order[:rapid.IntRange(0, n).Draw(t, "pairs")] {
			pairs = append(pairs, match(i, j, isomorph.Strict))
		}
		m := paired(n, n, pairs...)
		side := rapid.SampledFrom(version.Sides[:]).Draw(t, "side")
		covered, inPairs := outcome.NewBits(2*n), outcome.NewBits(2*n)
		for _, b := range rapid.SliceOf(rapid.IntRange(0, 2*n-1)).Draw(t, "covered") {
			covered.Add(b)
			for _, p := range m.Pairs {
				if p.At[side] == b/2 {
					inPairs.Add(b)
				}
			}
		}
		back := outcome.NewBits(2 * n)
		for _, b := range m.Project(side, covered).Members() {
			back.Add(int(m.On(side, outcome.Branch(b))))
		}
		if diff := cmp.Diff(inPairs, back); diff != "" {
			t.Fatal(diff)
		}
	})
}

func numbers(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func TestTakes(t *testing.T) {
	t.Parallel()
	m := paired(2, 2, match(0, 1, isomorph.Strict), match(1, 0, isomorph.Strict))
	// On base, pair 0 is condition 0; on head it is condition 1, whose identifier
	// a finding has.
	first, second := event.Negation{ID: "c1", Taken: true}, event.Negation{ID: "c0", Taken: false}
	for _, c := range []struct {
		name      string
		side      version.Side
		branches  []outcome.Branch
		negations []event.Negation
		want      bool
	}{
		{"base takes it", version.Base, []outcome.Branch{outcome.Of(0, true)}, []event.Negation{first}, true},
		{"base takes the other outcome", version.Base, []outcome.Branch{outcome.Of(0, false)}, []event.Negation{first}, false},
		{"head takes it", version.Head, []outcome.Branch{outcome.Of(1, true)}, []event.Negation{first}, true},
		{"head takes what base calls so", version.Head, []outcome.Branch{outcome.Of(0, true)}, []event.Negation{first}, false},
		{"all of two", version.Base, []outcome.Branch{outcome.Of(0, true), outcome.Of(1, false)}, []event.Negation{first, second}, true},
		{"one of two", version.Base, []outcome.Branch{outcome.Of(0, true)}, []event.Negation{first, second}, false},
		{"nothing negated", version.Base, []outcome.Branch{outcome.Of(0, true)}, nil, false},
		{"a condition that is in no pair", version.Base, []outcome.Branch{outcome.Of(0, true)}, []event.Negation{{ID: "c9", Taken: true}}, false},
	} {
		branches := map[int]bool{}
		for _, b := range c.branches {
			branches[int(b)] = true
		}
		if got := m.Takes(c.side, branches, c.negations); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

// A condition that one version asks in two places of a function is told of when it is negated.
func TestNegationElsewhere(t *testing.T) {
	t.Parallel()
	m := paired(1, 3, match(0, 1, isomorph.Strict))
	set := func(side version.Side, text string, functions ...string) {
		for i, function := range functions {
			c := &m.Versions[side].Program.Conditions[i]
			c.Function, c.Text = function, text
		}
	}
	for _, c := range []struct {
		name, text string
		head       []string
		want       bool
	}{
		{"in two places", "l.trace", []string{"Run", "Run", "Stop"}, true},
		{"in another function", "l.trace", []string{"Stop", "Run", "Stop"}, false},
		{"a call", "l.trace()", []string{"Run", "Run", "Stop"}, false},
	} {
		set(version.Base, c.text, "Run")
		set(version.Head, c.text, c.head...)
		if got := m.Negation(outcome.Of(0, true)).Elsewhere; got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

// What was entered is named; where nothing was, initialisers may have acted.
func TestEntered(t *testing.T) {
	t.Parallel()
	m := &Matching{Names: []string{"F", "m.init", "G"}, Result: &isomorph.Result{Changed: []isomorph.Function{{Name: "F"}, {Name: "m.init", Init: true}, {Name: "G"}}}}
	for want, numbers := range map[string][]int{"[F G]": {0, 2}, "[m.init]": nil, "[G]": {2, 9}} {
		if got := fmt.Sprint(m.Entered(numbers)); got != want {
			t.Errorf("%v entered: %s, want %s", numbers, got, want)
		}
	}
	if got := (&Matching{Result: &isomorph.Result{}}).Entered(nil); got == nil || len(got) > 0 {
		t.Errorf("nothing is an empty list, not %v", got)
	}
}
