package everyday

import (
	"math"
	"math/rand"

	"github.com/isodelta/isodelta/runner/relation/automr"
)

// Inputs returns n inputs as people use them: of any magnitude up to a million, or
// at a constant of the program or next to it; in one of eight, two elements are the
// same.
func Inputs(p automr.Program, n int, rnd *rand.Rand) [][]float64 {
	out := make([][]float64, n)
	for i := range out {
		out[i] = input(p, rnd)
	}
	return out
}

func input(p automr.Program, rnd *rand.Rand) []float64 {
	x := make([]float64, p.In)
	for i := range x {
		x[i] = (2*rnd.Float64() - 1) * math.Pow(10, 6*rnd.Float64())
		if len(p.Points) > 0 && rnd.Intn(3) == 0 {
			x[i] = p.Points[rnd.Intn(len(p.Points))] + float64(rnd.Intn(5)-2)
		}
		if p.Integer[i] || rnd.Intn(2) == 0 {
			x[i] = math.Round(x[i])
		}
	}
	if p.In > 1 && rnd.Intn(8) == 0 {
		i := rnd.Intn(p.In)
		if x[i] = x[rnd.Intn(p.In)]; p.Integer[i] {
			x[i] = math.Round(x[i])
		}
	}
	return x
}
