package runner

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/isodelta/isodelta/internal/regular"
	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/negation"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/revision"
)

// traces are what the graphs of functions are marked with. The first of two is
// always base's, the second head's.
type traces struct {
	covered  [2]outcome.Bits // branches, by the suites as they are
	explored [2]outcome.Bits // branches, by variants
	entered  [2]outcome.Bits // changed functions, by the suites as they are
	negated  map[outcome.Branch]bool
}

// sawBaseline books a test as it is.
func (t *traces) sawBaseline(base, head []outcome.Result) {
	for i, runs := range [][]outcome.Result{base, head} {
		for _, r := range runs {
			t.covered[i] = united(t.covered[i], r.Covered)
			t.entered[i] = united(t.entered[i], r.Entered)
		}
	}
}

// sawVariant books a variant; head is nil where it was not run.
func (t *traces) sawVariant(s negation.Set, base outcome.Result, head *outcome.Result) {
	if t.negated == nil {
		t.negated = map[outcome.Branch]bool{}
	}
	for _, b := range s.Branches {
		t.negated[b] = true
	}
	t.explored[0] = united(t.explored[0], base.Covered)
	if head != nil {
		t.explored[1] = united(t.explored[1], head.Covered)
	}
}

// united is a union of sets that need not be made for as many numbers.
func united(a, b outcome.Bits) outcome.Bits {
	if len(a) < len(b) {
		a = append(a, make(outcome.Bits, len(b)-len(a))...)
	}
	a.Union(b)
	return a
}

// longFunction is beyond what is matched node by node, and drawn.
const longFunction = 1500 // lines

// emitGraphs draws the functions that findings concern, then the rest of the
// changed set, as far as there is room.
func (c *comparison) emitGraphs() {
	if c.match == nil || c.base.program == nil || c.head.program == nil {
		return
	}
	wanted := c.toDraw()
	if over := len(wanted) - event.MaxGraphs; over > 0 {
		c.limit(event.Limit{Kind: "graph", What: fmt.Sprintf("%d functions", over),
			Reason: fmt.Sprintf("their control-flow graphs are left out: a report has room for %d", event.MaxGraphs)})
		wanted = wanted[:event.MaxGraphs]
	}
	marks := [2]*marker{c.newMarker(c.base, 0), c.newMarker(c.head, 1)}
	var graphs []event.Graph
	for _, f := range wanted {
		graphs = append(graphs, c.graph(f, marks))
	}
	slices.SortFunc(graphs, event.CompareGraphs)
	for _, g := range graphs {
		c.sink.Emit(g)
	}
}

// toDraw lists functions, those of the strongest findings first.
func (c *comparison) toDraw() []isomorph.Function {
	var list []isomorph.Function
	type place struct{ base, head string }
	seen := map[place]bool{}
	add := func(f isomorph.Function) {
		at := place{spanKey(f.Base), spanKey(f.Head)}
		if at.base+at.head == "" {
			return // initialises variables: there is no declaration to draw
		}
		if !seen[at] {
			seen[at] = true
			list = append(list, f)
		}
	}
	changed := map[string][]isomorph.Function{}
	for _, f := range c.match.Changed {
		changed[f.Name] = append(changed[f.Name], f)
	}
	for _, finding := range c.findings {
		for _, name := range append([]string{finding.Function}, finding.Changed...) {
			for _, f := range changed[name] {
				add(f)
			}
		}
	}
	for _, finding := range c.findings {
		if f, ok := c.match.Enclosing(finding.File, finding.Line); ok {
			add(f)
		}
		for _, n := range finding.Negations {
			if f, ok := c.match.Enclosing(n.File, n.Line); ok {
				add(f)
			}
		}
	}
	for _, f := range c.match.Changed {
		add(f)
	}
	return list
}

func spanKey(s *isomorph.Span) string {
	if s == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d", s.File, s.Offset)
}

