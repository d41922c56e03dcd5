//go:build go1.21

package harness

import (
	"reflect"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Exported functions that are given as they are, where one of their type is wanted: New(StringHash).

// Named returns the operation that a literal names, for a function of type t.
func (r *Registry) Named(l wire.Lit, t reflect.Type) (*Operation, bool) {
	if l.S != wire.SpecialNamed || len(l.E) != 1 || l.E[0].Form != wire.Text {
		return nil, false
	}
	for i := wire.Builtins; int(i) < len(r.Ops); i++ {
		if op := &r.Ops[i]; op.Name == l.E[0].S && givenAs(op, t) {
			return op, true
		}
	}
	return nil, false
}

// givenAs reports whether an operation is an exported function that can be given as one of type t.
func givenAs(op *Operation, t reflect.Type) bool {
	return t.Kind() == reflect.Func && op.Exported && !op.Method && !op.Test && !op.Variable && !op.Inner && op.Behind == "" && !op.Declared() &&
		op.Fn.IsValid() && op.Fn.Kind() == reflect.Func && op.Fn.Type().AssignableTo(t)
}

// freshNamed names a function of type t.
func (b *builder) freshNamed(t reflect.Type) (wire.Lit, bool) {
	list := b.g.namable(t)
	if len(list) == 0 {
		return wire.Lit{}, false
	}
	name := b.g.m.Ops[list[b.g.r.Intn(len(list))]].Name
	return wire.Lit{Form: wire.Special, S: wire.SpecialNamed, E: []wire.Lit{{Form: wire.Text, S: name}}}, true
}

// namable are the functions that can be given as one of type t.
func (g *generator) namable(t reflect.Type) []wire.Op {
	list, ok := g.named[t]
	if ok {
		return list
	}
	for i := wire.Builtins; i < g.m.end(); i++ {
		if op := &g.m.Ops[i]; !op.excluded && givenAs(op, t) {
			list = append(list, i)
		}
	}
	g.named[t] = list
	return list
}
