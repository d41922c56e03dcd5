package automr

import (
	"context"
	"fmt"
	"math"
	"math/rand"
	"slices"
)

// uniform makes n inputs that fill a region evenly: a random start of the additive
// recurrence with square roots of primes would be more even, but a lattice
// resonates with periodic programs, so each element is stratified and shuffled.
func uniform(region []Interval, integer []bool, n int, rnd *rand.Rand) [][]float64 {
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = make([]float64, len(region))
	}
	for e, b := range region {
		order := rnd.Perm(n)
		for i := range rows {
			x := b.Min + (b.Max-b.Min)*((float64(order[i])+rnd.Float64())/float64(n))
			rows[i][e] = settle(x, b, integer[e])
		}
	}
	return rows
}

func settle(x float64, b Interval, whole bool) float64 {
	if whole {
		x = math.Round(x)
		if x < b.Min {
			x = math.Ceil(b.Min)
		}
		if x > b.Max {
			x = math.Floor(b.Max)
		}
		return x
	}
	return math.Max(b.Min, math.Min(b.Max, x))
}

// special values at which programs like to have a case of their own.
var special = []float64{0, 1, -1, 0.5, -0.5, 2, -2, 3, 10, 100, 1e-3, -1e-3, 1e-9, -1e-9, 1 << 10, -(1 << 10),
	math.Pi, -math.Pi, math.Pi / 2, math.Pi / 4, 1 << 20, 1 << 30, -(1 << 30), 1e15, 1e100, -1e100}

// specialInputs have the same special value in all elements.
func specialInputs(p Program, region []Interval) [][]float64 {
	var all [][]float64
next:
	for _, v := range slices.Concat(special, p.Points) {
		x := make([]float64, p.In)
		for i, b := range region {
			if !b.contains(v) || p.Integer[i] && v != math.Trunc(v) {
				continue next
			}
			x[i] = v
		}
		all = append(all, x)
	}
	return all
}

// sourceInput is a random input of a region: mostly from the program's domain,
// the rest of all magnitudes.
func sourceInput(p Program, region []Interval, rnd *rand.Rand) []float64 {
	x := make([]float64, p.In)
	mode := rnd.Intn(10)
	for i := range x {
		b := region[i]
		near := Interval{math.Max(b.Min, p.Domain[i].Min), math.Min(b.Max, p.Domain[i].Max)}
		if near.Min >= near.Max {
			near = b
		}
		m := mode
		if m == 9 {
			m = rnd.Intn(9)
		}
		switch {
		case m < 4:
			x[i] = near.Min + (near.Max-near.Min)*rnd.Float64()
		case m < 7:
			x[i] = magnitude(b, rnd)
		case m < 8:
			ends := []float64{near.Min, near.Max, b.Min, b.Max}
			if k := rnd.Intn(2 * len(ends)); k < len(ends) {
				x[i] = ends[k]
			} else {
				x[i] = special[rnd.Intn(len(special))]
			}
			if !b.contains(x[i]) {
				x[i] = math.Floor(near.Min + (near.Max-near.Min)*rnd.Float64())
			}
		default:
			lo, hi := math.Max(b.Min, -2*math.Abs(near.Max)), math.Min(b.Max, 2*math.Abs(near.Max))
			x[i] = lo + (hi-lo)*rnd.Float64()
		}
		x[i] = settle(x[i], b, p.Integer[i])
	}
	if len(p.Points) > 0 && rnd.Intn(4) == 0 {
		p.atPoint(x, rnd)
		for i, b := range region {
			x[i] = settle(x[i], b, p.Integer[i])
		}
	}
	if p.In > 1 && rnd.Intn(6) == 0 {
		// Elements that are close to each other: which is the larger matters.
		for i := 1; i < p.In; i++ {
			x[i] = settle(x[i-1]+[]float64{0, 2*rnd.Float64() - 1}[rnd.Intn(2)], region[i], p.Integer[i])
		}
	}
	return x
}

// subnormal is a number for which programs that take a number's exponent and
// fraction apart have a case of their own, or forget it.
func subnormal(rnd *rand.Rand) float64 {
	x := math.Ldexp(1+rnd.Float64(), -1023-rnd.Intn(48))
	if rnd.Intn(2) == 0 {
		return -x
	}
	return x
}

