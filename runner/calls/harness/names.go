//go:build go1.21

package harness

import (
	"reflect"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// What takes anything looks names up in it: those of a struct's fields, those in their
// tags, and those of structs embedded in it. So the texts of such a call are made to name
// what the struct beside them has.

const (
	maxNames   = 64 // of one type
	namesDepth = 3  // structs within structs
)

// fieldNames are the names by which a struct's fields may be looked up, the paths to
// fields of fields among them; none where a value of type t has no fields.
func fieldNames(t reflect.Type) []string {
	var out []string
	seen := map[string]bool{}
	add := func(s string) {
		if s != "" && s != "-" && !seen[s] && len(out) < maxNames {
			seen[s] = true
			out = append(out, s)
		}
	}
	var visit func(t reflect.Type, prefix string, depth int)
	visit = func(t reflect.Type, prefix string, depth int) {
		for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map || t.Kind() == reflect.Array {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct || depth > namesDepth || t == timeType {
			return
		}
		for i := 0; i < t.NumField(); i++ {
			f := t.Field(i)
			names := tagNames(f.Tag)
			if f.IsExported() || f.Anonymous {
				names = append(names, f.Name)
			}
			for _, n := range names {
				add(prefix + n)
			}
			if f.Anonymous {
				visit(f.Type, prefix, depth+1)
			}
			if len(names) > 0 {
				visit(f.Type, prefix+names[0]+".", depth+1)
			}
		}
	}
	visit(t, "", 0)
	return out
}

// tagNames are the names in a field's tag: what stands first in each of its values.
func tagNames(tag reflect.StructTag) []string {
	var out []string
	for s := string(tag); ; {
		_, rest, ok := strings.Cut(s, `:"`)
		if !ok {
			return out
		}
		value, rest, ok := strings.Cut(rest, `"`)
		if !ok {
			return out
		}
		name, _, _ := strings.Cut(value, ",")
		if name != "" && name != "-" {
			out = append(out, name)
		}
		s = rest
	}
}

// namesOf are fieldNames, remembered.
func (g *generator) namesOf(t reflect.Type) []string {
	names, ok := g.names[t]
	if !ok {
		names = fieldNames(t)
		g.names[t] = names
	}
	return names
}

// name puts names of fields into texts of a step: of structs that it is given as anything,
// into its other arguments, and into those of the steps that these come from. It reports
// whether it did.
func (b *builder) name(step int) bool {
	s := &b.p[step]
	if s.Op.Builtin() {
		return false
	}
	in := b.g.m.Ops[s.Op].In
	var names []string
	var texts []*wire.Lit
	for i := range s.Args {
		if i >= len(in) {
			break
		}
		if t := b.holds(&s.Args[i], in[i]); t != nil {
			names = append(names, b.g.namesOf(t)...)
			continue
		}
		texts = b.textsOf(&s.Args[i], texts, 0)
	}
	if len(names) == 0 || len(texts) == 0 {
		return false
	}
	r := b.g.r
	for n := 1 + r.few(3); n > 0; n-- {
		l := texts[r.Intn(len(texts))]
		l.S = b.named(l.S, names[r.Intn(len(names))])
	}
	return true
}

// holds is the type of the struct that an argument holds as anything, nil for none.
func (b *builder) holds(l *wire.Lit, in reflect.Type) reflect.Type {
	if in.Kind() == reflect.Slice { // variadic
		in = in.Elem()
	}
	if in.Kind() != reflect.Interface || in.NumMethod() > 0 {
		return nil
	}
	if l.Form == wire.Seq && len(l.E) > 0 {
		l = &l.E[0]
	}
	var t reflect.Type
	switch l.Form {
	case wire.Dynamic:
		if l.T < len(b.g.m.Types) {
			t = b.g.m.Types[l.T]
		}
	case wire.Ref:
		for _, v := range b.vars {
			if v.step == int(l.N) && v.result == int(l.U) {
				t = v.t
			}
		}
	}
	if t == nil || len(b.g.namesOf(t)) == 0 {
		return nil
	}
	return t
}

const maxNamed = 24 // texts of a step into which names are put

// textsOf collects the texts in a literal, and in the steps that it refers to.
func (b *builder) textsOf(l *wire.Lit, out []*wire.Lit, depth int) []*wire.Lit {
	if len(out) >= maxNamed || depth > 2 {
		return out
	}
	switch l.Form {
	case wire.Text:
		return append(out, l)
	case wire.Ref:
		if n := int(l.N); n >= 0 && n < len(b.p) {
			for i := range b.p[n].Args {
				out = b.textsOf(&b.p[n].Args[i], out, depth+1)
			}
		}
		return out
	}
	for i := range l.E {
		out = b.textsOf(&l.E[i], out, depth)
	}
	return out
}

// named is a text with a name in the place of one of its words; the name alone where the
// text is one word or none.
func (b *builder) named(s, name string) string {
	tokens := tokenize(s)
	var words []int
	for i, t := range tokens {
		if class(t) == "a" {
			words = append(words, i)
		}
	}
	if len(words) == 0 || len(tokens) == 1 {
		return name
	}
	tokens[words[b.g.r.Intn(len(words))]] = name
	return strings.Join(tokens, "")
}
