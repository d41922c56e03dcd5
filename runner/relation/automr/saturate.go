package automr

import (
	"context"
	"math"
	"sort"
)

// saturations finds the relations of type VI: b₀ + b₁f(x1) + b₂f(x2) = 0 for all
// x2 > a·x1 + c, or <. Continuous programs that are not constant there have none;
// those that saturate, step or clamp do. The least strict c is sought, as others
// follow from it.
func (q *inequalities) saturations(ctx context.Context) ([]Relation, error) {
	p := q.eval.program
	if p.Out != 1 {
		return nil, nil
	}
	var relations []Relation
	for _, op := range []Op{Greater, Less} {
		for _, scale := range []float64{0, 1} {
			r, ok, err := q.saturation(ctx, op, scale)
			if err != nil {
				return nil, err
			}
			if ok {
				relations = append(relations, r)
			}
		}
	}
	return relations, nil
}

// saturation tries thresholds from the least strict to the strictest.
func (q *inequalities) saturation(ctx context.Context, op Op, scale float64) (Relation, bool, error) {
	p := q.eval.program
	region := make([]Interval, p.In)
	low, high := math.Inf(1), math.Inf(-1)
	for i, d := range p.Domain {
		width := d.Max - d.Min
		region[i] = Interval{d.Min - 2*width, d.Max + 2*width}
		low, high = math.Min(low, d.Min), math.Max(high, d.Max)
	}
	var thresholds []float64
	for c := -10.0; c <= 10; c++ {
		thresholds = append(thresholds, c)
	}
	if scale == 0 {
		for k := 0; k <= 8; k++ {
			thresholds = append(thresholds, low+(high-low)*float64(k)/8)
		}
	}
	sort.Float64s(thresholds)
	if op == Less {
		for i, j := 0, len(thresholds)-1; i < j; i, j = i+1, j-1 {
			thresholds[i], thresholds[j] = thresholds[j], thresholds[i]
		}
	}
	var last Relation
	found := false
	for i, c := range thresholds {
		if i > 0 && c == thresholds[i-1] {
			continue
		}
		a := identity(p.In).a
		for e := range a {
			a[e][0], a[e][e+1] = c, scale
		}
		m := newMapping(a, 1)
		if !m.integral(p.Integer) || scale == 0 && fewBeyond(p, region, op, c) {
			continue
		}
		r := Relation{Type: TypeVI, Inputs: p.In, Outputs: 1, InputOp: op, InputDegree: 1, A: [][][]float64{m.a}, OutputOp: Equal,
			OutputDegree: 1, B: make([]float64, 3), Tolerance: q.options.Tolerance, Region: region, Integer: p.Integer}
		ok, err := q.equal(ctx, &r)
		if err != nil {
			return Relation{}, false, err
		}
		if !ok {
			continue
		}
		q.found[TypeVI]++
		if !found {
			last, found = r, true
		}
	}
	return last, found, nil
}

// fewBeyond reports whether hardly any whole number of the region is beyond c: what all
// inputs there have in common then is the inputs.
func fewBeyond(p Program, region []Interval, op Op, c float64) bool {
	for i, b := range region {
		room := b.Max - c
		if op == Less {
			room = c - b.Min
		}
		if p.Integer[i] && room < 5 {
			return true
		}
	}
	return false
}

// equal reads B off the null space of random groups and validates it.
func (q *inequalities) equal(ctx context.Context, r *Relation) (bool, error) {
	rows, _, err := q.eval.groups(ctx, *r, 60, q.rnd)
	if err != nil {
		return false, err
	}
	of := monomials(2, 1)
	data, scale := dataMatrix(rows, of)
	if len(data) < 30 {
		return false, nil
	}
	basis, _ := nullSpace(data, scale)
	for _, v := range sparse(basis, &span{}, []float64{0, 0.2, 0.1}, q.rnd) {
		b := make([]float64, 3)
		for j := range v {
			if v[j] != 0 {
				b[j] = v[j] / scale[j]
			}
		}
		if b[2] == 0 {
			continue // says nothing about the follow-up
		}
		r.B = normalForms(b, of, 2, 1)[0]
		applied, broken, err := q.eval.validate(ctx, *r, q.options.Inputs, q.rnd)
		if err != nil {
			return false, err
		}
		if broken == 0 && applied > q.options.Inputs/20 {
			return true, nil
		}
	}
	return false, nil
}
