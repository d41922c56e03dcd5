package check

import (
	"slices"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/relation/genetic"
	"github.com/isodelta/isodelta/runner/relation/law"
)

// TestWritten: a relation as people and as Go read it, where types are not those of the
// kinds, a field changes, and a call can fail.
func TestWritten(t *testing.T) {
	t.Parallel()
	equal := func(a, b int, k law.Kind) *law.Expr { return law.Apply(law.Equal, law.Var(a, k), law.Var(b, k)) }
	for _, c := range []struct {
		function, transform string
		tree                *law.Expr
		notation            string
		when, given, check  string
		args                []string
	}{
		{"Name", "upper(1)", equal(4, 6, law.Text), "Name(id, n) = Name(upper(id), n)",
			"", "err2 == nil && err == nil", "y == y2", []string{"ID(strings.ToUpper(string(id)))", "n"}},
		{"Name", "add 1(2)", equal(4, 6, law.Text), "Name(id, n) = Name(id, n + 1)",
			"(int64(n) + 1) == int64(uint8(int64(n) + 1))", "err2 == nil && err == nil", "y == y2", []string{"id", "uint8(int64(n) + 1)"}},
		{"Price", "add 1(1)", equal(6, 9, law.Int), "Price(f, n).Cents = Price(f with Cents = f.Cents + 1, n).Cents",
			"", "err2 == nil && err == nil && y != nil && y2 != nil", "y.Cents == y2.Cents",
			[]string{"func(v Fee) Fee { v.Cents = f.Cents + 1; return v }(f)", "n"}},
		{"Price", "negate(3)", equal(8, 11, law.Bool), "(Price(f, n) fails) = (Price(f, −n) fails)",
			"", "", "(y != nil) == (y2 != nil)", []string{"f", "-n"}},
		{"Count", "negate(1)", equal(7, 10, law.Texts), "keys(Count(p, text)₁) = keys(Count(p with [0] = −p[0], text)₁)",
			"math.Abs(p[0]) <= math.MaxFloat64 && !math.IsNaN(p[0])", "", "slices.Equal(slices.Sorted(maps.Keys(y)), slices.Sorted(maps.Keys(y2)))",
			[]string{"func(v Point) Point { v[0] = -p[0]; return v }(p)", "text"}},
	} {
		subject := subjectOf(t, c.function)
		h, ok := shapeOf(wire.Op(1), subject)
		if !ok {
			t.Fatal(c.function)
		}
		var kinds []law.Kind
		for _, x := range h.in {
			kinds = append(kinds, x.kind)
		}
		all := genetic.Transforms(kinds, nil)
		i := slices.IndexFunc(all, func(t genetic.Transform) bool { return t.Name == c.transform })
		if i < 0 {
			t.Fatalf("%s: no %s", c.function, c.transform)
		}
		got := h.written(&all[i], c.tree)
		if got.Notation != c.notation {
			t.Errorf("%s: %s, want %s", c.function, got.Notation, c.notation)
		}
		f := got.Form
		if len(f.Calls) != 2 || f.When != c.when || f.Given != c.given || f.Check != c.check || !slices.Equal(f.Calls[1].Args, c.args) {
			t.Errorf("%s: when %q given %q: %q with %q", c.function, f.When, f.Given, f.Check, f.Calls[1].Args)
			continue
		}
		if _, err := relation.Test(got, relation.TestInput{Args: f.Calls[0].Args, PackageName: "p"}); err != nil {
			t.Error(err)
		}
	}
}
