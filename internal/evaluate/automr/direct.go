package automr

import (
	"math"
	"math/rand/v2"
	"slices"
)

// directInputs are n inputs of a direct comparison: from the domain, of all
// magnitudes, of random bits, near powers of two, and special values. Most of
// what a mutant can do to a function of one number shows with one of them; a
// mutant that differs nowhere here is likely, not certainly, equivalent.
func directInputs(p program, seed uint64, n int) [][]float64 {
	r := rand.New(rand.NewPCG(seed, 77))
	bounds := p.bounds()
	specials := specialValues()
	out := make([][]float64, n)
	for i := range out {
		in := make([]float64, p.in())
		for j := range in {
			switch kind := r.IntN(20); {
			case i < len(specials)*len(specials) && p.in() <= 2:
				in[j] = specials[i/pow(len(specials), j)%len(specials)]
			case kind == 0:
				in[j] = specials[r.IntN(len(specials))]
			case kind < 3:
				in[j] = math.Float64frombits(r.Uint64())
			case kind < 5: // near a power of two
				in[j] = math.Ldexp(1+(r.Float64()-0.5)*math.Ldexp(1, -r.IntN(53)), r.IntN(80)-40)
			case kind < 12: // of all magnitudes
				in[j] = math.Pow(10, -20+40*r.Float64())
				if r.IntN(6) == 0 {
					in[j] = math.Pow(10, -307+615*r.Float64())
				}
			default:
				in[j] = bounds[j].min + (bounds[j].max-bounds[j].min)*r.Float64()
			}
			if i >= len(specials)*len(specials) && r.IntN(2) == 0 {
				in[j] = -in[j]
			}
			if p.whole {
				in[j] = math.Trunc(in[j])
			}
		}
		out[i] = in
	}
	return out
}

func pow(base, exp int) int {
	n := 1
	for range exp {
		n *= base
	}
	return n
}

// specialValues are those at which functions of numbers often branch, with
// their neighbours: zeros, infinities, NaN, the ends of the range, powers of
// two, multiples of π/4.
func specialValues() []float64 {
	values := []float64{math.SmallestNonzeroFloat64, 0x1p-1022, math.MaxFloat64, math.Sqrt2, math.Sqrt2 - 1, 1 - math.Sqrt2/2,
		math.Sqrt2 / 2, math.Ln2, math.E, 10, 100, 0.66, 3, 5, 20, 709.78, 710.5, 745.2}
	for _, e := range []int{-1, 0, 1, 2, 3, 10, 27, 28, 29, 30, 31, 32, 52, 53, 54, 63, 64, 300, 1000, -2, -10, -20, -26, -27, -28, -29, -30, -53, -54, -55, -300, -1000} {
		values = append(values, math.Ldexp(1, e))
	}
	for i := range 16 {
		values = append(values, float64(i+1)*math.Pi/4)
	}
	for _, x := range slices.Clone(values) {
		values = append(values, math.Nextafter(x, 0), math.Nextafter(x, math.Inf(1)))
	}
	for _, x := range slices.Clone(values) {
		values = append(values, -x)
	}
	return append(values, 0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN())
}
