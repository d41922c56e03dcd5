package coverage

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/outcome"
)

// What was executed follows from the branches that were counted, and only so far.
func TestSpread(t *testing.T) {
	t.Parallel()
	at := &isomorph.Span{Place: load.Place{File: "f.go", Offset: 1}}
	leaf := func(offset int) *load.Place { return &load.Place{File: "f.go", Offset: offset} }
	// entry → a? → (b → d | c → d), d? → (e | f), g → h? as a literal of its own
	f := &isomorph.Flow{
		Nodes: []isomorph.FlowNode{
			{Kind: isomorph.Entry}, {Kind: isomorph.Branch, Condition: leaf(10)}, {Kind: isomorph.Block}, {Kind: isomorph.Block},
			{Kind: isomorph.Branch, Condition: leaf(20)}, {Kind: isomorph.Return}, {Kind: isomorph.Panic},
			{Kind: isomorph.Entry}, {Kind: isomorph.Branch, Comment: "select"}, {Kind: isomorph.Return}, {Kind: isomorph.Return},
		},
		Edges: []isomorph.FlowEdge{
			{From: 0, To: 1}, {From: 1, To: 2, Label: "true"}, {From: 1, To: 3, Label: "false"}, {From: 2, To: 4}, {From: 3, To: 4},
			{From: 4, To: 5, Label: "true"}, {From: 4, To: 6, Label: "false"},
			{From: 7, To: 8}, {From: 8, To: 9, Label: "true"}, {From: 8, To: 10, Label: "false"},
		},
	}
	conditions := []int{-1, 0, -1, -1, 1, -1, -1, -1, -1, -1, -1}
	m := &marker{arms: map[load.Place]outcome.Branch{}}
	taken := outcome.NewBits(4)
	taken.Add(int(outcome.Of(0, true)))
	taken.Add(int(outcome.Of(1, true)))
	got := m.spread(f, at, conditions, taken, false)
	if diff := cmp.Diff([]knowledge{yes, yes, yes, no, yes, yes, no, unknown, unknown, unknown, unknown}, got.nodes); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]knowledge{yes, yes, no, yes, no, yes, no, unknown, unknown, unknown}, got.edges); diff != "" {
		t.Error(diff)
	}
	none := m.spread(f, at, conditions, outcome.NewBits(4), false)
	if none.nodes[0] != unknown || none.nodes[1] != no || none.nodes[5] != no {
		t.Errorf("with nothing taken: %v", none.nodes)
	}
	if got := m.spread(f, at, conditions, outcome.NewBits(4), true); got.nodes[0] != yes || got.nodes[1] != no {
		t.Errorf("entered, and no condition was evaluated: %v", got.nodes)
	}
}
