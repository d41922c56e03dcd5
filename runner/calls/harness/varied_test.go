package harness

import (
	"slices"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// What is made of a text that executes the change: one thing differs each time.
func TestTextsVaryInOneWay(t *testing.T) {
	p := NewPlain()
	p.AddText(wire.NearDiff, "::")
	p.AddNumber(wire.NearDiff, '\\')
	p.AddNumber(wire.NearDiff, 255)
	r := NewRand(1)
	const s = `key [1, 2] {"a": 3} end`
	seen := map[string]bool{}
	for range 60_000 {
		seen[p.varied(r, s, "(x y)")] = true
	}
	for _, want := range []string{
		s + "\n", "\n" + s, " " + s + " ", // at an end
		s + "\n" + s, "(x y)," + s, s + " (x y)", // in a row
		`key [(x y), 2] {"a": 3} end`, `key [1, 2] {"a": ` + s + `} end`, `key (x y) {"a": 3} end`, // within
		`(` + s + ` y)`,
		`key [2, 1] {"a": 3} end`, `key [1, 2] {"a": 3} `, `key key [1, 2] {"a": 3} end`, // tokens and elements
		`key ::[1, 2] {"a": 3} end`, `key [1, 2] {"a": 3} end\`, // what the change names
		`key [255, 2] {"a": 3} end`, `key [1, 2] {"a": 256} end`,
		strings.Repeat("a", 252) + s, `key [1, 2] {"a": 3} ` + strings.Repeat("a", 251) + `end\`, // as long as it says
		`key [1, 2] {"a": 3} end` + strings.Repeat("a", 252),
		`key [[1, 2]] {"a": 3} end`, `key [1, 1, 2] {"a": 3} end`, `key [1, 2, 1] {"a": 3} end`, `key [1] {"a": 3} end`,
	} {
		if !seen[want] {
			t.Errorf("never made %q", want)
		}
	}
	if seen[s] || len(seen) < 2000 {
		t.Errorf("%d different texts, the text itself: %t", len(seen), seen[s])
	}
}

// Sequences that executed the change come again with a text varied, and otherwise as they are.
func TestSequencesNearTheChange(t *testing.T) {
	r := newRegistry()
	op := r.register(Operation{Name: "join", Role: wire.Caller}, func(list []string, n int) string { return strings.Repeat(strings.Join(list, " "), n) })
	r.seal()
	g := newGenerator(NewMachine(r), NewPlain(), 1)
	text := func(s string) wire.Lit { return wire.Lit{Form: wire.Text, S: s} }
	g.kept = append(g.kept, wire.Sequence{{Op: op, Args: []wire.Lit{{Form: wire.Seq, E: []wire.Lit{text("one two"), text("three")}}, {Form: wire.Int, N: 3}}}})
	g.close = []int{0}
	varied := map[int]int{}
	for range 200 {
		p := g.nearby()
		args := p[0].Args
		if len(p) != 1 || args[1].N != 3 || len(args[0].E) != 2 {
			t.Fatalf("%v changes more than a text", p)
		}
		if args[0].E[0].S != "one two" {
			varied[0]++
		}
		if args[0].E[1].S != "three" {
			varied[1]++
		}
	}
	if varied[0] < 50 || varied[1] < 50 || varied[0]+varied[1] > 200 {
		t.Errorf("varied %v of 200", varied)
	}
	if e := g.kept[0][0].Args[0].E; !slices.Equal([]string{e[0].S, e[1].S}, []string{"one two", "three"}) {
		t.Errorf("the kept sequence is %v now", e)
	}
}
