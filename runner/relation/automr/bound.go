package automr

import (
	"context"
	"math"
	"math/rand"
	"sort"
	"strconv"

	"gonum.org/v1/gonum/mat"
)

// inequalities searches relations of types VI, VII and VIII.
type inequalities struct {
	eval      *evaluator
	validator *validator
	options   Options
	rnd       *rand.Rand
	found     map[Type]int
	words     *closure // laws of type I
}

func (q *inequalities) search(ctx context.Context) ([]Relation, error) {
	var all []Relation
	if q.options.wants(TypeVI) {
		found, err := q.saturations(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	if q.options.wants(TypeVII) {
		regions, err := q.boundRegions(ctx)
		if err != nil {
			return nil, err
		}
		found, err := q.bounds(ctx, regions)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	if q.options.wants(TypeVIII) {
		found, err := q.orders(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// A halfspacePair is a direction in which outputs of groups vary little, and what
// bounds them there: lo ≤ b·v ≤ hi, two half-spaces.
type halfspacePair struct {
	within boundRegion
	group  []mapping
	degree int
	b      []float64 // without constant
	lo, hi float64
	spread float64 // standard deviation, of columns that have 1
}

// pairsKept says how many pairs of a region are kept of each number of inputs and
// degree: the sharpest, and only those with a spread of at most so much; what is
// wider says hardly more than the bounds of the outputs.
var pairsKept = []struct {
	h, degree, kept int
	spread          float64
}{{1, 1, 1, 1}, {2, 1, 3, 0.1}, {3, 1, 2, 0.03}, {2, 2, 2, 0.02}, {2, 3, 1, 0.02}}

// bounds finds the relations of type VII. For a region, an input relation and a
// degree, the direction of least variance (the smallest singular vector of the
// centred matrix of output monomials) is bounded by the extremes on a sample and
// around its extreme points, with a margin. Near-null vectors of smooth functions
// that are no laws are what gives the sharpest bounds here.
func (q *inequalities) bounds(ctx context.Context, regions []boundRegion) ([]Relation, error) {
	p := q.eval.program
	relations, err := q.ranges(ctx)
	if err != nil {
		return nil, err
	}
	for _, z := range regions {
		if err := q.eval.prepare(ctx, z.in, z.follow); err != nil {
			return nil, err
		}
		for _, kind := range pairsKept {
			if countMonomials(kind.h*p.Out, kind.degree, 64) > 24 || kind.degree > 1 && p.In > 1 {
				continue // of several elements, too many corners for extremes that are that close
			}
			pairs, err := q.halfspacePairs(ctx, z, kind.h, kind.degree)
			if err != nil {
				return nil, err
			}
			sort.SliceStable(pairs, func(i, j int) bool { return pairs[i].spread < pairs[j].spread })
			kept := 0
			for _, s := range pairs {
				if kept == kind.kept || s.spread > kind.spread {
					break
				}
				pair, err := q.sharpen(ctx, s)
				if err != nil {
					return nil, err
				}
				if len(pair) > 0 {
					kept++
					relations = append(relations, pair...)
				}
			}
		}
	}
	return relations, nil
}

func (q *inequalities) halfspacePairs(ctx context.Context, z boundRegion, h, degree int) ([]halfspacePair, error) {
	id := identity(q.eval.program.In)
	var groups [][]mapping
	switch h {
	case 1:
		groups = [][]mapping{{id}}
	case 2:
		for _, g := range z.follow {
			groups = append(groups, []mapping{id, g})
		}
	case 3:
		for j, g := range z.follow {
			for _, f := range z.follow[:j] {
				groups = append(groups, []mapping{id, f, g})
			}
		}
		groups = groups[:min(len(groups), 60)]
	}
	var pairs []halfspacePair
	for _, group := range groups {
		rows, err := q.eval.variables(ctx, z.in, group)
		if err != nil {
			return nil, err
		}
		s := halfspacePair{within: z, group: group, degree: degree}
		if s.direct(rows, monomials(h*q.eval.program.Out, degree)) {
			pairs = append(pairs, s)
		}
	}
	return pairs, nil
}

// direct finds the direction of least variance, and reports whether there is one
// to speak of: it has none where outputs are missing, too large, constant, or
// exactly dependent (a law).
func (s *halfspacePair) direct(rows [][]float64, of [][]int) bool {
	var data [][]float64
	for _, row := range rows {
		if row == nil {
			return false
		}
		d := make([]float64, len(of)-1)
		for j, m := range of[1:] {
			d[j] = times(1, m, row)
			if math.Abs(d[j]) > 1e100 {
				return false
			}
		}
		data = append(data, d)
	}
	r := len(of) - 1
	mean, scale := make([]float64, r), make([]float64, r)
	for j := range r {
		for _, d := range data {
			mean[j] += d[j] / float64(len(data))
		}
		for _, d := range data {
			scale[j] += (d[j] - mean[j]) * (d[j] - mean[j]) / float64(len(data))
		}
		scale[j] = math.Sqrt(scale[j])
		if scale[j] < 1e-12*math.Abs(mean[j]) || scale[j] < 1e-100 {
			return false
		}
	}
	if r == 1 {
		s.b, s.spread = []float64{0, 1}, 1
		return true
	}
	d := mat.NewDense(len(data), r, nil)
	for i, row := range data {
		for j := range row {
			d.Set(i, j, (row[j]-mean[j])/scale[j])
		}
	}
	var svd mat.SVD
	if !svd.Factorize(d, mat.SVDThin) {
		return false
	}
	values := svd.Values(nil)
	var v mat.Dense
	svd.VTo(&v)
	s.spread = values[r-1] / math.Sqrt(float64(len(data)))
	if s.spread < 3e-9 {
		return false
	}
	digits := min(12, max(3, int(2-math.Log10(s.spread))))
	s.b = make([]float64, len(of))
	largest := 0.0
	for j := range r {
		if math.Abs(v.At(j, r-1)) > largest {
			largest = math.Abs(v.At(j, r-1))
		}
	}
	lead := 0.0
	for j := range r {
		c := v.At(j, r-1)
		if math.Abs(c) < s.spread*largest/100 {
			continue
		}
		s.b[j+1] = c / scale[j]
		if lead == 0 || len(of[j+1]) == 1 {
			lead = s.b[j+1]
		}
	}
	if lead == 0 {
		return false
	}
	for j := range s.b {
		s.b[j] = roundTo(s.b[j]/lead, digits)
	}
	return true
}

func roundTo(v float64, digits int) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', digits-1, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// margin is the part of the width of a pair that is added on both sides.
const margin = 0.03

// sharpen bounds the pair and validates both halves; none if they do not survive.
func (q *inequalities) sharpen(ctx context.Context, s halfspacePair) ([]Relation, error) {
	p := q.eval.program
	of := monomials(len(s.group)*p.Out, s.degree)
	size, err := q.extremes(ctx, &s, of)
	if err != nil || math.IsInf(s.lo, 0) || math.IsInf(s.hi, 0) {
		return nil, err
	}
	width := s.hi - s.lo
	if !(width < 50*size) || width == 0 {
		return nil, nil
	}
	slack := float64(p.In)*margin*width + 1e-10*size
	step := math.Pow(10, math.Floor(math.Log10(slack)))
	base := law{typ: TypeVII, group: s.group, degree: s.degree, region: s.within.region, defined: s.within.region, tolerance: q.options.Tolerance}
	var pair []Relation
	for _, side := range []float64{1, -1} {
		l := base
		l.b = make([]float64, len(s.b))
		for j, c := range s.b {
			l.b[j] = side * c
		}
		extreme := s.hi
		if side < 0 {
			extreme = -s.lo
		}
		l.b[0] = -limit(extreme, slack, step)
		r := l.relation(p)
		r.OutputOp = AtMost
		applied, broken, err := q.eval.validate(ctx, r, q.options.Inputs, q.rnd)
		if err != nil {
			return nil, err
		}
		if broken > 0 || applied < q.options.Inputs/4 {
			return nil, nil
		}
		pair = append(pair, r)
	}
	q.found[TypeVII] += len(pair)
	return pair, nil
}

// limit is what a sum with a sampled maximum is bounded by: a simple constant
// that the maximum nearly reaches, or the maximum and slack, rounded up to step.
func limit(extreme, slack, step float64) float64 {
	if s, ok := snap(extreme, 2e-4); ok && s >= extreme && s-extreme <= slack && recognise(s).complexity <= 3.5 {
		return s
	}
	if math.Abs(extreme) <= 1e-3*slack && extreme <= 0 {
		return 0
	}
	return roundTo(math.Ceil((extreme+slack)/step)*step, 15)
}

// ranges bounds the outputs over the widest region in which there is a bound.
func (q *inequalities) ranges(ctx context.Context) ([]Relation, error) {
	p := q.eval.program
	var relations []Relation
	id := identity(p.In)
	for _, sampled := range q.validator.regions {
		if sampled.only {
			break
		}
		z := boundRegion{region: sampled.region, in: sampled.in}
		rows, err := q.eval.variables(ctx, z.in, []mapping{id})
		if err != nil {
			return nil, err
		}
		var inside [][]float64
		for _, row := range rows {
			if row != nil {
				inside = append(inside, row)
			}
		}
		if len(inside) < len(rows)/4 {
			continue
		}
		for e := range p.Out {
			s := halfspacePair{within: z, group: []mapping{id}, degree: 1, b: make([]float64, 1+p.Out)}
			s.b[1+e] = 1
			domain, err := q.eval.variables(ctx, q.validator.domain, []mapping{id})
			if err != nil {
				return nil, err
			}
			lo, hi := math.Inf(1), math.Inf(-1)
			var sizes []float64
			for _, row := range domain {
				if row != nil {
					lo, hi = math.Min(lo, row[e]), math.Max(hi, row[e])
					sizes = append(sizes, math.Abs(row[e]))
				}
			}
			if !(lo < hi) {
				return nil, nil
			}
			width := math.Min(hi-lo, 10*median(sizes))
			if _, err := q.extremes(ctx, &s, monomials(p.Out, 1)); err != nil {
				return nil, err
			}
			// A bound is one that inputs of all magnitudes do not exceed by much
			// more than those of the domain, or 0.
			for _, side := range []float64{1, -1} {
				extreme, usual := s.hi, hi
				if side < 0 {
					extreme, usual = -s.lo, -lo
				}
				slack := 0.1 * width
				if !(slack > 0 && extreme <= usual+3*width) {
					continue
				}
				step := math.Pow(10, math.Floor(math.Log10(slack)))
				l := law{typ: TypeVII, group: s.group, degree: 1, region: z.region, tolerance: q.options.Tolerance, b: make([]float64, 1+p.Out)}
				l.b[1+e], l.b[0] = side, -limit(extreme, slack, step)
				// What inputs of all magnitudes lead to is no sample that extremes
				// could be read off; a simple constant is no accident.
				if recognise(l.b[0]).complexity > 3.5 {
					continue
				}
				r := l.relation(p)
				r.OutputOp = AtMost
				applied, broken, err := q.eval.validate(ctx, r, 10*q.options.Inputs, q.rnd)
				if err != nil {
					return nil, err
				}
				if broken == 0 && applied > q.options.Inputs/2 {
					relations = append(relations, r)
					q.found[TypeVII]++
				}
			}
		}
		if len(relations) > 0 {
			break
		}
	}
	return relations, nil
}
