package automr

import (
	"math"
	"math/rand"
)

// aimedInputs is how many inputs are aimed at the points of a program for one relation.
const aimedInputs = 1200

// aimed are source inputs for which one or two elements of the group, of the source or
// of a follow-up input, are at points of the program: a case of one number is met by a
// follow-up input as by any other, and hardly ever by chance. Relations whose follow-up
// inputs are no affine functions of the source have those of the source only. There are
// none where no points are known.
func (r Relation) aimed(p Program, n int, rnd *rand.Rand) [][]float64 {
	if len(p.Points) == 0 {
		return nil
	}
	var all [][]float64
	rows := r.affineRows()
	for range n {
		x := make([]float64, r.Inputs)
		small := rnd.Intn(2) == 0
		for i, b := range r.Region {
			x[i] = magnitude(b, rnd)
			if small {
				x[i] = float64(rnd.Intn(21) - 10)
			}
			x[i] = settle(x[i], b, r.Integer[i])
		}
		first, second := rows[rnd.Intn(len(rows))], rows[rnd.Intn(len(rows))]
		if r.Inputs < 2 || rnd.Intn(3) == 0 || !solveTwo(x, first, p.point(rnd), second, p.point(rnd), rnd) {
			solveOne(x, first, p.point(rnd), rnd)
		}
		if inside(r.Region, x) && finite(x) && whole(x, r.Integer) {
			all = append(all, x)
		}
	}
	return all
}

// point is a point of the program, or next to one: at a step, or less, where inputs of a
// group a step apart lie on both sides of it.
func (p Program) point(rnd *rand.Rand) float64 {
	return p.Points[rnd.Intn(len(p.Points))] + []float64{0, 0, 0, 0, 1, -1, rnd.Float64(), -rnd.Float64()}[rnd.Intn(8)]
}

// affineRows give each element of each input of a group: a constant, and the
// coefficients of the source's elements.
func (r Relation) affineRows() [][]float64 {
	var rows [][]float64
	for i := range r.Inputs {
		row := make([]float64, r.Inputs+1)
		row[i+1] = 1
		rows = append(rows, row)
	}
	if r.InputOp != Equal {
		return rows
	}
	for _, a := range r.A {
		for _, row := range a {
			affine := true
			for _, c := range row[r.Inputs+1:] {
				affine = affine && c == 0
			}
			if affine {
				rows = append(rows, row[:r.Inputs+1])
			}
		}
	}
	return rows
}

// solveOne moves one element of x so that a row gives a value, if the row has any.
func solveOne(x, row []float64, value float64, rnd *rand.Rand) {
	for _, i := range rnd.Perm(len(x)) {
		if c := row[i+1]; c != 0 {
			x[i] += (value - apply(row, x)) / c
			return
		}
	}
}

// solveTwo moves two elements of x so that two rows give values, and reports whether
// any two can.
func solveTwo(x, first []float64, v float64, second []float64, w float64, rnd *rand.Rand) bool {
	order := rnd.Perm(len(x))
	i, j := order[0], order[1]
	a, b, c, d := first[i+1], first[j+1], second[i+1], second[j+1]
	det := a*d - b*c
	if math.Abs(det) < 1e-9 {
		return false
	}
	e, f := v-apply(first, x), w-apply(second, x)
	x[i] += (e*d - b*f) / det
	x[j] += (a*f - e*c) / det
	return true
}

func apply(row, x []float64) float64 {
	sum := row[0]
	for i, v := range x {
		sum += row[i+1] * v
	}
	return sum
}
