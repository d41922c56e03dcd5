package event

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits of what is drawn. A stream that exceeds them is not valid.
const (
	MaxGraphs     = 50  // of one module
	MaxGraphNodes = 400 // of one side of a Graph
	maxGraphEdges = 4 * MaxGraphNodes
	maxHunks      = 100
	maxHunkLines  = 400 // of all hunks of a Graph
	maxHunkLine   = 400 // characters
)

// Graph is one function in both versions as matched control-flow graphs, for
// renderers that draw them.
type Graph struct {
	Type     string `json:"type" jsonschema:"enum=graph"`
	Module   string `json:"module,omitempty"` // joins it to its Versions where a repository has several modules
	Package  string `json:"package" jsonschema:"format=import-path"`
	Function string `json:"function"`                                                                // as in the changed set
	Status   string `json:"status" jsonschema:"enum=changed,enum=added,enum=deleted,enum=unchanged"` // unchanged: a branch in it was forced
	Base     Flow   `json:"base"`                                                                    // without nodes where the function is not there, or too large
	Head     Flow   `json:"head"`
	// Pairs are the nodes that are the same in both, each in one pair at most.
	Pairs []NodePair `json:"pairs"`
	Hunks []Hunk     `json:"hunks"` // of the function's source text
}

// Flow is the control-flow graph of a function in one version. Function
// literals in it are graphs of their own among the same nodes.
type Flow struct {
	File  string `json:"file,omitempty" jsonschema:"format=local-path"` // relative to the repository
	Line  int    `json:"line,omitempty"`
	Nodes []Node `json:"nodes"` // edges and pairs name them by their place in this list
	Edges []Edge `json:"edges"`
}

// Node is some statements that follow one another, or what decides a branch.
type Node struct {
	Kind      string `json:"kind" jsonschema:"enum=entry,enum=branch,enum=block,enum=return,enum=panic"`
	Text      string `json:"text" jsonschema:"maxLength=400"` // source text, a line for each statement
	Line      int    `json:"line,omitempty"`
	EndLine   int    `json:"end_line,omitempty"`
	Condition string `json:"condition,omitempty"` // of a branch: ID, as in Negation, where it can be negated
	// Ran says what executed it: the suites as they are, else a variant. It is
	// empty where that is not known.
	Ran     string `json:"ran,omitempty" jsonschema:"enum=executed,enum=explored,enum=never"`
	Negated bool   `json:"negated,omitempty"` // some variant negated it
}

// Edge leads from one node to another.
type Edge struct {
	From    int    `json:"from"`
	To      int    `json:"to"`
	Label   string `json:"label,omitempty" jsonschema:"enum=true,enum=false"`
	Ran     string `json:"ran,omitempty" jsonschema:"enum=executed,enum=explored,enum=never"`
	Negated bool   `json:"negated,omitempty"` // some variant forced this outcome
}

// NodePair is a node as it stands in both versions.
type NodePair struct {
	Base  int    `json:"base"`
	Head  int    `json:"head"`
	Match string `json:"match" jsonschema:"enum=strict,enum=resynchronised"`
}

// Hunk is a stretch of lines that differ, with some around it.
type Hunk struct {
	Base  int      `json:"base"`  // number of the first line, on base
	Head  int      `json:"head"`  // likewise, on head
	Lines []string `json:"lines"` // each after a space (in both), - (base) or + (head)
}

// What executed a node or an edge.
const (
	Executed = "executed" // by the suites as they are
	Explored = "explored" // only by variants
	Never    = "never"
)

func (Graph) EventType() string { return "graph" }

// completeGraph turns nil lists into empty ones.
func completeGraph(g *Graph) {
	g.Type = "graph"
	g.Pairs, g.Hunks = notNil(g.Pairs), notNil(g.Hunks)
	for _, f := range []*Flow{&g.Base, &g.Head} {
		f.Nodes, f.Edges = notNil(f.Nodes), notNil(f.Edges)
	}
}

// validateGraph checks sizes, and that what is named is there.
func validateGraph(g Graph) error {
	for _, side := range []struct {
		name string
		Flow
	}{{"base", g.Base}, {"head", g.Head}} {
		if n := len(side.Nodes); n > MaxGraphNodes {
			return fmt.Errorf("field %q has %d nodes, more than %d", side.name, n, MaxGraphNodes)
		}
		if n := len(side.Edges); n > maxGraphEdges {
			return fmt.Errorf("field %q has %d edges, more than %d", side.name, n, maxGraphEdges)
		}
		for i, e := range side.Edges {
			if e.From >= len(side.Nodes) || e.To >= len(side.Nodes) {
				return fmt.Errorf("field \"%s.edges[%d]\" names a node that is not there", side.name, i)
			}
		}
	}
	base, head := map[int]bool{}, map[int]bool{}
	for i, p := range g.Pairs {
		if p.Base >= len(g.Base.Nodes) || p.Head >= len(g.Head.Nodes) {
			return fmt.Errorf("field \"pairs[%d]\" names a node that is not there", i)
		}
		if base[p.Base] || head[p.Head] {
			return fmt.Errorf("field \"pairs[%d]\" names a node that has a partner already", i)
		}
		base[p.Base], head[p.Head] = true, true
	}
	return validateHunks(g.Hunks)
}

