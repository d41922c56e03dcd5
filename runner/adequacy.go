package runner

import (
	"slices"

	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/outcome"
)

// suiteAdequacy is what the suites cover, each on its own version: base's suite on
// base, head's on head. The first of two is always base's.
type suiteAdequacy struct {
	covered [2]outcome.Bits    // branches
	linked  [2]outcome.Bits    // branches in the binaries of packages whose tests ran
	ran     [2]map[string]bool // those packages
}

// saw books a test as it is. A test of head's suite that base's has too, and
// that the change does not edit, tells of both; edited ones stand in base's
// suite.
func (c *comparison) sawAdequacy(t *test, base, head []outcome.Result) {
	a := &c.adequacy
	book := func(side int, v *version, runs []outcome.Result) {
		for _, r := range runs {
			a.covered[side] = united(a.covered[side], r.Covered)
		}
		if a.ran[side] == nil {
			a.ran[side] = map[string]bool{}
		}
		if !a.ran[side][t.Package] {
			a.ran[side][t.Package] = true
			a.linked[side] = united(a.linked[side], c.linkedBranches(v, t.Package))
		}
	}
	if t.suite.name == "base" || !c.isNew(t) && !c.editedInBase(t) {
		book(0, c.base, base)
	}
	if t.suite.name == "head" {
		book(1, c.head, head)
	}
}

// editedInBase reports whether base's suite holds the test too, as it was.
func (c *comparison) editedInBase(t *test) bool {
	for _, s := range c.suites {
		if s.name != "base" {
			continue
		}
		for _, o := range s.tests {
			if o.Package == t.Package && o.Name == t.Name {
				return true
			}
		}
	}
	return false
}

// emitAdequacy tells how thorough the testing was: in total, of each package
// whose tests ran, and of each function of Δ.
func (c *comparison) emitAdequacy() {
	m := measures{}
	for side, v := range []*version{c.base, c.head} {
		linked := c.adequacy.linked[side]
		if len(linked) == 0 {
			continue
		}
		covered, explored := c.adequacy.covered[side], c.traces.explored[0]
		if side == 1 {
			explored = united(united(nil, c.explored), c.covered)
		}
		for _, b := range c.branchesOf(v, side) {
			if !linked.Has(b.index) {
				continue
			}
			m.count(side, event.BranchCriterion, b, covered.Has(b.index))
			if c.sum.Variants > 0 {
				m.count(side, event.ExtendedCriterion, b, covered.Has(b.index) || explored.Has(b.index))
			}
			if b.changed != "" {
				m.count(side, event.PatchCriterion, b, covered.Has(b.index))
			}
		}
	}
	m.emit(c.head.tree.Module, func(string) int { return 0 }, c.sink)
}

// measures are the scores of both versions, base first.
type measures map[measure][2]*event.Met

type measure struct{ scope, name, criterion string }

// count counts a branch in total, for its package, and for its function if that
// is of Δ.
func (m measures) count(side int, criterion string, b branchPlace, met bool) {
	score := event.Met{Of: 1}
	if met {
		score.Met = 1
	}
	m.add(measure{"total", "", criterion}, side, score)
	m.add(measure{"package", b.pkg, criterion}, side, score)
	if b.changed != "" && criterion != event.PatchCriterion {
		m.add(measure{"function", b.changed, criterion}, side, score)
	}
}

func (m measures) add(at measure, side int, score event.Met) {
	both := m[at]
	if both[side] == nil {
		both[side] = &event.Met{}
	}
	both[side].Met += score.Met
	both[side].Of += score.Of
	m[at] = both
}

// emit writes events in order; k is that of a criterion.
func (m measures) emit(module string, k func(criterion string) int, sink event.Sink) {
	var list []event.Adequacy
	for at, both := range m {
		list = append(list, event.Adequacy{Type: "adequacy", Module: module, Scope: at.scope, Name: at.name, Criterion: at.criterion,
			K: k(at.criterion), Base: both[0], Head: both[1]})
	}
	slices.SortFunc(list, event.CompareAdequacies)
	for _, a := range list {
		sink.Emit(a)
	}
}

// branchPlace is a branch of one version.
type branchPlace struct {
	index   int
	pkg     string
	changed string // name of its function if that is of Δ, else ""
}

// branchesOf are all branches of a version.
func (c *comparison) branchesOf(v *version, side int) []branchPlace {
	spans := map[string][]isomorph.Function{}
	spanOf := func(f isomorph.Function) *isomorph.Span { return [2]*isomorph.Span{f.Base, f.Head}[side] }
	for _, f := range c.match.Changed {
		if s := spanOf(f); s != nil {
			spans[s.File] = append(spans[s.File], f)
		}
	}
	within := func(file string, line int) string {
		for _, f := range spans[file] {
			if s := spanOf(f); s.Line <= line && line <= s.EndLine {
				return f.Name
			}
		}
		return ""
	}
	var out []branchPlace
	p := v.program
	for _, x := range p.Conditions {
		name := within(x.Key.File, x.Line)
		out = append(out, branchPlace{2 * x.Index, x.Package, name}, branchPlace{2*x.Index + 1, x.Package, name})
	}
	for _, x := range p.Arms {
		out = append(out, branchPlace{2*len(p.Conditions) + x.Index, x.Package, within(x.Key.File, x.Line)})
	}
	return out
}
