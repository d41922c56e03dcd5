package automr

import (
	"context"
	"math"
	"math/rand"
)

// paperSearch is phase I and II as the paper has them: particle swarms over A and
// B at once, cost as in equation 22, filtering on fresh inputs. It is there to be
// compared with.
type paperSearch struct {
	eval    *evaluator
	options Options
	rnd     *rand.Rand
}

// shape of the relations of a type.
type shape struct {
	typ                 Type
	h, degree           int
	inequality, ordered bool // of the output, of the input relation
}

var shapes = []shape{
	{TypeI, 2, 1, false, false}, {TypeII, 2, 2, false, false}, {TypeIII, 2, 3, false, false},
	{TypeIV, 3, 1, false, false}, {TypeV, 3, 2, false, false},
	{TypeVI, 2, 1, false, true}, {TypeVII, 2, 1, true, false}, {TypeVIII, 2, 1, true, true},
}

// paperInputs is the number of random inputs of a cost, and of a filtering.
const paperInputs = 100

func (s *paperSearch) run(ctx context.Context, found map[Type]int) ([]Relation, error) {
	var all []Relation
	for _, sh := range shapes {
		if !s.options.wants(sh.typ) || countMonomials(sh.h*s.eval.program.Out, sh.degree, 1000) > 200 {
			continue
		}
		for range s.options.Runs {
			r, ok, err := s.swarm(ctx, sh)
			if err != nil {
				return nil, err
			}
			if !ok {
				continue
			}
			if ok, err = s.filter(ctx, r); err != nil {
				return nil, err
			}
			if ok {
				found[sh.typ]++
				all = append(all, r)
			}
		}
	}
	return all, nil
}

// swarm runs one particle swarm for a relation of a shape.
func (s *paperSearch) swarm(ctx context.Context, sh shape) (Relation, bool, error) {
	p := s.eval.program
	of := monomials(sh.h*p.Out, sh.degree)
	op, sign := Equal, 1.0
	if sh.ordered {
		op = []Op{Greater, Less}[s.rnd.Intn(2)]
	}
	if sh.inequality && s.rnd.Intn(2) == 0 {
		sign = -1
	}
	var bounds []Interval
	coefficientBounds := func(constant bool) {
		if constant {
			bounds = append(bounds, Interval{-constantRange / 2, constantRange / 2})
		} else {
			bounds = append(bounds, Interval{-coefficientRange / 2, coefficientRange / 2})
		}
	}
	for range (sh.h - 1) * p.In {
		for j := range p.In + 1 {
			coefficientBounds(j == 0)
		}
	}
	for j := range of {
		coefficientBounds(j == 0)
	}
	relation := func(position []float64) (Relation, bool) {
		r := Relation{Type: sh.typ, Inputs: p.In, Outputs: p.Out, InputOp: op, InputDegree: 1, OutputOp: Equal, OutputDegree: sh.degree,
			Region: p.Domain, Integer: p.Integer, Absolute: s.options.Tolerance}
		if sh.inequality {
			r.OutputOp, r.Absolute = AtMost, 0
		}
		at := 0
		for range sh.h - 1 {
			a := make([][]float64, p.In)
			for i := range a {
				a[i] = append([]float64(nil), position[at:at+p.In+1]...)
				for j := range a[i] {
					if p.Integer[i] {
						a[i][j] = math.Round(a[i][j])
					}
				}
				at += p.In + 1
			}
			r.A = append(r.A, a)
		}
		// B = 0 would be the cheapest relation of all.
		r.B = unit(position[at:], false)
		for j := range r.B {
			r.B[j] *= sign
		}
		return r, norm(position[at+1:]) > 1e-3
	}
	sources := uniform(p.Domain, p.Integer, paperInputs, s.rnd)
	base, err := s.eval.run(ctx, sources)
	if err != nil {
		return Relation{}, false, err
	}
	cost := func(positions [][]float64) ([]float64, error) {
		return s.costs(ctx, positions, relation, of, sources, base)
	}
	best, c, err := problem{bounds: bounds, cost: cost}.minimise(s.options.Particles, s.options.Iterations, s.rnd)
	if err != nil || best == nil || math.IsInf(c, 0) {
		return Relation{}, false, err
	}
	r, ok := relation(best)
	return r, ok && !trivial(r), nil
}

// costs of positions (equation 22), all groups of all particles in one batch.
func (s *paperSearch) costs(ctx context.Context, positions [][]float64, relation func([]float64) (Relation, bool), of [][]int, sources, base [][]float64) ([]float64, error) {
	var rows [][]float64
	relations := make([]Relation, len(positions))
	valid := make([]bool, len(positions))
	for i, position := range positions {
		relations[i], valid[i] = relation(position)
		for _, source := range sources {
			follow := relations[i].FollowUps(source, s.rnd)
			if follow == nil {
				follow = make([][]float64, len(relations[i].A))
			}
			rows = append(rows, follow...)
		}
	}
	out, err := s.eval.run(ctx, rows)
	if err != nil {
		return nil, err
	}
	costs := make([]float64, len(positions))
	at := 0
	for i, r := range relations {
		total, judged, passed := 0.0, 0, 0
		for k := range sources {
			o := join(append([][]float64{base[k]}, out[at:at+len(r.A)]...))
			at += len(r.A)
			if o == nil {
				continue
			}
			sum, _ := polynomial(r.B, of, o)
			judged++
			total += math.Abs(sum)
			if sum <= 0 {
				passed++
			}
		}
		switch {
		case judged < len(sources)/2 || !valid[i]:
			costs[i] = math.Inf(1)
		case r.OutputOp == Equal:
			costs[i] = total * float64(len(sources)) / float64(judged)
		default:
			costs[i] = 1 - float64(passed)/float64(judged)
		}
	}
	return costs, nil
}

// trivial reports whether a relation says that the program gives the same for
// the same input, or something about a fixed input.
func trivial(r Relation) bool {
	for _, a := range r.A {
		same, fixed := true, true
		for i, row := range a {
			for j, c := range row {
				want := 0.0
				if j == i+1 {
					want = 1
				}
				same = same && math.Abs(c-want) < 0.05
				fixed = fixed && (j == 0 || math.Abs(c) < 0.02)
			}
		}
		if r.InputOp == Equal && (same || fixed) {
			return true
		}
	}
	return false
}

// filter is phase II: as many groups as the paper's 100 times 100, unless one
// fails before.
func (s *paperSearch) filter(ctx context.Context, r Relation) (bool, error) {
	for range 100 {
		var rows [][]float64
		groups := 0
		for _, source := range uniform(s.eval.program.Domain, s.eval.program.Integer, paperInputs, s.rnd) {
			if follow := r.FollowUps(source, s.rnd); follow != nil {
				rows = append(append(rows, source), follow...)
				groups++
			}
		}
		out, err := s.eval.run(ctx, rows)
		if err != nil {
			return false, err
		}
		h := r.Groups()
		applied := 0
		for g := range groups {
			holds, applicable := r.Holds(rows[g*h:(g+1)*h], out[g*h:(g+1)*h])
			if applicable && !holds {
				return false, nil
			}
			if applicable {
				applied++
			}
		}
		if applied < paperInputs/10 {
			return false, nil
		}
	}
	return true, nil
}
