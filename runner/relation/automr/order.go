package automr

import (
	"context"
	"math"
	"math/rand"
	"slices"
	"sort"
)

// orders finds the relations of type VIII: with the follow-up input greater or
// less than A u in every element, how far apart outputs are. Over as much of the
// input space as it holds in, outputs being in order; in the domain, also the
// sides of the convex hull of (o(1), o(2)).
func (q *inequalities) orders(ctx context.Context) ([]Relation, error) {
	p := q.eval.program
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

func (q *inequalities) ordered(op Op, m mapping, b []float64, region []Interval) Relation {
	p := q.eval.program
	return Relation{Type: TypeVIII, Inputs: p.In, Outputs: p.Out, InputOp: op, InputDegree: 1, A: [][][]float64{m.a},
		OutputOp: AtMost, OutputDegree: 1, B: b, Tolerance: q.options.Tolerance, Region: region, Defined: region, Integer: p.Integer}
}

// monotonic reports whether greater inputs give outputs, element e, that are not
// less, or not greater, in the widest region in which that is so.
func (q *inequalities) monotonic(ctx context.Context, e int) (Relation, bool, error) {
	p := q.eval.program
	for _, sign := range []float64{1, -1} {
		b := make([]float64, 1+2*p.Out)
		b[1+e], b[1+p.Out+e] = sign, -sign
		for _, region := range q.validator.regions {
			r := q.ordered(Greater, identity(p.In), b, region.region)
			r.Defined = nil
			applied, broken, err := q.eval.validate(ctx, r, q.options.Inputs, q.rnd)
			if err != nil {
				return Relation{}, false, err
			}
			if broken > 0 || applied < q.options.Inputs/3 {
				continue
			}
			r.Defined = r.Region
			_, missing, err := q.eval.validate(ctx, r, q.options.Inputs, q.rnd)
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
	p := q.eval.program
	free := q.ordered(op, m, make([]float64, 3), p.Domain)
	sampled, err := q.orderedSample(ctx, free)
	if err != nil || len(sampled.outputs) < q.options.Inputs/2 {
		return nil, err
	}
	var points [][2]float64
	for _, row := range sampled.outputs {
		points = append(points, [2]float64{row[0], row[1]})
	}
	var relations []Relation
	for _, s := range hullSides(points) {
		if math.Abs(s[0]) < 0.02 || math.Abs(s[1]) < 0.02 {
			continue // a bound of one output
		}
		top, bottom, err := q.furthestOut(ctx, free, sampled, s)
		if err != nil {
			return nil, err
		}
		slack := float64(2*p.In) * margin * (top - bottom)
		if !(slack > 0) || math.IsInf(slack, 0) {
			continue
		}
		step := math.Pow(10, math.Floor(math.Log10(slack)))
		r := q.ordered(op, m, []float64{-limit(top, slack, step), s[0], s[1]}, p.Domain)
		applied, broken, err := q.eval.validate(ctx, r, 3*q.options.Inputs, q.rnd)
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

// orderedSample is random groups and those at the ends; none if outputs are
// missing.
func (q *inequalities) orderedSample(ctx context.Context, r Relation) (ends, error) {
	var groups [][][]float64
	for range 4 * q.options.Inputs {
		source := sourceInput(q.eval.program, r.Region, q.rnd)
		if follow := r.FollowUps(source, q.rnd); follow != nil {
			groups = append(groups, [][]float64{source, follow[0]})
		}
	}
	sampled, err := q.eval.judge(ctx, r, groups)
	if err != nil || slices.ContainsFunc(sampled.outputs, func(row []float64) bool { return row == nil }) {
		return ends{}, err
	}
	far, err := q.eval.cornerGroups(ctx, r, q.rnd)
	for i, row := range far.outputs {
		if row != nil {
			sampled.inputs, sampled.outputs = append(sampled.inputs, far.inputs[i]), append(sampled.outputs, row)
		}
	}
	return sampled, err
}

// furthestOut is the range of a direction over groups: of the sample, and closer
// and closer around the groups that are furthest out.
func (q *inequalities) furthestOut(ctx context.Context, r Relation, sampled ends, s [2]float64) (top, bottom float64, err error) {
	type point struct {
		in    [][]float64
		value float64
	}
	var points []point
	top, bottom = math.Inf(-1), math.Inf(1)
	note := func(e ends) {
		for i, o := range e.outputs {
			if o != nil {
				v := s[0]*o[0] + s[1]*o[1]
				top, bottom = math.Max(top, v), math.Min(bottom, v)
				points = append(points, point{e.inputs[i], v})
			}
		}
		sort.SliceStable(points, func(i, j int) bool { return points[i].value > points[j].value })
		points = points[:min(len(points), 5)]
	}
	note(sampled)
	m := r.mapping(r.A[0])
	around := 0.1
	for range 4 + r.Inputs {
		var groups [][][]float64
		for _, p := range points {
			for range 16 {
				source, follow := q.moved(p.in[0], r.Region, around), q.moved(p.in[1], r.Region, around)
				bound := m.apply(source)
				for i := range follow {
					if r.InputOp == Greater {
						follow[i] = math.Max(follow[i], bound[i])
					} else {
						follow[i] = math.Min(follow[i], bound[i])
					}
				}
				if inside(r.Region, follow) && whole(follow, r.Integer) {
					groups = append(groups, [][]float64{source, follow})
				}
			}
		}
		near, err := q.eval.judge(ctx, r, groups)
		if err != nil {
			return 0, 0, err
		}
		note(near)
		around /= 4
	}
	return top, bottom, nil
}

// moved is x with some elements changed by up to a part of the region.
func (q *inequalities) moved(x []float64, region []Interval, part float64) []float64 {
	y := append([]float64(nil), x...)
	for i, b := range region {
		if q.rnd.Intn(3) > 0 {
			y[i] = settle(x[i]+part*(2*q.rnd.Float64()-1)*(b.Max-b.Min), b, q.eval.program.Integer[i])
		}
	}
	return y
}

// ends are groups of ordered inputs, with the follow-up inputs at the very bound
// too: what holds for all that are greater holds for that as a limit, of programs
// without a jump there.
type ends struct {
	inputs  [][][]float64
	outputs [][]float64
	results []groupResult
}

// cornerGroups are groups with inputs at the ends: sources at the corners of the
// region and of the part of it that has follow-up inputs at all, follow-up inputs
// as close to them and as far from them as may be, in each element.
func (e *evaluator) cornerGroups(ctx context.Context, r Relation, rnd *rand.Rand) (ends, error) {
	m := r.mapping(r.A[0])
	part := feasible(r)
	sources := append(corners(r.Region, r.Integer), edges(r.Region, r.Integer, 64, rnd)...)
	if inOrder(part) {
		sources = append(append(sources, corners(part, r.Integer)...), edges(part, r.Integer, 64, rnd)...)
	}
	var groups [][][]float64
	for _, source := range sources {
		for _, follow := range farAndNear(r, m.apply(source)) {
			groups = append(groups, [][]float64{source, follow})
		}
	}
	return e.judge(ctx, r, groups)
}

// judge runs groups of two inputs.
func (e *evaluator) judge(ctx context.Context, r Relation, groups [][][]float64) (ends, error) {
	var rows [][]float64
	for _, g := range groups {
		rows = append(rows, g...)
	}
	out, err := e.run(ctx, rows)
	if err != nil {
		return ends{}, err
	}
	found := ends{inputs: groups}
	for i, in := range groups {
		o := out[2*i : 2*i+2]
		holds, applicable := r.Holds(in, o)
		found.results = append(found.results, groupResult{applicable: applicable, broken: applicable && !holds})
		found.outputs = append(found.outputs, join(o))
	}
	return found, nil
}

// feasible is the part of the region whose images under A are in the region, for
// mappings of each element by itself.
func feasible(r Relation) []Interval {
	part := make([]Interval, r.Inputs)
	for i, b := range r.Region {
		part[i] = b
		c, s := r.A[0][i][0], r.A[0][i][1+i]
		if s <= 0 {
			continue
		}
		if r.InputOp == Greater {
			part[i].Max = math.Min(b.Max, (b.Max-c)/s)
		} else {
			part[i].Min = math.Max(b.Min, (b.Min-c)/s)
		}
	}
	return part
}

// farAndNear are follow-up inputs of a source with each element at an end of where
// it may be; close to the bound, at it, or as far as the region goes.
func farAndNear(r Relation, bound []float64) [][]float64 {
	var all [][]float64
	for _, little := range []float64{0, 1e-9, 1e-4} {
		region := make([]Interval, r.Inputs)
		for i, b := range r.Region {
			e := little * math.Min(b.Max-b.Min, 40)
			if r.Integer[i] {
				e = 1
			}
			region[i] = Interval{math.Max(bound[i]+e, b.Min), b.Max}
			if r.InputOp == Less {
				region[i] = Interval{b.Min, math.Min(bound[i]-e, b.Max)}
			}
		}
		if inOrder(region) {
			all = append(all, corners(region, r.Integer)...)
		}
	}
	return all
}

func inOrder(region []Interval) bool {
	for _, b := range region {
		if !(b.Min <= b.Max) {
			return false
		}
	}
	return true
}
