package automr

import (
	"maps"
	"math"
	"slices"
)

// polynomial over numbered variables: the coefficient of each monomial, which
// is the ascending list of its variables, one byte each.
type polynomial map[string]float64

const negligible = 1e-8 // relative to the largest coefficient of what is reduced

func (p polynomial) degree() int {
	d := 0
	for m := range p {
		d = max(d, len(m))
	}
	return d
}

func (p polynomial) norm() float64 {
	n := 0.0
	for _, c := range p {
		n = max(n, math.Abs(c))
	}
	return n
}

// plus adds a multiple of another polynomial in place.
func (p polynomial) plus(c float64, q polynomial) {
	for m, d := range q {
		p[m] += c * d
	}
}

// trim drops what rounding has left of coefficients.
func (p polynomial) trim(norm float64) {
	maps.DeleteFunc(p, func(_ string, c float64) bool { return math.Abs(c) <= negligible*norm })
}

func product(a, b string) string {
	m := []byte(a + b)
	slices.Sort(m)
	return string(m)
}

func (p polynomial) times(q polynomial) polynomial {
	out := polynomial{}
	for m, c := range p {
		for n, d := range q {
			out[product(m, n)] += c * d
		}
	}
	return out
}

// substitute replaces variables by polynomials.
func (p polynomial) substitute(by map[byte]polynomial) polynomial {
	out := polynomial{}
	for m, c := range p {
		t := polynomial{"": c}
		for _, v := range []byte(m) {
			f := by[v]
			if f == nil {
				f = polynomial{string([]byte{v}): 1}
			}
			t = t.times(f)
		}
		out.plus(1, t)
	}
	return out
}

// after orders monomials: by degree, then by variables.
func after(a, b string) int {
	if len(a) != len(b) {
		return len(b) - len(a)
	}
	if a == b {
		return 0
	}
	if a > b {
		return -1
	}
	return 1
}

// span is a linear space of polynomials in echelon form: each row by its
// leading monomial, whose coefficient is 1.
type span map[string]polynomial

// reduce returns what is left of a polynomial, nothing if it is in the span.
func (s span) reduce(p polynomial) polynomial {
	p = maps.Clone(p)
	norm := p.norm()
	p.trim(norm)
	rest := polynomial{}
	for len(p) > 0 {
		lead := slices.MinFunc(slices.Collect(maps.Keys(p)), after)
		c := p[lead]
		if row := s[lead]; row != nil {
			p.plus(-c, row)
		} else {
			rest[lead] = c
		}
		delete(p, lead)
		p.trim(norm)
	}
	return rest
}

// add extends the span and reports whether it has grown.
func (s span) add(p polynomial) bool {
	rest := s.reduce(p)
	if len(rest) == 0 {
		return false
	}
	lead := slices.MinFunc(slices.Collect(maps.Keys(rest)), after)
	row := polynomial{}
	row.plus(1/rest[lead], rest)
	s[lead] = row
	return true
}
