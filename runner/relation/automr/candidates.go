package automr

import (
	"math"
	"sort"
)

// Candidates are the input relations that are tried for every program: what is
// simple. Periods and other shifts that are none of these are searched by swarm.

// integerShifts are shifts of one element, in the order in which they are tried.
func integerShifts() []float64 { return []float64{1, -1, 2, -2, 3, -3, 0.5, -0.5} }

func circularShifts() []float64 {
	var all []float64
	for _, part := range [][2]float64{{1, 1}, {2, 1}, {1, 2}, {1, 4}, {1, 3}, {3, 1}, {4, 1}, {3, 2}, {1, 6}} {
		c, _ := snap(math.Pi*part[0]/part[1], 1e-12)
		all = append(all, c, -c)
	}
	return all
}

func affine(shift, scale float64) mapping {
	return newMapping([][]float64{{shift, scale}}, 1)
}

// unaryCandidates are affine mappings of a single element, circular ones too if
// asked for.
func unaryCandidates(circular bool) []mapping {
	var all []mapping
	shifts := integerShifts()
	if circular {
		shifts = append(shifts, circularShifts()...)
	}
	for _, scale := range []float64{1, -1} {
		for _, c := range append([]float64{0}, shifts...) {
			all = append(all, affine(c, scale))
		}
	}
	few := []float64{0, 1, -1}
	if circular {
		few = append(few, math.Pi/2, math.Pi)
	}
	for _, scale := range []float64{2, 0.5, -2, 3} {
		for _, c := range few {
			all = append(all, affine(c, scale))
		}
	}
	for _, scale := range []float64{10, -0.5, -3, 1.0 / 3, 4} {
		all = append(all, affine(0, scale))
	}
	return all
}

// curvedCandidates are the quadratic mappings that are tried with output
// relations above the first degree.
func curvedCandidates() []mapping {
	var all []mapping
	for _, c := range [][]float64{{0, 0, 1}, {0, 0, -1}, {1, 0, 1}, {-1, 0, 1}, {1, 0, -1}, {-1, 0, 2}, {1, 0, 2}, {0, 2, 1}, {1, 2, 1}, {1, 0, -2}} {
		all = append(all, newMapping([][]float64{c}, 2))
	}
	return all
}

// smallPolynomials are all of degree 2 and 3 with small whole coefficients: what
// doubles and trebles angles, arguments of logarithms and the like is among them.
func smallPolynomials() []mapping {
	var all []mapping
	for c3 := -4; c3 <= 4; c3++ {
		for c2 := -3; c2 <= 3; c2++ {
			for c1 := -4; c1 <= 4; c1++ {
				for c0 := -1; c0 <= 1; c0++ {
					if c3 == 0 && c2 == 0 {
						continue
					}
					all = append(all, newMapping([][]float64{{float64(c0), float64(c1), float64(c2), float64(c3)}}, 3))
				}
			}
		}
	}
	return all
}

