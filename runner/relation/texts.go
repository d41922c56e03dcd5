package relation

import (
	"fmt"
	"go/types"
)

// texts are relations of string arguments, and of bytes: case, white space,
// separators at the end, repetition.
func (t *templates) texts() {
	n := 0
	for i, p := range t.types {
		if (isString(p) || isBytes(p)) && n < 2 && len(t.results) > 0 {
			t.less = n * (likely - unlikely) // the first text is the one that it is about
			t.text(i)
			t.less = 0
			n++
		}
	}
}

// textOp spells a function of package strings or bytes for a value of a type.
func (t *templates) textOp(typ types.Type, function, of, more string) string {
	pkg, plain := "strings", types.Type(types.Typ[types.String])
	if isBytes(typ) {
		pkg, plain = "bytes", types.NewSlice(types.Typ[types.Byte])
	}
	if types.Identical(typ, plain) {
		return pkg + "." + function + "(" + of + more + ")"
	}
	return t.typ(typ) + "(" + pkg + "." + function + "(" + t.typ(plain) + "(" + of + ")" + more + "))"
}

// surround spells a text with something in front and behind.
func (t *templates) surround(typ types.Type, before, of, behind string) string {
	if isString(typ) {
		out := of
		if before != "" {
			out = fmt.Sprintf("%q + ", before) + out
		}
		if behind != "" {
			out += fmt.Sprintf(" + %q", behind)
		}
		return out
	}
	if before == "" {
		return fmt.Sprintf("append(slices.Clone(%s), %q...)", of, behind)
	}
	return fmt.Sprintf("slices.Concat(%s(%q), %s, %s(%q))", t.typ(typ), before, of, t.typ(typ), behind)
}

func (t *templates) text(i int) {
	p, typ := t.Params[i].Name, t.types[i]
	weight := plausible
	if t.named("fold", "insensitive", "ignore", "normalize", "normalise", "canonical", "canonicalize") {
		weight = suggested
	}
	for _, c := range []struct{ function, note string }{{"ToUpper", "upper"}, {"ToLower", "lower"}} {
		t.invariant(weight, "case does not matter", at(i, t.textOp(typ, c.function, p, ""), c.note+"("+p+")"), "")
	}
	if isString(typ) {
		title := t.textOp(typ, "ToTitle", p+"[:1]", "") + " + " + p + "[1:]"
		t.invariant(unlikely+1, "case does not matter", at(i, title, "title("+p+")"), p+` != "" && `+p+"[0] < 0x80")
	}
	t.spaces(i)
	t.separators(i)
	twice := at(i, p+" + "+p, p+" + "+p)
	if isBytes(typ) {
		twice = at(i, "slices.Concat("+p+", "+p+")", p+" ++ "+p)
	}
	if t.value < 0 {
		t.invariant(unlikely, "repetition does not matter", twice, "")
		return
	}
	switch result := t.results[t.value]; {
	case isString(result) || isBytes(result):
		t.textToText(i, twice)
	case isNumber(result):
		t.becomes(likely, "additive", twice, "", func(v, n string) (string, string) { return "2 * " + v, "2·" + n })
		c := t.try(plausible+2, "grows with the text")
		a := c.call(nil)
		b := c.call(twice)
		c.holds(ordered(result, a.value, b.value, true), b.note+" ≥ "+a.note)
		if isString(typ) {
			t.invariant(plausible+2, "order does not matter", at(i, reversedText(t.Params[i].Type, p), "reverse("+p+")"), "")
		}
	default:
		t.invariant(plausible, "repetition does not matter", twice, "")
		if isString(typ) {
			t.invariant(plausible, "order does not matter", at(i, reversedText(t.Params[i].Type, p), "reverse("+p+")"), "")
		}
	}
}

// reversedText spells the reverse of a string, by runes.
func reversedText(typ, of string) string {
	return fmt.Sprintf("func(s %s) %s { r := []rune(s); slices.Reverse(r); return %s(r) }(%s)", typ, typ, typ, of)
}

func (t *templates) spaces(i int) {
	p, typ := t.Params[i].Name, t.types[i]
	weight := plausible + 1
	if t.named("trim", "parse", "fields", "words", "normalize", "normalise", "clean", "word", "field", "token", "tokens") {
		weight = suggested
	}
	t.invariant(weight, "surrounding space does not matter", at(i, t.surround(typ, " ", p, " "), `" " + `+p+` + " "`), "")
	t.invariant(weight-1, "surrounding space does not matter", at(i, t.textOp(typ, "TrimSpace", p, ""), "trim("+p+")"), "")
}

// separators are tried where the name speaks of what is separated, but for the
// end of a line.
func (t *templates) separators(i int) {
	p, typ := t.Params[i].Name, t.types[i]
	for _, s := range []struct {
		sep    string
		words  []string
		always bool
	}{
		{"\n", []string{"line", "lines", "read", "scan", "parse"}, true},
		{"/", []string{"path", "clean", "join", "dir", "url", "route", "segments"}, false},
		{",", []string{"list", "split", "csv", "fields", "tags"}, false},
		{";", []string{"list", "split", "statements", "header"}, false},
		{"&", []string{"query", "params"}, false},
	} {
		weight := unlikely + 2
		switch {
		case t.named(s.words...):
			weight = suggested
		case !s.always:
			continue
		}
		t.invariant(weight, "a separator at the end does not matter", at(i, t.surround(typ, "", p, s.sep), fmt.Sprintf("%s + %q", p, s.sep)), "")
	}
}

func (t *templates) textToText(i int, twice map[int]input) {
	p, typ, result := t.Params[i].Name, t.types[i], t.results[t.value]
	both := isString(typ) && isString(result)
	t.becomes(likely, "distributes over concatenation", twice, "", func(v, n string) (string, string) {
		if isString(result) {
			return v + " + " + v, n + " + " + n
		}
		return "slices.Concat(" + v + ", " + v + ")", n + " ++ " + n
	})
	if both {
		t.split(i, likely, "distributes over concatenation", func(whole, a, b string) string { return equal(whole, a+" + "+b) }, " + ")
		t.becomes(likely, "commutes with reversal", at(i, reversedText(t.Params[i].Type, p), "reverse("+p+")"), "",
			func(v, n string) (string, string) { return reversedText(t.typ(result), v), "reverse(" + n + ")" })
	}
	for _, c := range []struct{ function, note string }{{"ToUpper", "upper"}, {"ToLower", "lower"}} {
		t.becomes(plausible+1, "commutes with case", at(i, t.textOp(typ, c.function, p, ""), c.note+"("+p+")"), "",
			func(v, n string) (string, string) { return t.textOp(result, c.function, v, ""), c.note + "(" + n + ")" })
	}
	for _, b := range []struct{ name, op, sign string }{{"keeps the length", "==", "="}, {"does not grow", "<=", "≤"}, {"does not shrink", ">=", "≥"}} {
		c := t.try(plausible+3, b.name)
		a := c.call(nil)
		c.holds(fmt.Sprintf("len(%s) %s len(%s)", a.value, b.op, p), "len("+a.note+") "+b.sign+" len("+p+")")
	}
	c := t.try(plausible, "trimmed")
	a := c.call(nil)
	c.holds(equal(t.textOp(result, "TrimSpace", a.value, ""), a.value), "trim("+a.note+") = "+a.note)
}
