package goexpr

import (
	"slices"
	"strings"
	"testing"
)

// TestRename: identifiers that an expression declares itself, fields, methods
// and keys stay as they are.
func TestRename(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ expr, want string }{
		{"x + y.x", "X + Y.x"},
		{"func(x int) int { y := x; return y + z }(x)", "func(x INT) INT { y := x; return y + Z }(X)"},
		{"func() { for i, x := range x { _ = i + x } }", "func() { for i, x := range X { _ = i + x } }"},
		{"T{x: x}", "T{x: X}"},
		{"map[string]T{x: y}", "map[STRING]T{X: Y}"},
		{"[]int{x: 1}", "[]INT{X: 1}"},
		{"func() int { var x, y int = a, b; if x := y; x > 0 { return x }; return x }", "func() INT { var x, y INT = A, B; if x := y; x > 0 { return x }; return x }"},
		{"func() { switch x := y.(type) { case z: _ = x } }", "func() { switch x := Y.(type) { case Z: _ = x } }"},
		{"(*a.B).c(x)", "(*A.B).c(X)"},
		{"x + // a comment\n\ty", "X + Y"},
		{"`a\nb` + x", `"a\nb" + X`},
		{"x.\n\ty(p.z,\n1.5)", "X.y ( P.z , 1.5 )"},
		{"struct{ x y }{x: z}.x", "STRUCT"},
		{"", ""},
	} {
		got, err := Rename(test.expr, strings.ToUpper)
		if test.want == "STRUCT" {
			test.want = "struct{ x Y }{x: Z}.x"
		}
		if err != nil || got != test.want {
			t.Errorf("%s\n\tgives %s (%v)\n\twant  %s", test.expr, got, err, test.want)
		}
	}
	for _, bad := range []string{"x +", "x; y", "'", "a b", strings.Repeat("x", MaxLength+1)} {
		if got, err := Rename(bad, strings.ToUpper); err == nil {
			t.Errorf("%.20s gives %.20s", bad, got)
		}
	}
}

// TestRewriter: calls of Equal and selections are spelled as whole, unless the
// expression declares the name itself.
func TestRewriter(t *testing.T) {
	t.Parallel()
	r := Rewriter{
		Name:  strings.ToUpper,
		Equal: func(a, b string) (string, string, string) { return "same[" + a + "|" + b + "](", "; ", ")" },
		Selection: func(x, y string) (string, bool) {
			return x + "_" + y, x == "followup"
		},
	}
	for _, test := range []struct{ expr, want string }{
		{"Equal(x, y)", "same[x|y](X; Y)"},
		{"Equal(Equal(a, b), c)", "same[Equal(a, b)|c](same[a|b](A; B); C)"},
		{"(Equal)(x, y)", "(EQUAL)(X, Y)"},
		{"Equal(x)", "EQUAL(X)"},
		{"func(Equal F) T { return Equal(x, y) }", "func(Equal F) T { return Equal(X, Y) }"},
		{"followup.w + other.w", "followup_w + OTHER.w"},
		{"followup", "FOLLOWUP"},
		{"func(followup F) T { return followup.w }", "func(followup F) T { return followup.w }"},
		{"Equal(followup.w, w)", "same[followup.w|w](followup_w; W)"},
	} {
		if got, err := r.Rewrite(test.expr); err != nil || got != test.want {
			t.Errorf("%s\n\tgives %s (%v)\n\twant  %s", test.expr, got, err, test.want)
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for expr, want := range map[string][]string{
		"b + a.c + b + len(x)":                {"a", "b", "len", "x"},
		"func(x int) int { return x + y }(1)": {"int", "y"},
		"1":                                   nil,
		"x +":                                 nil,
	} {
		if got := Names(expr); !slices.Equal(got, want) {
			t.Errorf("%s uses %q, want %q", expr, got, want)
		}
	}
}

func TestConvert(t *testing.T) {
	t.Parallel()
	for typ, want := range map[string]string{"int": "int(x)", "geo.Length": "geo.Length(x)", "*T": "(*T)(x)", "[]int": "([]int)(x)", "func()": "(func())(x)"} {
		if got := Convert(typ, "x"); got != want {
			t.Errorf("a conversion to %s is %s, want %s", typ, got, want)
		}
	}
}
