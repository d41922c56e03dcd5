//go:build go1.21

package harness

import (
	"math"
	"reflect"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Values that code which takes anything has to cope with, and that few think of: a nil pointer
// that is an error or prints itself, a value whose method panics, and what no encoder takes.

// oddly is how often, of 100, anything is one of these: usual values lead.
const oddly = 7

// odd is such a value, false where the registry has none of the kind that was drawn.
func (b *builder) odd(at spot, depth int) (wire.Lit, bool) {
	r, m := b.g.r, b.g.m
	if r.Chance(65) {
		return b.askedFor(nil, depth)
	}
	dynamic := func(v any, l wire.Lit) (wire.Lit, bool) {
		k, ok := m.byType[reflect.TypeOf(v)]
		return wire.Lit{Form: wire.Dynamic, T: k, E: []wire.Lit{l}}, ok
	}
	switch r.Intn(5) {
	case 0:
		return dynamic((chan int)(nil), wire.Lit{})
	case 4:
		if at.op >= 0 && m.Ops[at.op].Variadic {
			break // go vet takes a function that is printed for a mistake
		}
		l, ok := b.freshFunc(reflect.TypeOf((func())(nil)), at, depth+1)
		if !ok || l.Form == wire.Ref || r.Chance(25) {
			l = wire.Lit{}
		}
		return dynamic((func())(nil), l)
	case 1:
		return dynamic(0.0, wire.FloatLit(math.NaN()))
	case 2:
		return dynamic(0.0, wire.FloatLit(math.Inf(1-2*r.Intn(2))))
	}
	t := reflect.TypeOf([]map[string]any(nil))
	l, ok := b.fresh(t, at, depth+1)
	if !ok || l.Form == wire.Ref {
		return l, ok
	}
	return wire.Lit{Form: wire.Dynamic, T: m.byType[t], E: []wire.Lit{l}}, true
}

// askedFor is a stub that code asks for, of those that implement t: one with methods, a pointer
// to it or a nil pointer. t may be nil, for anything, also for what has methods by its pointer
// alone.
func (b *builder) askedFor(t reflect.Type, depth int) (wire.Lit, bool) {
	r, m := b.g.r, b.g.m
	var list []int
	for _, k := range m.asked {
		if t == nil || m.Types[k].Implements(t) || reflect.PointerTo(m.Types[k]).Implements(t) {
			list = append(list, k)
		}
	}
	if len(list) == 0 || depth > deepest+1 {
		return wire.Lit{}, false
	}
	k := list[r.Intn(len(list))]
	of := m.Types[k]
	p, pointed := m.byType[reflect.PointerTo(of)]
	if pointed && r.Chance(40) {
		return wire.Lit{Form: wire.Dynamic, T: p, E: []wire.Lit{{}}}, true
	}
	l := wire.Lit{Form: wire.Struct, E: make([]wire.Lit, m.Fields(of))}
	for i := range l.E {
		e, ok := b.freshFunc(of.Field(m.Field(of, i)).Type, spot{-1, -1}, depth)
		if !ok || e.Form == wire.Ref {
			e = wire.Lit{}
		}
		l.E[i] = e
	}
	if of.NumMethod() == 0 && pointed && (t != nil || r.Chance(50)) {
		return wire.Lit{Form: wire.Dynamic, T: p, E: []wire.Lit{{Form: wire.Pointer, E: []wire.Lit{l}}}}, true
	}
	return wire.Lit{Form: wire.Dynamic, T: k, E: []wire.Lit{l}}, true
}

// speaks reports whether functions of type t are given nothing and give a text or bytes, as
// String, Error and MarshalJSON do.
func speaks(t reflect.Type) bool {
	if t.NumIn() > 0 || t.NumOut() == 0 {
		return false
	}
	out := t.Out(0)
	return out.Kind() == reflect.String || out.Kind() == reflect.Slice && out.Elem().Kind() == reflect.Uint8
}

// panicking is a function that panics.
func panicking() wire.Lit {
	return wire.Lit{Form: wire.Special, S: wire.SpecialPanic, E: []wire.Lit{{Form: wire.Text, S: wire.PanicText}}}
}
