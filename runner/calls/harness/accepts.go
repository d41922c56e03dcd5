//go:build go1.21

package harness

import (
	"reflect"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// A function that takes anything often refuses nearly all of it: what decodes wants a pointer
// to put something in. Which dynamic types an argument had in calls that gave no error is
// remembered, and these are given again more often.

// maxAccepted bounds the types remembered for one argument.
const maxAccepted = 24

// accept remembers the types with which step i of a sequence that was run gave no error.
func (g *generator) accept(p wire.Sequence, i int) {
	if p[i].Op.Builtin() {
		return
	}
	op := &g.m.Ops[p[i].Op]
	n := len(op.Out)
	if n == 0 || op.Out[n-1] != errorType || len(g.m.Vars[i]) != n || !g.m.Vars[i][n-1].IsNil() {
		return
	}
	for k, a := range p[i].Args {
		if k >= len(op.In) || op.In[k].Kind() != reflect.Interface || op.In[k].NumMethod() > 0 {
			continue
		}
		ty, ok := g.m.typeOf(a)
		at := spot{p[i].Op, k}
		if !ok || len(g.accepted[at]) >= maxAccepted {
			continue
		}
		known := false
		for _, t := range g.accepted[at] {
			known = known || t == ty
		}
		if !known {
			g.accepted[at] = append(g.accepted[at], ty)
		}
	}
}

// typeOf returns the number of the dynamic type that a literal for a parameter of an empty
// interface has.
func (m *Machine) typeOf(l wire.Lit) (int, bool) {
	if l.Form == wire.Dynamic {
		return l.T, l.T < len(m.Types)
	}
	v, ok := m.Ref(l)
	if l.Form != wire.Ref || !ok {
		return 0, false
	}
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() {
		return 0, false
	}
	k, ok := m.byType[v.Type()]
	return k, ok
}

// acceptable is a type that an argument had in a call which gave no error.
func (b *builder) acceptable(at spot) (int, bool) {
	list := b.g.accepted[at]
	if len(list) == 0 {
		return 0, false
	}
	return list[b.g.r.Intn(len(list))], true
}
