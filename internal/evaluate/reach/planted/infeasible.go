package planted

import "math/rand/v2"

// infeasible are branches that no input takes.
var infeasible = []template{
	{"square modulo 4", func(r *rand.Rand) (string, string) {
		return when("x "+one(r, small...), f("x*x&3 == %d", 2+r.IntN(2))), ""
	}},
	{"even and odd", func(r *rand.Rand) (string, string) {
		return when("x int", f("x&1 == %d", 1), f("x%%%d == 0", 2*(1+r.IntN(9)))), ""
	}},
	{"sum without carry", func(r *rand.Rand) (string, string) {
		return when("x, y "+one(r, "int8", "uint8", "int16", "uint32"), f("x+y != (x^y)+2*(x&y)")), ""
	}},
	{"or is less", func(r *rand.Rand) (string, string) {
		return when("x, y "+one(r, "uint8", "uint16", "uint64"), "x|y < x"), ""
	}},
	{"order of three", func(r *rand.Rand) (string, string) {
		return when("a, b, c "+one(r, "int", "uint8", "int64"), "a >= c", "a < b", "b < c"), ""
	}},
	{"sum in a wider type", func(r *rand.Rand) (string, string) {
		return when("a, b int8", f("int(a)+int(b) > %d", 254+r.IntN(50))), ""
	}},
	{"range of a remainder", func(r *rand.Rand) (string, string) {
		n := 3 + r.IntN(60)
		return when("x "+one(r, "int16", "uint16", "int32"), f("x%%%d >= %d", n, n)), ""
	}},
	{"quotient and remainder", func(r *rand.Rand) (string, string) {
		n := 3 + r.IntN(20)
		return when("x "+one(r, "int8", "uint8", "int16"), f("x/%d*%d+x%%%d != x", n, n, n)), ""
	}},
	{"length and index", func(r *rand.Rand) (string, string) {
		n := 1 + r.IntN(9)
		return when("s string", f("len(s) < %d", n), f("s[%d] == %d", n, 'a'+r.IntN(26))), ""
	}},
	{"text that is another", func(r *rand.Rand) (string, string) {
		return when("s string", "s == "+f("%q", one(r, "blue", "gold", "pear")), `s[0] == 'a' || s[0] == 'o'`, "len(s) == 4"), ""
	}},
	{"prefix and first byte", func(r *rand.Rand) (string, string) {
		c := string(rune('a' + r.IntN(26)))
		return when("s string", f("s[0] != '%s'", c), f("strings.HasPrefix(s, %q)", c+"x")), ""
	}},
	{"fields", func(r *rand.Rand) (string, string) {
		n := r.IntN(50)
		return "type tNAME struct{ A, B int32 }\n\n" +
			when("p tNAME", f("p.B == p.A+%d", n+1), f("p.A == p.B-%d", n)), ""
	}},
	{"behind one pointer", func(r *rand.Rand) (string, string) {
		n := r.IntN(50)
		return "type tNAME struct{ A, B int32 }\n\n" +
			when("p *tNAME", f("p.A == %d", n+1), "p != nil", f("do p.A = %d", n), f("p.B > %d", n)), ""
	}},
	{"what a function checks", func(r *rand.Rand) (string, string) {
		n := r.IntN(50)
		return f("func checkNAME(x int) error {\n\tif x < %d {\n\t\treturn errors.New(\"small\")\n\t}\n\treturn nil\n}\n\n", n) +
			when("x int", f("x == %d", n-1-r.IntN(9)), "checkNAME(x) == nil"), ""
	}},
	{"loop with a bound", func(r *rand.Rand) (string, string) {
		n := 3 + r.IntN(12)
		return when("x uint8", f("k > %d", n), "do k := 0", f("do for i := 0; i < %d; i++ { if x>>(i%%8)&1 == 1 { k++ } }", n)), ""
	}},
	{"order of a list", func(r *rand.Rand) (string, string) {
		n := 2 + r.IntN(3)
		return when("v []int16", "v[0] > v[len(v)-1]", f("len(v) == %d", n),
			"do for i := 1; i < len(v); i++ { if v[i] < v[i-1] { return false } }"), ""
	}},
	{"table", func(r *rand.Rand) (string, string) {
		n := 1 + r.IntN(100)
		return when("x uint8", f("t[x%%16]%%2 == 1"), "do var t [16]int", f("do for i := range t { t[i] = 2*i + %d }", 2*n)), ""
	}},
	{"shift", func(r *rand.Rand) (string, string) {
		n := 1 + r.IntN(15)
		return when("x uint16", f("x>>%d > %d", n, 0xffff>>n)), ""
	}},
	{"conversion", func(r *rand.Rand) (string, string) {
		n := r.IntN(200)
		return when("x int32", f("int(uint8(x)) > %d", 255+n)), ""
	}},
	{"bytes", func(r *rand.Rand) (string, string) {
		c := 'a' + r.IntN(20)
		return when("b []byte", f("b[1] == %d", c), "len(b) == 3", f("string(b[1:]) == %q", string(rune(c+1))+"z")), ""
	}},
}
