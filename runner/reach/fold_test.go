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
	agreed := func(f event.Finding) bool { return f.ID == "3" || f.Rung != event.Forced || takenBy(f) != "" }
	kept, implausible := fold(list, takenBy, agreed)
	var ids []string
	for _, f := range kept {
		ids = append(ids, f.ID)
	}
	if diff := cmp.Diff([]string{"o", "r", "4"}, ids); diff != "" || implausible != 1 {
		t.Errorf("%d implausible, kept %s", implausible, diff)
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
	kept, _ := fold(list, func(event.Finding) string { return "r" }, func(event.Finding) bool { return false })
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
		kept, implausible := fold(list,
			func(f event.Finding) string { return map[int]string{1: "r"}[fate[f.ID]] },
			func(f event.Finding) bool { return fate[f.ID] == 2 })
		merged, at := 0, 0
		for _, f := range kept {
			merged += len(f.Merged)
			for list[at].ID != f.ID {
				at++ // panics where the order is another
			}
		}
		if len(kept)+merged+implausible != len(list) {
			t.Fatalf("%d kept, %d merged, %d implausible of %d", len(kept), merged, implausible, len(list))
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

func TestAgreed(t *testing.T) {
	t.Parallel()
	many, few := []int{manyCalls, manyCalls - 1}, []int{manyCalls - 1, 0}
	takes := map[int]bool{1: true}
	for _, c := range []struct {
		what    string
		entered []int
		taken   [2]map[int]bool
		reached []event.Finding
		forced  event.Finding
		want    bool
	}{
		{"often, on both", many, [2]map[int]bool{takes, takes}, nil, forced([]string{"F"}, "c0"), true},
		{"seldom", few, [2]map[int]bool{takes, takes}, nil, forced([]string{"F"}, "c0"), false},
		{"one of two functions seldom", many, [2]map[int]bool{takes, takes}, nil, forced([]string{"F", "G"}, "c0"), false},
		{"on base alone", many, [2]map[int]bool{takes, nil}, nil, forced([]string{"F"}, "c0"), false},
		{"on head alone", many, [2]map[int]bool{nil, takes}, nil, forced([]string{"F"}, "c0"), false},
		{"another branch", many, [2]map[int]bool{takes, takes}, nil, forced([]string{"F"}, "c1"), false},
		{"inputs differ there", many, [2]map[int]bool{takes, takes}, []event.Finding{{Changed: []string{"F"}}}, forced([]string{"F"}, "c0"), false},
		{"inputs differ elsewhere", many, [2]map[int]bool{takes, takes}, []event.Finding{{Changed: []string{"G"}}}, forced([]string{"F"}, "c0"), true},
		{"nothing changed was executed", many, [2]map[int]bool{takes, takes}, nil, forced(nil, "c0"), false},
		{"a function that is not of the change", many, [2]map[int]bool{takes, takes}, nil, forced([]string{"H"}, "c0"), false},
	} {
		s := staged()
		s.Packages = []*Package{{}, {Search: &calls.Search{Entered: c.entered, Branches: c.taken}}}
		if got := s.agreed(c.reached, c.forced); got != c.want {
			t.Errorf("%s: %t", c.what, got)
		}
	}
}
