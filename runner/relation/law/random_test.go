package law

import (
	"math"
	"slices"

	"pgregory.net/rapid"
)

// two variables of each kind, named as in the programs that tests write.
func variables() []Variable {
	var all []Variable
	for k := Bool; k <= Texts; k++ {
		for _, n := range []string{"1", "2"} {
			name := k.String() + n
			all = append(all, Variable{Math: name, Go: "row." + string(name[0]-'a'+'A') + name[1:], Kind: k})
		}
	}
	return all
}

// trees generates trees over variables().
func trees(k Kind, depth int) *rapid.Generator[*Expr] {
	return rapid.Custom(func(t *rapid.T) *Expr { return tree(t, k, depth) })
}

func tree(t *rapid.T, k Kind, depth int) *Expr {
	if depth > 0 && rapid.IntRange(0, 4).Draw(t, "inner") > 0 {
		fitting := slices.DeleteFunc(Signatures(), func(s Signature) bool { return s.Result != k })
		s := rapid.SampledFrom(fitting).Draw(t, "operator")
		var args []*Expr
		for _, a := range s.Args {
			args = append(args, tree(t, a, depth-1))
		}
		return Apply(s.Op, args...)
	}
	if !k.IsList() && rapid.IntRange(0, 2).Draw(t, "constant") == 0 {
		return Const(value(t, k))
	}
	return Var(2*int(k-Bool)+rapid.IntRange(0, 1).Draw(t, "which"), k)
}

// value draws a value: small ones, so that equalities hold at times, and extremes.
func value(t *rapid.T, k Kind) any {
	switch k {
	case Bool:
		return rapid.Bool().Draw(t, "bool")
	case Int:
		return rapid.OneOf(rapid.Int64Range(-3, 3), rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64, 1 << 31, -1 << 40, 1 << 62})).Draw(t, "int")
	case Float:
		return rapid.OneOf(rapid.SampledFrom([]float64{0, 1, -1, 2, 0.5, 1 + 1e-12, 1e300, -1e-300}), rapid.Float64Range(-10, 10)).Draw(t, "float")
	case Text:
		return rapid.OneOf(rapid.SampledFrom([]string{"", "a", "ab", "ba", "aba", " a ", "Ä", "äb", "A"}), rapid.String()).Draw(t, "text")
	case Bools:
		return several[bool](t, k)
	case Ints:
		return several[int64](t, k)
	case Floats:
		return several[float64](t, k)
	}
	return several[string](t, k)
}

func several[T any](t *rapid.T, k Kind) []T {
	all := make([]T, rapid.IntRange(0, 4).Draw(t, "length"))
	for i := range all {
		all[i] = value(t, k.Elem()).(T)
	}
	return all
}

func row(t *rapid.T) []any {
	var all []any
	for _, v := range variables() {
		all = append(all, value(t, v.Kind))
	}
	return all
}

// table generates a table of so many rows.
func table(n int) *rapid.Generator[*Table] {
	return rapid.Custom(func(t *rapid.T) *Table {
		var rows [][]any
		for range n {
			rows = append(rows, row(t))
		}
		out, err := NewTable(variables(), rows)
		if err != nil {
			t.Fatal(err)
		}
		return out
	})
}
