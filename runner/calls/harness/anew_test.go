package harness

import (
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// drawer keeps what it was given last.
type drawer struct{ texts []string }

func (d *drawer) Fill(texts []string) {
	if len(texts) > 0 {
		d.texts = texts
	}
}
func (d *drawer) Len() int { return len(d.texts) }

// A method is called on a value once more, with other arguments, and with nothing in them in good part; what
// executes nothing of the change is not.
func TestAnew(t *testing.T) {
	r := newRegistry()
	fill := r.register(Operation{Name: "(*drawer).Fill", Expr: "Fill", Method: true, Role: wire.Changed}, (*drawer).Fill)
	length := r.register(Operation{Name: "(*drawer).Len", Expr: "Len", Method: true}, (*drawer).Len)
	made := r.register(Operation{Name: "newDrawer"}, func() *drawer { return new(drawer) })
	m := NewMachine(r)
	g := newGenerator(m, NewPlain(), 3)
	looked := wire.Sequence{{Op: made}, {Op: length, Args: []wire.Lit{wire.RefTo(0, 0)}}}
	g.kept = []wire.Sequence{looked}
	if p := g.anew(); p != nil {
		t.Errorf("%v: nothing of the change is called", p)
	}
	text := wire.Lit{Form: wire.Seq, E: []wire.Lit{{Form: wire.Text, S: "x"}}}
	g.kept = []wire.Sequence{{{Op: made}, {Op: fill, Args: []wire.Lit{wire.RefTo(0, 0), text}}}}
	var emptied int
	for range 500 {
		p := g.anew()
		if len(p) < 3 {
			t.Fatalf("%v: nothing is called once more", p)
		}
		if m.Run(p).Invalid {
			t.Fatalf("%v cannot be run", p)
		}
		again := p[2]
		for _, s := range p[2:] {
			if s.Op == fill {
				again = s
				break
			}
		}
		if again.Op != fill || again.Args[0].N != 0 {
			t.Fatalf("%v: the call is not of the same value", p)
		}
		if l := again.Args[1]; l.Form == wire.Seq && len(l.E) == 0 {
			emptied++
		}
	}
	if emptied < 100 {
		t.Errorf("%d of 500 are given nothing", emptied)
	}
}