// magnitude is a number of any size within an interval: log-uniform from the
// tiny to its end. Half of the numbers are neither tiny nor huge.
func magnitude(b Interval, rnd *rand.Rand) float64 {
	size := math.Max(math.Abs(b.Min), math.Abs(b.Max))
	smallest := math.Min(1e-15, size*1e-6)
	if rnd.Intn(2) == 0 {
		smallest, size = math.Min(1e-3, size*1e-3), math.Min(size, 1e4)
	}
	low, high := math.Log(smallest), math.Log(size)
	x := math.Exp(low + (high-low)*rnd.Float64())
	if b.Min < 0 && (b.Max <= 0 || rnd.Intn(2) == 0) {
		x = -x
	}
	if !b.contains(x) {
		if b.Max-b.Min > 1e300 {
			return b.Min/2 + b.Max/2
		}
		return b.Min + (b.Max-b.Min)*rnd.Float64()
	}
	return x
}

// inputs is a fixed set of source inputs; what the program gives for images of
// it under mappings is remembered.
type inputs struct {
	rows [][]float64
	memo map[string][][]float64
}

func newInputs(rows [][]float64) *inputs {
	return &inputs{rows: rows, memo: map[string][][]float64{}}
}

// An evaluator runs the program and counts.
type evaluator struct {
	program     Program
	evaluations int
}

const batch = 4096

// run evaluates rows; a missing output is a nil row. Inputs that are not finite,
// or not whole where they have to be, have no output.
func (e *evaluator) run(ctx context.Context, rows [][]float64) ([][]float64, error) {
	out := make([][]float64, len(rows))
	var batchRows [][]float64
	var at []int
	flush := func() error {
		if len(batchRows) == 0 {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		e.evaluations += len(batchRows)
		got, err := e.program.Eval(ctx, batchRows)
		if err != nil {
			return fmt.Errorf("running %s: %w", e.program.Name, err)
		}
		if len(got) != len(batchRows) {
			return fmt.Errorf("automr: Eval of %s gave %d rows for %d inputs", e.program.Name, len(got), len(batchRows))
		}
		for i, row := range got {
			if len(row) == e.program.Out && finite(row) {
				out[at[i]] = row
			}
		}
		batchRows, at = nil, nil
		return nil
	}
	for i, row := range rows {
		if finite(row) && whole(row, e.program.Integer) {
			batchRows, at = append(batchRows, row), append(at, i)
		}
		if len(batchRows) == batch {
			if err := flush(); err != nil {
				return nil, err
			}
		}
	}
	return out, flush()
}

// outputs of the images of s under m.
func (e *evaluator) outputs(ctx context.Context, s *inputs, m mapping) ([][]float64, error) {
	if out, ok := s.memo[m.key]; ok {
		return out, nil
	}
	images := make([][]float64, len(s.rows))
	for i, row := range s.rows {
		images[i] = m.apply(row)
	}
	out, err := e.run(ctx, images)
	if err != nil {
		return nil, err
	}
	s.memo[m.key] = out
	return out, nil
}

// prepare runs the program on the images of s under many mappings at once, so
// that a program in another process is asked rarely.
func (e *evaluator) prepare(ctx context.Context, s *inputs, all []mapping) error {
	var images [][]float64
	var missing []mapping
	for _, m := range all {
		if _, ok := s.memo[m.key]; ok {
			continue
		}
		missing = append(missing, m)
		s.memo[m.key] = nil
		for _, row := range s.rows {
			images = append(images, m.apply(row))
		}
	}
	out, err := e.run(ctx, images)
	if err != nil {
		return err
	}
	for i, m := range missing {
		s.memo[m.key] = out[i*len(s.rows) : (i+1)*len(s.rows)]
	}
	return nil
}

// variables are the rows o(1:h) of the groups that the mappings make of s, nil
// where an output is missing.
func (e *evaluator) variables(ctx context.Context, s *inputs, group []mapping) ([][]float64, error) {
	columns := make([][][]float64, len(group))
	for j, m := range group {
		out, err := e.outputs(ctx, s, m)
		if err != nil {
			return nil, err
		}
		columns[j] = out
	}
	rows := make([][]float64, len(s.rows))
next:
	for i := range rows {
		row := make([]float64, 0, len(group)*e.program.Out)
		for j := range group {
			if columns[j][i] == nil {
				continue next
			}
			row = append(row, columns[j][i]...)
		}
		rows[i] = row
	}
	return rows, nil
}
