package automr

import "sync"

// monomials are the products of up to degree of n variables, from the constant
// upwards (vectors u and v of the paper, whose lengths are equations 1 and 6).
// Each is the ascending list of its variables: x²y of (x, y) is [0 0 1].
//
// The lists are shared: they are made once, and nobody changes them.
func monomials(n, degree int) [][]int {
	if known, ok := monomialsMade.Load([2]int{n, degree}); ok {
		return known.([][]int)
	}
	made := makeMonomials(n, degree)
	monomialsMade.Store([2]int{n, degree}, made)
	return made
}

// monomialsMade remembers what a pure function has made.
var monomialsMade sync.Map

func makeMonomials(n, degree int) [][]int {
	all := [][]int{{}}
	level := [][]int{{}}
	for d := 1; d <= degree; d++ {
		var next [][]int
		for _, m := range level {
			first := 0
			if len(m) > 0 {
				first = m[len(m)-1]
			}
			for v := first; v < n; v++ {
				next = append(next, append(append(make([]int, 0, d), m...), v))
			}
		}
		all = append(all, next...)
		level = next
	}
	return all
}

// countMonomials is len(monomials(n, degree)), or limit if it is more.
func countMonomials(n, degree, limit int) int {
	count := 1
	for d := 1; d <= degree; d++ {
		count = count * (n + d) / d
		if count > limit {
			return limit
		}
	}
	return count
}

// times is coefficient · monomial, multiplied in the order in which the Go
// expression of the term does.
func times(coefficient float64, monomial []int, x []float64) float64 {
	for _, v := range monomial {
		coefficient *= x[v]
	}
	return coefficient
}

// polynomial evaluates Σ coefficients·monomials, highest term first, as the Go
// expression does, and the sum of the magnitudes of its terms.
func polynomial(coefficients []float64, of [][]int, x []float64) (sum, magnitude float64) {
	for i := len(of) - 1; i >= 0; i-- {
		if coefficients[i] == 0 {
			continue
		}
		t := times(coefficients[i], of[i], x)
		sum += t
		if t < 0 {
			t = -t
		}
		magnitude += t
	}
	return sum, magnitude
}

func sameMonomial(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func indexOfMonomial(all [][]int, m []int) int {
	for i, o := range all {
		if sameMonomial(o, m) {
			return i
		}
	}
	return -1
}
