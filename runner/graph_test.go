package runner

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/outcome"
)

func TestFunctionHunks(t *testing.T) {
	t.Parallel()
	text := func(s string) sourceText { return sourceText{10, strings.Split(s, "")} }
	for name, test := range map[string]struct {
		base, head string
		want       []event.Hunk
	}{
		"equal": {"abc", "abc", nil},
		"one line, with what is around it": {"abcdefghi", "abcdXfghi", []event.Hunk{
			{Base: 11, Head: 11, Lines: []string{" b", " c", " d", "-e", "+X", " f", " g", " h"}}}},
		"two near each other": {"abcdef", "XbcdeY", []event.Hunk{
			{Base: 10, Head: 10, Lines: []string{"-a", "+X", " b", " c", " d", " e", "-f", "+Y"}}}},
		"two far from each other": {"abcdefghijkl", "XbcdefghijkY", []event.Hunk{
			{Base: 10, Head: 10, Lines: []string{"-a", "+X", " b", " c", " d"}},
			{Base: 18, Head: 18, Lines: []string{" i", " j", " k", "-l", "+Y"}}}},
		"lines added before": {"abcdefgh", "XYabcdefgZ", []event.Hunk{
			{Base: 10, Head: 10, Lines: []string{"+X", "+Y", " a", " b", " c"}},
			{Base: 14, Head: 16, Lines: []string{" e", " f", " g", "-h", "+Z"}}}},
	} {
		if diff := cmp.Diff(test.want, functionHunks(text(test.base), text(test.head))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if diff := cmp.Diff([]event.Hunk{{Base: 0, Head: 10, Lines: []string{"+a", "+b"}}}, functionHunks(sourceText{}, text("ab"))); diff != "" {
		t.Error(diff)
	}
}

// Hunks are a patch: put in the place of base's lines, head's lines make head.
func TestFunctionHunksPatch(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SliceOfN(rapid.StringMatching(`[a-e]`), 0, 30)
		base, head := sourceText{5, letters.Draw(t, "base")}, sourceText{7, letters.Draw(t, "head")}
		var patched []string
		at := 0
		for _, h := range functionHunks(base, head) {
			from := h.Base - base.first
			if from < at {
				t.Fatalf("hunk at %d begins before %d, where the last ended", from, at)
			}
			patched = append(patched, base.lines[at:from]...)
			if h.Head-head.first != len(patched) {
				t.Fatalf("hunk says that it is line %d of head, it is %d", h.Head-head.first, len(patched))
			}
			at = from
			for _, l := range h.Lines {
				if l[0] != '+' {
					if base.lines[at] != l[1:] {
						t.Fatalf("line %d of base is %q, not %q", at, base.lines[at], l)
					}
					at++
				}
				if l[0] != '-' {
					patched = append(patched, l[1:])
				}
			}
		}
		if patched = append(patched, base.lines[at:]...); !slices.Equal(patched, head.lines) {
			t.Fatalf("%q patched is %q, not %q", base.lines, patched, head.lines)
		}
	})
}

// What was executed follows from the branches that were counted, and only so far.
func TestSpread(t *testing.T) {
	t.Parallel()
	at := &isomorph.Span{File: "f.go", Offset: 1}
	leaf := func(offset int) *isomorph.Location { return &isomorph.Location{File: "f.go", Offset: offset} }
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
	m := &marker{arms: map[instrument.Key]int{}, entered: map[string]bool{}}
	taken := outcome.NewBits(4)
	taken.Add(branchOf(0, true))
	taken.Add(branchOf(1, true))
	got := m.spread(f, at, conditions, taken)
	if diff := cmp.Diff([]knowledge{yes, yes, yes, no, yes, yes, no, unknown, unknown, unknown, unknown}, got.nodes); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]knowledge{yes, yes, no, yes, no, yes, no, unknown, unknown, unknown}, got.edges); diff != "" {
		t.Error(diff)
	}
	none := m.spread(f, at, conditions, outcome.NewBits(4))
	if none.nodes[0] != unknown || none.nodes[1] != no || none.nodes[5] != no {
		t.Errorf("with nothing taken: %v", none.nodes)
	}
	m.entered[spanKey(at)] = true
	if got := m.spread(f, at, conditions, outcome.NewBits(4)); got.nodes[0] != yes || got.nodes[1] != no {
		t.Errorf("entered, and no condition was evaluated: %v", got.nodes)
	}
}
