package harness

import (
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// A function with options is mostly given several, of which two are of different kinds.
func TestOptionsComeTogether(t *testing.T) {
	r := newRegistry()
	r.register(Operation{Name: "withName", Role: wire.Changed}, withName)
	r.register(Operation{Name: "withSize"}, func(int) option { return func(*options) {} })
	r.register(Operation{Name: "withFlag"}, func(bool) option { return func(*options) {} })
	to := r.register(Operation{Name: "describe", Role: wire.Caller}, describe)
	r.seal()
	m := NewMachine(r)
	g := newGenerator(m, NewPlain(), 3)
	calls, mixed := 0, 0
	for range 5000 {
		p := g.next()
		if p == nil {
			continue
		}
		trace := m.Run(p)
		g.learn(p, &trace)
		for _, s := range p {
			if s.Op != to {
				continue
			}
			calls++
			kinds := map[wire.Op]bool{}
			for _, l := range s.Args[0].E {
				if l.Form == wire.Ref {
					kinds[p[l.N].Op] = true
				}
			}
			if len(kinds) > 1 {
				mixed++
			}
		}
	}
	if calls < 1000 || mixed < calls/2 {
		t.Errorf("%d of %d calls have different options", mixed, calls)
	}
}
