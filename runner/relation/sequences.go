package relation

import (
	"fmt"
	"go/types"
)

// changed is an expression that gives a changed copy of a slice: body changes
// the variable s, a copy.
func changed(typ, body, of string) string {
	return fmt.Sprintf("func(s %s) %s { s = slices.Clone(s); %s; return s }(%s)", typ, typ, body, of)
}

// Bodies for changed.
const (
	reversing = "slices.Reverse(s)"
	sorting   = "slices.Sort(s)"
	doubling  = "s = append(s, s...)"
	rotating  = "s = append(s[min(1, len(s)):], s[:min(1, len(s))]...)"
)

// everyElement changes the elements one by one.
func everyElement(statement string) string { return "for i := range s { " + statement + " }" }

// sequences are relations of slices: order, multiplicity, concatenation,
// elements that are scaled or shifted.
func (t *templates) sequences() {
	n := 0
	for i, p := range t.types {
		if e, ok := element(p); ok && n < 2 {
			t.sequence(i, e)
			n++
		}
	}
}

func (t *templates) sequence(i int, elem types.Type) {
	p := t.Params[i]
	with := func(body string) string { return changed(p.Type, body, p.Name) }
	if len(t.results) == 0 || t.onlyError() {
		t.inPlace(i, elem)
		return
	}
	t.invariant(likely, "order does not matter", at(i, with(reversing), "reverse("+p.Name+")"), "")
	t.invariant(plausible, "order does not matter", at(i, with(rotating), "rotate("+p.Name+")"), "")
	if isOrdered(elem) {
		t.invariant(plausible+1, "order does not matter", at(i, with(sorting), "sort("+p.Name+")"), "")
	}
	t.invariant(plausible, "repetition does not matter", at(i, with(doubling), p.Name+" ++ "+p.Name), "")
	if t.value < 0 {
		return
	}
	result := t.results[t.value]
	if e, ok := element(result); ok {
		t.mapped(i, result, e)
		return
	}
	if !isNumber(result) {
		return
	}
	t.becomes(likely, "additive", at(i, with(doubling), p.Name+" ++ "+p.Name), "", func(v, n string) (string, string) { return "2 * " + v, "2·" + n })
	t.split(i, likely+1, "additive", func(whole, a, b string) string { return equal(whole, a+" + "+b) }, " + ")
	t.grows(i, with("s = s[:max(0, len(s)-1)]"), "without the last of "+p.Name)
	if isNumber(elem) {
		t.scaledElements(i, elem, result)
	}
}

func (t *templates) onlyError() bool { return len(t.results) == 1 && t.ok == 0 }

// scaledElements changes all numbers of a slice.
func (t *templates) scaledElements(i int, elem, result types.Type) {
	p := t.Params[i]
	with := func(statement string) string { return changed(p.Type, everyElement(statement), p.Name) }
	guard := ""
	if g := small(elem, "x"); g != "" {
		guard = fmt.Sprintf("!slices.ContainsFunc(%s, func(x %s) bool { return !(%s) })", p.Name, t.typ(elem), g)
	}
	t.becomes(likely, "homogeneous", at(i, with("s[i] *= 2"), "2·"+p.Name), guard, func(v, n string) (string, string) { return "2 * " + v, "2·" + n })
	t.becomes(plausible, "homogeneous of degree 2", at(i, with("s[i] *= 2"), "2·"+p.Name), guard, func(v, n string) (string, string) { return "4 * " + v, "4·" + n })
	t.becomes(plausible+2, "equivariant under shift", at(i, with("s[i]++"), p.Name+" + 1"), guard, func(v, n string) (string, string) { return v + " + 1", n + " + 1" })
	t.invariant(plausible+2, "invariant under shift", at(i, with("s[i]++"), p.Name+" + 1"), guard)
	if isSigned(elem) && isSigned(result) {
		t.becomes(plausible, "odd", at(i, with("s[i] = -s[i]"), "-"+p.Name), guard, func(v, n string) (string, string) { return "-" + v, "-" + n })
	}
}

// grows tries that a sequence without its last element gives no more.
func (t *templates) grows(i int, fewer, note string) {
	c := t.try(plausible+2, "grows with the sequence")
	a := c.call(nil)
	b := c.call(at(i, fewer, note))
	c.holds(ordered(t.results[t.value], b.value, a.value, true), b.note+" ≤ "+a.note)
}

