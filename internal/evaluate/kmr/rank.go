package kmr

import (
	"math"
	"slices"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
)

// spearman is the rank correlation of two lists of equal length, ties sharing
// their mean rank; NaN where one of them has a single value only.
func spearman(x, y []float64) float64 { return pearson(ranks(x), ranks(y)) }

// ranks are from 1.
func ranks(x []float64) []float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case x[a] < x[b]:
			return -1
		case x[a] > x[b]:
			return 1
		}
		return 0
	})
	out := make([]float64, len(x))
	for from := 0; from < len(order); {
		to := from
		for to < len(order) && x[order[to]] == x[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			out[i] = float64(from+to+1) / 2
		}
		from = to
	}
	return out
}

func pearson(x, y []float64) float64 {
	mx, my := figure.Mean(x), figure.Mean(y)
	var xy, xx, yy float64
	for i := range x {
		xy += (x[i] - mx) * (y[i] - my)
		xx += (x[i] - mx) * (x[i] - mx)
		yy += (y[i] - my) * (y[i] - my)
	}
	if xx == 0 || yy == 0 {
		return math.NaN()
	}
	return xy / math.Sqrt(xx*yy)
}
