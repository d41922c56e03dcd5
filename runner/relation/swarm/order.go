package swarm

import (
	"context"
	"math"
)

// orders finds the relations of type VIII: with the follow-up input greater or
// less than A u in every element, how far apart outputs are. Over as much of the
// input space as it holds in, outputs being in order; in the domain, also the
// sides of the convex hull of (o(1), o(2)).
func (q *inequalities) orders(ctx context.Context) ([]Relation, error) {
	p := q.lab.program
	var relations []Relation
	for e := range min(p.Out, 3) {
		r, ok, err := q.monotonic(ctx, e)
		if err != nil {
			return nil, err
		}
		if ok {
			relations = append(relations, r)
		}
	}
	if p.Out > 1 {
		return relations, nil
	}
	for _, bound := range []struct {
		op           Op
		shift, scale float64
	}{{Greater, 0, 1}, {Greater, 1, 1}, {Greater, 0, 2}, {Less, 0, 0.5}, {Less, -1, 1}} {
		a := identity(p.In).a
		for i := range a {
			a[i][0], a[i][i+1] = bound.shift, bound.scale
		}
		m := newMapping(a, 1)
		if !m.integral(p.Integer) {
			continue
		}
		sides, err := q.hull(ctx, bound.op, m)
		if err != nil {
			return nil, err
		}
		relations = append(relations, sides...)
	}
	return relations, nil
}

func (q *inequalities) ordered(op Op, m mapping, b []float64, box []Interval) Relation {
	p := q.lab.program
	return Relation{Type: TypeVIII, Inputs: p.In, Outputs: p.Out, InputOp: op, InputDegree: 1, A: [][][]float64{m.a},
		OutputOp: AtMost, OutputDegree: 1, B: b, Tolerance: q.options.Tolerance, Region: box, Defined: box, Integer: p.Integer}
}

// monotonic says whether greater inputs give outputs, element e, that are not
// less, or not greater, in the widest region in which that is so.
func (q *inequalities) monotonic(ctx context.Context, e int) (Relation, bool, error) {
	p := q.lab.program
	for _, sign := range []float64{1, -1} {
		b := make([]float64, 1+2*p.Out)
		b[1+e], b[1+p.Out+e] = sign, -sign
		for _, region := range q.court.regions {
			r := q.ordered(Greater, identity(p.In), b, region.box)
			r.Defined = nil
			applied, broken, err := q.lab.validate(ctx, r, q.options.Inputs, q.rnd)
			if err != nil {
				return Relation{}, false, err
			}
			if broken > 0 || applied < q.options.Inputs/3 {
				continue
			}
			r.Defined = r.Region
			_, missing, err := q.lab.validate(ctx, r, q.options.Inputs, q.rnd)
			if err != nil {
				return Relation{}, false, err
			}
			if missing > 0 {
				r.Defined = nil
			}
			q.found[TypeVIII]++
			return r, true, nil
		}
	}
	return Relation{}, false, nil
}

// hull bounds outputs of ordered inputs of the domain by the longest sides of
// the convex hull of (o(1), o(2)): no parallel bound is sharper.
func (q *inequalities) hull(ctx context.Context, op Op, m mapping) ([]Relation, error) {
	p := q.lab.program
	free := q.ordered(op, m, make([]float64, 3), p.Domain)
	rows, _, err := q.lab.groups(ctx, free, 4*q.options.Inputs, q.rnd)
	if err != nil {
		return nil, err
	}
	var points [][2]float64
	for _, row := range rows {
		if row == nil {
			return nil, nil
		}
		points = append(points, [2]float64{row[0], row[1]})
	}
	if len(points) < q.options.Inputs/2 {
		return nil, nil
	}
	var relations []Relation
	rows, err = q.cornerGroups(ctx, free)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		if row != nil {
			points = append(points, [2]float64{row[0], row[1]})
		}
	}
	for _, s := range hullSides(points) {
		if math.Abs(s[0]) < 0.02 || math.Abs(s[1]) < 0.02 {
			continue // a bound of one output
		}
		width := 0.0
		top := math.Inf(-1)
		bottom := math.Inf(1)
		for _, o := range points {
			v := s[0]*o[0] + s[1]*o[1]
			top, bottom = math.Max(top, v), math.Min(bottom, v)
		}
		width = top - bottom
		slack := float64(2*p.In) * margin * width
		if !(slack > 0) || math.IsInf(slack, 0) {
			continue
		}
		step := math.Pow(10, math.Floor(math.Log10(slack)))
		r := q.ordered(op, m, []float64{-limit(top, slack, step), s[0], s[1]}, p.Domain)
		applied, broken, err := q.lab.validate(ctx, r, 3*q.options.Inputs, q.rnd)
		if err != nil {
			return nil, err
		}
		if broken == 0 && applied > q.options.Inputs/2 {
			relations = append(relations, r)
			q.found[TypeVIII]++
		}
	}
	return relations, nil
}

// cornerGroups are the outputs of groups with inputs at the ends: sources at the
// corners of the region, follow-up inputs as close to them and as far from them
// as may be, in each element.
func (q *inequalities) cornerGroups(ctx context.Context, r Relation) ([][]float64, error) {
	m := r.mapping(r.A[0])
	var rows [][]float64
	sources := corners(r.Region, r.Integer)
	sources = append(sources, edges(r.Region, r.Integer, 64, q.rnd)...)
	for _, source := range sources {
		bound := m.apply(source)
		ends := make([]Interval, r.Inputs)
		for i, b := range r.Region {
			ends[i] = Interval{bound[i], b.Max}
			if r.InputOp == Less {
				ends[i] = Interval{b.Min, bound[i]}
			}
		}
		if !inOrder(ends) {
			continue
		}
		for _, follow := range corners(ends, r.Integer) {
			rows = append(append(rows, source), follow)
		}
	}
	out, err := q.lab.run(ctx, rows)
	if err != nil {
		return nil, err
	}
	var groups [][]float64
	for g := 0; g+1 < len(out); g += 2 {
		groups = append(groups, join(out[g:g+2]))
	}
	return groups, nil
}

func inOrder(box []Interval) bool {
	for _, b := range box {
		if !(b.Min <= b.Max) {
			return false
		}
	}
	return true
}
