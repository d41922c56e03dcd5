package coverage

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/baseline"
	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/matching"
	"github.com/isodelta/isodelta/runner/negation"
	"github.com/isodelta/isodelta/runner/negation/explore"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/version"
)

// covered holds branches; there are two conditions and an arm.
func covered(branches ...int) outcome.Bits {
	b := outcome.NewBits(5)
	for _, i := range branches {
		b.Add(i)
	}
	return b
}

// twoVersions are versions of a package p with two conditions, in lines 3 and 13, and
// an arm in line 14, and of a package q that nothing tests.
func twoVersions() version.Both[*build.Version] {
	var out version.Both[*build.Version]
	for _, side := range version.Sides {
		condition := func(i, line int) instrument.Condition {
			return instrument.Condition{Index: i, Package: "p", Line: line, Place: load.Place{File: "f.go", Offset: 10 * line}}
		}
		out[side] = &build.Version{Side: side, Tree: &load.Tree{Module: "example.com/m", Packages: []*load.Package{{Path: "p"}}},
			Program: &instrument.Program{Conditions: []instrument.Condition{condition(0, 3), condition(1, 13)},
				Arms: []instrument.Arm{{Package: "q", Line: 14, Place: load.Place{File: "f.go", Offset: 140}}}}}
	}
	return out
}

// suites are head's with a test that base has too, one that is edited and one that is
// new, and base's with the edited one as it was.
func suites(versions version.Both[*build.Version]) (head, base *build.Suite, all *build.Suites) {
	test := func(s *build.Suite, name string) {
		s.Text.Tests = append(s.Text.Tests, instrument.Test{Package: "p", Name: name})
		s.Tests = append(s.Tests, &build.Test{Test: instrument.Test{Package: "p", Name: name}, Suite: s})
	}
	head = &build.Suite{Side: version.Head, Own: versions[version.Head], Other: versions[version.Base], Text: &instrument.Suite{}}
	base = &build.Suite{Side: version.Base, Own: versions[version.Base], Other: versions[version.Head], Text: &instrument.Suite{}}
	test(head, "TestNew")
	test(head, "TestEdited")
	test(head, "TestSame")
	test(base, "TestEdited")
	test(base, "TestSame")
	all = build.NewSuites(head, base)
	base.Tests = base.Tests[:1] // what the change does not edit runs in head's
	return head, base, all
}

func seen(t *build.Test, onBase, onHead outcome.Bits) baseline.Seen {
	return baseline.Seen{Test: &baseline.Test{Test: t}, Results: version.Both[[]outcome.Result]{
		{{Covered: onBase, Entered: outcome.Bits{1}}}, {{Covered: onHead, Entered: outcome.Bits{2}}}}}
}

// What an edited or new test of head's covers on base says nothing of base's suite.
func TestSawTest(t *testing.T) {
	t.Parallel()
	head, base, all := suites(twoVersions())
	var r Record
	r.SawTest(seen(head.Tests[0], covered(0), covered(1)), all)
	if r.own[version.Base] != nil || r.linked[version.Base] != nil {
		t.Errorf("a new test covers %v of base", r.own[version.Base])
	}
	r.SawTest(seen(head.Tests[1], covered(0), covered(2)), all)
	if r.own[version.Base] != nil {
		t.Errorf("an edited test, as it is on head, covers %v of base", r.own[version.Base])
	}
	r.SawTest(seen(base.Tests[0], covered(3), covered(3)), all)
	if diff := cmp.Diff(version.Both[[]int]{{3}, {1, 2}}, version.Both[[]int]{r.own[0].Members(), r.own[1].Members()}); diff != "" {
		t.Errorf("of each suite on its own version: %s", diff)
	}
	// The binaries link both conditions, and not what package q has.
	if diff := cmp.Diff(version.Both[[]int]{{0, 1, 2, 3}, {0, 1, 2, 3}}, version.Both[[]int]{r.linked[0].Members(), r.linked[1].Members()}); diff != "" {
		t.Errorf("linked: %s", diff)
	}
	// What is drawn knows all that ran.
	if diff := cmp.Diff(version.Both[[]int]{{0, 3}, {1, 2, 3}}, version.Both[[]int]{r.covered[0].Members(), r.covered[1].Members()}); diff != "" {
		t.Errorf("covered: %s", diff)
	}
	if diff := cmp.Diff(version.Both[outcome.Bits]{{1}, {2}}, r.entered); diff != "" {
		t.Errorf("entered: %s", diff)
	}
}

// A test that the change does not edit tells of both suites, each on its own version.
func TestSawTestOfBothSuites(t *testing.T) {
	t.Parallel()
	head, _, all := suites(twoVersions())
	var r Record
	r.SawTest(seen(head.Tests[2], covered(0), covered(1)), all)
	if diff := cmp.Diff(version.Both[[]int]{{0}, {1}}, version.Both[[]int]{r.own[0].Members(), r.own[1].Members()}); diff != "" {
		t.Errorf("covered: %s", diff)
	}
	if r.linked[version.Base] == nil || r.linked[version.Head] == nil {
		t.Errorf("linked: %v", r.linked)
	}
}