// graph draws one function.
func (c *comparison) graph(f isomorph.Function, marks [2]*marker) event.Graph {
	g := event.Graph{Type: "graph", Module: c.head.tree.Module, Package: f.Package, Function: f.Name, Status: f.Status}
	if g.Status == "" {
		g.Status = "unchanged"
	}
	cut := false
	before, after := marks[0].source(f.Base), marks[1].source(f.Head)
	g.Hunks, cut = event.FitHunks(functionHunks(before, after))
	if cut {
		c.limit(event.Limit{Kind: "graph", What: f.Name, Reason: "its differing lines are more than a report has room for; the first are shown"})
	}
	tooLong := max(len(before.lines), len(after.lines)) > longFunction
	var base, head *isomorph.Flow
	var pairs []isomorph.FlowPair
	if !tooLong {
		base, head, pairs = c.match.Flows(f, isomorph.Options{Strict: c.opt.Strict})
		tooLong = nodes(base) > event.MaxGraphNodes || nodes(head) > event.MaxGraphNodes
	}
	if tooLong {
		c.limit(event.Limit{Kind: "graph", What: f.Name, Reason: "its control-flow graph is too large to be drawn"})
		base, head, pairs = nil, nil, nil
	}
	g.Base, g.Head = marks[0].flow(base, f.Base), marks[1].flow(head, f.Head)
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

// around is how many lines a hunk shows before and after what differs.
const around = 3

// functionHunks compares the source texts of a function.
func functionHunks(base, head sourceText) []event.Hunk {
	differ := revision.Lines(base.joined(), head.joined())
	var out []event.Hunk
	shown := 0 // lines of base, those that hunks hold or have passed
	for i, d := range differ {
		from, to := d.BaseLine-1, d.BaseLine-1+d.BaseLines
		start, end := max(from-around, shown), min(to+around, len(base.lines))
		if i+1 < len(differ) {
			end = min(end, differ[i+1].BaseLine-1)
		}
		if len(out) == 0 || start > shown {
			out = append(out, event.Hunk{Base: base.first + start, Head: head.first + start + d.HeadLine - d.BaseLine})
		}
		h := &out[len(out)-1]
		h.Lines = slices.Concat(h.Lines, marked(" ", base.lines[start:from]), marked("-", base.lines[from:to]),
			marked("+", head.lines[d.HeadLine-1:d.HeadLine-1+d.HeadLines]), marked(" ", base.lines[to:end]))
		shown = end
	}
	return out
}

func marked(mark string, lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = mark + l
	}
	return out
}

// sourceText is the text of a declaration.
type sourceText struct {
	first int // number of its first line in the file
	lines []string
}

func (t sourceText) joined() []byte {
	if len(t.lines) == 0 {
		return nil
	}
	return []byte(strings.Join(t.lines, "\n") + "\n")
}

// marker knows what was executed and negated in one version.
type marker struct {
	root       string
	files      map[string][]byte // by name
	conditions map[instrument.Key]instrument.Condition
	arms       map[instrument.Key]int // to branches
	negated    map[int]bool           // branches that some variant forced
	entered    map[string]bool        // places of changed functions that a test executed
	covered    outcome.Bits           // branches, by the suites
	taken      outcome.Bits           // branches, by the suites, by variants, or by calls of our own
}

func (c *comparison) newMarker(v *version, side int) *marker {
	m := &marker{
		root: v.root, files: map[string][]byte{}, conditions: map[instrument.Key]instrument.Condition{}, arms: map[instrument.Key]int{},
		negated: map[int]bool{}, entered: map[string]bool{}, covered: c.traces.covered[side],
	}
	m.taken = united(slices.Clone(c.traces.explored[side]), m.covered)
	for _, p := range c.calls.callers {
		if p.campaign == nil {
			continue
		}
		for b := range p.campaign.Branches[side] {
			if b < len(m.taken)*8 {
				m.taken.Add(b)
			}
		}
	}
	for _, x := range v.program.Conditions {
		m.conditions[x.Key] = x
	}
	for _, a := range v.program.Arms {
		m.arms[a.Key] = 2*len(v.program.Conditions) + a.Index
	}
	for b := range c.traces.negated {
		p := c.pairs[b.Condition()]
		m.negated[branchOf([2]int{p.base, p.head}[side], b.Value())] = true
	}
	for k, f := range c.match.Changed {
		if c.traces.entered[side].Has(k) {
			m.entered[spanKey([2]*isomorph.Span{f.Base, f.Head}[side])] = true
		}
	}
	return m
}

func branchOf(condition int, outcome bool) int {
	if outcome {
		return 2*condition + 1
	}
	return 2 * condition
}

// source returns the text of a declaration; none where there is none.
func (m *marker) source(at *isomorph.Span) sourceText {
	if at == nil {
		return sourceText{}
	}
	all := strings.Split(string(m.file(at.File)), "\n")
	if at.Line < 1 || at.EndLine > len(all) || at.Line > at.EndLine {
		return sourceText{}
	}
	lines := slices.Clone(all[at.Line-1 : at.EndLine])
	for i, l := range lines {
		lines[i] = strings.ToValidUTF8(strings.TrimSuffix(l, "\r"), "\uFFFD")
	}
	return sourceText{at.Line, lines}
}

