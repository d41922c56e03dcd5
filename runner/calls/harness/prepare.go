//go:build go1.21

package harness

import (
	"reflect"
	"slices"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// What is of another module is seldom as its constructor leaves it when the package is given it: users have put something
// into the store, and given the router its routes. So are values that were made for another sequence: what was done with
// them there comes along.

const (
	preparing = 40 // of a hundred values of other modules
	history   = 25 // of a hundred values that are taken from a kept sequence
	maxEvents = 4  // calls that such a value has behind it
)

// prepare now and then calls functions that users call with a value like the one that was just made.
func (b *builder) prepare(l wire.Lit, t reflect.Type) {
	if l.Form != wire.Ref || b.prepares {
		return
	}
	list := b.g.preparers(t)
	if len(list) == 0 || !b.g.r.Chance(preparing) {
		return
	}
	b.prepares = true
	for n := 1 + b.g.r.few(2); n > 0 && len(b.p) < longest && !b.tired(); n-- {
		mk := list[b.g.r.Intn(len(list))]
		size, vars := len(b.p), len(b.vars)
		if !b.callWith(mk.op, mk.result, l) {
			b.p, b.vars = b.p[:size], b.vars[:vars]
		}
	}
	b.prepares = false
}

// preparers are the arguments of such functions that take a value of type t.
func (g *generator) preparers(t reflect.Type) []maker {
	if list, ok := g.preparing[t]; ok {
		return list
	}
	var list []maker
	for _, mk := range g.users(t) {
		if g.m.Ops[mk.op].Prepares {
			list = append(list, mk)
		}
	}
	g.preparing[t] = list
	return list
}

// events are the first steps of a kept sequence that refer to the value which a step gave.
func events(p wire.Sequence, step int) []int {
	var out []int
	for i := step + 1; i < len(p) && len(out) < maxEvents; i++ {
		if !p[i].Op.Builtin() && slices.ContainsFunc(p[i].Args, func(l wire.Lit) bool { return l.Form == wire.Ref && int(l.N) == step }) {
			out = append(out, i)
		}
	}
	return out
}

// withEvents are the steps that a step needs, and those before it that refer to one of these.
func withEvents(p wire.Sequence, step int) []int {
	keep := []int{step}
	need := make([]bool, len(p))
	need[step] = true
	for again := true; again; {
		again = false
		for i := step; i >= 0; i-- {
			refers := false
			wire.Sequence{p[i]}.Walk(func(_ int, l *wire.Lit) {
				if l.Form != wire.Ref || l.N < 0 || int(l.N) >= i {
					return
				}
				refers = refers || need[l.N]
				if need[i] && !need[l.N] {
					need[l.N], again = true, true
				}
			})
			if refers && !need[i] {
				need[i], again = true, true
				keep = append(keep, i)
			}
		}
	}
	return keep
}
