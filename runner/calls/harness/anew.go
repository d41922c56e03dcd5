//go:build go1.21

package harness

import (
	"reflect"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// What is called twice: a method that is called on a value once more has to replace what the first call
// left there, or to add to it. That it does so shows only if both calls are of one value, and if the
// second is given something else, mostly less. Drawn one by one, the same method of the same value is
// rare where there are many.

const (
	shareAnew  = 4  // of a hundred sequences
	shareLeast = 35 // arguments of a hundred that are as little as can be
)

// anew is a kept sequence with a call that executed something of Δ, or may have, made once more on the
// same value with other arguments; nil where it has no such call.
func (g *generator) anew() wire.Sequence {
	p := g.pick()
	if len(p) > longest {
		return nil
	}
	var steps []int
	for i, s := range p {
		if op := &g.m.Ops[s.Op]; !s.Op.Builtin() && op.Method && op.Role >= wire.Caller && len(s.Args) > 1 && s.Args[0].Form == wire.Ref {
			steps = append(steps, i)
		}
	}
	if len(steps) == 0 {
		return nil
	}
	b := g.builder(p.Clone())
	if !b.callAnew(p[steps[g.r.Intn(len(steps))]]) {
		return nil
	}
	if g.r.Chance(30) {
		b.further()
	}
	return b.p
}

// callAnew appends a call like one of the sequence, of the same value, and reports whether it could be made.
func (b *builder) callAnew(like wire.Step) bool {
	if !b.callWith(like.Op, 0, wire.CloneLits(like.Args[:1])[0]) {
		return false
	}
	last := b.p[len(b.p)-1]
	for i, t := range b.g.m.Ops[like.Op].In {
		if l, ok := least(t); ok && i > 0 && b.g.r.Chance(shareLeast) {
			last.Args[i] = l
		}
	}
	return true
}

// least is the value of a type that holds nothing and that callers write down nevertheless.
func least(t reflect.Type) (wire.Lit, bool) {
	switch t.Kind() {
	case reflect.String:
		return wire.Lit{Form: wire.Text}, true
	case reflect.Slice:
		return wire.Lit{Form: wire.Seq}, true
	case reflect.Map:
		return wire.Lit{Form: wire.Map}, true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return wire.Lit{Form: wire.Int}, true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return wire.Lit{Form: wire.Uint}, true
	}
	return wire.Lit{}, false
}