func TestSawVariantAndCalls(t *testing.T) {
	t.Parallel()
	var r Record
	set := negation.Set{Branches: []outcome.Branch{3}}
	r.SawVariant(explore.Variant{Set: set, Base: outcome.Result{Covered: covered(3)}})
	r.SawVariant(explore.Variant{Set: set, Base: outcome.Result{Covered: covered(1)}, Head: &outcome.Result{Covered: covered(4)}})
	r.SawCalls(version.Head, map[int]int{2: 1, 19: 7})
	got := []version.Both[[]int]{{r.explored[0].Members(), r.explored[1].Members()}, {r.called[0].Members(), r.called[1].Members()}}
	if diff := cmp.Diff([]version.Both[[]int]{{{1, 3}, {4}}, {nil, {2, 19}}}, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[outcome.Branch]bool{3: true}, r.negated); diff != "" {
		t.Error(diff)
	}
}

// A function of Δ is named where nothing entered it, if it would have told.
func TestUnexecuted(t *testing.T) {
	t.Parallel()
	head, _, all := suites(twoVersions())
	versions := twoVersions()
	versions[version.Head].Program.Marked = []int{0, 1, 2, 3, 6}
	versions[version.Base].Program.Marked = []int{4}
	m := &matching.Matching{Versions: versions, Names: []string{"TestBase", "TestHead", "Variant", "Call", "Gone", "NoSplit", "Early"},
		Result: &isomorph.Result{Changed: make([]isomorph.Function, 7)}}
	m.Changed[6].Early = true // it ran before anything that counts
	m.Changed[4].Package = "m/away"
	within := func(pkg string) bool { return pkg != "m/away" }
	unexecuted := func(r *Record) [2][]string {
		names, outside := r.Unexecuted(m, within)
		return [2][]string{names, outside}
	}
	var r Record
	r.SawTest(seen(head.Tests[0], covered(0), covered(1)), all) // enters 0 on base, 1 on head
	if diff := cmp.Diff([2][]string{{"Variant", "Call"}, {"Gone"}}, unexecuted(&r)); diff != "" {
		t.Error(diff)
	}
	r.SawVariant(explore.Variant{Set: negation.Set{Branches: []outcome.Branch{3}}, Head: &outcome.Result{Entered: outcome.Bits{4}}})
	r.SawEntered([]int{0, 0, 0, 7})
	if diff := cmp.Diff([2][]string{nil, {"Gone"}}, unexecuted(&r)); diff != "" {
		t.Error(diff)
	}
	var varied Record
	varied.SawVaried(outcome.Bits{4}, outcome.Bits{8})
	if names := unexecuted(&varied)[0]; slices.Contains(names, "Variant") || slices.Contains(names, "Call") || len(names) == 0 {
		t.Errorf("a varied test entered two functions, and these are unexecuted: %q", names)
	}
}

// Branches are counted in total, of their package, and of their function if it is of
// Δ; of each suite on its own version.
func TestBranches(t *testing.T) {
	t.Parallel()
	versions := twoVersions()
	span := &isomorph.Span{Place: load.Place{File: "f.go"}, Line: 10, EndLine: 20}
	m := &matching.Matching{Result: &isomorph.Result{Changed: []isomorph.Function{{Name: "F", Head: span}}}, Versions: versions}
	linked := covered(0, 1, 2, 3) // not the arm
	c := &Coverage{Matching: m, Record: &Record{
		own:      version.Both[outcome.Bits]{covered(0), covered(0, 2)},
		linked:   version.Both[outcome.Bits]{linked, linked},
		explored: version.Both[outcome.Bits]{covered(1), covered(3, 4)},
	}}
	met := func(n, of float64) *event.Met { return &event.Met{Met: n, Of: of} }
	line := func(scope, name, criterion string, base, head *event.Met) event.Adequacy {
		return event.Adequacy{Type: "adequacy", Module: "example.com/m", Scope: scope, Name: name, Criterion: criterion, Base: base, Head: head}
	}
	want := []event.Adequacy{
		line("total", "", event.BranchCriterion, met(1, 4), met(2, 4)),
		line("total", "", event.PatchCriterion, nil, met(1, 2)),
		line("package", "p", event.BranchCriterion, met(1, 4), met(2, 4)),
		line("package", "p", event.PatchCriterion, nil, met(1, 2)),
		line("function", "F", event.BranchCriterion, nil, met(1, 2)),
	}
	if diff := cmp.Diff(want, c.Branches(nil)); diff != "" {
		t.Errorf("without variants: %s", diff)
	}
	got := c.Branches(covered(3, 4))
	var extended []event.Adequacy
	for _, a := range got {
		if a.Criterion == event.ExtendedCriterion {
			extended = append(extended, a)
		}
	}
	want = []event.Adequacy{
		line("total", "", event.ExtendedCriterion, met(2, 4), met(3, 4)),
		line("package", "p", event.ExtendedCriterion, met(2, 4), met(3, 4)),
		line("function", "F", event.ExtendedCriterion, nil, met(2, 2)),
	}
	if diff := cmp.Diff(want, extended); diff != "" {
		t.Errorf("with variants: %s", diff)
	}
}

// Where no tests of a version ran, nothing is said of it.
func TestBranchesOfNothing(t *testing.T) {
	t.Parallel()
	c := &Coverage{Matching: &matching.Matching{Result: &isomorph.Result{}, Versions: twoVersions()}, Record: &Record{}}
	if got := c.Branches(nil); len(got) > 0 {
		t.Errorf("%v", got)
	}
}
