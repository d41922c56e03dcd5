//go:build go1.21

package harness

import (
	"reflect"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// A constructor that wants a configuration, a server or a file which no sequence has gives nil and an error each time. What
// it is needed for then is given nil, though a type of the module, or another function, would do.

// yields counts, for each operation, its calls and those of them that gave something to go on with.
type yields map[wire.Op]yield

type yield struct{ calls, gave int }

const (
	enoughCalls = 12 // of an operation before it is in vain
	leastYield  = 20 // calls for each one that gives something, at most
)

func (y yields) note(op wire.Op, gave bool) {
	of := y[op]
	of.calls++
	if gave {
		of.gave++
	}
	y[op] = of
}

// inVain reports whether calls of an operation hardly ever give anything.
func (y yields) inVain(op wire.Op) bool {
	of := y[op]
	return of.calls >= enoughCalls && of.gave*leastYield < of.calls
}

const (
	redrawn     = 85 // how often, of 100, another maker is taken for one that is in vain
	instead     = 25 // how often a type that implements an interface is taken though functions give one
	insteadVain = 85 // the same where these are in vain
)

// implementer makes a value of one of the registered types that implement an interface.
func (b *builder) implementer(t reflect.Type, at spot, depth int) (wire.Lit, bool) {
	if depth > deepest {
		return wire.Lit{}, false
	}
	list := b.g.implementers(t)
	for try := 0; try < 3 && len(list) > 0; try++ {
		k := list[b.g.r.Intn(len(list))]
		if l, ok := b.fresh(b.g.m.Types[k], at, depth+1); ok {
			if l.Form == wire.Ref {
				return l, true
			}
			return wire.Lit{Form: wire.Dynamic, T: k, E: []wire.Lit{l}}, true
		}
	}
	return wire.Lit{}, false
}

// implementers are the registered types, of the module and of its tests, that implement an interface; stubs where there
// are no others.
func (g *generator) implementers(t reflect.Type) []int {
	if list, ok := g.implementing[t]; ok {
		return list
	}
	var list, stubs []int
	for i, ty := range g.m.Types {
		switch {
		case !ty.Implements(t):
		case IsStub(ty):
			stubs = append(stubs, i)
		default:
			list = append(list, i)
		}
	}
	if len(list) == 0 {
		list = stubs
	}
	g.implementing[t] = list
	return list
}

// preferred is how often, of 100, a type that implements t, and is no stub, is taken before a function that gives one is called.
func (g *generator) preferred(t reflect.Type) int {
	if list := g.implementers(t); len(list) == 0 || IsStub(g.m.Types[list[0]]) {
		return 0
	}
	for _, mk := range g.makersOf(t) {
		if !g.yields.inVain(mk.op) {
			return instead
		}
	}
	return insteadVain
}
