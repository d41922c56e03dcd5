//go:build go1.21

package harness

import (
	"reflect"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Re-entrance: a value that the sequence has made is given something that calls it back (a
// function, an implementation of an interface by functions, a value that prints itself), and is
// used afterwards. What the code does under a lock, and what it looks at again too early, shows
// only if both are the same object, which is too rare where arguments are drawn one by one.

const (
	shareReentrant = 3 // of a hundred sequences
	reentrantTries = 6
	deepestHolding = 3 // levels of a parameter's type that are searched for functions
)

// reentrant is a kept sequence with such calls at its end, nil where nothing it makes can be given
// anything that calls back.
func (g *generator) reentrant() wire.Sequence {
	b := g.builder(g.pick().Clone())
	for try := 0; try < reentrantTries && len(b.vars) > 0; try++ {
		v := b.vars[g.r.Intn(len(b.vars))]
		if b.reenter(v) {
			return b.p
		}
	}
	return nil
}

// reenter appends a call that gives a value something that calls it back, and one or two calls
// on the value or on what that call gave. It reports whether that could be done.
func (b *builder) reenter(v variable) bool {
	g := b.g
	list := g.holders(v.t)
	if len(list) == 0 || len(g.methodsOf(v.t)) == 0 {
		return false
	}
	size, vars := len(b.p), len(b.vars)
	h := list[g.r.Intn(len(list))]
	if o := list[g.r.Intn(len(list))]; g.m.Ops[o.op].Role > g.m.Ops[h.op].Role {
		h = o
	}
	b.about = wire.RefTo(v.step, v.result)
	made := b.callWith(h.op, h.result, b.about)
	b.about = wire.Lit{}
	if !made || !callsBackIn(b.p[size:]) {
		b.p, b.vars = b.p[:size], b.vars[:vars]
		return false
	}
	for n := 1 + g.r.few(2); n > 0; n-- {
		u := v
		if given := b.vars[vars:]; len(given) > 0 && g.r.Chance(50) {
			u = given[g.r.Intn(len(given))]
		}
		b.use(u)
	}
	return true
}

// callsBackIn reports whether a function that calls back stands in some steps.
func callsBackIn(p wire.Sequence) bool {
	found := false
	p.Walk(func(_ int, l *wire.Lit) { found = found || l.Form == wire.Special && l.S == wire.SpecialBack })
	return found
}

// use appends a call that uses a value, and reports whether it could. What is closer to the change
// comes more often.
func (b *builder) use(v variable) bool {
	g := b.g
	users := g.users(v.t)
	if len(users) == 0 || len(b.p) > longest {
		return false
	}
	u := users[g.r.Intn(len(users))]
	for i := 0; i < 2; i++ {
		if o := users[g.r.Intn(len(users))]; g.m.Ops[o.op].Role > g.m.Ops[u.op].Role {
			u = o
		}
	}
	return b.callWith(u.op, u.result, wire.RefTo(v.step, v.result))
}

// holders are the arguments that take a value of type t where another argument of the same
// operation can hold a function.
func (g *generator) holders(t reflect.Type) []maker {
	if list, ok := g.holding[t]; ok {
		return list
	}
	var list []maker
	for _, u := range g.users(t) {
		for k, in := range g.m.Ops[u.op].In {
			if k != u.result && g.holds(in, 0) {
				list = append(list, u)
				break
			}
		}
	}
	g.holding[t] = list
	return list
}

// holds reports whether values of type t can have functions of the sequence's making in them.
func (g *generator) holds(t reflect.Type, depth int) bool {
	if depth > deepestHolding {
		return false
	}
	switch t.Kind() {
	case reflect.Func:
		return true
	case reflect.Interface:
		if t.NumMethod() == 0 {
			return len(g.m.asked) > 0
		}
		return g.m.stubOf(t) >= 0
	case reflect.Slice, reflect.Map, reflect.Pointer:
		return g.holds(t.Elem(), depth+1)
	case reflect.Struct:
		for i := 0; i < t.NumField(); i++ {
			if f := t.Field(i); f.IsExported() && g.holds(f.Type, depth+1) {
				return true
			}
		}
	}
	return false
}

// returning is how often, of 100, something is what calls back, which comes rarely where nothing
// is to be called back.
func (b *builder) returning(rarely, often int) int {
	if b.about.Form == wire.Ref {
		return often
	}
	return rarely
}

// ends reports whether the name of an operation says that it ends the process or panics.
func ends(op *Operation) bool {
	name := op.Name[strings.LastIndexByte(op.Name, '.')+1:]
	return strings.HasPrefix(name, "Fatal") || strings.HasPrefix(name, "Panic") || name == "Exit"
}
