package figure

import (
	"math"
	"testing"
)

// TestCompare: the probabilities were worked out from the formula by hand.
func TestCompare(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		x, y   []float64
		p, a12 float64
	}{
		{[]float64{1, 2, 3, 4, 5}, []float64{6, 7, 8, 9, 10}, 0.01219, 0},
		{[]float64{6, 7, 8, 9, 10}, []float64{1, 2, 3, 4, 5}, 0.01219, 1},
		{[]float64{1, 2, 3}, []float64{1, 2, 3}, 1, 0.5},
		{[]float64{2, 2, 2}, []float64{2, 2}, 1, 0.5},
		{[]float64{1, 2, 2, 3}, []float64{2, 3, 4, 4}, 0.13417, 2.5 / 16},
		{nil, []float64{1}, math.NaN(), math.NaN()},
	} {
		p, a := MannWhitney(test.x, test.y), A12(test.x, test.y)
		if math.Abs(p-test.p) > 1e-4 || math.Abs(a-test.a12) > 1e-12 || math.IsNaN(p) != math.IsNaN(test.p) || math.IsNaN(a) != math.IsNaN(test.a12) {
			t.Errorf("%v and %v: p %v, A12 %v, want %v, %v", test.x, test.y, p, a, test.p, test.a12)
		}
	}
}
