package harness

import (
	"slices"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

func TestWordsOfASequence(t *testing.T) {
	text := func(s string) wire.Lit { return wire.Lit{Form: wire.Text, S: s} }
	g := newGenerator(NewMachine(newRegistry()), NewPlain(), 1)
	b := &builder{g: g, p: wire.Sequence{{Op: wire.OpLet, Args: []wire.Lit{{Form: wire.Seq, E: []wire.Lit{
		text("serve [flags]"), text("port, p"), text("--port"), text("a sentence that is much too long for a name"), text("")}}}}}}
	if got, want := b.ownNames(), []string{"serve", "port", "p"}; !slices.Equal(got, want) {
		t.Errorf("names %q, want %q", got, want)
	}
	given := []wire.Lit{text("one"), text("two")}
	flags := map[string]bool{}
	for range 200 {
		list := b.insertWord(given)
		var others []string
		for _, l := range list {
			if l.S == "one" || l.S == "two" {
				others = append(others, l.S)
			} else {
				flags[l.S] = true
			}
		}
		if len(list) != 3 || len(others) < 2 || !slices.Equal(slices.Compact(others), []string{"one", "two"}) {
			t.Fatalf("%v does not hold what was given", list)
		}
	}
	for _, want := range []string{"--port", "-p", "help", "--"} {
		if !flags[want] {
			t.Errorf("%q is never put in", want)
		}
	}
	if given[0].S != "one" || given[1].S != "two" {
		t.Errorf("the list given is %v now", given)
	}
}
