//go:build go1.21

package harness

import (
	"reflect"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// A test file is often named after the language of its content: markdown.txt, csharp/yield.actual. Functions that take such a
// text take the name of the language in another argument or field.

// kindly is the percentage of changes of a step that insert such a pair, if there are any.
const kindly = 12

// ofKind puts such a text into one place of a step and the name of its language into another. It reports whether the step has
// two places.
func (b *builder) ofKind(step int) bool {
	r := b.g.r
	list := b.g.plain.kinds
	places := b.textPlaces(step, nil, 0)
	if len(list) == 0 || len(places) < 2 {
		return false
	}
	at := r.Intn(len(places))
	if r.Chance(70) {
		for i, l := range places {
			if len(l.S) > len(places[at].S) {
				at = i
			}
		}
	}
	beside := (at + 1 + r.Intn(len(places)-1)) % len(places)
	pair := list[r.Intn(len(list))]
	*places[at] = wire.Lit{Form: wire.Text, S: pair[1]}
	*places[beside] = wire.Lit{Form: wire.Text, S: pair[0]}
	return true
}

// textPlaces returns the texts and the empty text fields in the arguments of a step. An argument that refers to an earlier let
// counts with its value.
func (b *builder) textPlaces(step int, out []*wire.Lit, depth int) []*wire.Lit {
	s := &b.p[step]
	for k := range s.Args {
		var t reflect.Type
		l := &s.Args[k]
		switch {
		case s.Op == wire.OpLet && l.Form == wire.Dynamic && l.T < len(b.g.m.Types) && len(l.E) == 1:
			l, t = &l.E[0], b.g.m.Types[l.T]
		case s.Op.Builtin() || k >= len(b.g.m.Ops[s.Op].In):
			continue
		default:
			t = b.g.m.Ops[s.Op].In[k]
		}
		if l.Form == wire.Ref {
			if n := int(l.N); n >= 0 && n < step && depth < 2 && b.p[n].Op == wire.OpLet {
				out = b.textPlaces(n, out, depth+1)
			}
			continue
		}
		for _, n := range b.nodes(l, t, nil) {
			if n.t != nil && n.t.Kind() == reflect.String && (n.l.Form == wire.Text || n.l.Form == wire.Zero) || n.t == nil && n.l.Form == wire.Text || isBytes(n) {
				out = append(out, n.l)
			}
		}
	}
	return out
}

// isBytes reports whether a literal is a text of type []byte.
func isBytes(n node) bool {
	return n.t != nil && n.t.Kind() == reflect.Slice && n.t.Elem().Kind() == reflect.Uint8 && n.l.Form == wire.Text
}
