package runner

import (
	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/execute"
)

// suiteAdequacy is what the suites cover, each on its own version: base's suite on
// base, head's on head. The first of two is always base's.
type suiteAdequacy struct {
	covered [2]execute.Bits    // branches
	linked  [2]execute.Bits    // branches in the binaries of packages whose tests ran
	ran     [2]map[string]bool // those packages
}

// saw books a test as it is. A test of head's suite that base's has too, and
// that the change does not edit, tells of both; edited ones stand in base's
// suite.
func (c *comparison) sawAdequacy(t *test, base, head []execute.Result) {
	a := &c.adequacy
	book := func(side int, v *version, runs []execute.Result) {
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

// editedInBase says that base's suite holds the test too, as it was.
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

// emitAdequacy tells how thorough the testing was.
func (c *comparison) emitAdequacy() {
	a := &c.adequacy
	var branch, extended, patch [2]*event.Met
	for side, v := range []*version{c.base, c.head} {
		if len(a.linked[side]) == 0 {
			continue
		}
		explored := c.traces.explored[0]
		if side == 1 {
			explored = united(united(nil, c.explored), c.covered)
		}
		within := c.changedBranches(v, side)
		var met, more, touched, changed float64
		for _, i := range a.linked[side].Members() {
			if a.covered[side].Has(i) {
				met++
			}
			if a.covered[side].Has(i) || explored.Has(i) {
				more++
			}
			if within.Has(i) {
				changed++
				if a.covered[side].Has(i) {
					touched++
				}
			}
		}
		of := float64(a.linked[side].Count())
		branch[side], extended[side] = &event.Met{Met: met, Of: of}, &event.Met{Met: more, Of: of}
		if changed > 0 {
			patch[side] = &event.Met{Met: touched, Of: changed}
		}
	}
	emit := func(criterion string, m [2]*event.Met) {
		if m[0] != nil || m[1] != nil {
			c.sink.Emit(event.Adequacy{Type: "adequacy", Module: c.head.tree.Module, Scope: "total", Criterion: criterion, Base: m[0], Head: m[1]})
		}
	}
	emit(event.BranchCriterion, branch)
	if c.sum.Variants > 0 {
		emit(event.ExtendedCriterion, extended)
	}
	emit(event.PatchCriterion, patch)
}

// changedBranches are the branches of one version in functions of Δ.
func (c *comparison) changedBranches(v *version, side int) execute.Bits {
	spans := map[string][]*isomorph.Span{}
	for _, f := range c.match.Changed {
		span := f.Base
		if side == 1 {
			span = f.Head
		}
		if span != nil {
			spans[span.File] = append(spans[span.File], span)
		}
	}
	in := func(file string, line int) bool {
		for _, s := range spans[file] {
			if s.Line <= line && line <= s.EndLine {
				return true
			}
		}
		return false
	}
	p := v.program
	set := execute.NewBits(2*len(p.Conditions) + len(p.Arms))
	for _, x := range p.Conditions {
		if in(x.Key.File, x.Line) {
			set.Add(2 * x.Index)
			set.Add(2*x.Index + 1)
		}
	}
	for _, x := range p.Arms {
		if in(x.Key.File, x.Line) {
			set.Add(2*len(p.Conditions) + x.Index)
		}
	}
	return set
}
