package genetic

import (
	"testing"

	"github.com/isodelta/isodelta/runner/relation/law"
)

// One comparison is told: an equality, containment, or an order of two outputs.
func TestPlain(t *testing.T) {
	t.Parallel()
	a, b := law.Var(0, law.Bool), law.Var(1, law.Bool)
	s, y, z := law.Var(2, law.Text), law.Var(3, law.Text), law.Var(5, law.Text)
	k, m, n := law.Var(4, law.Int), law.Var(6, law.Int), law.Var(7, law.Int)
	length, one := law.Apply(law.Len, y), law.Const(int64(1))
	for _, c := range []struct {
		x    *law.Expr
		want bool
	}{
		{law.Apply(law.Equal, a, b), true},
		{law.Apply(law.Implies, a, b), true},
		{law.Apply(law.Equal, y, law.Apply(law.Upper, z)), true},
		{law.Apply(law.HasPrefix, y, z), true},
		{law.Apply(law.AtMost, m, n), true},
		{law.Apply(law.AtMost, law.Apply(law.Mul, m, k), n), false}, // turns round where k is negative
		{law.Apply(law.Equal, m, law.Apply(law.Add, n, one)), true},
		// Not of two outputs, or the same on both sides.
		{law.Apply(law.AtMost, one, m), false},
		{law.Apply(law.AtMost, k, m), false},
		{law.Apply(law.Equal, m, law.Apply(law.Abs, m)), false},
		{law.Apply(law.HasPrefix, law.Apply(law.Concat, y, z), z), false},
		{law.Apply(law.HasPrefix, law.Apply(law.Concat, y, s), z), false},
		{law.Apply(law.HasPrefix, y, s), false},
		{law.Apply(law.HasSuffix, y, law.Apply(law.Tail, z)), true},
		{law.Apply(law.HasSuffix, y, law.Apply(law.Tail, law.Apply(law.Init, z))), false},
		{law.Apply(law.Contains, y, z), true},
		{law.Apply(law.Contains, y, law.Apply(law.Init, z)), false},
		// Disguises.
		{law.Apply(law.Not, a), false},
		{law.Apply(law.Implies, a, law.Apply(law.Not, b)), false},
		{law.Apply(law.Equal, m, law.Apply(law.Max, n, k)), false},
		{law.Apply(law.Equal, law.Apply(law.HasPrefix, s, y), law.Apply(law.Contains, z, s)), false},
		{law.Apply(law.Equal, n, law.Apply(law.Sub, law.Apply(law.Abs, m), m)), false}, // n = 0
		// Orders of anything but numbers.
		{law.Apply(law.Less, y, z), false},
		{law.Apply(law.AtMost, length, law.Apply(law.Len, z)), false},
		{law.Apply(law.AtMost, law.Apply(law.Mul, m, law.Const(int64(-3))), n), false},
		{law.Apply(law.AtMost, law.Apply(law.Mul, m, law.Const(int64(2))), n), false},
		{law.Apply(law.AtMost, law.Apply(law.Sub, k, m), n), false},
	} {
		if c.x == nil || Plain(c.x, []int{0, 1, 3, 5, 6, 7}) != c.want {
			t.Errorf("%v: want %t", c.x, c.want)
		}
	}
}

// An operator that changes nothing in any correct row hides a bound.
func TestIdles(t *testing.T) {
	t.Parallel()
	variables := []law.Variable{{Math: "y", Go: "y", Kind: law.Int}, {Math: "z", Go: "z", Kind: law.Int}}
	table, err := law.NewTable(variables, [][]any{{int64(1), int64(-1)}, {int64(2), int64(3)}, {nil, int64(4)}})
	if err != nil {
		t.Fatal(err)
	}
	s := &scorer{correct: law.NewEvaluator(table)}
	y, z := law.Var(0, law.Int), law.Var(1, law.Int)
	for _, c := range []struct {
		x    *law.Expr
		want bool
	}{
		{law.Apply(law.Equal, y, law.Apply(law.Abs, z)), false},
		{law.Apply(law.Equal, z, law.Apply(law.Abs, y)), true},
		{law.Apply(law.Equal, y, law.Apply(law.Neg, z)), false},
		{law.Apply(law.Equal, y, z), false},
	} {
		if s.idles(c.x) != c.want {
			t.Errorf("%v: want %t", c.x, c.want)
		}
	}
}
