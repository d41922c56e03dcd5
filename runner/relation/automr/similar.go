package automr

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Ranges of the paper's search: constants from −10 to 10, other coefficients
// from −2 to 2.
const (
	constantRange    = 20.0
	coefficientRange = 4.0
	similarDistance  = 0.05 // below it, relations are the same
)

// distanceOf is the distance of two matrices (equation 23): the Euclidean
// distance of entries, each by its range, divided by the number of entries.
func distanceOf(a, b, ranges []float64) float64 {
	sum := 0.0
	for i := range a {
		d := (a[i] - b[i]) / ranges[i]
		sum += d * d
	}
	return math.Sqrt(sum) / float64(len(a))
}

// entries of A and B in a row, B scaled to a largest coefficient of 1, and the
// ranges of the entries.
func (r Relation) entries() (values, ranges []float64) {
	for _, a := range r.A {
		for _, row := range a {
			for j, c := range row {
				values = append(values, c)
				ranges = append(ranges, rangeOf(j))
			}
		}
	}
	for j, c := range unit(r.B, r.OutputOp == Equal) {
		values = append(values, c)
		ranges = append(ranges, rangeOf(j))
	}
	return values, ranges
}

func rangeOf(j int) float64 {
	if j == 0 {
		return constantRange
	}
	return coefficientRange
}

// unit scales coefficients so that the largest that is not the constant is 1 or,
// where the sign means nothing, the first of them positive.
func unit(b []float64, either bool) []float64 {
	largest, sign := 0.0, 1.0
	for j := len(b) - 1; j > 0; j-- {
		largest = math.Max(largest, math.Abs(b[j]))
		if either && b[j] != 0 {
			sign = math.Copysign(1, b[j])
		}
	}
	if largest == 0 {
		return append([]float64(nil), b...)
	}
	scaled := make([]float64, len(b))
	for j := range b {
		scaled[j] = sign * b[j] / largest
	}
	return scaled
}

// comparable reports whether two relations have matrices of the same meaning.
func comparable(r, s Relation) bool {
	return r.Type == s.Type && r.InputOp == s.InputOp && r.OutputOp == s.OutputOp && len(r.A) == len(s.A) &&
		r.InputDegree == s.InputDegree && r.OutputDegree == s.OutputDegree
}

// withoutSimilar keeps the first of relations that are similar. Relations with
// exact constants are only compared if their input relation is the same: there,
// x + 3.14 and x + 2·3.14 are known to differ.
func withoutSimilar(all []Relation, exact bool) []Relation {
	var kept []Relation
next:
	for _, r := range all {
		values, ranges := r.entries()
		for _, k := range kept {
			if !comparable(r, k) || exact && (!sameInputs(r, k) || !sameRegions(r.Region, k.Region)) {
				continue
			}
			// By the entry with most difference: with equation 23 alone, two
			// bounds of many terms are always similar.
			other, _ := k.entries()
			if exact {
				if furthest(values, other, ranges) < similarDistance/100 {
					continue next
				}
			} else if distanceOf(values, other, ranges) < similarDistance {
				continue next
			}
		}
		kept = append(kept, r)
	}
	return kept
}

func furthest(a, b, ranges []float64) float64 {
	most := 0.0
	for i := range a {
		most = math.Max(most, math.Abs(a[i]-b[i])/ranges[i])
	}
	return most
}

func sameInputs(r, s Relation) bool {
	for j := range r.A {
		for i := range r.A[j] {
			for k := range r.A[j][i] {
				if r.A[j][i][k] != s.A[j][i][k] {
					return false
				}
			}
		}
	}
	return true
}

// rank of a matrix: singular values of more than part of the largest.
func rank(rows [][]float64, part float64) int {
	if len(rows) == 0 || len(rows[0]) == 0 {
		return 0
	}
	c := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		c.SetRow(i, row)
	}
	var svd mat.SVD
	if !svd.Factorize(c, mat.SVDNone) {
		return len(rows)
	}
	n := 0
	values := svd.Values(nil)
	for _, s := range values {
		if s > part*values[0] {
			n++
		}
	}
	return n
}

// independent are the indices of a maximal subset of rows, first ones preferred,
// that has the rank of all. The paper reconstructs rows from the singular vectors
// instead; those are dense, and none of them is what was found.
func independent(rows [][]float64, part float64) []int {
	var kept []int
	var chosen [][]float64
	for i, row := range rows {
		if rank(append(chosen, row), part) > len(chosen) {
			chosen = append(chosen, row)
			kept = append(kept, i)
		}
	}
	return kept
}
