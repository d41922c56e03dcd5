package law

// kernel computes the column of an operator from those of its operands.
type kernel func(rows int, args []column) column

// partial1 is the kernel of a function that may have no result.
func partial1[A, B any](f func(A) (B, bool)) kernel {
	return func(rows int, args []column) column {
		a := args[0].values.([]A)
		defined, values := make([]bool, rows), make([]B, rows)
		for i, ok := range args[0].defined {
			if ok {
				values[i], defined[i] = f(a[i])
			}
		}
		return column{defined, values}
	}
}

// total1 is the kernel of a function that always has a result.
func total1[A, B any](f func(A) B) kernel {
	return func(rows int, args []column) column {
		a := args[0].values.([]A)
		values := make([]B, rows)
		for i, ok := range args[0].defined {
			if ok {
				values[i] = f(a[i])
			}
		}
		return column{args[0].defined, values}
	}
}

// partial2 is the kernel of a function of two operands that may have no result.
func partial2[A, B, C any](f func(A, B) (C, bool)) kernel {
	return func(rows int, args []column) column {
		a, b := args[0].values.([]A), args[1].values.([]B)
		defined, values := make([]bool, rows), make([]C, rows)
		for i, ok := range args[0].defined {
			if ok && args[1].defined[i] {
				values[i], defined[i] = f(a[i], b[i])
			}
		}
		return column{defined, values}
	}
}

// total2 is the kernel of a function of two operands that always has a result.
func total2[A, B, C any](f func(A, B) C) kernel {
	return partial2(func(a A, b B) (C, bool) { return f(a, b), true })
}
