package relation

import (
	"fmt"
	"go/types"
	"strings"
)

// itself are relations of functions whose result can be an argument again.
func (t *templates) itself() {
	if t.value < 0 {
		return
	}
	for i, p := range t.types {
		if !types.Identical(p, t.results[t.value]) {
			continue
		}
		weight := plausible
		if len(t.Params) == 1 || !isNumber(p) {
			weight = likely + 4
		}
		for _, r := range []struct {
			name  string
			words []string
			to    string
			note  string
		}{
			{"idempotent", []string{"normalize", "normalise", "clean", "trim", "canonical", "sort", "sorted", "unique", "dedup", "abs", "round", "clamp", "upper", "lower"}, "", ""},
			{"involution", []string{"reverse", "reversed", "negate", "neg", "not", "invert", "inverse", "swap", "toggle", "flip", "transpose", "conjugate", "mirror", "complement"}, t.Params[i].Name, t.Params[i].Name},
		} {
			w := weight
			if t.named(r.words...) {
				w = suggested + 1
			}
			c := t.try(w, r.name)
			a := c.call(nil)
			b := c.call(at(i, a.value, a.note))
			b.call.When = a.ok
			c.calls[1].When = a.ok
			to, note := a.value, a.note
			if r.to != "" {
				to, note = r.to, r.note
			}
			c.holds(equal(b.value, to), b.note+" = "+note)
		}
		return
	}
}

// pairOf finds the first two parameters of one type.
func (t *templates) pairOf() (i, k int, ok bool) {
	for i := range t.types {
		for k := i + 1; k < len(t.types); k++ {
			if types.Identical(t.types[i], t.types[k]) {
				return i, k, true
			}
		}
	}
	return 0, 0, false
}

// twoArguments are relations of functions of two values of one type: the laws
// of operations, of orders and of equalities.
func (t *templates) twoArguments() {
	i, k, ok := t.pairOf()
	if !ok || len(t.results) == 0 {
		return
	}
	a, b := t.Params[i].Name, t.Params[k].Name
	swap := map[int]input{i: {b, b}, k: {a, a}}
	weight := likely
	if t.named("equal", "equals", "eq", "gcd", "lcm", "min", "max", "distance", "dist", "similarity", "union", "intersect", "intersection", "hypot") {
		weight = suggested
	}
	t.invariant(weight, "commutative", swap, "")
	if t.value < 0 {
		// A result of two values, the second a truth, is taken for one that counts.
		return
	}
	result := t.results[t.value]
	switch {
	case isBool(result):
		t.predicate(i, k)
	case isNumber(result):
		t.measure(i, k, swap)
	}
	if types.Identical(result, t.types[i]) {
		t.associative(i, k)
		c := t.try(plausible+2, "idempotent operation")
		r := c.call(at(k, a, a))
		c.holds(equal(r.value, a), r.note+" = "+a)
		if isString(result) {
			for _, at := range []struct {
				changed map[int]input
				other   string
			}{{at(i, `""`, `""`), b}, {at(k, `""`, `""`), a}} {
				c := t.try(plausible, "neutral element")
				r := c.call(at.changed)
				c.holds(equal(r.value, at.other), r.note+" = "+at.other)
			}
		}
	}
}

// predicate tries the laws of an equality and of a strict order.
func (t *templates) predicate(i, k int) {
	a, b := t.Params[i].Name, t.Params[k].Name
	weight := plausible
	if t.named("less", "before", "after", "lt", "equal", "equals", "eq", "overlaps", "contains", "subset", "match", "same") {
		weight = suggested
	}
	for _, r := range []struct{ name, check, note string }{{"reflexive", "", ""}, {"irreflexive", "!", "¬"}} {
		c := t.try(weight+1, r.name)
		run := c.call(at(k, a, a))
		c.holds(r.check+run.value, r.note+run.note)
	}
	c := t.try(weight, "asymmetric")
	x := c.call(nil)
	y := c.call(map[int]input{i: {b, b}, k: {a, a}})
	c.holds(fmt.Sprintf("!(%s && %s)", x.value, y.value), "¬("+x.note+" ∧ "+y.note+")")
}

// measure tries the laws of comparators, differences and distances.
func (t *templates) measure(i, k int, swap map[int]input) {
	a := t.Params[i].Name
	weight, signed := plausible+2, isSigned(t.results[t.value])
	if t.named("compare", "cmp", "diff", "sub", "delta", "distance", "dist") {
		weight = suggested + 1
	}
	if signed {
		t.becomes(weight, "antisymmetric", swap, "", func(v, n string) (string, string) { return "-" + v, "-" + n })
		if t.named("compare", "cmp") {
			c := t.try(weight, "antisymmetric in sign")
			x := c.call(nil)
			y := c.call(swap)
			c.holds(fmt.Sprintf("(%s < 0) == (%s > 0) && (%s > 0) == (%s < 0)", y.value, x.value, y.value, x.value), "sign("+y.note+") = -sign("+x.note+")")
		}
	}
	c := t.try(weight, "zero on equals")
	r := c.call(at(k, a, a))
	c.holds(equal(r.value, "0"), r.note+" = 0")
}

// associative tries f(f(a, b), c) = f(a, f(b, c)) with a third value that is
// made of the two.
func (t *templates) associative(i, k int) {
	a, b := t.Params[i].Name, t.Params[k].Name
	third, note := "", ""
	switch typ := t.types[i]; {
	case isNumber(typ), isString(typ):
		third, note = b+" + "+a, "("+b+" + "+a+")"
	case isBytes(typ):
		third, note = "slices.Concat("+b+", "+a+")", b+" ++ "+a
	default:
		if _, ok := element(typ); !ok {
			t.associativeOf(i, k, "", "")
			return
		}
		third, note = changed(t.Params[i].Type, reversing, "slices.Concat("+b+", "+a+")"), "reverse("+b+" ++ "+a+")"
	}
	t.associativeOf(i, k, third, note)
}

