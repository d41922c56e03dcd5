package coverage

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/version"
)

// longFunction is beyond what is matched node by node, and drawn.
const longFunction = 1500 // lines

// Graphs draws the functions that findings concern, then the rest of Δ, as far as
// there is room.
func (c *Coverage) Graphs(findings []event.Finding) []event.Graph {
	wanted := c.toDraw(findings)
	if over := len(wanted) - event.MaxGraphs; over > 0 {
		c.Env.Limit(event.Limit{Kind: event.LimitGraph, What: fmt.Sprintf("%d functions", over),
			Reason: fmt.Sprintf("their control-flow graphs are left out: a report has room for %d", event.MaxGraphs)})
		wanted = wanted[:event.MaxGraphs]
	}
	marks := version.Both[*marker]{c.newMarker(version.Base), c.newMarker(version.Head)}
	var graphs []event.Graph
	for _, f := range wanted {
		graphs = append(graphs, c.graph(f, marks))
	}
	slices.SortFunc(graphs, event.CompareGraphs)
	return graphs
}

// toDraw lists functions, those of the strongest findings first.
func (c *Coverage) toDraw(findings []event.Finding) []isomorph.Function {
	var list []isomorph.Function
	seen := map[version.Both[load.Place]]bool{}
	add := func(f isomorph.Function) {
		if f.Base == nil && f.Head == nil {
			return // initialises variables: there is no declaration to draw
		}
		at := version.Both[load.Place]{declared(f.Base), declared(f.Head)}
		if !seen[at] {
			seen[at] = true
			list = append(list, f)
		}
	}
	changed := map[string][]isomorph.Function{}
	for _, f := range c.Matching.Changed {
		changed[f.Name] = append(changed[f.Name], f)
	}
	for _, finding := range findings {
		for _, name := range append([]string{finding.Function}, finding.Changed...) {
			for _, f := range changed[name] {
				add(f)
			}
		}
	}
	for _, finding := range findings {
		if f, ok := c.Matching.Enclosing(finding.File, finding.Line); ok {
			add(f)
		}
		for _, n := range finding.Negations {
			if f, ok := c.Matching.Enclosing(n.File, n.Line); ok {
				add(f)
			}
		}
	}
	for _, f := range c.Matching.Changed {
		add(f)
	}
	return list
}

// declared returns where a declaration starts, no place for nil.
func declared(s *isomorph.Span) load.Place {
	if s == nil {
		return load.Place{}
	}
	return s.Place
}

// graph draws one function.
func (c *Coverage) graph(f isomorph.Function, marks version.Both[*marker]) event.Graph {
	g := event.Graph{Type: "graph", Module: c.module(), Package: f.Package, Function: f.Name, Status: f.Status}
	if g.Status == "" || g.Status == isomorph.Through {
		g.Status = "unchanged"
	}
	cut := false
	before, after := marks[version.Base].source(f.Base), marks[version.Head].source(f.Head)
	g.Hunks, cut = event.FitHunks(functionHunks(before, after))
	if cut {
		c.Env.Limit(event.Limit{Kind: event.LimitGraph, What: f.Name, Reason: "its differing lines are more than a report has room for; the first are shown"})
	}
	tooLong := max(len(before.lines), len(after.lines)) > longFunction
	var base, head *isomorph.Flow
	var pairs []isomorph.FlowPair
	if !tooLong {
		base, head, pairs = c.Matching.Flows(f, isomorph.Options{Strict: c.Strict})
		tooLong = nodes(base) > event.MaxGraphNodes || nodes(head) > event.MaxGraphNodes
	}
	if tooLong {
		c.Env.Limit(event.Limit{Kind: event.LimitGraph, What: f.Name, Reason: "its control-flow graph is too large to be drawn"})
		base, head, pairs = nil, nil, nil
	}
	g.Base, g.Head = marks[version.Base].flow(base, f.Base), marks[version.Head].flow(head, f.Head)
	for _, p := range pairs {
		g.Pairs = append(g.Pairs, event.NodePair{Base: p.Base, Head: p.Head, Match: string(p.Kind)})
	}
	return g
}

func nodes(f *isomorph.Flow) int {
	if f == nil {
		return 0
	}
	return len(f.Nodes)
}

// flow writes a graph as an event, with its marks.
func (m *marker) flow(f *isomorph.Flow, at *isomorph.Span) event.Flow {
	if at == nil {
		return event.Flow{}
	}
	out := event.Flow{File: at.File, Line: at.Line}
	if f == nil {
		return out
	}
	conditions := make([]int, len(f.Nodes)) // -1 without one
	for i, n := range f.Nodes {
		x := event.Node{Kind: n.Kind, Text: m.text(n, at.File)}
		x.Line, x.EndLine = extent(n, at)
		conditions[i] = -1
		if known, ok := m.condition(n); ok {
			conditions[i], x.Condition, x.Text = known.Index, known.ID, shortened(known.Text)
			x.Negated = m.negated[outcome.Of(known.Index, true)] || m.negated[outcome.Of(known.Index, false)]
		}
		out.Nodes = append(out.Nodes, x)
	}
	for _, e := range f.Edges {
		x := event.Edge{From: e.From, To: e.To, Label: e.Label}
		if k := conditions[e.From]; k >= 0 && e.Label != "" {
			x.Negated = m.negated[outcome.Of(k, e.Label == "true")]
		}
		out.Edges = append(out.Edges, x)
	}
	if m.taken.Empty() {
		return out // nothing was run, or nothing counted: that is no "never"
	}
	entered := m.entered[at.Place]
	executed, explored := m.spread(f, at, conditions, m.covered, entered), m.spread(f, at, conditions, m.taken, entered)
	for i := range out.Nodes {
		out.Nodes[i].Ran = word(executed.nodes[i], explored.nodes[i])
	}
	for i := range out.Edges {
		out.Edges[i].Ran = word(executed.edges[i], explored.edges[i])
	}
	return out
}

func word(executed, explored knowledge) string {
	switch {
	case executed == yes:
		return event.Executed
	case explored == yes:
		return event.Explored
	case executed == no && explored == no:
		return event.Never
	}
	return ""
}

// extent returns the lines of a node. A return without a statement of its own is at the
// end of the function.
func extent(n isomorph.FlowNode, at *isomorph.Span) (line, end int) {
	if len(n.Text) == 0 {
		if n.Kind == isomorph.Return {
			return at.EndLine, at.EndLine
		}
		return 0, 0
	}
	line = n.Text[0].Line
	for _, r := range n.Text {
		line, end = min(line, r.Line), max(end, r.EndLine)
	}
	return line, end
}

// text returns the source text of a node, a line for each statement.
func (m *marker) text(n isomorph.FlowNode, name string) string {
	if len(n.Text) == 0 {
		return n.Comment
	}
	source := m.file(name)
	var lines []string
	for _, r := range n.Text {
		if r.Start >= 0 && r.Start <= r.End && r.End <= len(source) {
			lines = append(lines, shortened(string(source[r.Start:r.End])))
		}
	}
	return cutText(strings.Join(lines, "\n"), 400)
}

// shortened puts a statement on one line.
func shortened(s string) string {
	return cutText(strings.ToValidUTF8(strings.Join(strings.Fields(s), " "), "\uFFFD"), 120)
}

func cutText(s string, limit int) string {
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	return string([]rune(s)[:limit-1]) + "…"
}
