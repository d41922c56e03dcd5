package reach

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/matching"
	"github.com/isodelta/isodelta/runner/version"
)

func found(id string, rung event.Rung) event.Finding {
	return event.Finding{ID: id, Rung: rung, Condition: "c" + id, Function: "F"}
}

func TestFold(t *testing.T) {
	t.Parallel()
	list := []event.Finding{found("o", event.Observed), found("r", event.Reached), found("1", event.Forced), found("2", event.Forced),
		found("3", event.Forced), found("4", event.Forced), found("5", event.Forced)}
	takenBy := func(f event.Finding) string { return map[string]string{"2": "r", "1": "r", "5": "gone"}[f.ID] }
	// Findings of other rungs are never folded, whatever is said of them.
	witnessed := func(f event.Finding) (event.Folded, bool) {
		return event.Folded{Condition: f.Condition}, f.ID == "3" || f.Rung != event.Forced || takenBy(f) != ""
	}
	kept, folded := fold(list, takenBy, witnessed)
	var ids []string
	for _, f := range kept {
		ids = append(ids, f.ID)
	}
	if diff := cmp.Diff([]string{"o", "r", "4"}, ids); diff != "" || len(folded) != 1 || folded[0].Condition != "c3" {
		t.Errorf("folded %v, kept %s", folded, diff)
	}
	if diff := cmp.Diff([]string{"c1 in F", "c2 in F"}, kept[1].Merged); diff != "" {
		t.Errorf("merged: %s", diff)
	}
	if len(kept[0].Merged)+len(kept[2].Merged) > 0 {
		t.Error("nothing is merged into the others")
	}
	if list[1].Merged != nil {
		t.Error("what was passed in is changed")
	}
}

// Two forced findings of one condition are named once.
func TestFoldNamesAConditionOnce(t *testing.T) {
	t.Parallel()
	list := []event.Finding{found("r", event.Reached), found("1", event.Forced), found("1", event.Forced)}
	kept, _ := fold(list, func(event.Finding) string { return "r" }, func(event.Finding) (event.Folded, bool) { return event.Folded{}, false })
	if len(kept) != 1 || len(kept[0].Merged) != 1 {
		t.Errorf("%+v", kept)
	}
}

// Each finding is kept, merged or counted, and the order stays.
func TestFoldLosesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var list []event.Finding
		fate := map[string]int{}
		for i := range rapid.IntRange(0, 12).Draw(t, "findings") {
			f := found(string(rune('a'+i)), rapid.SampledFrom([]event.Rung{event.Observed, event.Reached, event.Forced}).Draw(t, "rung"))
			fate[f.ID] = rapid.IntRange(0, 2).Draw(t, "fate")
			list = append(list, f)
		}
		list = append(list, found("r", event.Reached))
		kept, folded := fold(list,
			func(f event.Finding) string { return map[int]string{1: "r"}[fate[f.ID]] },
			func(f event.Finding) (event.Folded, bool) { return event.Folded{}, fate[f.ID] == 2 })
		merged, at := 0, 0
		for _, f := range kept {
			merged += len(f.Merged)
			for list[at].ID != f.ID {
				at++ // panics where the order is another
			}
		}
		if len(kept)+merged+len(folded) != len(list) {
			t.Fatalf("%d kept, %d merged, %d folded of %d", len(kept), merged, len(folded), len(list))
		}
	})
}

// staged is a stage whose two conditions have one number each on both versions.
func staged() *Stage {
	m := &matching.Matching{Result: &isomorph.Result{}, Names: []string{"F", "G"}}
	for i, id := range []string{"c0", "c1"} {
		m.Pairs = append(m.Pairs, matching.Pair{At: version.Both[int]{i, i}})
		for side := range m.Versions {
			if m.Versions[side] == nil {
				m.Versions[side] = &build.Version{Program: &instrument.Program{}}
			}
			p := m.Versions[side].Program
			p.Conditions = append(p.Conditions, instrument.Condition{Index: i, ID: id})
		}
	}
	return &Stage{Matching: m, branches: map[string]version.Both[[]int]{}}
}