func validateHunks(hunks []Hunk) error {
	if len(hunks) > maxHunks {
		return fmt.Errorf("field \"hunks\" has %d members, more than %d", len(hunks), maxHunks)
	}
	lines := 0
	for i, h := range hunks {
		if lines += len(h.Lines); lines > maxHunkLines {
			return fmt.Errorf("field \"hunks\" has more than %d lines", maxHunkLines)
		}
		for j, l := range h.Lines {
			if l == "" || !strings.ContainsRune(" -+", rune(l[0])) || utf8.RuneCountInString(l) > maxHunkLine || strings.ContainsRune(l, '\n') {
				return fmt.Errorf("field \"hunks[%d].lines[%d]\" must be one line of at most %d characters after a space, - or +", i, j, maxHunkLine)
			}
		}
	}
	return nil
}

// FitHunks cuts hunks to what a Graph may hold, and reports whether it cut.
func FitHunks(hunks []Hunk) (fit []Hunk, cut bool) {
	left := maxHunkLines
	for _, h := range hunks {
		if left == 0 || len(fit) == maxHunks {
			return fit, true
		}
		if len(h.Lines) > left {
			h.Lines, cut = h.Lines[:left], true
		}
		h.Lines = slices.Clone(h.Lines)
		for i, l := range h.Lines {
			h.Lines[i] = cutText(l, maxHunkLine)
		}
		left -= len(h.Lines)
		fit = append(fit, h)
	}
	return fit, cut
}

// CompareGraphs orders graphs by module, package and function, then by where
// they stand. It returns -1, 0 or 1.
func CompareGraphs(a, b Graph) int {
	return cmp.Or(
		strings.Compare(a.Module, b.Module),
		strings.Compare(a.Package, b.Package),
		strings.Compare(a.Function, b.Function),
		strings.Compare(a.Head.File, b.Head.File),
		cmp.Compare(a.Head.Line, b.Head.Line),
		strings.Compare(a.Base.File, b.Base.File),
		cmp.Compare(a.Base.Line, b.Base.Line),
	)
}

// mergeGraphs joins by function. The shards built the same graphs and divided
// the variants, so that what any of them executed or negated was. Of more than
// MaxGraphs, those that findings concern are kept.
func mergeGraphs(shards []shard, findings []Finding) []Graph {
	type key struct {
		module, pkg, function, baseFile, headFile string
		baseLine, headLine                        int
	}
	merged := joinBy(shards, func(s shard) []Graph { return s.Graphs }, func(g Graph) key {
		return key{g.Module, g.Package, g.Function, g.Base.File, g.Head.File, g.Base.Line, g.Head.Line}
	}, joinGraphs)
	concerned := map[string]bool{}
	for _, f := range findings {
		concerned[f.Function] = true
		for _, name := range f.Changed {
			concerned[name] = true
		}
	}
	slices.SortStableFunc(merged, func(a, b Graph) int {
		return cmp.Or(strings.Compare(a.Module, b.Module), -compareBool(concerned[a.Function], concerned[b.Function]), CompareGraphs(a, b))
	})
	kept := merged[:0]
	of := map[string]int{}
	for _, g := range merged {
		if of[g.Module]++; of[g.Module] <= MaxGraphs {
			kept = append(kept, g)
		}
	}
	slices.SortFunc(kept, CompareGraphs)
	return kept
}

// joinGraphs unites two shards' marks. Of graphs that are not the same function
// after all, which only forged streams hold, it keeps one.
func joinGraphs(a, b Graph) Graph {
	if bare(a) != bare(b) {
		if content(b) < content(a) {
			return b
		}
		return a
	}
	joined := a
	joined.Base, joined.Head = joinFlows(a.Base, b.Base), joinFlows(a.Head, b.Head)
	return joined
}

// bare is a graph without its marks.
func bare(g Graph) string {
	strip := func(f Flow) Flow {
		f.Nodes, f.Edges = slices.Clone(f.Nodes), slices.Clone(f.Edges)
		for i := range f.Nodes {
			f.Nodes[i].Ran, f.Nodes[i].Negated = "", false
		}
		for i := range f.Edges {
			f.Edges[i].Ran, f.Edges[i].Negated = "", false
		}
		return f
	}
	g.Base, g.Head = strip(g.Base), strip(g.Head)
	return content(g)
}

func joinFlows(a, b Flow) Flow {
	a.Nodes, a.Edges = slices.Clone(a.Nodes), slices.Clone(a.Edges)
	for i := range a.Nodes {
		n := &a.Nodes[i]
		n.Ran, n.Negated = firstRan(n.Ran, b.Nodes[i].Ran), n.Negated || b.Nodes[i].Negated
	}
	for i := range a.Edges {
		e := &a.Edges[i]
		e.Ran, e.Negated = firstRan(e.Ran, b.Edges[i].Ran), e.Negated || b.Edges[i].Negated
	}
	return a
}

// firstRan is the stronger of two words on what executed something: one shard's
// "never" and another's not knowing make not knowing.
func firstRan(a, b string) string {
	for _, word := range []string{Executed, Explored, ""} {
		if a == word || b == word {
			return word
		}
	}
	return Never
}
