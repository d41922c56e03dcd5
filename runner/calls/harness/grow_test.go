package harness

import (
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// shelf holds texts.
type shelf struct{ texts []string }

func (s *shelf) Add(n int, text string) *shelf { s.texts = append(s.texts, text); return s }
func (s *shelf) Index(text string) int {
	for i, t := range s.texts {
		if t == text {
			return i
		}
	}
	return -1
}

// A call of a method is made more often, each time with another argument, and what follows looks for one of these;
// references that stand behind go on to say the same.
func TestGrown(t *testing.T) {
	r := newRegistry()
	add := r.register(Operation{Name: "(*shelf).Add", Expr: "Add", Method: true, Role: wire.Changed}, (*shelf).Add)
	index := r.register(Operation{Name: "(*shelf).Index", Expr: "Index", Method: true, Role: wire.Changed}, (*shelf).Index)
	made := r.register(Operation{Name: "newShelf"}, func() *shelf { return new(shelf) })
	m := NewMachine(r)
	g := newGenerator(m, NewPlain(), 3)
	text := wire.Lit{Form: wire.Text, S: "x"}
	g.kept = []wire.Sequence{{{Op: made}}}
	if p := g.grown(); p != nil {
		t.Errorf("%v: no method is called", p)
	}
	kept := wire.Sequence{
		{Op: made},
		{Op: add, Args: []wire.Lit{wire.RefTo(0, 0), {Form: wire.Int, N: 1}, text}},
		{Op: index, Args: []wire.Lit{wire.RefTo(0, 0), text}},
		{Op: add, Args: []wire.Lit{wire.RefTo(1, 0), {Form: wire.Int, N: 1}, text}},
		{Op: index, Args: []wire.Lit{wire.RefTo(3, 0), text}},
	}
	g.kept = []wire.Sequence{kept}
	var found, many int
	for range 2000 {
		p := g.grown()
		if p == nil {
			t.Fatal("nothing grows")
		}
		if len(p) > longestGrown {
			t.Fatalf("%d steps", len(p))
		}
		trace := m.Run(p)
		if trace.Invalid {
			t.Fatalf("%v cannot be run", p)
		}
		if last := p[len(p)-1]; last.Op != index || last.Args[0].Form != wire.Ref || p[last.Args[0].N].Op != add {
			t.Fatalf("%v: the last step looks at another value", p)
		}
		if s := m.Vars[0][0].Interface().(*shelf); len(s.texts) > 12 {
			many++
		}
		for i, step := range p {
			if step.Op == index && m.Vars[i][0].Int() > 3 {
				found++
			}
		}
	}
	if many == 0 || found == 0 {
		t.Errorf("%d shelves are large, %d times a late text is found", many, found)
	}
	if len(g.kept[0]) != 5 || g.kept[0][1].Args[2].S != "x" {
		t.Error("the kept sequence was changed")
	}
}
