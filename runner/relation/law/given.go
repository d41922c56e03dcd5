package law

import (
	"go/token"
	"math"
	"slices"
	"strconv"
)

// conditions collects what has to hold so that a tree can be evaluated, operands first.
func (w *writer) conditions(x *Expr) {
	if x.op != Read && x.isConstant() {
		if Value(x, nil) == nil {
			w.need("false")
		}
		return
	}
	for _, a := range x.args {
		w.conditions(a)
	}
	switch x.op {
	case Read, Add, Sub, Mul, Sum:
		w.defined(x)
	}
	switch x.op {
	case Add, Sub, Neg, Abs:
		w.bounded(x, 1<<61)
	case Mul:
		w.bounded(x, 1<<31)
	case Min, Max:
		if len(x.args) == 1 {
			w.nonEmpty(x.args[0])
		}
	case First, Last, Tail, Init:
		w.nonEmpty(x.args[0])
	case Reverse:
	default:
		return
	}
	if (x.op == Reverse || x.op == Tail || x.op == Init) && x.kind == Text {
		w.need(w.from("utf8", "ValidString") + "(" + w.at(x.args[0], token.LowestPrec) + ")")
	}
}

func (w *writer) need(condition string) { note(&w.given, condition) }

// note adds a condition, unless it is there.
func note(to *[]string, condition string) {
	if !slices.Contains(*to, condition) {
		*to = append(*to, condition)
	}
}

// defined asks that a floating-point number is one, and that what a sum adds is small.
func (w *writer) defined(x *Expr) {
	text := func(x *Expr) string { return w.at(x, token.LowestPrec) }
	switch {
	case x.kind == Float:
		w.need("!" + w.from("math", "IsNaN") + "(" + text(x) + ")")
	case x.kind == Floats && x.op == Read:
		w.need("!" + w.from("slices", "ContainsFunc") + "(" + text(x) + ", " + w.from("math", "IsNaN") + ")")
	case x.kind == Int && x.op == Sum:
		note(&w.bounds, "!"+w.from("slices", "ContainsFunc")+"("+text(x.args[0])+", func(v "+w.whole+") bool { return v <= -1<<31 || v >= 1<<31 })")
	}
}

// bounded asks that the operands of a whole number's operator are not so large that it
// overflows.
func (w *writer) bounded(x *Expr, most float64) {
	if x.kind != Int {
		return
	}
	for _, a := range x.args {
		if magnitude(a) <= most {
			continue
		}
		text := w.at(a, token.LSS.Precedence())
		n := strconv.Itoa(int(math.Log2(most)))
		note(&w.bounds, "-1<<"+n+" < "+text+" && "+text+" < 1<<"+n)
	}
}

// magnitude is how large a whole number can be at most, where what it needs holds.
func magnitude(x *Expr) float64 {
	if x.isConstant() {
		if v, ok := Value(x, nil).(int64); ok {
			return math.Abs(float64(v))
		}
		return 1 << 63
	}
	switch x.op {
	case Len:
		return 1 << 40
	case Abs, Neg:
		return min(magnitude(x.args[0]), 1<<61)
	case Min, Max:
		if len(x.args) == 2 {
			return max(magnitude(x.args[0]), magnitude(x.args[1]))
		}
	case Add, Sub:
		return min(magnitude(x.args[0]), 1<<61) + min(magnitude(x.args[1]), 1<<61)
	case Mul:
		return min(magnitude(x.args[0]), 1<<31) * min(magnitude(x.args[1]), 1<<31)
	}
	return 1 << 63
}

// nonEmpty asks that a text or list has a first element.
func (w *writer) nonEmpty(x *Expr) {
	w.need("len(" + w.at(x, token.LowestPrec) + ") > 0")
}