// vectorCandidates are mappings of several elements: permutations; the same
// affine mapping of all elements, of one, or of the first or second half;
// elements made constant, copied, added and subtracted.
func vectorCandidates(n int, circular bool) []mapping {
	var all []mapping
	add := func(change func(a [][]float64)) {
		a := make([][]float64, n)
		for i := range a {
			a[i] = make([]float64, n+1)
			a[i][i+1] = 1
		}
		change(a)
		all = append(all, newMapping(a, 1))
	}
	part := func(elements []int, change func(row []float64, i int)) {
		add(func(a [][]float64) {
			for _, i := range elements {
				change(a[i], i)
			}
		})
	}
	for _, order := range permutations(n) {
		add(func(a [][]float64) {
			for i, from := range order {
				clear(a[i])
				a[i][from+1] = 1
			}
		})
	}
	for _, elements := range parts(n) {
		for _, scale := range []float64{-1, 2, 0.5, 3, -2, 10} {
			part(elements, func(row []float64, i int) { row[i+1] = scale })
		}
		for _, c := range []float64{1, -1, 2, 0.5} {
			part(elements, func(row []float64, _ int) { row[0] = c })
		}
		if circular && len(elements) == 1 {
			for _, c := range []float64{math.Pi / 2, math.Pi, 2 * math.Pi} {
				part(elements, func(row []float64, _ int) { row[0] = c })
			}
		}
		if len(elements) < n {
			for _, c := range []float64{0, 1} {
				part(elements, func(row []float64, _ int) { clear(row); row[0] = c })
			}
		}
	}
	if n <= 4 {
		for i := range n {
			for j := range n {
				if i == j {
					continue
				}
				for _, sign := range []float64{1, -1} {
					part([]int{i}, func(row []float64, _ int) { row[j+1] = sign })
				}
				part([]int{i}, func(row []float64, i int) { row[i+1], row[j+1] = 0, 1 })
				if i < j {
					add(func(a [][]float64) { a[i][j+1], a[j][i+1], a[j][j+1] = 1, 1, -1 }) // (a+b, a−b)
					add(func(a [][]float64) {                                               // −b, −a
						clear(a[i])
						clear(a[j])
						a[i][j+1], a[j][i+1] = -1, -1
					})
					add(func(a [][]float64) { // −b, a: a quarter turn
						clear(a[i])
						clear(a[j])
						a[i][j+1], a[j][i+1] = -1, 1
					})
				}
			}
		}
	}
	if n <= 3 {
		u := monomials(n, 2)
		square := func(elements ...int) {
			a := make([][]float64, n)
			for i := range a {
				a[i] = make([]float64, len(u))
				a[i][i+1] = 1
			}
			for _, i := range elements {
				a[i][i+1] = 0
				a[i][indexOfMonomial(u, []int{i, i})] = 1
			}
			all = append(all, newMapping(a, 2))
		}
		for _, elements := range parts(n) {
			square(elements...)
		}
	}
	return all
}

// permutations of n: all up to three elements, else transpositions of
// neighbours, reversal, rotation and exchange of halves.
func permutations(n int) [][]int {
	base := make([]int, n)
	for i := range base {
		base[i] = i
	}
	var all [][]int
	with := func(change func(order []int)) {
		order := append([]int(nil), base...)
		change(order)
		all = append(all, order)
	}
	for i := range n - 1 {
		with(func(o []int) { o[i], o[i+1] = o[i+1], o[i] })
	}
	if n > 2 {
		with(func(o []int) {
			for i := range o {
				o[i] = n - 1 - i
			}
		})
		with(func(o []int) {
			for i := range o {
				o[i] = (i + 1) % n
			}
		})
	}
	if n > 3 && n%2 == 0 {
		with(func(o []int) {
			for i := range o {
				o[i] = (i + n/2) % n
			}
		})
		with(func(o []int) { // the same exchange within both halves
			o[0], o[1], o[n/2], o[n/2+1] = o[1], o[0], o[n/2+1], o[n/2]
		})
	}
	return all
}

// parts of n elements that are changed alike: all, each, the halves.
func parts(n int) [][]int {
	var all [][]int
	var every []int
	for i := range n {
		every = append(every, i)
	}
	all = append(all, every)
	for i := range n {
		all = append(all, []int{i})
	}
	if n >= 4 && n%2 == 0 {
		all = append(all, every[:n/2], every[n/2:])
	}
	return all
}

// suitable leaves out duplicates, the identity and what makes whole elements
// broken, and orders by complexity.
func suitable(all []mapping, p Program) []mapping {
	seen := map[string]bool{identity(p.In).key: true}
	var kept []mapping
	for _, m := range all {
		if !seen[m.key] && m.integral(p.Integer) {
			seen[m.key] = true
			kept = append(kept, m)
		}
	}
	sort.SliceStable(kept, func(i, j int) bool { return kept[i].complexity < kept[j].complexity })
	return kept
}
