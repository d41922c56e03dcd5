package automr

import (
	"context"
	"math"
	"math/rand"
	"sort"
)

// extremes of b·v over the region: on its inputs, at its ends, and closer and
// closer around the extreme points. size is the typical magnitude of the terms.
func (q *inequalities) extremes(ctx context.Context, s *halfspacePair, of [][]int) (size float64, err error) {
	s.lo, s.hi = math.Inf(1), math.Inf(-1)
	rows, err := q.eval.variables(ctx, s.within.in, s.group)
	if err != nil {
		return 0, err
	}
	var sizes []float64
	type point struct {
		x     []float64
		value float64
	}
	var points []point
	note := func(x, row []float64) {
		if row == nil {
			return
		}
		v, m := polynomial(s.b, of, row)
		sizes = append(sizes, m)
		points = append(points, point{x, v})
	}
	for i, row := range rows {
		note(s.within.in.rows[i], row)
	}
	p := q.eval.program
	ends := newInputs(append(corners(s.within.region, p.Integer), edges(s.within.region, p.Integer, 60*p.In, q.rnd)...))
	if rows, err = q.eval.variables(ctx, ends, s.group); err != nil {
		return 0, err
	}
	for i, row := range rows {
		note(ends.rows[i], row)
	}
	around := math.Pow(1.0/boundRows, 1/float64(q.eval.program.In))
	for range 4 + 2*(q.eval.program.In-1) {
		if len(points) == 0 {
			return 0, nil
		}
		sort.SliceStable(points, func(i, j int) bool { return points[i].value < points[j].value })
		var near [][]float64
		for k := range min(3, len(points)) {
			for _, end := range []point{points[k], points[len(points)-1-k]} {
				near = append(near, q.near(end.x, s.within, around)...)
			}
		}
		fresh := newInputs(near)
		got, err := q.eval.variables(ctx, fresh, s.group)
		if err != nil {
			return 0, err
		}
		for i, row := range got {
			note(near[i], row)
		}
		around /= 5
	}
	for _, p := range points {
		s.lo, s.hi = math.Min(s.lo, p.value), math.Max(s.hi, p.value)
	}
	return median(sizes), nil
}

// corners of a region: programs that are monotonic or linear in each element have
// their extremes there. Of many elements, only the first six vary.
func corners(region []Interval, integer []bool) [][]float64 {
	n := min(len(region), 6)
	var all [][]float64
	for k := range 1 << n {
		x := make([]float64, len(region))
		for i, b := range region {
			x[i] = settle(b.Min, b, integer[i])
			if k>>(i%n)&1 == 1 {
				x[i] = settle(b.Max, b, integer[i])
			}
		}
		all = append(all, x)
	}
	return all
}

// edges are n inputs of which each element is at either end of the region or
// anywhere between.
func edges(region []Interval, integer []bool, n int, rnd *rand.Rand) [][]float64 {
	all := make([][]float64, n)
	for k := range all {
		all[k] = make([]float64, len(region))
		for i, b := range region {
			x := []float64{b.Min, b.Max, b.Min + (b.Max-b.Min)*rnd.Float64()}[rnd.Intn(3)]
			all[k][i] = settle(x, b, integer[i])
		}
	}
	return all
}

// near are inputs around x, the ends of the region among them.
func (q *inequalities) near(x []float64, z boundRegion, around float64) [][]float64 {
	var all [][]float64
	for k := range 16 {
		y := make([]float64, len(x))
		for i, b := range z.region {
			step := around * (2*q.rnd.Float64() - 1)
			if z.log {
				y[i] = x[i] * math.Exp(step*math.Log(math.Max(math.Abs(b.Max), math.Abs(b.Min))/math.Max(1e-300, math.Min(math.Abs(b.Max), math.Abs(b.Min)))))
			} else {
				y[i] = x[i] + step*(b.Max-b.Min)
			}
			switch k {
			case 0:
				y[i] = b.Min
			case 1:
				y[i] = b.Max
			}
			y[i] = settle(y[i], b, q.eval.program.Integer[i])
		}
		all = append(all, y)
	}
	return all
}