// associativeOf is associative for a third value; without one, what the
// function itself gives for b and b is it.
func (t *templates) associativeOf(i, k int, third, note string) {
	a, b := t.Params[i].Name, t.Params[k].Name
	c := t.try(likely-1, "associative")
	if third == "" {
		r := c.call(map[int]input{i: {b, b}, k: {b, b}})
		third, note = r.value, r.note
	}
	var guards []string
	if isInteger(t.types[i]) {
		guards = []string{small(t.types[i], a), small(t.types[k], b)}
	}
	for _, g := range guards {
		c.if_(g)
	}
	ab := c.call(nil)
	left := c.call(map[int]input{i: {ab.value, ab.note}, k: {third, note}})
	bc := c.call(map[int]input{i: {b, b}, k: {third, note}})
	right := c.call(map[int]input{i: {a, a}, k: {bc.value, bc.note}})
	for n := range c.calls {
		if n > 0 && c.runs[n-1].ok != "" {
			c.calls[n].When = c.runs[n-1].ok
		}
	}
	c.holds(equal(left.value, right.value), left.note+" = "+right.note)
}

// bounds are relations of one call: sign, length, between the arguments.
func (t *templates) bounds() {
	if t.value < 0 {
		return
	}
	result := t.results[t.value]
	one := func(weight int, name string, check, note func(v, n string) string) {
		c := t.try(weight, name)
		a := c.call(nil)
		c.holds(check(a.value, a.note), note(a.value, a.note))
	}
	compare := func(weight int, op, sign, with, noteWith string) {
		one(weight, "bounded", func(v, _ string) string { return v + " " + op + " " + with }, func(_, n string) string { return n + " " + sign + " " + noteWith })
	}
	if isNumber(result) {
		if isSigned(result) {
			compare(plausible+4, ">=", "≥", "0", "0")
		}
		if isFloat(result) {
			compare(plausible, "<=", "≤", "1", "1")
		}
		for i, p := range t.types {
			x := t.Params[i].Name
			_, slice := element(p)
			switch {
			case types.Identical(p, result):
				compare(plausible, "<=", "≤", x, x)
				compare(plausible, ">=", "≥", x, x)
			case (isString(p) || slice) && types.Identical(result, types.Typ[types.Int]):
				compare(plausible+1, "<=", "≤", "len("+x+")", "len("+x+")")
				compare(unlikely, ">=", "≥", "len("+x+")", "len("+x+")")
			}
		}
	}
	if _, slice := element(result); slice || isString(result) {
		for i, p := range t.types {
			x := t.Params[i].Name
			if types.Identical(p, types.Typ[types.Int]) && t.named("truncate", "take", "first", "last", "limit", "repeat", "pad", "top", "ellipsis", "shorten", "wrap") {
				one(suggested, "bounded", func(v, _ string) string { return "len(" + v + ") <= max(0, " + x + ")" }, func(_, n string) string { return "len(" + n + ") ≤ max(0, " + x + ")" })
			}
		}
	}
}

// state are relations about what a call leaves behind: a receiver and arguments
// as they were, and the same answer to the same question.
func (t *templates) state() {
	if len(t.results) == 0 || t.onlyError() {
		t.effects()
		return
	}
	reading := t.named("len", "length", "size", "count", "string", "get", "is", "has", "contains", "empty", "peek", "top", "front", "back", "min", "max", "equal", "compare", "area", "sum", "index", "find", "lookup", "keys", "values", "clone", "copy", "sorted")
	n := 0
	for i, p := range t.types {
		if !t.copied[i] || !tells(p) || types.IsInterface(p) || n == 2 {
			continue
		}
		n++
		weight := plausible + 4
		if reading {
			weight = suggested
		}
		x := t.Params[i].Name
		c := t.try(weight, "leaves its argument as it is")
		if i == 0 && t.Subject.Receiver {
			c.name = "leaves its receiver as it is"
		}
		c.noGuard = true
		a := c.call(nil, i)
		c.holds(equal(a.after[i], x), a.note+" leaves "+x+" as it is")
		c = t.try(weight-1, "answers twice the same")
		c.noGuard = true
		a = c.call(nil, i)
		b := c.call(at(i, a.after[i], x))
		if len(a.fields) > 0 {
			c.holds(same(a, b), a.note+" twice in a row: the same")
		}
	}
}

// effects are relations of calls that give nothing: done twice they have done
// it once.
func (t *templates) effects() {
	for i, p := range t.types {
		if _, slice := element(p); slice || !t.copied[i] || types.IsInterface(p) {
			continue
		}
		x := t.Params[i].Name
		weight := plausible
		if t.named("reset", "clear", "normalize", "normalise", "sort", "set", "delete", "remove", "close", "init", "stop") {
			weight = suggested
		}
		c := t.try(weight, "idempotent")
		c.noGuard = true
		a := c.call(nil, i)
		b := c.call(at(i, a.after[i], x), i)
		c.holds(equal(b.after[i], a.after[i]), a.note+" twice does what once does")
		c = t.try(weight-1, "involution")
		if t.named("reverse", "toggle", "flip", "swap", "invert", "transpose", "negate") {
			c.weight = suggested
		}
		c.noGuard = true
		a = c.call(nil, i)
		b = c.call(at(i, a.after[i], x), i)
		c.holds(equal(b.after[i], x), strings.TrimSpace(a.note)+" twice leaves "+x+" as it was")
		return
	}
}
