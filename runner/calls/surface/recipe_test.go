package surface

import (
	"go/types"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// What happens to one thing is a recipe of its own, from what may have made it on, though a test builds
// several by turns, with the same calls.
func TestLives(t *testing.T) {
	t.Parallel()
	number := types.Typ[types.Int]
	const option, build, add, path = 0, 1, 2, 3
	a := &API{ops: []Operation{
		{Name: "Option", hook: option, params: []types.Type{number}},
		{Name: "New", hook: build, params: []types.Type{number}},
		{Name: "(*T).Add", hook: add, params: []types.Type{number, number}},
		{Name: "(*T).Path", hook: path, params: []types.Type{number}},
	}}
	hole, text := wire.Lit{Form: wire.Hole}, func(s string) wire.Lit { return wire.Lit{Form: wire.Text, S: s} }
	made := []wire.Record{
		{Hook: option, Args: []wire.Lit{text("o")}}, {Hook: build, Args: []wire.Lit{hole}},
		{Hook: build, Args: []wire.Lit{hole}},
		{Hook: add, Args: []wire.Lit{hole, text("a")}, Object: 1},
		{Hook: add, Args: []wire.Lit{hole, text("b")}, Object: 2},
		{Hook: option, Args: []wire.Lit{text("p")}},
		{Hook: add, Args: []wire.Lit{hole, text("c")}, Object: 1},
		{Hook: path, Args: []wire.Lit{hole}, Object: 1},
		{Hook: path, Args: []wire.Lit{hole}, Object: 2},
	}
	var got []string
	for _, p := range a.Recipes(wire.EncodeRecords(made), true)[1:] { // the first one is all of it
		line := ""
		for _, s := range p {
			line += a.Op(s.Op).Name + " "
			for _, l := range s.Args {
				line += l.S
			}
			line += "; "
		}
		got = append(got, line)
	}
	want := "Option o; New ; New ; (*T).Add a; Option p; (*T).Add c; (*T).Path ; "
	if len(got) != 1 || got[0] != want {
		t.Errorf("got %q, want %q alone: the other thing has too few calls", got, want)
	}
}
