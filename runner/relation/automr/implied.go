package automr

import (
	"context"
	"math/big"
)

// Inequalities are redundant if another has a more lenient input relation and a
// stricter output relation (formula 24).

// withoutImplied leaves out inequalities that kept ones imply, wide regions and
// earlier relations first. What is not linear is decided by the solver, or kept.
func withoutImplied(ctx context.Context, all []Relation, s solver) ([]Relation, error) {
	dropped := make([]bool, len(all))
	for i, r := range all {
		if r.OutputOp == Equal {
			continue
		}
		var stricter []Relation
		for j, o := range all {
			if i != j && !dropped[j] && o.OutputOp != Equal && o.Groups() == r.Groups() && inputImplies(r, o) {
				// Of two that imply each other the first stays.
				if j > i && inputImplies(o, r) && outputImplied([]Relation{r}, o) {
					continue
				}
				stricter = append(stricter, o)
			}
		}
		if len(stricter) == 0 {
			continue
		}
		implied := outputImplied(stricter, r)
		if !implied && s.path != "" && r.OutputDegree > 1 {
			var err error
			if implied, err = s.implied(ctx, stricter, r); err != nil {
				return nil, err
			}
		}
		dropped[i] = implied
	}
	var kept []Relation
	for i, r := range all {
		if !dropped[i] {
			kept = append(kept, r)
		}
	}
	return kept, nil
}

// inputImplies reports whether inputs of r are always inputs of o: I₂ ⇒ I₁.
func inputImplies(r, o Relation) bool {
	if r.InputOp != o.InputOp || len(r.A) != len(o.A) {
		return false
	}
	for i := range r.Region {
		if r.Region[i].Min < o.Region[i].Min || r.Region[i].Max > o.Region[i].Max {
			return false
		}
	}
	if r.InputDegree != o.InputDegree {
		return false
	}
	if r.InputOp == Equal || r.InputDegree > 1 {
		return sameInputs(r, o)
	}
	for j := range r.A {
		for i := range r.A[j] {
			if !boundImplies(r.A[j][i], o.A[j][i], r.InputOp, r.Region) {
				return false
			}
		}
	}
	return true
}

// boundImplies reports whether x > a·u implies x > b·u for all u of a region: whether
// the least of (a−b)·u is not negative (for <, the most not positive). It is at a
// corner of the region; arithmetic is exact.
func boundImplies(a, b []float64, op Op, region []Interval) bool {
	least := new(big.Rat)
	for j := range a {
		d := new(big.Rat).Sub(rational(a[j]), rational(b[j]))
		if op == Less {
			d.Neg(d)
		}
		if j == 0 {
			least.Add(least, d)
			continue
		}
		end := region[j-1].Min
		if d.Sign() < 0 {
			end = region[j-1].Max
		}
		least.Add(least, d.Mul(d, rational(end)))
	}
	return least.Sign() >= 0
}

func rational(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

// Limits of Fourier-Motzkin elimination, whose constraints multiply.
const (
	maxVariables   = 5
	maxConstraints = 8
)

// outputImplied reports whether B v ≤ 0 of the relations imply that of r, monomials
// being variables of their own: exact for linear relations, sound for others.
func outputImplied(by []Relation, r Relation) bool {
	width := 0
	for _, o := range append([]Relation{r}, by...) {
		width = max(width, len(o.B))
	}
	var system [][]*big.Rat
	for i, o := range by {
		if o.OutputDegree != r.OutputDegree && (o.OutputDegree > 1 || r.OutputDegree > 1) {
			continue
		}
		if i < maxConstraints {
			system = append(system, rationals(o.B, width, 1))
		}
	}
	if width-1 > maxVariables {
		// Only multiples of one another.
		for _, row := range system {
			if multipleImplies(row, rationals(r.B, width, 1)) {
				return true
			}
		}
		return false
	}
	// r is implied if its contrary, −B v < 0, contradicts the others.
	return infeasible(system, rationals(r.B, width, -1))
}

func rationals(b []float64, width int, sign int64) []*big.Rat {
	row := make([]*big.Rat, width)
	for j := range row {
		row[j] = new(big.Rat)
		if j < len(b) {
			row[j].Mul(rational(b[j]), big.NewRat(sign, 1))
		}
	}
	return row
}

// multipleImplies reports whether b is λa with λ > 0 but for a constant that is not
// stricter.
func multipleImplies(a, b []*big.Rat) bool {
	var lambda *big.Rat
	for j := 1; j < len(a); j++ {
		if (a[j].Sign() == 0) != (b[j].Sign() == 0) {
			return false
		}
		if a[j].Sign() == 0 {
			continue
		}
		q := new(big.Rat).Quo(b[j], a[j])
		if lambda == nil {
			lambda = q
		}
		if q.Sign() <= 0 || q.Cmp(lambda) != 0 {
			return false
		}
	}
	return lambda != nil && new(big.Rat).Mul(lambda, a[0]).Cmp(b[0]) >= 0
}

// infeasible reports whether rows c + b·v ≤ 0 and one strict row < 0 have no
// common solution, exactly, by Fourier-Motzkin elimination. Strictness is
// carried along: a sum with the strict row is strict.
func infeasible(rows [][]*big.Rat, strict []*big.Rat) bool {
	type constraint struct {
		row    []*big.Rat
		strict bool
	}
	var all []constraint
	for _, r := range rows {
		all = append(all, constraint{r, false})
	}
	all = append(all, constraint{strict, true})
	for v := len(strict) - 1; v >= 1; v-- {
		var zero, positive, negative []constraint
		for _, c := range all {
			switch c.row[v].Sign() {
			case 0:
				zero = append(zero, c)
			case 1:
				positive = append(positive, c)
			default:
				negative = append(negative, c)
			}
		}
		all = zero
		for _, p := range positive {
			for _, n := range negative {
				sum := make([]*big.Rat, len(p.row))
				for j := range sum {
					x := new(big.Rat).Quo(p.row[j], p.row[v])
					y := new(big.Rat).Quo(n.row[j], n.row[v])
					sum[j] = x.Sub(x, y)
				}
				all = append(all, constraint{sum, p.strict || n.strict})
			}
		}
		if len(all) > 3000 {
			return false // not decided: keep the relation
		}
	}
	for _, c := range all {
		if s := c.row[0].Sign(); s > 0 || s == 0 && c.strict {
			return true
		}
	}
	return false
}
