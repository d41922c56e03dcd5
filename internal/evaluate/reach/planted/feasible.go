package planted

import (
	"math/rand/v2"
	"strings"
)

// feasible are branches that an input takes, and that a sloppy argument would call
// infeasible.
var feasible = []template{
	{"increment that wraps", func(r *rand.Rand) (string, string) {
		n := 1 + r.IntN(100)
		return when("x int8", f("x+%d < x", n), "x > 0"), "NAME(127)"
	}},
	{"absolute value", func(r *rand.Rand) (string, string) {
		return when("x int32", "x < 0", "do if x < 0 { x = -x }"), "NAME(-1<<31)"
	}},
	{"own negative", func(r *rand.Rand) (string, string) {
		bits := one(r, "8", "16", "32", "64")
		return when("x int"+bits, "x == -x", "x != 0"), f("NAME(-1 << (%s - 1))", bits)
	}},
	{"quotient that wraps", func(r *rand.Rand) (string, string) {
		return when("a, b int64", "a/b < 0", "a < 0", "b < 0"), "NAME(-1<<63, -1)"
	}},
	{"product that wraps", func(r *rand.Rand) (string, string) {
		n := uint32(r.Uint32()) | 1
		x := r.Uint32()
		return when("x uint32", f("x*%d == %d", n, n*x)), f("NAME(%d)", x)
	}},
	{"multiplicative hash", func(r *rand.Rand) (string, string) {
		x := r.Uint32()
		return when("x uint32", f("h>>18 == %d", (x*2654435761)>>18), "do h := x * 2654435761"), f("NAME(%d)", x)
	}},
	{"masked", func(r *rand.Rand) (string, string) {
		x, k := r.Uint64(), r.Uint64()
		return when("x uint64", f("(x^%d)&0xffffff == %d", k, (x^k)&0xffffff), f("x>>60 == %d", x>>60)), f("NAME(%d)", x)
	}},
	{"equations", func(r *rand.Rand) (string, string) {
		x, y := r.Int64N(1<<30), r.Int64N(1<<30)
		a, b := 3+r.Int64N(50), 3+r.Int64N(50)
		return when("x, y int64", f("x-%d*y == %d", b, x-b*y), f("%d*x+y == %d", a, a*x+y)), f("NAME(%d, %d)", x, y)
	}},
	{"two pointers to the same", func(r *rand.Rand) (string, string) {
		n := r.IntN(99)
		return "type tNAME struct{ A int }\n\n" +
				when("p, q *tNAME", f("q.A == %d", n+1), f("p.A == %d && q.A == %d", n, n), f("do p.A = %d", n+1)),
			f("func() bool { p := &tNAME{%d}; return NAME(p, p) }()", n)
	}},
	{"two lists of the same memory", func(r *rand.Rand) (string, string) {
		n := r.IntN(99)
		return when("p, q []int", f("q[0] == %d", n+1), "len(p) == 1 && len(q) == 1", f("q[0] == %d", n), f("do p[0] = %d", n+1)),
			f("func() bool { p := []int{%d}; return NAME(p, p) }()", n)
	}},
	{"pointer into a list", func(r *rand.Rand) (string, string) {
		n := r.IntN(99)
		return when("p *int, q []int", f("q[0] == %d", n+1), "len(q) == 1", f("q[0] == %d", n), f("do *p = %d", n+1)),
			f("func() bool { p := []int{%d}; return NAME(&p[0], p) }()", n)
	}},
	{"pointer to a package variable", func(r *rand.Rand) (string, string) {
		n := r.IntN(99)
		return "var vNAME int\n\n" + when("p *int", f("*p == %d", n+1), f("*p == %d", n), f("do vNAME = %d", n+1)),
			f("func() bool { vNAME = %d; return NAME(&vNAME) }()", n)
	}},
	{"append into the same memory", func(r *rand.Rand) (string, string) {
		n := r.IntN(99)
		return when("s []int", f("s[1] == %d", n+1), "len(s) == 2", f("s[1] == %d", n), "do t := s[:1]", f("do t = append(t, %d)", n+1), "len(t) == 2"),
			f("NAME([]int{0, %d})", n)
	}},
	{"part of an array", func(r *rand.Rand) (string, string) {
		n := 1 + r.IntN(99)
		return when("x int", f("a[1] == %d", n), "do var a [3]int", "do s := a[1:]", "do s[0] = x"), f("NAME(%d)", n)
	}},
	{"many rounds", func(r *rand.Rand) (string, string) {
		n := 40 + r.IntN(200)
		return when("n uint8", f("k == %d", n), "do k := 0", "do for i := uint8(0); i < n; i++ { k++ }"), f("NAME(%d)", n)
	}},
	{"long text", func(r *rand.Rand) (string, string) {
		n := 30 + r.IntN(60)
		return when("s string", f("k == %d", n), "do k := 0", "do for k < len(s) && s[k] == 'a' { k++ }"), f("NAME(strings.Repeat(\"a\", %d))", n)
	}},
	{"far into a list", func(r *rand.Rand) (string, string) {
		n := 25 + r.IntN(60)
		return when("v []uint8, i int", f("v[i] == 7"), f("i > %d", n-1)), f("NAME([]uint8(strings.Repeat(\"\\a\", %d)), %d)", n+1, n)
	}},
	{"character of two bytes", func(r *rand.Rand) (string, string) {
		c := 0xe0 + rune(r.IntN(30))
		return when("s string", "found", "do found := false", f("do for _, c := range s { if c == %d { found = true } }", c)), f("NAME(string(rune(%d)))", c)
	}},
	{"no number", func(r *rand.Rand) (string, string) {
		return when("x float64", "x != x", f("!(x < %d)", r.IntN(9))), "NAME(math.NaN())"
	}},
	{"closure", func(r *rand.Rand) (string, string) {
		n := 1 + r.IntN(50)
		return when("x int", f("n == %d", n), "do n := 0", "do add := func(k int) { n += k }", "do add(x)"), f("NAME(%d)", n)
	}},
	{"map", func(r *rand.Rand) (string, string) {
		n := 1 + r.IntN(50)
		return when("x int", f("m[x] == %d", n), "do m := map[int]int{}", f("do m[x] = %d", n)), "NAME(1)"
	}},
	{"deferred call", func(r *rand.Rand) (string, string) {
		n := 1 + r.IntN(50)
		return f("func laterNAME(x int) (out int) {\n\tdefer func() { recover(); out += %d }()\n\tif x == 3 {\n\t\tpanic(x)\n\t}\n\treturn x\n}\n\n", n) +
			when("x int", f("laterNAME(x) == %d", n), "x != 0"), "NAME(3)"
	}},
	{"package variable", func(r *rand.Rand) (string, string) {
		n := 1 + r.IntN(50)
		return "var vNAME int\n\n" + when("", f("vNAME == %d", n)), f("func() bool { vNAME = %d; return NAME() }()", n)
	}},
	{"dynamic type", func(r *rand.Rand) (string, string) {
		n := 1 + r.IntN(50)
		return when("x any", f("n == %d", n), "do n, ok := x.(int)", "ok"), f("NAME(%d)", n)
	}},
	{"function that is given", func(r *rand.Rand) (string, string) {
		n := 1 + r.IntN(50)
		return when("f func() int", f("f() == %d", n+1), f("f() == %d", n)),
			f("func() bool { n := %d; return NAME(func() int { n++; return n }) }()", n-1)
	}},
	{"far shift", func(r *rand.Rand) (string, string) {
		return when("x int16, n uint8", "x>>n == -1", f("n > %d", 15+r.IntN(200))), "NAME(-5, 255)"
	}},
	{"conversion that cuts off", func(r *rand.Rand) (string, string) {
		n := 1 + r.IntN(100)
		return when("x int", "int8(x) < 0", f("x > %d", n)), "NAME(128)"
	}},
	{"deep recursion", func(r *rand.Rand) (string, string) {
		n := 12 + r.IntN(50)
		return "func downNAME(n uint8) int {\n\tif n == 0 {\n\t\treturn 0\n\t}\n\treturn 1 + downNAME(n-1)\n}\n\n" +
			when("n uint8", f("downNAME(n) == %d", n)), f("NAME(%d)", n)
	}},
	{"upper case", func(r *rand.Rand) (string, string) {
		word := one(r, "EUR", "CHF", "JPY")
		return when("s string", f("strings.ToUpper(s) == %q", word), f("s != %q", word)), f("NAME(%q)", strings.ToLower(word))
	}},
	{"text with a hole", func(r *rand.Rand) (string, string) {
		c := 'a' + r.IntN(26)
		return when("s, t string", f(`s+t == "x%czy"`, c), "len(s) == len(t)"), f(`NAME("x%c", "zy")`, c)
	}},
	{"random expression", expression},
	{"random expression", expression},
}

// expression equals what it is for one input.
func expression(r *rand.Rand) (string, string) {
	x, y := int32(r.Uint32()), int32(r.Uint32())
	text, at := "x", x
	for range 2 + r.IntN(4) {
		k := int32(1 + r.IntN(1000))
		switch r.IntN(8) {
		case 0:
			text, at = f("(%s + y)", text), at+y
		case 1:
			text, at = f("(%s ^ %d)", text, k), at^k
		case 2:
			text, at = f("(%s * %d)", text, k), at*k
		case 3:
			text, at = f("(%s >> %d)", text, k%7), at>>(k%7)
		case 4:
			text, at = f("(%s %% %d)", text, k), at%k
		case 5:
			text, at = f("(%s - (y | %d))", text, k), at-(y|k)
		case 6:
			text, at = f("(%s << %d)", text, k%9), at<<(k%9)
		case 7:
			text, at = f("(%s &^ y)", text), at&^y
		}
	}
	return when("x, y int32", f("%s == %d", text, at), f("y&0xff == %d", y&0xff)), f("NAME(%d, %d)", x, y)
}
