package law

import "math"

// reduceNumber simplifies what gives a number, nil if there is nothing to do.
func reduceNumber(op Op, args []*Expr) *Expr {
	a := args[0]
	switch op {
	case Add:
		return reduceAdd(a, args[1])
	case Sub:
		return reduceSub(a, args[1])
	case Mul:
		return reduceMul(a, args[1])
	case Neg:
		return reduceNeg(a)
	case Abs:
		switch a.op {
		case Abs, Len:
			return a
		case Neg:
			return reduce(Abs, a.args[0])
		}
	case Min, Max:
		if len(args) == 2 && same(a, args[1]) {
			return a
		}
	}
	if len(args) == 1 {
		return reduceMeasure(op, a)
	}
	return nil
}

func reduceAdd(a, b *Expr) *Expr {
	switch {
	case b.isNumber(0):
		return a
	case same(a, b):
		return reduce(Mul, a, number(a.kind, 2))
	case b.op == Neg:
		return reduce(Sub, a, b.args[0])
	case a.op == Neg && b.op != Constant:
		return reduce(Sub, b, a.args[0])
	case a.op == Sub && same(a.args[1], b) && a.kind == Int:
		return a.args[0]
	case b.op == Sub && same(b.args[1], a) && a.kind == Int:
		return b.args[0]
	case a.op == Add && a.kind == Int && a.args[1].op == Constant && b.op == Constant:
		if c, ok := addInts(a.args[1].value.(int64), b.value.(int64)); ok {
			return reduce(Add, a.args[0], Const(c))
		}
	}
	return nil
}

func reduceSub(a, b *Expr) *Expr {
	switch {
	case same(a, b):
		return number(a.kind, 0)
	case a.isNumber(0):
		return reduce(Neg, b)
	case b.op == Neg:
		return reduce(Add, a, b.args[0])
	case b.op == Constant && !b.is(int64(math.MinInt64)):
		return reduce(Add, a, reduce(Neg, b))
	case a.kind != Int:
		return nil
	case a.op == Add && same(a.args[0], b):
		return a.args[1]
	case a.op == Add && same(a.args[1], b):
		return a.args[0]
	case b.op == Sub && same(a, b.args[0]):
		return b.args[1]
	}
	return nil
}

func reduceMul(a, b *Expr) *Expr {
	switch {
	case b.isNumber(0):
		return b
	case b.isNumber(1):
		return a
	case b.isNumber(-1):
		return reduce(Neg, a)
	case a.op == Neg && b.op == Neg:
		return reduce(Mul, a.args[0], b.args[0])
	case a.op == Neg && b.op == Constant && !b.is(int64(math.MinInt64)):
		return reduce(Mul, a.args[0], reduce(Neg, b))
	case a.op == Mul && a.kind == Int && a.args[1].op == Constant && b.op == Constant:
		if c, ok := mulInts(a.args[1].value.(int64), b.value.(int64)); ok {
			return reduce(Mul, a.args[0], Const(c))
		}
	}
	return nil
}

func reduceNeg(a *Expr) *Expr {
	switch a.op {
	case Neg:
		return a.args[0]
	case Sub:
		return reduce(Sub, a.args[1], a.args[0])
	case Mul:
		if c := a.args[1]; c.op == Constant && !c.is(int64(math.MinInt64)) {
			return reduce(Mul, a.args[0], reduce(Neg, c))
		}
	}
	return nil
}

// reduceMeasure simplifies what gives a number of a text or a list.
func reduceMeasure(op Op, a *Expr) *Expr {
	rearranged := a.op == Sort || a.op == Reverse || a.op == Rotate
	switch {
	case op == Len && rearranged:
		return reduce(Len, a.args[0])
	case !a.kind.IsList():
		return nil
	case op == Sum && rearranged && a.kind == Ints, (op == Min || op == Max) && rearranged:
		return reduce(op, a.args[0])
	}
	return reduceEnd(op, a)
}

// reduceEnd simplifies the first or last element of a list.
func reduceEnd(op Op, a *Expr) *Expr {
	switch {
	case op == First && a.op == Reverse:
		return reduce(Last, a.args[0])
	case op == Last && a.op == Reverse:
		return reduce(First, a.args[0])
	case op == Last && a.op == Append:
		return a.args[1]
	case op == Last && a.op == Rotate:
		return reduce(First, a.args[0])
	case op == First && a.op == Sort && a.kind != Texts:
		return reduce(Min, a.args[0])
	case op == Last && a.op == Sort && a.kind != Texts:
		return reduce(Max, a.args[0])
	}
	return nil
}
