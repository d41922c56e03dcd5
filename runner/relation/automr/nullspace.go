package automr

import (
	"math"
	"math/rand"
	"sort"

	"gonum.org/v1/gonum/mat"
)

// rounding is the part of the largest singular value below which one counts as
// zero: programs of a few roundings give 10⁻¹⁶, follow-up inputs that are
// rounded near a pole 10⁻¹¹. Near-null vectors of smooth functions can be below
// it as well; those do not survive inputs from elsewhere.
const rounding = 1e-10

// dataMatrix has a row for each group with all outputs and a column for each
// monomial. Rows are scaled to a largest entry of 1 (B v = 0 does not mind) and
// columns to unit length; scale is what columns were divided by.
func dataMatrix(rows [][]float64, of [][]int) (data [][]float64, scale []float64) {
	for _, row := range rows {
		if row == nil {
			continue
		}
		d := make([]float64, len(of))
		largest := 0.0
		for j, m := range of {
			d[j] = times(1, m, row)
			largest = math.Max(largest, math.Abs(d[j]))
		}
		if math.IsInf(largest, 0) || math.IsNaN(largest) || largest == 0 {
			continue
		}
		for j := range d {
			d[j] /= largest
		}
		data = append(data, d)
	}
	scale = make([]float64, len(of))
	for j := range of {
		for _, d := range data {
			scale[j] = math.Hypot(scale[j], d[j])
		}
		if scale[j] < 1e-150 {
			scale[j] = 0 // the column is zero: the monomial vanishes
			continue
		}
		for _, d := range data {
			d[j] /= scale[j]
		}
	}
	return data, scale
}

// deficient reports whether some column depends on the others to about a
// thousand roundings more than what the SVD will ask for: a quick screen by
// Gram-Schmidt with pivoting. It changes data.
func deficient(data [][]float64) bool {
	if len(data) == 0 {
		return false
	}
	r := len(data[0])
	columns := make([][]float64, r)
	for j := range columns {
		columns[j] = make([]float64, len(data))
		for i := range data {
			columns[j][i] = data[i][j]
		}
	}
	norms := make([]float64, r)
	for step := range r {
		best := step
		for j := step; j < r; j++ {
			norms[j] = 0
			for _, v := range columns[j] {
				norms[j] += v * v
			}
			if norms[j] > norms[best] {
				best = j
			}
		}
		if norms[best] < 1e-14 {
			return true
		}
		columns[step], columns[best] = columns[best], columns[step]
		q := columns[step]
		length := math.Sqrt(norms[best])
		for i := range q {
			q[i] /= length
		}
		for j := step + 1; j < r; j++ {
			dot := 0.0
			for i, v := range columns[j] {
				dot += q[i] * v
			}
			for i := range columns[j] {
				columns[j][i] -= dot * q[i]
			}
		}
	}
	return false
}

// nullSpace is a basis of the B with B v = 0 for all rows, as rows in units of
// scaled columns (multiply by 1/scale for coefficients), and the smallest
// singular value relative to the largest. Columns that vanish are left out.
func nullSpace(data [][]float64, scale []float64) (basis [][]float64, smallest float64) {
	var used []int
	for j, s := range scale {
		if s != 0 {
			used = append(used, j)
		}
	}
	if len(data) < len(used)+4 || len(used) == 0 {
		return nil, 1
	}
	d := mat.NewDense(len(data), len(used), nil)
	for i, row := range data {
		for k, j := range used {
			d.Set(i, k, row[j])
		}
	}
	var svd mat.SVD
	if !svd.Factorize(d, mat.SVDThin) {
		return nil, 1
	}
	values := svd.Values(nil)
	var v mat.Dense
	svd.VTo(&v)
	for k, s := range values {
		if s > rounding*values[0] {
			continue
		}
		b := make([]float64, len(scale))
		for i, j := range used {
			b[j] = v.At(i, k)
		}
		basis = append(basis, b)
	}
	return basis, values[len(values)-1] / values[0]
}

