package automr

import (
	"context"
	"math"
	"math/big"
)

// A law speaks of numbers, and a follow-up input is a rounded one: of sin(x + 2π) = sin(x)
// at 10⁶ the follow-up input has lost ten digits of 2π. So a group that fails is told from
// a law that does by what so small a move of the follow-up input does to the outputs.
// That needs neither a largest input nor a largest output: what lies beyond a threshold
// at 250,000 is as false of −x² as of x.

const (
	// roundings is by how many units in the last place of its terms a follow-up input, a
	// sum of a few, may be off.
	roundings       = 8
	unitInLastPlace = 0x1p-52
	// explains is how many times the change that moves make may be what a group fails by,
	// as few of all moves are made.
	explains = 4
)

// Moves returns the inputs of a group as rounding may have moved them, one element of a
// follow-up input at a time. There are none where follow-up inputs are exact: whole
// numbers, or sums of simple fractions that come out even.
func (r Relation) Moves(in [][]float64) [][][]float64 {
	if r.InputOp != Equal {
		return nil
	}
	var all [][][]float64
	u := monomials(r.Inputs, r.InputDegree)
	for j, a := range r.A {
		for i, row := range a {
			if r.Integer[i] || exact(row, u, in[0], in[j+1][i]) {
				continue
			}
			_, size := polynomial(row, u, in[0])
			for _, part := range []float64{-1, -0.5, 0.5, 1} {
				x := append([]float64(nil), in[j+1]...)
				x[i] += part * roundings * unitInLastPlace * size
				moved := append([][]float64(nil), in...)
				moved[j+1] = x
				all = append(all, moved)
			}
		}
	}
	return all
}

// exact reports whether a polynomial of simple fractions has exactly this value.
func exact(coefficients []float64, of [][]int, x []float64, value float64) bool {
	sum := new(big.Rat)
	for j, m := range of {
		c := coefficients[j]
		if c == 0 {
			continue
		}
		if scaled := math.Ldexp(c, 20); scaled != math.Trunc(scaled) {
			return false // rounded itself, as that of π
		}
		term := rational(c)
		for _, v := range m {
			term.Mul(term, rational(x[v]))
		}
		sum.Add(sum, term)
	}
	return sum.Cmp(rational(value)) == 0
}

// ByRounding reports whether a group that fails does so by rounding: out are its outputs,
// moved those for its Moves, and no output of the group is missing.
func (r Relation) ByRounding(out [][]float64, moved [][][]float64) bool {
	sum, excess, ok := r.excess(out)
	if !ok {
		return false
	}
	least, most := sum, sum
	for _, o := range moved {
		if s, _, ok := r.excess(o); ok {
			least, most = math.Min(least, s), math.Max(most, s)
		}
		if digitless(join(out), join(o)) {
			return true
		}
	}
	return excess <= explains*(most-least)
}

// digitless reports whether an output has no digit that a move leaves: next to a pole,
// where no number between two has the output that a law asks for.
func digitless(out, moved []float64) bool {
	for i := range moved {
		if math.Abs(moved[i]-out[i]) > math.Abs(out[i])/2 {
			return true
		}
	}
	return false
}

// excess is B v for the outputs of a group, and by how much it is more than allowed. It
// is not ok if outputs are missing, or if B v overflows.
func (r Relation) excess(out [][]float64) (sum, excess float64, ok bool) {
	var o []float64
	for _, row := range out {
		if len(row) != r.Outputs || !finite(row) {
			return 0, 0, false
		}
		o = append(o, row...)
	}
	sum, size := polynomial(r.B, r.outputMonomials(), o)
	excess = sum
	if r.OutputOp == Equal {
		excess = math.Abs(sum)
	}
	excess -= r.Tolerance*(size+r.Floor) + r.Absolute
	return sum, excess, finite([]float64{sum, size})
}

// refuted reports whether an equality is false, as it is printed, for one of the groups:
// whether that fails by more than rounding. Groups without all outputs say nothing here,
// nor do those whose outputs have lost digits to underflow.
func (e *evaluator) refuted(ctx context.Context, r Relation, results []groupResult) (bool, error) {
	printed := r.Printed()
	var failing []groupResult
	var inputs [][]float64
	for _, g := range results {
		if holds, applicable := printed.Holds(g.in, g.out); holds || !applicable || !complete(g.out) {
			continue
		}
		g.moves = printed.Moves(g.in)
		if len(g.moves) == 0 {
			return true, nil
		}
		failing = append(failing, g)
		for _, in := range g.moves {
			inputs = append(inputs, in...)
		}
	}
	out, err := e.run(ctx, inputs)
	if err != nil {
		return false, err
	}
	for _, g := range failing {
		var moved [][][]float64
		for range g.moves {
			moved = append(moved, out[:len(g.in)])
			out = out[len(g.in):]
		}
		if !printed.ByRounding(g.out, moved) {
			return true, nil
		}
	}
	return false, nil
}

// complete reports whether the outputs of a group are all there and have all digits.
func complete(out [][]float64) bool {
	o := join(out)
	return o != nil && !underflown(o)
}
