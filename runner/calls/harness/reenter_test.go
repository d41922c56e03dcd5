package harness

import (
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// bus calls what it was given.
type bus struct{ on []func() }

func (b *bus) On(f func()) { b.on = append(b.on, f) }
func (b *bus) Fire() int {
	for _, f := range b.on {
		f()
	}
	return len(b.on)
}
func (b *bus) Fatal() {}

// A value is given what calls it back, and used afterwards; never is a method called back whose
// name says that it ends the process, and nothing is made for a value that can hold no function.
func TestReentrant(t *testing.T) {
	r := stackRegistry(false)
	on := r.register(Operation{Name: "(*bus).On", Expr: "On", Method: true, Role: wire.Caller}, (*bus).On)
	r.register(Operation{Name: "(*bus).Fire", Expr: "Fire", Method: true, Role: wire.Changed}, (*bus).Fire)
	r.register(Operation{Name: "(*bus).Fatal", Expr: "Fatal", Method: true, Role: wire.Changed}, (*bus).Fatal)
	made := r.register(Operation{Name: "newBus"}, func() *bus { return new(bus) })
	pile := r.register(Operation{Name: "another"}, func() *pile { return new(pile) })
	m := NewMachine(r)
	g := newGenerator(m, NewPlain(), 3)
	g.kept = []wire.Sequence{{{Op: pile}}}
	if p := g.reentrant(); p != nil {
		t.Errorf("%v: a pile holds no function", p)
	}
	g.kept = []wire.Sequence{{{Op: made}}}
	const rounds = 500
	some := 0
	for range rounds {
		p := g.reentrant()
		if p == nil {
			continue
		}
		if trace := m.Run(p); trace.Invalid {
			t.Errorf("%v cannot be run", p)
		}
		own := false
		p.Walk(func(_ int, l *wire.Lit) {
			if c, ok := r.Back(*l); ok {
				own = own || c.Receiver.Form == wire.Ref && c.Receiver.N == 0
				if c.Op.Expr == "Fatal" {
					t.Error("what ends the process is called back")
				}
			}
		})
		used := p[len(p)-1].Args[0]
		if own && p[1].Op == on && len(p) > 2 && used.Form == wire.Ref && used.N == 0 {
			some++
		}
	}
	if some < rounds/3 {
		t.Errorf("%d of %d sequences use a value that is called back", some, rounds)
	}
}
