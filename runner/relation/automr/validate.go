package automr

import (
	"context"
	"math/rand"
	"slices"
)

// validate runs fresh groups of a relation (phase II, section III-C) and counts
// those that it applies to and those that break it.
func (e *evaluator) validate(ctx context.Context, r Relation, n int, rnd *rand.Rand) (applied, broken int, err error) {
	_, results, err := e.groups(ctx, r, n, rnd)
	applied, broken = count(results)
	return applied, broken, err
}

func count(results []groupResult) (applied, broken int) {
	for _, k := range results {
		if k.applicable {
			applied++
		}
		if k.broken {
			broken++
		}
	}
	return applied, broken
}

// groupResult is what became of one group.
type groupResult struct {
	applicable, broken bool
	in, out            [][]float64   // h rows
	moves              [][][]float64 // of in, where they are needed
}

// groups makes and runs n groups and returns the outputs of each, o(1:h) in a
// row (nil where one is missing), and what the relation says of it.
func (e *evaluator) groups(ctx context.Context, r Relation, n int, rnd *rand.Rand) (outputs [][]float64, results []groupResult, err error) {
	sources := make([][]float64, n)
	for i := range sources {
		sources[i] = sourceInput(e.program, r.Region, rnd)
	}
	return e.groupsOf(ctx, r, sources, rnd)
}

// groupsOf makes and runs the groups of sources.
func (e *evaluator) groupsOf(ctx context.Context, r Relation, sources [][]float64, rnd *rand.Rand) (outputs [][]float64, results []groupResult, err error) {
	var rows [][]float64
	var groups int
	for _, source := range sources {
		follow := r.FollowUps(source, rnd)
		if follow == nil && len(r.A) > 0 {
			continue
		}
		e.toPoints(r, source, follow, rnd)
		rows = append(append(rows, source), follow...)
		groups++
	}
	out, err := e.run(ctx, rows)
	if err != nil {
		return nil, nil, err
	}
	h := r.Groups()
	for g := range groups {
		in, o := rows[g*h:(g+1)*h], out[g*h:(g+1)*h]
		holds, applicable := r.Holds(in, o)
		results = append(results, groupResult{applicable: applicable, broken: applicable && !holds, in: in, out: o})
		outputs = append(outputs, join(o))
	}
	return outputs, results, nil
}

// toPoints moves half of the follow-up inputs that only have to be greater or less than
// something to points of the program, or next to them, where they may be there: a case of
// one input is met by no random one.
func (e *evaluator) toPoints(r Relation, source []float64, follow [][]float64, rnd *rand.Rand) {
	p := e.program
	if r.InputOp == Equal || len(p.Points) == 0 || rnd.Intn(2) == 0 {
		return
	}
	moved := [][]float64{source}
	for _, x := range follow {
		x = slices.Clone(x)
		p.atPoint(x, rnd)
		for i, b := range r.Region {
			x[i] = settle(x[i], b, p.Integer[i])
		}
		moved = append(moved, x)
	}
	if r.related(moved) {
		copy(follow, moved[1:])
	}
}

func join(rows [][]float64) []float64 {
	var joined []float64
	for _, row := range rows {
		if row == nil {
			return nil
		}
		joined = append(joined, row...)
	}
	return joined
}
