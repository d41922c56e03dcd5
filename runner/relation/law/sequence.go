package law

// reduceSequence simplifies what gives a text or a list, nil if there is nothing to do.
func reduceSequence(op Op, args []*Expr) *Expr {
	a := args[0]
	switch op {
	case Reverse:
		if a.op == Reverse {
			return a.args[0]
		}
	case Sort:
		if a.op == Reverse || a.op == Rotate {
			return reduce(Sort, a.args[0])
		}
		return again(op, a)
	case Lower, Upper, Trim:
		return again(op, a)
	case Init:
		if a.op == Append {
			return a.args[0]
		}
	case Concat:
		return reduceConcat(a, args[1])
	}
	return nil
}

// again returns the operand of an operator that changes nothing the second time, if it
// has been applied already.
func again(op Op, a *Expr) *Expr {
	if a.op == op {
		return a
	}
	return nil
}

func reduceConcat(a, b *Expr) *Expr {
	switch {
	case a.is(""):
		return b
	case b.is(""):
		return a
	case a.op == Concat:
		return reduce(Concat, a.args[0], reduce(Concat, a.args[1], b))
	}
	return nil
}
