package automr

import "math"

// Name of the relation where it has one: odd, even, periodic …; else
// "polynomial" or, of inequalities, "bounded".
func (r Relation) Name() string {
	if len(r.A) == 0 {
		if r.OutputOp != Equal {
			return "bounded"
		}
		if r.OutputDegree == 1 && r.Outputs == 1 {
			return "constant"
		}
		return "polynomial"
	}
	if r.InputOp != Equal {
		return r.orderName()
	}
	if r.OutputOp != Equal {
		return "bounded"
	}
	if r.Outputs != 1 || r.OutputDegree != 1 {
		return "polynomial"
	}
	if len(r.A) == 2 {
		if r.B[0] == 0 {
			return "additive"
		}
		return "polynomial"
	}
	return r.linearName()
}

// linearName of f(g(x)) = α f(x) + β.
func (r Relation) linearName() string {
	m := newMapping(copyRows(r.A[0]), r.InputDegree)
	alpha, beta := -r.B[1]/r.B[2], -r.B[0]/r.B[2]
	shift, negate, scale, mixed := m.shape()
	switch {
	case m.degree > 1:
		return "polynomial"
	case m.permutes() && alpha == 1 && beta == 0:
		return "symmetric"
	case mixed:
		return "linear"
	case shift && !negate && !scale && alpha == 1 && beta == 0 && m.shifted() > 1:
		return "invariant under shift"
	case shift && !negate && !scale && alpha == 1 && beta == 0:
		return "periodic"
	case shift && !negate && !scale && alpha == -1 && beta == 0 && m.shifted() > 1:
		return "negated by shift"
	case shift && !negate && !scale && alpha == -1 && beta == 0:
		return "antiperiodic"
	case shift && !negate && !scale && alpha == 1:
		return "translation"
	case shift && negate && !scale && alpha == 1 && beta == 0:
		return "reflection"
	case negate && !shift && !scale && alpha == -1 && beta == 0:
		return "odd"
	case negate && !shift && !scale && alpha == 1 && beta == 0:
		return "even"
	case scale && !shift && beta == 0:
		return "homogeneous"
	case scale && !shift && alpha == 1:
		return "logarithmic"
	case shift && !negate && !scale && beta == 0:
		return "exponential"
	default:
		return "linear"
	}
}

// shifted is the number of elements that a constant is added to.
func (m mapping) shifted() int {
	n := 0
	for _, row := range m.a {
		if row[0] != 0 {
			n++
		}
	}
	return n
}

// permutes reports whether a mapping puts the elements in another order and does
// nothing else.
func (m mapping) permutes() bool {
	moved := false
	taken := make([]bool, m.n)
	for i, row := range m.a {
		from := -1
		for j, c := range row {
			switch {
			case c == 0:
			case c != 1 || j == 0 || j > m.n || from >= 0 || taken[j-1]:
				return false
			default:
				from = j - 1
				taken[from] = true
			}
		}
		if from < 0 {
			return false
		}
		moved = moved || from != i
	}
	return moved
}

func copyRows(a [][]float64) [][]float64 {
	rows := make([][]float64, len(a))
	for i := range a {
		rows[i] = append([]float64(nil), a[i]...)
	}
	return rows
}

// shape of an affine mapping: whether it adds constants, negates, scales, and
// whether elements take part in others.
func (m mapping) shape() (shift, negate, scale, mixed bool) {
	for i, row := range m.a {
		for j, c := range row {
			switch {
			case j == i+1:
				negate = negate || c == -1
				scale = scale || math.Abs(c) != 1 && c != 0
				mixed = mixed || c == 0
			case c == 0:
			case j == 0:
				shift = true
			default:
				mixed = true
			}
		}
	}
	return shift, negate, scale, mixed
}

// orderName of relations whose input relation is an inequality.
func (r Relation) orderName() string {
	if r.OutputOp == Equal {
		return "saturating"
	}
	if r.Outputs == 1 && r.OutputDegree == 1 && len(r.A) == 1 && r.B[0] == 0 && r.B[1] == -r.B[2] {
		m := newMapping(copyRows(r.A[0]), r.InputDegree)
		if m.key == identity(r.Inputs).key {
			return "monotonic"
		}
	}
	return "bounded"
}
