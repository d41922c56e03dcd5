package check

import (
	"testing"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/relation/law"
	"github.com/isodelta/isodelta/runner/version"
)

// TestEvidenceByBranch: a relation is no law of a branch that inputs take and its groups do
// not. Calls that give nothing need no groups, and groups whose follow-up is the source
// input are enough.
func TestEvidenceByBranch(t *testing.T) {
	t.Parallel()
	const ordinary, rare, foreign = 0, 1, 4
	for _, c := range []struct {
		name   string
		last   wire.RelatedRow
		source event.RelationSource
		want   event.RelationState
	}{
		{"no other branch", wire.RelatedRow{Gives: true, Branches: []int{ordinary}, Verdicts: "s"}, event.Template, event.Kept},
		{"a branch without groups", wire.RelatedRow{Gives: true, Branches: []int{rare}, Verdicts: "s"}, event.Template, ""},
		{"of a declared one", wire.RelatedRow{Gives: true, Branches: []int{rare}, Verdicts: "s"}, event.Declared, event.Kept},
		{"with a group", wire.RelatedRow{Gives: true, Branches: []int{rare}, Verdicts: "h"}, event.Template, event.Kept},
		{"with a trivial group", wire.RelatedRow{Gives: true, Branches: []int{rare}, Verdicts: "t"}, event.Template, event.Kept},
		{"of a call that fails", wire.RelatedRow{Branches: []int{rare}, Verdicts: "s"}, event.Template, event.Kept},
		{"of another function", wire.RelatedRow{Gives: true, Branches: []int{foreign}, Verdicts: "s"}, event.Template, event.Kept},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x := made(c.source)
			for side := range x.evidence {
				x.evidence[side] = evidence{own: map[int]bool{ordinary: true, rare: true}, known: outcome.NewBits(8), taken: outcome.NewBits(8)}
			}
			var rows version.Both[[]wire.RelatedRow]
			for side := range rows {
				for k := range minGroups {
					rows[side] = append(rows[side], wire.RelatedRow{Gives: true, Output: uint32(k), Branches: []int{ordinary}, Verdicts: "h"})
				}
				rows[side] = append(rows[side], c.last)
			}
			sources := make([]wire.Sequence, minGroups+1)
			for k := range sources {
				sources[k] = wire.Sequence{{Op: wire.OpAt(k)}}
			}
			x.count(sources, rows, 0)
			if got := x.state(); got != c.want {
				t.Errorf("state %q, want %q", got, c.want)
			}
			if n := unjudged([]tally{x}); n != 0 != (c.want == "") {
				t.Errorf("%d were not judged", n)
			}
		})
	}
}

// TestIsVacuous: an implication needs groups in which its condition is true, an equality of
// truth values needs groups of either.
func TestIsVacuous(t *testing.T) {
	t.Parallel()
	a, b, n := law.Var(0, law.Bool), law.Var(1, law.Bool), law.Var(2, law.Int)
	implies, equal := law.Apply(law.Implies, a, b), law.Apply(law.Equal, a, b)
	for _, c := range []struct {
		tree    *law.Expr
		yes, no int
		want    bool
	}{
		{implies, minGroups, 0, false},
		{implies, minGroups - 1, 500, true},
		{equal, minGroups, minGroups, false},
		{equal, minGroups - 1, 500, true},
		{equal, 500, minGroups - 1, true},
		{law.Apply(law.Equal, n, n), 0, 500, false},
	} {
		var groups []group
		for i := range c.yes + c.no {
			groups = append(groups, group{row: []any{i < c.yes, i < c.yes, int64(1)}})
		}
		if got := isVacuous(c.tree, groups); got != c.want {
			t.Errorf("%v with %d and %d: %t", c.tree, c.yes, c.no, got)
		}
	}
}
