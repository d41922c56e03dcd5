package matching_test

import (
	"testing"

	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/matching"
	"github.com/isodelta/isodelta/runner/version"
)

// Branches that were taken hold what a finding negates if each negated condition
// took its branch, by the version's own numbers. They cannot hold an inverted one.
func TestTakesByVersion(t *testing.T) {
	t.Parallel()
	of := func(ids ...string) *build.Version {
		v := &build.Version{Program: &instrument.Program{}}
		for _, id := range ids {
			v.Program.Conditions = append(v.Program.Conditions, instrument.Condition{ID: id})
		}
		return v
	}
	m := &matching.Matching{Versions: version.Both[*build.Version]{of("b", "a"), of("new", "a", "b")},
		Pairs: []matching.Pair{{At: version.Both[int]{0, 2}, Kind: isomorph.Strict}, {At: version.Both[int]{1, 1}, Kind: isomorph.Strict}}}
	a, b := event.Negation{ID: "a", Taken: true}, event.Negation{ID: "b"}
	inverted := event.Negation{ID: "a", Inverted: true}
	for _, test := range []struct {
		name      string
		side      version.Side
		taken     []int
		negations []event.Negation
		want      bool
	}{
		{"the branch", version.Base, []int{3}, []event.Negation{a}, true},
		{"the other branch", version.Base, []int{2}, []event.Negation{a}, false},
		{"the branch with head's number", version.Head, []int{4}, []event.Negation{b}, true},
		{"the same on base", version.Base, []int{4}, []event.Negation{b}, false},
		{"one of two", version.Head, []int{3}, []event.Negation{a, b}, false},
		{"both of two", version.Head, []int{3, 4}, []event.Negation{a, b}, true},
		{"inverted", version.Head, []int{2, 3}, []event.Negation{inverted}, false},
		{"a condition that is not matched", version.Head, []int{1}, []event.Negation{{ID: "new", Taken: true}}, false},
		{"nothing negated", version.Head, []int{1}, nil, false},
	} {
		taken := map[int]bool{}
		for _, i := range test.taken {
			taken[i] = true
		}
		if got := m.Takes(test.side, taken, test.negations); got != test.want {
			t.Errorf("%s: %t, want %t", test.name, got, test.want)
		}
	}
}
