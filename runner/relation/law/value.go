package law

// Value returns the value of a tree for one row of values, nil where it is undefined.
func Value(x *Expr, row []any) any {
	switch x.op {
	case Read:
		if v := row[x.variable]; isNumber(v) {
			return v
		}
		return nil
	case Constant:
		return x.value
	}
	args := make([]column, len(x.args))
	for i, a := range x.args {
		v := Value(a, row)
		if v == nil {
			return nil
		}
		args[i] = single(v)
	}
	return x.over.run(1, args).at(0)
}

// single is a column of one value.
func single(v any) column {
	switch v := v.(type) {
	case []bool:
		return repeat(v, 1)
	case []int64:
		return repeat(v, 1)
	case []float64:
		return repeat(v, 1)
	case []string:
		return repeat(v, 1)
	}
	return repeated(v, 1)
}

// EqualValues reports whether two values are equal as trees see them: of the same kind,
// floating-point numbers within the tolerance.
func EqualValues(a, b any) bool {
	k := KindOf(a)
	if k == None || k != KindOf(b) {
		return a == nil && b == nil
	}
	return Value(Apply(Equal, Var(0, k), Var(1, k)), []any{a, b}) == true
}
