package relation

import (
	"go/types"
	"strings"
)

// numbers are relations of numeric parameters: parity, homogeneity,
// translation, monotonicity.
func (t *templates) numbers() {
	if len(t.results) == 0 {
		return
	}
	var all []int
	for i, p := range t.types {
		if isNumber(p) && !strings.HasSuffix(t.Params[i].Type, "time.Duration") {
			all = append(all, i)
		}
	}
	for k, i := range all {
		if k < 3 {
			t.number(i, len(all))
		}
	}
	if len(all) > 1 && t.value >= 0 && isNumber(t.results[t.value]) {
		t.together(all)
	}
}

func (t *templates) number(i, among int) {
	x, typ := t.Params[i].Name, t.types[i]
	guard := small(typ, x)
	weight := plausible
	if among > 1 {
		weight = unlikely + 2
	}
	if isSigned(typ) {
		t.invariant(weight+2, "even", at(i, "-"+x, "-"+x), "")
	}
	if t.value < 0 {
		return
	}
	result := t.results[t.value]
	if isSigned(typ) && isSigned(result) {
		t.becomes(weight+3, "odd", at(i, "-"+x, "-"+x), "", func(v, n string) (string, string) { return "-" + v, "-" + n })
	}
	if isNumber(result) {
		double := at(i, "2*"+x, "2·"+x)
		t.becomes(weight+4, "homogeneous", double, guard, func(v, n string) (string, string) { return "2 * " + v, "2·" + n })
		t.becomes(weight, "homogeneous of degree 2", double, guard, func(v, n string) (string, string) { return "4 * " + v, "4·" + n })
		next := at(i, x+" + 1", x+" + 1")
		t.becomes(weight, "additive shift", next, guard, func(v, n string) (string, string) { return v + " + 1", n + " + 1" })
	}
	t.invariant(unlikely, "invariant under + 1", at(i, x+" + 1", x+" + 1"), guard)
	if isOrdered(result) || isBool(result) {
		t.monotone(i, weight+5)
	}
	if types.Identical(typ, result) {
		t.neutral(i)
	}
}

// monotone tries that a larger argument gives a result that is not smaller, or
// not larger.
func (t *templates) monotone(i, weight int) {
	x := t.Params[i].Name
	for _, up := range []bool{true, false} {
		name, sign := "monotonic", "≥"
		if !up {
			name, sign, weight = "antitonic", "≤", weight-1
		}
		c := t.try(weight, name).if_(small(t.types[i], x))
		a := c.call(nil)
		b := c.call(at(i, x+" + 1", x+" + 1"))
		c.holds(ordered(t.results[t.value], a.value, b.value, up), b.note+" "+sign+" "+a.note)
	}
}

// ordered is the condition that b is not below a, or not above. Results that
// are no numbers violate nothing.
func ordered(typ types.Type, a, b string, up bool) string {
	if !up {
		a, b = b, a
	}
	if isBool(typ) {
		return "!" + a + " || " + b
	}
	return "!(" + b + " < " + a + ")"
}

// neutral tries numbers that leave another argument of the same type as it is.
func (t *templates) neutral(i int) {
	for k, other := range t.types {
		if k == i || !types.Identical(other, t.types[i]) {
			continue
		}
		for _, e := range []string{"0", "1"} {
			c := t.try(plausible, "neutral element")
			a := c.call(at(i, e, e))
			c.holds(equal(a.value, t.Params[k].Name), a.note+" = "+t.Params[k].Name)
		}
		return
	}
}

// together changes all numbers at once.
func (t *templates) together(all []int) {
	change := func(expr, note string) map[int]input {
		out := map[int]input{}
		for _, i := range all {
			x := t.Params[i].Name
			out[i] = input{strings.ReplaceAll(expr, "x", x), strings.ReplaceAll(note, "x", x)}
		}
		return out
	}
	var guards []string
	signed := true
	for _, i := range all {
		if g := small(t.types[i], t.Params[i].Name); g != "" {
			guards = append(guards, g)
		}
		signed = signed && isSigned(t.types[i])
	}
	guard := conjunction(guards)
	for _, to := range []struct {
		name, expr, note string
		degree           string
	}{{"homogeneous", "2*x", "2·x", "2"}, {"homogeneous of degree 2", "2*x", "2·x", "4"}} {
		t.becomes(plausible+3, to.name, change(to.expr, to.note), guard, func(v, n string) (string, string) { return to.degree + " * " + v, to.degree + "·" + n })
	}
	t.invariant(plausible, "homogeneous of degree 0", change("2*x", "2·x"), guard)
	t.invariant(plausible+1, "invariant under shift", change("x + 1", "x + 1"), guard)
	t.becomes(plausible+1, "equivariant under shift", change("x + 1", "x + 1"), guard, func(v, n string) (string, string) { return v + " + 1", n + " + 1" })
	if signed && isSigned(t.results[t.value]) {
		t.becomes(plausible, "odd", change("-x", "-x"), "", func(v, n string) (string, string) { return "-" + v, "-" + n })
		t.invariant(plausible, "even", change("-x", "-x"), "")
	}
}