// span is a subspace, kept as orthonormal rows.
type span struct{ rows [][]float64 }

// add extends the space by v, and reports whether v was not in it already.
func (s *span) add(v []float64) bool {
	rest, size := s.remainder(v)
	if size < 1e-6 {
		return false
	}
	for i := range rest {
		rest[i] /= size
	}
	s.rows = append(s.rows, rest)
	return true
}

// remainder is the part of v/|v| that is orthogonal to the space, and its length.
func (s *span) remainder(v []float64) ([]float64, float64) {
	rest := append([]float64(nil), v...)
	n := norm(rest)
	if n == 0 {
		return rest, 0
	}
	for i := range rest {
		rest[i] /= n
	}
	for range 2 { // twice is enough (Kahan)
		for _, q := range s.rows {
			dot := 0.0
			for i := range q {
				dot += q[i] * rest[i]
			}
			for i := range q {
				rest[i] -= dot * q[i]
			}
		}
	}
	return rest, norm(rest)
}

func norm(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x * x
	}
	return math.Sqrt(sum)
}

// sparse chooses vectors of the space of basis that have few terms, cheap ones
// first, until they and known span it. A basis from an SVD is dense; each
// reduced row echelon form of it, whatever columns are pivots, gives vectors of
// smallest support in their turn, so many orders of columns are tried.
func sparse(basis [][]float64, known *span, cost []float64, rnd *rand.Rand) [][]float64 {
	missing := len(basis) - len(known.rows)
	if missing <= 0 {
		return nil
	}
	type candidate struct {
		v    []float64
		cost float64
	}
	var all []candidate
	r := len(cost)
	order := make([]int, r)
	for j := range order {
		order[j] = j
	}
	tries := 1
	if len(basis) > 1 {
		tries = 24
	}
	for t := range tries {
		if t == 0 { // dear columns become pivots: each is in one vector only
			sort.SliceStable(order, func(i, j int) bool { return cost[order[i]] > cost[order[j]] })
		} else {
			rnd.Shuffle(r, func(i, j int) { order[i], order[j] = order[j], order[i] })
		}
		for _, v := range echelon(basis, order) {
			c := 0.0
			for j, x := range v {
				if x != 0 {
					c += 1 + cost[j]
				}
			}
			all = append(all, candidate{v, c})
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].cost < all[j].cost })
	have := &span{rows: append([][]float64(nil), known.rows...)}
	var chosen [][]float64
	for _, c := range all {
		if len(chosen) == missing {
			break
		}
		if have.add(c.v) {
			chosen = append(chosen, c.v)
		}
	}
	return chosen
}

// echelon is the reduced row echelon form with columns as pivots in the order
// given. What is left of cancelled entries is set to zero.
func echelon(basis [][]float64, order []int) [][]float64 {
	rows := make([][]float64, len(basis))
	for i, b := range basis {
		rows[i] = append([]float64(nil), b...)
	}
	done := 0
	for _, c := range order {
		if done == len(rows) {
			break
		}
		p := done
		for i := done; i < len(rows); i++ {
			if math.Abs(rows[i][c]) > math.Abs(rows[p][c]) {
				p = i
			}
		}
		if math.Abs(rows[p][c]) < 1e-5 {
			continue
		}
		rows[done], rows[p] = rows[p], rows[done]
		d := rows[done][c]
		for k := range rows[done] {
			rows[done][k] /= d
		}
		for i := range rows {
			if f := rows[i][c]; i != done && f != 0 {
				for k := range rows[i] {
					rows[i][k] -= f * rows[done][k]
				}
				rows[i][c] = 0
			}
		}
		done++
	}
	for _, row := range rows {
		n := norm(row)
		for k := range row {
			if math.Abs(row[k]) < 1e-8*n {
				row[k] = 0
			}
		}
	}
	return rows
}
