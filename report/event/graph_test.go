package event

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func sampleGraph() Graph {
	return Graph{
		Module: "example.com/m", Package: "example.com/m", Function: "F", Status: "changed",
		Base: Flow{File: "f.go", Line: 3, Nodes: []Node{
			{Kind: "entry", Text: "func F(x int)", Line: 3, EndLine: 3, Ran: Executed},
			{Kind: "branch", Text: "x < 0", Line: 4, EndLine: 4, Condition: "m.F#x < 0#0", Ran: Executed, Negated: true},
			{Kind: "return", Text: "return", Line: 5, EndLine: 5},
		}, Edges: []Edge{{From: 0, To: 1}, {From: 1, To: 2, Label: "true", Ran: Explored, Negated: true}}},
		Head:  Flow{File: "f.go", Line: 3, Nodes: []Node{{Kind: "entry", Text: "func F(x int)"}, {Kind: "panic", Text: "panic(1)", Ran: Never}}, Edges: []Edge{}},
		Pairs: []NodePair{{Base: 0, Head: 0, Match: "strict"}},
		Hunks: []Hunk{{Base: 3, Head: 3, Lines: []string{" func F(x int) {", "-\treturn", "+\tpanic(1)"}}},
	}
}

// A stream may be forged: what a renderer would look up must be there, and what
// it draws must have an end.
func TestGraphThatIsNotOne(t *testing.T) {
	t.Parallel()
	if err := Validate(sampleGraph()); err != nil {
		t.Fatal(err)
	}
	many := make([]Node, MaxGraphNodes+1)
	for i := range many {
		many[i].Kind = "block"
	}
	for want, change := range map[string]func(g *Graph){
		"more than 400":           func(g *Graph) { g.Head.Nodes = many },
		"more than 1600":          func(g *Graph) { g.Base.Edges = make([]Edge, maxGraphEdges+1) },
		`"base.edges[0]" names`:   func(g *Graph) { g.Base.Edges[0].To = 3 },
		`"pairs[0]" names`:        func(g *Graph) { g.Pairs[0].Head = 2 },
		"has a partner already":   func(g *Graph) { g.Pairs = append(g.Pairs, NodePair{Base: 0, Head: 1, Match: "strict"}) },
		"must not be negative":    func(g *Graph) { g.Base.Edges[0].From = -1 },
		"must be one of entry":    func(g *Graph) { g.Base.Nodes[0].Kind = "goto" },
		"must be one of executed": func(g *Graph) { g.Base.Nodes[0].Ran = "often" },
		"longer than 400":         func(g *Graph) { g.Base.Nodes[0].Text = strings.Repeat("x", 401) },
		"hunks[0].lines[0]":       func(g *Graph) { g.Hunks[0].Lines[0] = "no mark" },
		"hunks[0].lines[1]":       func(g *Graph) { g.Hunks[0].Lines[1] = "" },
		"more than 400 lines":     func(g *Graph) { g.Hunks[0].Lines = slices.Repeat([]string{" "}, 401) },
		`"function" is empty`:     func(g *Graph) { g.Function = "" },
	} {
		g := sampleGraph()
		g.Base.Nodes, g.Base.Edges, g.Hunks = slices.Clone(g.Base.Nodes), slices.Clone(g.Base.Edges), []Hunk{{Lines: slices.Clone(g.Hunks[0].Lines)}}
		change(&g)
		if err := Validate(g); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("wanted an error with %q, got %v", want, err)
		}
	}
}

func TestFitHunks(t *testing.T) {
	t.Parallel()
	long := Hunk{Lines: slices.Repeat([]string{"+" + strings.Repeat("é", 900)}, maxHunkLines-1)}
	fit, cut := FitHunks([]Hunk{long, {Lines: []string{" a", "-b"}}, {Lines: []string{"+c"}}})
	if !cut || len(fit) != 2 || len(fit[1].Lines) != 1 {
		t.Errorf("%v, %d hunks", cut, len(fit))
	}
	if err := Validate(Graph{Function: "F", Status: "changed", Hunks: fit}); err != nil {
		t.Error(err)
	}
	if whole, cut := FitHunks(sampleGraph().Hunks); cut || !cmp.Equal(whole, sampleGraph().Hunks) {
		t.Error("it cut what fits")
	}
}

// What some shard executed or negated was, whichever shard is named first.
func TestMergeGraphs(t *testing.T) {
	t.Parallel()
	with := func(change func(g *Graph)) shard {
		g := sampleGraph()
		g.Base.Nodes, g.Base.Edges = slices.Clone(g.Base.Nodes), slices.Clone(g.Base.Edges)
		change(&g)
		return shard{Stream: &Stream{Graphs: []Graph{g}}}
	}
	one := with(func(g *Graph) {
		g.Base.Nodes[1].Negated, g.Base.Nodes[1].Ran = false, Never
		g.Base.Nodes[2].Ran = Never
	})
	two := with(func(g *Graph) { g.Base.Edges[0].Ran, g.Base.Nodes[2].Ran = Executed, Never })
	want := sampleGraph()
	want.Base.Edges = slices.Clone(want.Base.Edges)
	want.Base.Edges[0].Ran, want.Base.Nodes[2].Ran = Executed, Never
	for _, order := range [][]shard{{one, two}, {two, one}} {
		if diff := cmp.Diff([]Graph{want}, mergeGraphs(order, nil)); diff != "" {
			t.Error(diff)
		}
	}
	forged := with(func(g *Graph) { g.Base.Nodes[1].Text = "x < 1" })
	a, b := mergeGraphs([]shard{one, forged}, nil), mergeGraphs([]shard{forged, one}, nil)
	if diff := cmp.Diff(a, b); diff != "" || len(a) != 1 {
		t.Errorf("%d graphs; %s", len(a), diff)
	}
}

// Where the shards together hold too many, the ones that findings are about stay.
func TestMergeManyGraphs(t *testing.T) {
	t.Parallel()
	var s Stream
	for i := range MaxGraphs + 10 {
		s.Graphs = append(s.Graphs, Graph{Function: fmt.Sprintf("F%03d", i), Status: "changed"})
	}
	last := s.Graphs[len(s.Graphs)-1].Function
	got := mergeGraphs([]shard{{Stream: &s}}, []Finding{{Changed: []string{last}}})
	if len(got) != MaxGraphs || got[MaxGraphs-1].Function != last || got[0].Function != "F000" {
		t.Errorf("%d graphs, the last of %s", len(got), got[len(got)-1].Function)
	}
}
