package coverage

import (
	"fmt"

	"github.com/isodelta/isodelta/diff/adequacy"
	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/version"
)

// Tested is how one function was tested with relations.
type Tested struct {
	Op      surface.Operation
	Rows    version.Both[[]wire.RelatedRow] // by source input
	With    version.Both[[]map[string]bool] // forms of relations in force that each source input is associated with
	Choices *relation.ChoiceSet
}

// Metamorphic returns how adequate testing by relations was: k-MR coverage of each
// function, of packages and in total.
func (c *Coverage) Metamorphic(tested []*Tested) []event.Adequacy {
	m := measures{}
	if len(tested) == 0 {
		return nil
	}
	for _, side := range version.Sides {
		marks := c.newMarker(side)
		for _, t := range tested {
			f := c.collect(t, side, marks)
			for _, criterion := range adequacy.Criteria() {
				s := f.Score(criterion, 0)
				if s.Of == 0 {
					continue
				}
				for _, at := range []measure{{"function", t.Op.Name, string(criterion)}, {"package", t.Op.Package, string(criterion)}, {"total", "", string(criterion)}} {
					m.add(at, side, event.Met(s))
				}
			}
		}
	}
	return m.events(c.module(), func(criterion string) int { return adequacy.Criterion(criterion).DefaultK() })
}

// collect books the source inputs of one function on one version.
func (c *Coverage) collect(m *Tested, side version.Side, marks *marker) *adequacy.Function {
	var req adequacy.Requirements
	var satisfied []adequacy.Satisfied
	statements := c.statementsOf(m.Op, side, marks)
	if statements != nil {
		req.Statements, req.Branches = statements.nodes(), statements.branches
	}
	if m.Choices != nil {
		for _, category := range m.Choices.Inputs {
			req.Choices = append(req.Choices, len(category.Choices))
		}
	}
	for _, r := range m.Rows[side] {
		var s adequacy.Satisfied
		if r.Ended {
			if statements != nil {
				s.Branches, s.Statements = r.Branches, statements.ran(r.Branches)
			}
			if m.Choices != nil {
				s.Combination = adequacy.Combination{In: picks(r.Chosen[0]), Out: picks(r.Chosen[1])}
			}
		}
		satisfied = append(satisfied, s)
	}
	req.Frames = m.frames()
	f := adequacy.NewFunction(req)
	for k, r := range m.Rows[side] {
		if !r.Ended {
			continue
		}
		input := fmt.Sprint(k)
		f.Source(input, satisfied[k])
		for id := range m.With[side][k] {
			f.Associate(input, id)
		}
	}
	return f
}

// frames are the combinations of choices that any source input had, on either
// version: both are measured by the same.
func (m *Tested) frames() []adequacy.Combination {
	if m.Choices == nil {
		return nil
	}
	var all []adequacy.Combination
	for _, rows := range m.Rows {
		for _, r := range rows {
			if r.Ended {
				all = append(all, adequacy.Combination{In: picks(r.Chosen[0]), Out: picks(r.Chosen[1])})
			}
		}
	}
	return adequacy.Seen(all)
}

func picks(list [][2]int) []adequacy.Pick {
	var out []adequacy.Pick
	for _, p := range list {
		out = append(out, adequacy.Pick{Category: p[0], Choice: p[1]})
	}
	return out
}

// statements are the requirements of one function: the nodes of its
// control-flow graph, and the branches that are counted at run time.
type statements struct {
	marks      *marker
	flow       *isomorph.Flow
	at         *isomorph.Span
	conditions []int
	branches   []int
}

// statementsOf returns nil where the function's graph is not known.
func (c *Coverage) statementsOf(op surface.Operation, side version.Side, marks *marker) *statements {
	f, ok := c.Matching.Enclosing(op.At[version.Head].File, op.Line)
	if !ok {
		return nil
	}
	base, head, _ := c.Matching.Flows(f, isomorph.Options{Strict: c.Strict})
	s := &statements{marks: marks, flow: base, at: f.Base}
	if side == version.Head {
		s.flow, s.at = head, f.Head
	}
	if s.flow == nil || s.at == nil || len(s.flow.Nodes) > event.MaxGraphNodes {
		return nil
	}
	for _, n := range s.flow.Nodes {
		known := -1
		if x, ok := marks.condition(n); ok {
			known = x.Index
			s.branches = append(s.branches, int(outcome.Of(known, true)), int(outcome.Of(known, false)))
		}
		if arm, ok := marks.arm(n, s.at.File); ok && n.Condition == nil {
			s.branches = append(s.branches, int(arm))
		}
		s.conditions = append(s.conditions, known)
	}
	return s
}

// nodes are the numbers of the graph's nodes, the entry left out.
func (s *statements) nodes() []int {
	var out []int
	for i, n := range s.flow.Nodes {
		if n.Kind != isomorph.Entry {
			out = append(out, i)
		}
	}
	return out
}

// ran are the nodes that a call which took these branches executed.
func (s *statements) ran(branches []int) []int {
	last := 0
	for _, b := range branches {
		last = max(last, b)
	}
	for _, b := range s.branches {
		last = max(last, b)
	}
	taken := outcome.NewBits(last + 1)
	for _, b := range branches {
		taken.Add(b)
	}
	var out []int
	for i, k := range s.marks.spread(s.flow, s.at, s.conditions, taken, true).nodes {
		if k == yes && s.flow.Nodes[i].Kind != isomorph.Entry {
			out = append(out, i)
		}
	}
	return out
}
