package law

import (
	"slices"
	"strings"
)

// reduceTruth simplifies what connects truth values, nil if there is nothing to do.
func reduceTruth(op Op, args []*Expr) *Expr {
	switch op {
	case Not:
		return reduceNot(args[0])
	case Implies:
		return reduceImplies(args[0], args[1])
	}
	return reduceJunction(op, args)
}

func reduceNot(a *Expr) *Expr {
	switch a.op {
	case Not:
		return a.args[0]
	case Less: // an order is total where it is defined
		return reduce(AtMost, a.args[1], a.args[0])
	case AtMost:
		return reduce(Less, a.args[1], a.args[0])
	}
	return nil
}

func reduceImplies(a, b *Expr) *Expr {
	switch {
	case same(a, b), a.is(false), b.is(true):
		return Const(true)
	case a.is(true):
		return b
	case b.is(false):
		return reduce(Not, a)
	case same(reduce(Not, a), b):
		return b
	}
	if c := a.under(Not); c != nil {
		return reduce(Or, c, b)
	}
	return nil
}

// reduceJunction simplifies a conjunction or a disjunction: its parts are in order, and
// none is there twice.
func reduceJunction(op Op, args []*Expr) *Expr {
	neutral := op == And // true in a conjunction, false in a disjunction
	parts := append(junction(op, args[0]), junction(op, args[1])...)
	slices.SortFunc(parts, func(a, b *Expr) int {
		if a.size != b.size {
			return a.size - b.size
		}
		return strings.Compare(a.key, b.key)
	})
	parts = slices.CompactFunc(parts, same)
	parts = slices.DeleteFunc(parts, func(p *Expr) bool { return p.is(neutral) })
	for i, p := range parts {
		if p.is(!neutral) {
			return p
		}
		opposite := reduce(Not, p)
		if slices.ContainsFunc(parts[:i], func(q *Expr) bool { return same(q, opposite) }) {
			return Const(!neutral)
		}
	}
	if len(parts) == 0 {
		return Const(neutral)
	}
	x := parts[len(parts)-1]
	for _, p := range slices.Backward(parts[:len(parts)-1]) {
		x = Apply(op, p, x)
	}
	return x
}

// junction returns the parts that an operator connects.
func junction(op Op, x *Expr) []*Expr {
	if x.op != op {
		return []*Expr{x}
	}
	return append(junction(op, x.args[0]), junction(op, x.args[1])...)
}