func forced(changed []string, ids ...string) event.Finding {
	f := event.Finding{ID: "f", Rung: event.Forced, Changed: changed}
	for _, id := range ids {
		f.Negations = append(f.Negations, event.Negation{ID: id, Taken: true})
	}
	return f
}

func TestTakenBy(t *testing.T) {
	t.Parallel()
	s := staged()
	s.branches["base"] = version.Both[[]int]{{1}, {0}}
	s.branches["both"] = version.Both[[]int]{{1, 3}, {1, 3}}
	reached := []event.Finding{{ID: "in place", Changed: []string{"F"}}, {ID: "base", Changed: []string{"F"}}, {ID: "both", Changed: []string{"F", "G"}}}
	for _, c := range []struct {
		what   string
		forced event.Finding
		want   string
	}{
		{"on base alone", forced([]string{"F"}, "c0"), "base"},
		{"two branches", forced([]string{"F"}, "c0", "c1"), "both"},
		{"of another change", forced([]string{"G"}, "c0"), "both"},
		{"of no change that an input executed", forced([]string{"H"}, "c0"), ""},
		{"no branch of an input", forced([]string{"F"}, "gone"), ""},
	} {
		if got := s.takenBy(reached, c.forced); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

func TestWitnessed(t *testing.T) {
	t.Parallel()
	many := []int{ManyCalls, ManyCalls - 1}
	taken := func(times int) map[int]int { return map[int]int{1: times} }
	both := func(times int) version.Both[map[int]int] {
		return version.Both[map[int]int]{taken(times), taken(times)}
	}
	none := version.Both[map[int]int]{}
	for _, c := range []struct {
		what    string
		entered []int
		calls   version.Both[map[int]int]
		tests   version.Both[map[int]int]
		forced  event.Finding
		want    bool
	}{
		{"many calls", many, both(ManyCalls), none, forced([]string{"F"}, "c0"), true},
		{"few calls", many, both(ManyCalls - 1), none, forced([]string{"F"}, "c0"), false},
		{"calls that seldom execute one of two functions", many, both(ManyCalls), none, forced([]string{"F", "G"}, "c0"), false},
		{"calls that take one of two branches", many, both(ManyCalls), none, forced([]string{"F"}, "c0", "c1"), false},
		{"on base alone", many, version.Both[map[int]int]{taken(ManyCalls), nil}, none, forced([]string{"F"}, "c0"), false},
		{"on head alone", many, version.Both[map[int]int]{nil, taken(ManyCalls)}, none, forced([]string{"F"}, "c0"), false},
		{"another branch", many, both(ManyCalls), none, forced([]string{"F"}, "c1"), false},
		{"nothing changed was executed", many, both(ManyCalls), both(manyTests), forced(nil, "c0"), false},
		{"a function that is not of the change", many, both(ManyCalls), none, forced([]string{"H"}, "c0"), false},
		{"tests", nil, none, both(manyTests), forced([]string{"F"}, "c0"), true},
		{"too few tests", nil, none, both(manyTests - 1), forced([]string{"F"}, "c0"), false},
		{"tests on head alone", nil, none, version.Both[map[int]int]{nil, taken(manyTests)}, forced([]string{"F"}, "c0"), false},
	} {
		s := staged()
		s.Packages = []*Package{{}, {Search: &calls.Search{Entered: c.entered, Branches: c.calls}}}
		x, ok := s.witnessed(c.forced, c.tests)
		if ok != c.want {
			t.Errorf("%s: %t", c.what, ok)
		}
		if ok && (!x.Taken || x.Calls == 0 && x.Tests == 0) {
			t.Errorf("%s: %+v", c.what, x)
		}
	}
}