// file reads a source file of the version. One that cannot be read any more
// leaves its nodes without a text, and the report with its lines alone.
func (m *marker) file(name string) []byte {
	text, seen := m.files[name]
	if !seen {
		text, _ = regular.ReadFile(filepath.Join(m.root, filepath.FromSlash(name)), maxSource)
		m.files[name] = text
	}
	return text
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
	conditions := make([]int, len(f.Nodes)) // -1 where there is none
	for i, n := range f.Nodes {
		x := event.Node{Kind: n.Kind, Text: m.text(n, at.File)}
		x.Line, x.EndLine = extent(n, at)
		conditions[i] = -1
		if n.Condition != nil {
			if known, ok := m.conditions[instrument.Key{File: n.Condition.File, Offset: n.Condition.Offset}]; ok {
				conditions[i], x.Condition, x.Text = known.Index, known.ID, shortened(known.Text)
				x.Negated = m.negated[branchOf(known.Index, true)] || m.negated[branchOf(known.Index, false)]
			}
		}
		out.Nodes = append(out.Nodes, x)
	}
	for _, e := range f.Edges {
		x := event.Edge{From: e.From, To: e.To, Label: e.Label}
		if k := conditions[e.From]; k >= 0 && e.Label != "" {
			x.Negated = m.negated[branchOf(k, e.Label == "true")]
		}
		out.Edges = append(out.Edges, x)
	}
	if m.taken.Empty() {
		return out // nothing was run, or nothing counted: that is no "never"
	}
	executed, explored := m.spread(f, at, conditions, m.covered), m.spread(f, at, conditions, m.taken)
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

// extent are the lines of a node; those of the end of the function where no
// statement stands for it.
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

// text is the source text of a node, a line for each statement.
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

// knowledge of whether something was executed.
type knowledge int8

const (
	unknown knowledge = iota
	yes
	no
)

// spreading is what is known of the parts of a graph.
type spreading struct{ nodes, edges []knowledge }

// spread infers from the branches that were taken which nodes were executed:
// conditions and loops are counted at run time, statements are not. A statement
// that panics in the midst of its node makes the next look executed.
func (m *marker) spread(f *isomorph.Flow, at *isomorph.Span, conditions []int, taken outcome.Bits) spreading {
	s := spreading{make([]knowledge, len(f.Nodes)), make([]knowledge, len(f.Edges))}
	in, out := make([][]int, len(f.Nodes)), make([][]int, len(f.Nodes))
	for i, e := range f.Edges {
		in[e.To], out[e.From] = append(in[e.To], i), append(out[e.From], i)
		s.edges[i] = m.counted(f.Nodes[e.From], at.File, conditions[e.From], e.Label, taken)
	}
	if len(f.Nodes) > 0 && m.entered[spanKey(at)] {
		s.nodes[0] = yes
	}
	s.infer(f, conditions, in, out, no) // first what certainly did not run
	s.infer(f, conditions, in, out, yes)
	return s
}

// infer spreads one kind of knowledge to nodes and edges of which nothing is
// known.
func (s spreading) infer(f *isomorph.Flow, conditions []int, in, out [][]int, wanted knowledge) {
	for again := true; again; {
		again = false
		set := func(k *knowledge, to knowledge) {
			if *k == unknown && to == wanted {
				*k, again = to, true
			}
		}
		for i := range f.Nodes {
			set(&s.nodes[i], s.any(out[i], yes))
			set(&s.nodes[i], s.any(in[i], yes))
			if f.Nodes[i].Kind != isomorph.Entry {
				set(&s.nodes[i], s.all(in[i], no))
			}
			if f.Nodes[i].Condition != nil && conditions[i] >= 0 {
				set(&s.nodes[i], s.all(out[i], no))
			}
			if len(out[i]) == 1 || s.nodes[i] == no {
				for _, e := range out[i] {
					set(&s.edges[e], s.nodes[i])
				}
			}
			if len(in[i]) == 1 {
				set(&s.edges[in[i][0]], s.nodes[i])
			}
		}
	}
}

// counted is what was counted of an edge at run time.
func (m *marker) counted(from isomorph.FlowNode, file string, condition int, label string, taken outcome.Bits) knowledge {
	branch := -1
	switch {
	case label == "":
		return unknown
	case condition >= 0:
		branch = branchOf(condition, label == "true")
	case label == "true" && len(from.Text) > 0:
		arm, ok := m.arms[instrument.Key{File: file, Offset: from.Text[0].Start}]
		if !ok {
			return unknown
		}
		branch = arm
	default:
		return unknown
	}
	if taken.Has(branch) {
		return yes
	}
	return no
}

// any is the wanted knowledge where some of the edges have it.
func (s spreading) any(edges []int, wanted knowledge) knowledge {
	for _, e := range edges {
		if s.edges[e] == wanted {
			return wanted
		}
	}
	return unknown
}

// all is the wanted knowledge where all of the edges, and at least one, have it.
func (s spreading) all(edges []int, wanted knowledge) knowledge {
	for _, e := range edges {
		if s.edges[e] != wanted {
			return unknown
		}
	}
	if len(edges) == 0 {
		return unknown
	}
	return wanted
}
