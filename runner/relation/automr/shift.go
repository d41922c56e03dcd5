package automr

import (
	"context"
	"math"
)

// searchShifts looks for c such that f(±x + c) is an affine function of f(x), c
// being no candidate: a particle swarm over c whose cost is the smallest singular
// value relative to the largest, then a golden-section search around the best.
func (e *equalities) searchShifts(ctx context.Context) ([]mapping, error) {
	p := e.eval.program
	if p.In != 1 || p.Out != 1 || p.Integer[0] || !e.options.wants(TypeI) || e.anyShift() {
		return nil, nil
	}
	var found []mapping
	for _, scale := range []float64{1, -1} {
		cost := func(positions [][]float64) ([]float64, error) {
			var images [][]float64
			for _, c := range positions {
				for _, row := range e.sample.rows[:24] {
					images = append(images, []float64{scale*row[0] + c[0]})
				}
			}
			out, err := e.eval.run(ctx, images)
			if err != nil {
				return nil, err
			}
			base, err := e.eval.outputs(ctx, e.sample, identity(1))
			if err != nil {
				return nil, err
			}
			costs := make([]float64, len(positions))
			for i := range positions {
				rows := make([][]float64, 24)
				for k := range rows {
					if o := out[i*24+k]; o != nil && base[k] != nil {
						rows[k] = []float64{base[k][0], o[0]}
					}
				}
				costs[i] = math.Inf(1)
				// Small shifts are nearly the identity, which is no discovery.
				if data, _ := dataMatrix(rows, monomials(2, 1)); len(data) >= 12 {
					costs[i] = distance(data)
					if scale == 1 {
						costs[i] /= math.Min(1, math.Abs(positions[i][0]))
					}
				}
			}
			return costs, nil
		}
		space := problem{bounds: []Interval{{-10, 10}}, cost: cost}
		best, c, err := space.minimise(e.options.Particles, e.options.Iterations, e.rnd)
		if err != nil {
			return nil, err
		}
		if best == nil || c > 0.02 {
			continue
		}
		c0, c, err := polish(best[0], cost)
		if err != nil {
			return nil, err
		}
		if c < 1e-6 && math.Abs(c0) > 1e-3 {
			if s, ok := snap(c0, 1e-5); ok {
				found = append(found, affine(s, scale))
			}
			found = append(found, affine(c0, scale))
		}
	}
	return found, nil
}

// distance of the last column from the space of the others: cheaper than a
// singular value and zero where that is.
func distance(data [][]float64) float64 {
	r := len(data[0])
	s := &span{}
	column := func(j int) []float64 {
		v := make([]float64, len(data))
		for i := range data {
			v[i] = data[i][j]
		}
		return v
	}
	for j := range r - 1 {
		s.add(column(j))
	}
	_, rest := s.remainder(column(r - 1))
	return rest
}

// polish shrinks a bracket around c to rounding, four points at a time.
func polish(c float64, cost func([][]float64) ([]float64, error)) (float64, float64, error) {
	width, best := 0.05, math.Inf(1)
	for range 40 {
		var at [][]float64
		for k := -4; k <= 4; k++ {
			at = append(at, []float64{c + width*float64(k)/4})
		}
		costs, err := cost(at)
		if err != nil {
			return 0, 0, err
		}
		for i, v := range costs {
			if v < best {
				best, c = v, at[i][0]
			}
		}
		width /= 2.2
		if width < 1e-15*math.Abs(c) {
			break
		}
	}
	return c, best, nil
}
