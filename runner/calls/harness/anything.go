//go:build go1.21

package harness

import (
	"reflect"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// freshAny is a value for a parameter that takes anything.
func (b *builder) freshAny(at spot, depth int) (wire.Lit, bool) {
	r, m := b.g.r, b.g.m
	if depth > deepest {
		return wire.Lit{Form: wire.Dynamic, T: m.byType[reflect.TypeOf("")], E: []wire.Lit{{Form: wire.Text, S: b.text(at)}}}, true
	}
	if b.about.Form == wire.Ref && r.Chance(60) {
		if l, ok := b.askedFor(nil, depth); ok {
			return l, true
		}
	}
	if r.Chance(oddly) {
		if l, ok := b.odd(at, depth); ok {
			return l, true
		}
	}
	if len(m.given) > 0 && r.Chance(20) {
		k := m.given[r.Intn(len(m.given))]
		if l, ok := b.fresh(m.Types[k], at, depth+1); ok && l.Form != wire.Ref {
			return wire.Lit{Form: wire.Dynamic, T: k, E: []wire.Lit{l}}, true
		}
	}
	for try := 0; try < 8; try++ {
		k := r.Intn(len(m.Types))
		if n := len(m.Types) - m.basic; n > 0 && r.Chance(30) {
			k = m.basic + r.Intn(n)
		} else if r.Chance(35) {
			k = m.byType[reflect.TypeOf("")]
		}
		if fit, ok := b.acceptable(at); ok && r.Chance(50) {
			k = fit
		}
		t := m.Types[k]
		if kind := t.Kind(); kind == reflect.Func || kind == reflect.Chan || reveals(t) || standsIn(t) {
			continue // how a function or a channel prints is its address
		}
		if t.Kind() == reflect.Pointer && r.Chance(20) {
			if l, ok := b.made(t, depth); ok {
				return l, true
			}
		}
		l, ok := b.fresh(t, at, depth+1)
		if !ok {
			continue
		}
		if l.Form == wire.Ref {
			return l, true
		}
		return wire.Lit{Form: wire.Dynamic, T: k, E: []wire.Lit{l}}, true
	}
	return wire.Lit{}, false
}
