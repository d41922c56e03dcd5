package genetic

import (
	"testing"

	"github.com/isodelta/isodelta/runner/relation/law"
)

// Only equalities are told, and that one text holds another.
func TestPlain(t *testing.T) {
	t.Parallel()
	a, b := law.Var(0, law.Bool), law.Var(1, law.Bool)
	s, y, n := law.Var(2, law.Text), law.Var(3, law.Text), law.Var(4, law.Int)
	length, one := law.Apply(law.Len, y), law.Const(int64(1))
	for _, c := range []struct {
		x    *law.Expr
		want bool
	}{
		{law.Apply(law.Equal, a, b), true},
		{law.Apply(law.Equal, y, law.Apply(law.Upper, s)), true},
		{law.Apply(law.HasPrefix, y, s), true},
		{law.Apply(law.Equal, length, law.Apply(law.Max, length, length)), true},
		{law.Apply(law.Not, a), false},
		{law.Apply(law.Implies, a, b), false},
		{law.Apply(law.Equal, law.Apply(law.HasPrefix, s, y), law.Apply(law.Contains, y, s)), false},
		{law.Apply(law.Less, y, law.Apply(law.Reverse, y)), false},
		{law.Apply(law.AtMost, one, length), false},
		{law.Apply(law.AtMost, n, length), false},
		{law.Apply(law.Equal, law.Apply(law.Min, n, length), length), false},
	} {
		if c.x == nil || Plain(c.x, []int{0, 1, 3}) != c.want {
			t.Errorf("%v: want %t", c.x, c.want)
		}
	}
}
