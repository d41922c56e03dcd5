package coverage

import (
	"slices"

	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/matching"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/version"
)

// Branches returns how thorough the testing was: in total, of each package whose tests
// ran, and of each function of Δ. explored are head's branches that any test or
// variant covered; nil where no variant was run.
func (c *Coverage) Branches(explored outcome.Bits) []event.Adequacy {
	m := measures{}
	for _, side := range version.Sides {
		linked := c.Record.linked[side]
		if len(linked) == 0 {
			continue
		}
		covered, extended := c.Record.own[side], c.Record.explored[version.Base]
		if side == version.Head {
			extended = explored
		}
		for _, b := range c.branchesOf(side) {
			at := int(b.branch)
			if !linked.Has(at) {
				continue
			}
			m.count(side, event.BranchCriterion, b, covered.Has(at))
			if explored != nil {
				m.count(side, event.ExtendedCriterion, b, covered.Has(at) || extended.Has(at))
			}
			if b.changed != "" {
				m.count(side, event.PatchCriterion, b, covered.Has(at))
			}
		}
	}
	return m.events(c.module(), func(string) int { return 0 })
}

// measures are the scores of both versions, base first.
type measures map[measure]version.Both[*event.Met]

type measure struct{ scope, name, criterion string }

// count counts a branch in total, for its package, and for its function if that
// is of Δ.
func (m measures) count(side version.Side, criterion string, b branchPlace, met bool) {
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

func (m measures) add(at measure, side version.Side, score event.Met) {
	both := m[at]
	if both[side] == nil {
		both[side] = &event.Met{}
	}
	both[side].Met += score.Met
	both[side].Of += score.Of
	m[at] = both
}

// events returns the scores in order; k returns the k of a criterion.
func (m measures) events(module string, k func(criterion string) int) []event.Adequacy {
	var list []event.Adequacy
	for at, both := range m {
		list = append(list, event.Adequacy{Type: "adequacy", Module: module, Scope: at.scope, Name: at.name, Criterion: at.criterion,
			K: k(at.criterion), Base: both[version.Base], Head: both[version.Head]})
	}
	slices.SortFunc(list, event.CompareAdequacies)
	return list
}

// branchPlace is a branch of one version.
type branchPlace struct {
	branch  outcome.Branch
	pkg     string
	changed string // name of its function if that is of Δ, else ""
}

// branchesOf returns all branches of a version.
func (c *Coverage) branchesOf(side version.Side) []branchPlace {
	spans := map[string][]isomorph.Function{}
	for _, f := range c.Matching.Changed {
		if s := matching.Span(f, side); s != nil {
			spans[s.File] = append(spans[s.File], f)
		}
	}
	within := func(file string, line int) string {
		for _, f := range spans[file] {
			if s := matching.Span(f, side); s.Line <= line && line <= s.EndLine {
				return f.Name
			}
		}
		return ""
	}
	var out []branchPlace
	p := c.Matching.Versions[side].Program
	for _, x := range p.Conditions {
		name := within(x.File, x.Line)
		out = append(out, branchPlace{outcome.Of(x.Index, false), x.Package, name}, branchPlace{outcome.Of(x.Index, true), x.Package, name})
	}
	for _, x := range p.Arms {
		out = append(out, branchPlace{outcome.Arm(len(p.Conditions), x.Index), x.Package, within(x.File, x.Line)})
	}
	return out
}
