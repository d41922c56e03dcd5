package law

import (
	"math"
	"slices"
)

// Simplify returns the normal form of a tree. Where both are defined they have the same
// value.
func Simplify(x *Expr) *Expr {
	if len(x.args) == 0 {
		return x
	}
	args := make([]*Expr, len(x.args))
	for i, a := range x.args {
		args[i] = Simplify(a)
	}
	return reduce(x.op, args...)
}

// reduce applies an operator to operands in normal form, and gives the normal form.
func reduce(op Op, args ...*Expr) *Expr {
	if op.isSymmetric(args[0].kind) && len(args) == 2 && after(op, args[0], args[1]) {
		args = []*Expr{args[1], args[0]}
	}
	x := Apply(op, args...)
	if v := x.fold(); v != nil {
		return v
	}
	var other *Expr
	switch {
	case op == Not || op == And || op == Or || op == Implies:
		other = reduceTruth(op, args)
	case op == First || op == Last:
		other = reduceEnd(op, args[0])
	case x.kind == Bool:
		other = reduceComparison(op, args)
	case x.kind.IsNumber():
		other = reduceNumber(op, args)
	default:
		other = reduceSequence(op, args)
	}
	if other != nil {
		return other
	}
	return x
}

// fold returns the constant that a tree over constants stands for, nil if there is no value.
func (x *Expr) fold() *Expr {
	if x.kind.IsList() || slices.ContainsFunc(x.args, func(a *Expr) bool { return a.op != Constant }) {
		return nil
	}
	v := Value(x, nil)
	if f, ok := v.(float64); v == nil || ok && math.IsInf(f, 0) {
		return nil
	}
	return Const(v)
}

// after reports whether the operands of a symmetric operator should change places:
// constants come last, small operands before large ones, and of equals, the later
// variable is on the left: y′ = y.
func after(op Op, a, b *Expr) bool {
	switch {
	case (a.op == Constant) != (b.op == Constant):
		return a.op == Constant
	case a.size != b.size:
		return a.size > b.size
	case op == Equal || op == Same:
		return precedes(a, b)
	}
	return precedes(b, a)
}

// precedes reports whether a tree comes before another of the same size.
func precedes(a, b *Expr) bool {
	if a.op == Read && b.op == Read {
		return a.variable < b.variable
	}
	return a.key < b.key
}

// same reports whether two trees are equal.
func same(a, b *Expr) bool { return a.key == b.key }

// is reports whether a tree is that constant.
func (x *Expr) is(v any) bool { return x.op == Constant && x.value == v }

// isNumber reports whether a tree is the constant n, of either kind of number.
func (x *Expr) isNumber(n int64) bool { return x.is(n) || x.is(float64(n)) }

// under returns the operand of a tree with that operator at its root, nil for others.
func (x *Expr) under(op Op) *Expr {
	if x.op == op {
		return x.args[0]
	}
	return nil
}

// number is a constant of a kind of number.
func number(k Kind, n int64) *Expr {
	if k == Float {
		return Const(float64(n))
	}
	return Const(n)
}
