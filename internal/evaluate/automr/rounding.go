package automr

import (
	"context"
	"slices"
)

// beyondRounding returns those of the failing groups that are not explained by so much
// as the rounding of follow-up inputs changes of their outputs.
func (g *groups) beyondRounding(ctx context.Context, failing []group, outputs [][]float64, eval evaluator) ([]group, error) {
	var inputs [][]float64
	counts := make([]int, len(failing))
	for k, x := range failing {
		for _, in := range g.relations[x.relation].Moves(g.rows(x, g.inputs)) {
			inputs = append(inputs, in...)
			counts[k]++
		}
	}
	moved, err := eval(ctx, inputs)
	if err != nil {
		return nil, err
	}
	var out []group
	for k, x := range failing {
		outs := slices.Collect(slices.Chunk(moved[:counts[k]*len(x.at)], len(x.at)))
		moved = moved[counts[k]*len(x.at):]
		if !g.relations[x.relation].ByRounding(g.rows(x, outputs), outs) {
			out = append(out, x)
		}
	}
	return out, nil
}
