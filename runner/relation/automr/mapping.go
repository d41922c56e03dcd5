package automr

import (
	"math"
	"strconv"
	"strings"
)

// A mapping makes a follow-up input of the source input: i(j) = A u (equation
// 2), u being the monomials of the source's elements up to degree.
type mapping struct {
	n, degree  int
	a          [][]float64 // n × len(u)
	u          [][]int
	key        string
	complexity float64
}

func newMapping(a [][]float64, degree int) mapping {
	n := len(a)
	m := mapping{n: n, degree: degree, a: a, u: monomials(n, degree)}
	for m.degree > 1 && m.lastDegreeIsZero() {
		m.degree--
		m.u = monomials(n, m.degree)
		for i := range m.a {
			m.a[i] = m.a[i][:len(m.u)]
		}
	}
	var key strings.Builder
	for i, row := range m.a {
		for j, c := range row {
			if math.Abs(c) < 1e-11 {
				m.a[i][j], c = 0, 0
			}
			key.WriteString(strconv.FormatFloat(c, 'g', 10, 64))
			key.WriteByte(' ')
			m.complexity += m.cost(i, j, c)
		}
	}
	m.key = key.String()
	return m
}

func (m mapping) lastDegreeIsZero() bool {
	lower := len(monomials(m.n, m.degree-1))
	for _, row := range m.a {
		for _, c := range row[lower:] {
			if math.Abs(c) > 1e-11 {
				return false
			}
		}
	}
	return true
}

// cost orders mappings by how soon a reader understands them: what differs from
// the identity costs, simple numbers cost less, and a reflection c − x, which
// undoes itself, costs less than the shift x + c.
func (m mapping) cost(i, j int, c float64) float64 {
	if len(m.u[j]) == 1 && m.u[j][0] == i {
		if c == 1 {
			return 0
		}
		if c == -1 {
			return 0.9
		}
		return 1 + recognise(c).complexity/4
	}
	if c == 0 {
		return 0
	}
	k := recognise(c).complexity / 4
	if c < 0 {
		k += 0.2
	}
	if len(m.u[j]) == 0 {
		if d := indexOfMonomial(m.u, []int{i}); d >= 0 && m.a[i][d] == -1 {
			return k
		}
	}
	return k + 1 + 2*float64(max(len(m.u[j])-1, 0))
}

func identity(n int) mapping {
	a := make([][]float64, n)
	for i := range a {
		a[i] = make([]float64, n+1)
		a[i][i+1] = 1
	}
	return newMapping(a, 1)
}

// apply is the follow-up input, its terms added from the highest to the
// constant as the Go expression does.
func (m mapping) apply(x []float64) []float64 {
	y := make([]float64, m.n)
	for i, row := range m.a {
		y[i], _ = polynomial(row, m.u, x)
	}
	return y
}

// then is the mapping that applies m first and next after it; ok is false if its
// degree is above 3.
func (m mapping) then(next mapping) (composed mapping, ok bool) {
	degree := m.degree * next.degree
	if degree > 3 {
		return mapping{}, false
	}
	if degree == 1 {
		return newMapping(composeAffine(m.a, next.a), 1), true
	}
	u := monomials(m.n, degree)
	a := make([][]float64, m.n)
	for i := range a {
		a[i] = make([]float64, len(u))
		for j, c := range next.a[i] {
			if c == 0 {
				continue
			}
			product := []float64{c}
			d := 0
			for _, v := range next.u[j] {
				product = multiply(m.n, product, d, m.a[v], m.degree)
				d += m.degree
			}
			for k, p := range product {
				a[i][k] += p
			}
		}
	}
	return newMapping(a, degree), true
}

func composeAffine(first, next [][]float64) [][]float64 {
	n := len(first)
	a := make([][]float64, n)
	for i := range a {
		a[i] = make([]float64, n+1)
		a[i][0] = next[i][0]
		for k, c := range next[i][1:] {
			if c != 0 {
				for j, v := range first[k] {
					a[i][j] += c * v
				}
			}
		}
	}
	return a
}

// multiply is the product of two polynomials of n variables.
func multiply(n int, p []float64, dp int, q []float64, dq int) []float64 {
	up, uq, all := monomials(n, dp), monomials(n, dq), monomials(n, dp+dq)
	product := make([]float64, len(all))
	for i, a := range p {
		for j, b := range q {
			if a != 0 && b != 0 {
				product[indexOfMonomial(all, merge(up[i], uq[j]))] += a * b
			}
		}
	}
	return product
}

func merge(a, b []int) []int {
	merged := make([]int, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0] <= b[0] {
			merged, a = append(merged, a[0]), a[1:]
		} else {
			merged, b = append(merged, b[0]), b[1:]
		}
	}
	return append(append(merged, a...), b...)
}

// inverse of an affine mapping.
func (m mapping) inverse() (mapping, bool) {
	if m.degree != 1 {
		return mapping{}, false
	}
	n := m.n
	// Gauss-Jordan on [L | I −c], L the linear part and c the constants.
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = make([]float64, 2*n+1)
		copy(rows[i], m.a[i][1:])
		rows[i][n+i] = 1
	}
	for c := range n {
		p := c
		for r := c; r < n; r++ {
			if math.Abs(rows[r][c]) > math.Abs(rows[p][c]) {
				p = r
			}
		}
		if math.Abs(rows[p][c]) < 1e-9 {
			return mapping{}, false
		}
		rows[c], rows[p] = rows[p], rows[c]
		d := rows[c][c]
		for k := range rows[c] {
			rows[c][k] /= d
		}
		for r := range n {
			if f := rows[r][c]; r != c && f != 0 {
				for k := range rows[r] {
					rows[r][k] -= f * rows[c][k]
				}
			}
		}
	}
	a := make([][]float64, n)
	for i := range a {
		a[i] = make([]float64, n+1)
		for j := range n {
			a[i][j+1] = rows[i][n+j]
			a[i][0] -= rows[i][n+j] * m.a[j][0]
		}
	}
	return newMapping(a, 1), true
}

// integral reports whether whole elements stay whole; elements that are not
// restricted may become anything, but not flow into restricted ones.
func (m mapping) integral(integer []bool) bool {
	for i, row := range m.a {
		if !integer[i] {
			continue
		}
		for j, c := range row {
			if c == 0 {
				continue
			}
			if c != math.Trunc(c) {
				return false
			}
			for _, v := range m.u[j] {
				if !integer[v] {
					return false
				}
			}
		}
	}
	return true
}
