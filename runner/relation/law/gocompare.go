package law

import (
	"go/token"
	"math"
)

// Go for what floating-point numbers are compared with.
const (
	closeFloats  = "a == b || math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) && math.Abs(a-b) <= math.MaxFloat64"
	closeFunc    = "func(a, b float64) bool { return " + closeFloats + " }"
	atMostFloats = "a <= b || " + closeFloats
)

// comparison writes what compares two values, or the opposite if it is Equal.
func (w *writer) comparison(x *Expr, opposite bool) (string, int) {
	k := x.args[0].kind
	if k == Int && !w.plain && isCount(x.args[0]) && isCount(x.args[1]) {
		w.plain = true
		defer func() { w.plain = false }() // of whole numbers of another type
	}
	negated := func(text string, _ int) (string, int) {
		if opposite {
			return "!" + text, token.UnaryPrec
		}
		return text, token.HighestPrec
	}
	switch x.op {
	case Equal:
		switch {
		case k == Float:
			w.from("math", "")
			return negated(w.closure(Bool, "return "+closeFloats, x.args...))
		case k == Floats:
			w.from("math", "")
			return negated(w.from("slices", "EqualFunc")+"("+w.list(x.args)+", "+closeFunc+")", 0)
		case k.IsList():
			return negated(w.call(w.from("slices", "Equal"), x.args...))
		case opposite:
			return w.binary(token.NEQ, x)
		}
		return w.binary(token.EQL, x)
	case Less:
		if k == Float {
			w.from("math", "")
			return w.closure(Bool, "return a < b && !("+closeFloats+")", x.args...)
		}
		return w.ordered(x, token.LSS, token.GTR)
	case AtMost:
		if k == Float {
			w.from("math", "")
			return w.closure(Bool, "return "+atMostFloats, x.args...)
		}
		return w.ordered(x, token.LEQ, token.GEQ)
	}
	return w.membership(x, k)
}

// ordered writes a constant on the right.
func (w *writer) ordered(x *Expr, t, swapped token.Token) (string, int) {
	if x.args[0].isConstant() {
		return w.at(x.args[1], swapped.Precedence()-1) + " " + swapped.String() + " " + w.at(x.args[0], swapped.Precedence()), swapped.Precedence()
	}
	return w.binary(t, x)
}

// isCount reports whether a tree has only lengths, constants and their sums.
func isCount(x *Expr) bool {
	switch x.op {
	case Len:
		return true
	case Constant:
		v := x.value.(int64)
		return math.MinInt32 <= v && v <= math.MaxInt32
	case Add, Sub, Min, Max:
		return len(x.args) == 2 && isCount(x.args[0]) && isCount(x.args[1])
	}
	return false
}

// membership writes what asks for parts of texts and lists.
func (w *writer) membership(x *Expr, k Kind) (string, int) {
	switch x.op {
	case Contains:
		switch k {
		case Text:
			return w.call(w.from("strings", "Contains"), x.args...)
		case Floats:
			w.from("math", "")
			return w.closure(Bool, "return "+w.from("slices", "ContainsFunc")+"(a, func(a float64) bool { return "+closeFloats+" })", x.args...)
		}
		return w.call(w.from("slices", "Contains"), x.args...)
	case HasPrefix:
		switch k {
		case Text:
			return w.call(w.from("strings", "HasPrefix"), x.args...)
		case Floats:
			w.from("math", "")
			return w.closure(Bool, "return len(b) <= len(a) && "+w.from("slices", "EqualFunc")+"(a[:len(b)], b, "+closeFunc+")", x.args...)
		}
		return w.closure(Bool, "return len(b) <= len(a) && "+w.from("slices", "Equal")+"(a[:len(b)], b)", x.args...)
	case HasSuffix:
		return w.call(w.from("strings", "HasSuffix"), x.args...)
	case Sorted:
		return w.call(w.from("slices", "IsSorted"), x.args...)
	}
	return w.same(x, k)
}

func (w *writer) same(x *Expr, k Kind) (string, int) {
	if k == Bools {
		return w.closure(Bool, "n := len(a) - len(b); for _, v := range a { if v { n++ } }; for _, v := range b { if v { n-- } }; return n == 0 && len(a) == len(b)", x.args...)
	}
	sorted := w.from("slices", "Sorted") + "(slices.Values("
	if k == Floats {
		w.from("math", "")
		return w.closure(Bool, "return slices.EqualFunc("+sorted+"a)), "+sorted+"b)), "+closeFunc+")", x.args...)
	}
	return w.closure(Bool, "return slices.Equal("+sorted+"a)), "+sorted+"b)))", x.args...)
}
