package automr

import (
	"context"
	"math"
	"math/rand"
)

// A boundRegion is a part of the input space that programs often treat alike, and in
// which bounds are sharper than over everything.
type boundRegion struct {
	region []Interval
	log    bool // inputs of all magnitudes
	follow []mapping
	in     *inputs
}

const boundRows = 500

// boundRegions are the domain; the same mirrored; inputs around 1, tiny, large and huge
// ones, of both signs. Those without outputs are left out, and negative ones of a
// program that is odd, even or the like.
func (q *inequalities) boundRegions(ctx context.Context) ([]boundRegion, error) {
	p := q.eval.program
	var all []boundRegion
	add := func(region []Interval, logarithmic bool) error {
		z := boundRegion{region: region, log: logarithmic, follow: neighbours(p, region, logarithmic)}
		rows := make([][]float64, boundRows)
		if logarithmic {
			for i := range rows {
				rows[i] = logUniform(region, p.Integer, q.rnd)
			}
		} else {
			rows = uniform(region, p.Integer, boundRows, q.rnd)
		}
		z.in = newInputs(rows)
		out, err := q.eval.outputs(ctx, z.in, identity(p.In))
		if err != nil {
			return err
		}
		there := 0
		for _, row := range out {
			if row != nil {
				there++
			}
		}
		if there == boundRows {
			all = append(all, z)
		}
		return nil
	}
	if err := add(p.Domain, false); err != nil {
		return nil, err
	}
	largest, positive := 0.0, true
	for _, d := range p.Domain {
		largest = math.Max(largest, math.Max(math.Abs(d.Min), math.Abs(d.Max)))
		positive = positive && d.Min >= 0
	}
	same := func(lo, hi float64) []Interval {
		region := make([]Interval, p.In)
		for i := range region {
			region[i] = Interval{lo, hi}
		}
		return region
	}
	type span struct {
		lo, hi float64
		log    bool
	}
	var spans []span
	if positive {
		spans = append(spans, span{-largest, 0, false})
	}
	sizes := []span{{largest, 1e6, true}, {1e6, 1e150, true}}
	if anyTrue(p.Integer) {
		sizes = sizes[:1]
	} else {
		sizes = append(sizes, span{1e-30, 1e-6, true}, span{1e-6, 1e-2, true}, span{0.25, 4, true})
	}
	for _, s := range sizes {
		if s.lo < s.hi {
			spans = append(spans, s, span{-s.hi, -s.lo, true})
		}
	}
	for _, s := range spans {
		if s.hi <= 0 && q.mirrored() {
			continue // what would be said there is said by parity and the others
		}
		if err := add(same(s.lo, s.hi), s.log); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// mirrored reports whether a kept law gives the outputs of −x by those of x.
func (q *inequalities) mirrored() bool {
	a := identity(q.eval.program.In).a
	for i := range a {
		a[i][i+1] = -1
	}
	back := newMapping(a, 1)
	return q.words != nil && q.words.reaches(back)
}

// neighbours are the follow-up inputs that bounds are looked for with.
func neighbours(p Program, region []Interval, logarithmic bool) []mapping {
	var all []mapping
	every := func(change func(row []float64, i int)) {
		a := identity(p.In).a
		for i := range a {
			change(a[i], i)
		}
		all = append(all, newMapping(a, 1))
	}
	for _, s := range []float64{2, 0.5, -1, 1.5} {
		every(func(row []float64, i int) { row[i+1] = s })
	}
	if logarithmic {
		return suitable(all, p)
	}
	for _, c := range []float64{1, 0.5, 2, -1, -0.5, -2, 0.125, 5} {
		if p.In > 1 {
			for e := range min(p.In, 4) {
				a := identity(p.In).a
				a[e][0] = c
				all = append(all, newMapping(a, 1))
			}
		}
		every(func(row []float64, _ int) { row[0] = c })
	}
	return suitable(all, p)
}

func logUniform(region []Interval, integer []bool, rnd *rand.Rand) []float64 {
	x := make([]float64, len(region))
	for i, b := range region {
		lo, hi := math.Abs(b.Min), math.Abs(b.Max)
		if lo > hi {
			lo, hi = hi, lo
		}
		v := math.Exp(math.Log(lo) + (math.Log(hi)-math.Log(lo))*rnd.Float64())
		if b.Max <= 0 {
			v = -v
		}
		x[i] = settle(v, b, integer[i])
	}
	return x
}
