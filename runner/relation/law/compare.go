package law

import "math"

// reduceComparison simplifies what compares two values, nil if there is nothing to do.
func reduceComparison(op Op, args []*Expr) *Expr {
	if op == Sorted {
		if args[0].op == Sort {
			return Const(true)
		}
		return nil
	}
	a, b := args[0], args[1]
	if same(a, b) {
		return Const(op != Less)
	}
	switch op {
	case Equal:
		return reduceEqual(a, b)
	case Less, AtMost:
		return reduceOrder(op, a, b)
	case Same:
		return reduceSame(a, b)
	case Contains, HasPrefix, HasSuffix:
		if a.kind == Text && b.is("") {
			return Const(true)
		}
		if op == Contains && a.kind.IsList() && (a.op == Reverse || a.op == Sort || a.op == Rotate) {
			return reduce(Contains, a.args[0], b)
		}
	}
	return nil
}

func reduceEqual(a, b *Expr) *Expr {
	switch {
	case b.is(true):
		return a
	case b.is(false):
		return reduce(Not, a)
	case a.op == Not && b.op == Not:
		return reduce(Equal, a.args[0], b.args[0])
	case a.op == Not:
		return reduce(Not, reduce(Equal, a.args[0], b))
	case b.op == Not:
		return reduce(Not, reduce(Equal, a, b.args[0]))
	case a.op == Sort && b.op == Sort:
		return reduce(Same, a.args[0], b.args[0])
	case a.op == Sub && b.isNumber(0):
		return reduce(Equal, a.args[0], a.args[1])
	}
	for _, inverse := range []Op{Reverse, Neg} {
		if c, d := a.under(inverse), b.under(inverse); c != nil && d != nil {
			return reduce(Equal, c, d)
		}
		if c := b.under(inverse); c != nil && after(Equal, a, c) {
			return reduce(Equal, c, reduce(inverse, a))
		}
	}
	if c, d := cancel(a, b); c != nil {
		return reduce(Equal, c, d)
	}
	if a.kind == Int {
		if c, n := split(b); n != 0 && n != math.MinInt64 && after(Equal, a, c) {
			return reduce(Equal, c, reduce(Add, a, Const(-n)))
		}
	}
	return nil
}

func reduceOrder(op Op, a, b *Expr) *Expr {
	switch {
	case op == AtMost && a.is(int64(0)) && (b.op == Len || b.op == Abs):
		return Const(true)
	case op == Less && b.is(int64(0)) && (a.op == Len || a.op == Abs):
		return Const(false)
	case op == AtMost && b.is(int64(0)) && (a.op == Len || a.op == Abs):
		return reduce(Equal, a, b)
	case a.op == Neg && b.op == Neg:
		return reduce(op, b.args[0], a.args[0])
	case a.op == Sub && b.isNumber(0) && a.kind == Int:
		return reduce(op, a.args[0], a.args[1])
	}
	if c, d := cancel(a, b); c != nil {
		return reduce(op, c, d)
	}
	if op == Less && a.kind == Int {
		// x < y + 2 reads better as x ≤ y + 1.
		if y, d := split(b); d > 0 {
			return reduce(AtMost, a, reduce(Add, y, Const(d-1)))
		}
		if x, c := split(a); c < 0 {
			return reduce(AtMost, reduce(Add, x, Const(c+1)), b)
		}
	}
	return nil
}

// cancel takes what is added on both sides of a comparison of whole numbers off both, nil
// if there is nothing. Floating-point numbers lose their tolerance by it.
func cancel(a, b *Expr) (*Expr, *Expr) {
	if a.kind != Int {
		return nil, nil
	}
	if a.op == Add && b.op == Add {
		for i := range 2 {
			for j := range 2 {
				if same(a.args[i], b.args[j]) {
					return a.args[1-i], b.args[1-j]
				}
			}
		}
	}
	if a.op == Sub && b.op == Sub && same(a.args[1], b.args[1]) {
		return a.args[0], b.args[0]
	}
	if b.op == Add || b.op == Sub {
		if same(a, b.args[0]) {
			if b.op == Sub {
				return b.args[1], Const(int64(0))
			}
			return Const(int64(0)), b.args[1]
		}
		if b.op == Add && same(a, b.args[1]) {
			return Const(int64(0)), b.args[0]
		}
	}
	return cancelConstant(a, b)
}

// cancelConstant leaves a constant on one side only: the right one, if the left is
// nothing but a constant less.
func cancelConstant(a, b *Expr) (*Expr, *Expr) {
	x, c := split(a)
	y, d := split(b)
	switch {
	case a.op == Constant && d != 0:
		if v, ok := subInts(a.value.(int64), d); ok {
			return Const(v), y
		}
	case c == 0 || c == math.MinInt64:
	case b.op == Constant:
		if v, ok := subInts(b.value.(int64), c); ok {
			return x, Const(v)
		}
	case d != 0:
		if v, ok := subInts(d, c); ok {
			return x, reduce(Add, y, Const(v))
		}
	}
	return nil, nil
}

// split takes off the constant that is added to a whole number.
func split(x *Expr) (*Expr, int64) {
	if x.op == Add && x.args[1].op == Constant {
		return x.args[0], x.args[1].value.(int64)
	}
	return x, 0
}

func reduceSame(a, b *Expr) *Expr {
	for i, x := range []*Expr{a, b} {
		if x.op == Sort || x.op == Reverse || x.op == Rotate {
			return reduce(Same, x.args[0], []*Expr{b, a}[i])
		}
	}
	return nil
}
