//go:build go1.21

package harness

import (
	"reflect"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// A constructor that wants a configuration, a server or a file which no sequence has gives nil and an error each time. What
// it is needed for then is given nil, though a type of the module, or another function, would do.

// yields counts, for each operation, its calls, those of them that returned, and those that gave something to go on with.
type yields map[wire.Op]yield

type yield struct{ calls, returned, gave int }

const (
	enoughCalls = 12 // of an operation before it is in vain
	leastYield  = 20 // calls for each one that gives something, at most
	hopelessly  = 40 // calls of which none returns, and it is hopeless
)

func (y yields) note(op wire.Op, returned, gave bool) {
	of := y[op]
	of.calls++
	if returned {
		of.returned++
	}
	if returned && gave {
		of.gave++
	}
	y[op] = of
}

// hopeless reports whether no call of an operation has returned: a method of a type that only a callback is given, say, is
// called on empty values.
func (y yields) hopeless(op wire.Op) bool {
	of := y[op]
	return of.calls >= hopelessly && of.returned == 0
}

// inVain reports whether calls of an operation hardly ever give anything.
func (y yields) inVain(op wire.Op) bool {
	of := y[op]
	return of.calls >= enoughCalls && of.gave*leastYield < of.calls
}

const (
	redrawn     = 85 // how often, of 100, another maker is taken for one that is in vain, or another target for a hopeless one
	instead     = 25 // how often a type that implements an interface is taken though functions give one
	insteadVain = 85 // the same where these are in vain
)

// implementer makes a value of one of the registered types that implement an interface.
func (b *builder) implementer(t reflect.Type, at spot, depth int) (wire.Lit, bool) {
	if depth > deepest {
		return wire.Lit{}, false
	}
	list, real := b.g.implementers(t), b.g.m.isPart(at)
	for try := 0; try < 3 && len(list) > 0; try++ {
		k := list[b.g.r.Intn(len(list))]
		if real && standsIn(b.g.m.Types[k]) {
			continue
		}
		if l, ok := b.fresh(b.g.m.Types[k], at, depth+1); ok {
			if l.Form == wire.Ref {
				return l, true
			}
			return wire.Lit{Form: wire.Dynamic, T: k, E: []wire.Lit{l}}, true
		}
	}
	return wire.Lit{}, false
}

// implementers are the registered types, of the module and of its tests, that implement an interface: those that users can
// write down or get from a function, else stubs, else any.
func (g *generator) implementers(t reflect.Type) []int {
	if list, ok := g.implementing[t]; ok {
		return list
	}
	var list, stubs, bare []int
	for i, ty := range g.m.Types {
		switch {
		case !ty.Implements(t):
		case standsIn(ty):
			stubs = append(stubs, i)
		case g.writable(ty):
			list = append(list, i)
		default:
			bare = append(bare, i)
		}
	}
	for _, others := range [][]int{stubs, bare} {
		if len(list) == 0 {
			list = others
		}
	}
	g.implementing[t] = list
	return list
}

// standsIn reports whether a type is a stub or a pointer to one.
func standsIn(t reflect.Type) bool {
	return IsStub(t) || t.Kind() == reflect.Pointer && IsStub(t.Elem())
}

// writable reports whether a value of a type, or what a pointer leads to, is more than an empty struct when it is written
// down, or is given by a function. Of a struct with nothing but unexported fields an empty one is what nobody makes.
func (g *generator) writable(t reflect.Type) bool {
	s := t
	if s.Kind() == reflect.Pointer {
		s = s.Elem()
	}
	if s.Kind() != reflect.Struct || s.NumField() == 0 || g.m.spelledOut[s] || g.constructed(t) {
		return true
	}
	for i := 0; i < s.NumField(); i++ {
		if s.Field(i).IsExported() {
			return true
		}
	}
	return false
}

// preferred is how often, of 100, a type that implements t, and is no stub, is taken before a function that gives one is called.
func (g *generator) preferred(t reflect.Type) int {
	list := g.implementers(t)
	if len(list) == 0 || standsIn(g.m.Types[list[0]]) || !g.writable(g.m.Types[list[0]]) {
		return 0
	}
	for _, mk := range g.makersOf(t) {
		if !g.yields.inVain(mk.op) {
			return instead
		}
	}
	return insteadVain
}
