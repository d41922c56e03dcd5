package figure

import (
	"math"
	"slices"
)

// MannWhitney is the probability, of both sides, that two samples of one distribution differ as
// much in rank as x and y do: by the normal approximation, corrected for ties and continuity.
func MannWhitney(x, y []float64) float64 {
	n, m := float64(len(x)), float64(len(y))
	if n == 0 || m == 0 {
		return math.NaN()
	}
	all := slices.Concat(x, y)
	slices.Sort(all)
	ties := 0.0
	for i := 0; i < len(all); {
		j := i
		for j < len(all) && all[j] == all[i] {
			j++
		}
		t := float64(j - i)
		ties += t*t*t - t
		i = j
	}
	total := n + m
	variance := n * m / 12 * (total + 1 - ties/(total*(total-1)))
	if variance <= 0 {
		return 1
	}
	away := math.Abs(A12(x, y)*n*m-n*m/2) - 0.5
	return math.Erfc(max(away, 0) / math.Sqrt(2*variance))
}

// A12 is Vargha and Delaney's effect size: how probable it is that a value of x is above one of
// y, where equal ones count half. From 0.71 on it is called large.
func A12(x, y []float64) float64 {
	if len(x) == 0 || len(y) == 0 {
		return math.NaN()
	}
	sum := 0.0
	for _, a := range x {
		for _, b := range y {
			switch {
			case a > b:
				sum++
			case a == b:
				sum += 0.5
			}
		}
	}
	return sum / float64(len(x)*len(y))
}