// split tries that a function of a sequence follows from what it gives for its
// halves.
func (t *templates) split(i, weight int, name string, check func(whole, a, b string) string, sign string) {
	p := t.Params[i].Name
	c := t.try(weight, name)
	whole := c.call(nil)
	a := c.call(at(i, fmt.Sprintf("%s[:len(%s)/2]", p, p), "a"))
	b := c.call(at(i, fmt.Sprintf("%s[len(%s)/2:]", p, p), "b"))
	c.holds(check(whole.value, a.value, b.value), t.written(at(i, "", "a ++ b"))+" = "+a.note+sign+b.note)
}

// mapped are relations of functions from a slice to a slice.
func (t *templates) mapped(i int, result, elem types.Type) {
	p, typ := t.Params[i], t.typ(result)
	reverse := func(v, n string) (string, string) { return changed(typ, reversing, v), "reverse(" + n + ")" }
	t.becomes(likely, "commutes with reversal", at(i, changed(p.Type, reversing, p.Name), "reverse("+p.Name+")"), "", reverse)
	t.split(i, likely, "distributes over concatenation", func(whole, a, b string) string {
		return equal(whole, fmt.Sprintf("slices.Concat(%s, %s)", a, b))
	}, " ++ ")
	for _, b := range []struct{ name, op, sign string }{{"keeps the length", "==", "="}, {"does not grow", "<=", "≤"}} {
		c := t.try(likely, b.name)
		a := c.call(nil)
		c.holds(fmt.Sprintf("len(%s) %s len(%s)", a.value, b.op, p.Name), "len("+a.note+") "+b.sign+" len("+p.Name+")")
	}
	if isOrdered(elem) {
		weight := unlikely + 3
		if t.named("sort", "sorted", "merge", "order", "ordered") {
			weight = suggested
		}
		c := t.try(weight, "sorted")
		a := c.call(nil)
		c.holds("slices.IsSorted("+a.value+")", a.note+" is sorted")
		if types.Identical(result, t.types[i]) {
			c := t.try(plausible, "permutes")
			a := c.call(nil)
			c.holds(equal(changed(typ, sorting, a.value), changed(p.Type, sorting, p.Name)), "sort("+a.note+") = sort("+p.Name+")")
		}
	}
}

// inPlace are relations of functions that change a slice that they are given.
func (t *templates) inPlace(i int, elem types.Type) {
	p := t.Params[i]
	again := func(weight int, name string, to func(once string) string, note string) {
		c := t.try(weight, name)
		c.noGuard = true
		a := c.call(nil, i)
		b := c.call(at(i, a.after[i], "s'"), i)
		c.holds(equal(b.after[i], to(a.after[i])), a.note+"; "+note)
	}
	again(likely+1, "idempotent", func(once string) string { return once }, "again: no change")
	again(likely, "involution", func(string) string { return p.Name }, "again: "+p.Name+" as before")
	for _, o := range []struct {
		name, body, note string
		fits             bool
	}{{"order does not matter", reversing, "reverse", true}, {"order does not matter", rotating, "rotate", true}} {
		c := t.try(likely, o.name)
		c.noGuard = true
		a := c.call(nil, i)
		b := c.call(at(i, changed(p.Type, o.body, p.Name), o.note+"("+p.Name+")"), i)
		c.holds(equal(b.after[i], a.after[i]), b.note+" leaves what "+a.note+" leaves")
	}
	c := t.try(likely, "commutes with reversal")
	a := c.call(nil, i)
	b := c.call(at(i, changed(p.Type, reversing, p.Name), "reverse("+p.Name+")"), i)
	c.idle = equal(a.after[i], changed(p.Type, reversing, a.after[i]))
	c.holds(equal(b.after[i], changed(p.Type, reversing, a.after[i])), b.note+" leaves the reverse of what "+a.note+" leaves")
	if isOrdered(elem) {
		c := t.try(likely, "permutes")
		a := c.call(nil, i)
		c.holds(equal(changed(p.Type, sorting, a.after[i]), changed(p.Type, sorting, p.Name)), a.note+" permutes "+p.Name)
		c = t.try(likely, "sorts")
		a = c.call(nil, i)
		c.holds("slices.IsSorted("+a.after[i]+")", a.note+" sorts "+p.Name)
	}
}
