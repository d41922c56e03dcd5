package runner

import (
	"fmt"
	"slices"

	"github.com/isodelta/isodelta/diff/adequacy"
	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/relation"
)

// metamorphic is how one function was tested with relations, base first.
type metamorphic struct {
	op      calls.Op
	rows    [2][]harness.RelatedRow // by source input
	with    [2][]map[string]bool    // relations that each source input is associated with
	choices *relation.ChoiceSet
}

// associate books which relations in force each source input was checked with.
// On base those that hold there are in force, on head those that hold on head.
func (c *comparison) associate(p *caller, op int, rows [2][]harness.RelatedRow, tallies []tally) *metamorphic {
	m := &metamorphic{op: p.campaign.API.Ops[op], rows: rows, choices: c.choiceSet(p.campaign.API.Ops[op].Name)}
	for v := range rows {
		m.with[v] = make([]map[string]bool, len(rows[v]))
		for k, r := range rows[v] {
			m.with[v][k] = map[string]bool{}
			for i, t := range tallies {
				if i < len(r.Verdicts) && says(r.Verdicts[i]) && t.inForce(v) {
					m.with[v][k][t.ID] = true
				}
			}
		}
	}
	c.relations.tested = append(c.relations.tested, m)
	return m
}

// inForce reports whether a relation tests a version: it was inferred of base, or
// of head alone, or somebody declared it.
func (t *tally) inForce(v int) bool {
	switch t.state() {
	case event.New:
		return v == 1
	case "":
		return false
	}
	return true
}

// emitMetamorphic tells how adequate testing by relations was: k-MR coverage of
// each function, of packages and in total.
func (c *comparison) emitMetamorphic() {
	m := measures{}
	marks := [2]*marker{}
	for v, version := range []*version{c.base, c.head} {
		if len(c.relations.tested) > 0 && version.program != nil {
			marks[v] = c.newMarker(version, v)
		}
	}
	for _, t := range c.relations.tested {
		for v := range marks {
			if marks[v] == nil {
				continue
			}
			f := c.collect(t, v, marks[v])
			for _, criterion := range adequacy.Criteria() {
				s := f.Score(criterion, 0)
				if s.Of == 0 {
					continue
				}
				for _, at := range []measure{{"function", t.op.Name, string(criterion)}, {"package", t.op.Package, string(criterion)}, {"total", "", string(criterion)}} {
					m.add(at, v, event.Met(s))
				}
			}
		}
	}
	m.emit(c.head.tree.Module, func(criterion string) int { return adequacy.Criterion(criterion).DefaultK() }, c.sink)
}

// collect books the source inputs of one function on one version.
func (c *comparison) collect(m *metamorphic, v int, marks *marker) *adequacy.Function {
	var req adequacy.Requirements
	var satisfied []adequacy.Satisfied
	statements := c.statementsOf(m.op, v, marks)
	if statements != nil {
		req.Statements, req.Branches = statements.nodes(), statements.branches
	}
	if m.choices != nil {
		for _, category := range m.choices.Inputs {
			req.Choices = append(req.Choices, len(category.Choices))
		}
	}
	for _, r := range m.rows[v] {
		var s adequacy.Satisfied
		if r.Ended {
			if statements != nil {
				s.Branches, s.Statements = r.Branches, statements.ran(r.Branches)
			}
			if m.choices != nil {
				s.Combination = adequacy.Combination{In: picks(r.Chosen[0]), Out: picks(r.Chosen[1])}
			}
		}
		satisfied = append(satisfied, s)
	}
	req.Frames = m.frames()
	f := adequacy.NewFunction(req)
	for k, r := range m.rows[v] {
		if !r.Ended {
			continue
		}
		input := fmt.Sprint(k)
		f.Source(input, satisfied[k])
		for id := range m.with[v][k] {
			f.Associate(input, id)
		}
	}
	return f
}

// frames are the combinations of choices that any source input had, on either
// version: both are measured by the same.
func (m *metamorphic) frames() []adequacy.Combination {
	if m.choices == nil {
		return nil
	}
	var all []adequacy.Combination
	for _, rows := range m.rows {
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
func (c *comparison) statementsOf(op calls.Op, v int, marks *marker) *statements {
	f, ok := c.match.Enclosing(op.File, op.Line)
	if !ok {
		return nil
	}
	base, head, _ := c.match.Flows(f, isomorph.Options{Strict: c.opt.Strict})
	s := &statements{marks: marks, flow: base, at: f.Base}
	if v == 1 {
		s.flow, s.at = head, f.Head
	}
	if s.flow == nil || s.at == nil || len(s.flow.Nodes) > event.MaxGraphNodes {
		return nil
	}
	for _, n := range s.flow.Nodes {
		known := -1
		if n.Condition != nil {
			if x, ok := marks.conditions[instrument.Key{File: n.Condition.File, Offset: n.Condition.Offset}]; ok {
				known = x.Index
				s.branches = append(s.branches, branchOf(known, true), branchOf(known, false))
			}
		}
		if n.Condition == nil && len(n.Text) > 0 {
			if arm, ok := marks.arms[instrument.Key{File: s.at.File, Offset: n.Text[0].Start}]; ok {
				s.branches = append(s.branches, arm)
			}
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
	most := 0
	for _, b := range branches {
		most = max(most, b)
	}
	for _, b := range s.branches {
		most = max(most, b)
	}
	taken := outcome.NewBits(most + 1)
	for _, b := range branches {
		taken.Add(b)
	}
	known := s.marks.entered[spanKey(s.at)]
	s.marks.entered[spanKey(s.at)] = true
	defer func() { s.marks.entered[spanKey(s.at)] = known }()
	var out []int
	for i, k := range s.marks.spread(s.flow, s.at, s.conditions, taken).nodes {
		if k == yes && s.flow.Nodes[i].Kind != isomorph.Entry {
			out = append(out, i)
		}
	}
	return out
}

// choiceSet is what the configuration declares of a function; nil if nothing.
func (c *comparison) choiceSet(function string) *relation.ChoiceSet {
	list := c.relations.declared.Categories
	i := slices.IndexFunc(list, func(s relation.ChoiceSet) bool { return s.Function == function })
	if i < 0 {
		return nil
	}
	return &list[i]
}
