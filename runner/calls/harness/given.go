//go:build go1.21

package harness

import (
	"context"
	"reflect"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// What functions that call back are given, given on: a handler behind a middleware works with the request that it
// gets, or with its context, and a visitor with the node. What the code under test puts into such a value shows only
// to who looks there.

const (
	// onward is how often, of 100, an argument of what is called back is what the function was given.
	onward = 85
	// passing is how often, of 100, a function calls back that is given what methods of the receiver take.
	passing = 30
)

// Given reads the literal of an argument of type in that a function of type t was given itself: which of its parameters
// that is, and whether it is a request of which the context is wanted.
func (r *Registry) Given(l wire.Lit, t, in reflect.Type) (at int, ofRequest, ok bool) {
	if l.Form != wire.Special || l.S != wire.SpecialGiven || len(l.E) != 1 || l.E[0].N < 0 || l.E[0].N >= int64(t.NumIn()) {
		return 0, false, false
	}
	at = int(l.E[0].N)
	ofRequest, ok = r.serves(t, at, in)
	return at, ofRequest, ok
}

// serves reports whether a parameter of a function of type t can be an argument of type in, and whether it
// is a request of which the context is.
func (r *Registry) serves(t reflect.Type, at int, in reflect.Type) (ofRequest, ok bool) {
	given := t.In(at)
	switch {
	case t.IsVariadic() && at == t.NumIn()-1, basic(in):
		return false, false
	case given == in:
		return false, true
	}
	return true, in == contextType && r.requestType != nil && given == r.requestType
}

// takesGiven reports whether an operation takes something that functions of type t are given.
func (m *Machine) takesGiven(op *Operation, t reflect.Type) bool {
	for i, in := range op.In {
		if op.Method && i == 0 {
			continue
		}
		for at := 0; at < t.NumIn(); at++ {
			if _, ok := m.serves(t, at, in); ok {
				return true
			}
		}
	}
	return false
}

// freshGiven is an argument of type in that a function of type t was given itself, false where it has none.
func (b *builder) freshGiven(t, in reflect.Type) (wire.Lit, bool) {
	for at := 0; at < t.NumIn(); at++ {
		if _, ok := b.g.m.serves(t, at, in); ok && b.g.r.Chance(onward) {
			return wire.Lit{Form: wire.Special, S: wire.SpecialGiven, E: []wire.Lit{{Form: wire.Int, N: int64(at)}}}, true
		}
	}
	return wire.Lit{}, false
}

// passesOn reports whether the value that is worked on has methods that take what functions of type t are given.
func (b *builder) passesOn(t reflect.Type) bool {
	about := b.receiver
	if b.about.Form == wire.Ref {
		about = b.about
	}
	of, ok := b.typeOfOwn(about)
	if !ok || t.NumIn() == 0 {
		return false
	}
	for _, n := range b.g.methodsOf(of) {
		if b.g.m.takesGiven(&b.g.m.Ops[n], t) {
			return true
		}
	}
	return false
}

// contextOf is the context of a request, an empty one without a request.
func contextOf(request reflect.Value) reflect.Value {
	if request.IsNil() {
		return reflect.ValueOf(context.Background())
	}
	return request.MethodByName("Context").Call(nil)[0]
}
