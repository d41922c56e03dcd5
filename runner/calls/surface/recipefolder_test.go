package surface

import (
	"go/types"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Two calls that are given one path find one folder; a path that is given once, or within something else, is one of its own.
func TestWithFolders(t *testing.T) {
	t.Parallel()
	text := types.Typ[types.String]
	a := &API{}
	open := wire.OpAt(0)
	a.ops = append(a.ops, Operation{Name: "Open", params: []types.Type{text}}, Operation{Name: "All", params: []types.Type{types.NewSlice(text)}})
	path := func(file, folder int) wire.Lit {
		return wire.Lit{Form: wire.Special, S: wire.SpecialPath, E: []wire.Lit{{Form: wire.Int, N: wire.RecordedPath(file, folder)},
			{Form: wire.Text, S: "a"}, {Form: wire.Text, S: "1"}}}
	}
	p := wire.Sequence{
		{Op: open, Args: []wire.Lit{path(0, 1)}},
		{Op: open, Args: []wire.Lit{path(1, 2)}},
		{Op: open, Args: []wire.Lit{path(0, 1)}},
		{Op: open + 1, Args: []wire.Lit{{Form: wire.Seq, E: []wire.Lit{path(0, 1)}}}},
	}
	got := a.withFolders(p)
	if len(got) != 5 || got[0].Op != wire.OpLet {
		t.Fatalf("%+v", got)
	}
	for step, want := range map[int]int{1: 0, 3: 0} {
		if l := got[step].Args[0]; l.Form != wire.Ref || int(l.N) != want {
			t.Errorf("step %d: %+v", step, l)
		}
	}
	if l := got[2].Args[0]; l.Form != wire.Special || l.E[0].N != 1 {
		t.Errorf("the path that is given once: %+v", l)
	}
	if l := got[4].Args[0].E[0]; l.Form != wire.Special || l.E[0].N != 0 {
		t.Errorf("the path in a list: %+v", l)
	}
	if n := p[0].Args[0].E[0].N; n != wire.RecordedPath(0, 1) {
		t.Errorf("what was given is changed: %d", n)
	}
}
