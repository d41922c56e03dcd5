package harness

import (
	"slices"
	"strings"
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
}

func TestFlagForms(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		form         flagForm
		dashes, name string
		want         []string
	}{
		{flagAlone, "--", "name", []string{"--name"}},
		{flagAlone, "-", "n", []string{"-n"}},
		{flagValue, "--", "name", []string{"--name=v"}},
		{flagEmpty, "--", "name", []string{"--name="}},
		{flagEmpty, "-", "n", []string{"-n="}},
		{flagNegated, "--", "name", []string{"--no-name"}},
		{flagApart, "--", "name", []string{"--name", "v"}},
		{flagJoined, "--", "name", []string{"-nv"}},
	} {
		if got := test.form.words(test.dashes, test.name, "v"); !slices.Equal(got, test.want) {
			t.Errorf("%d of %s: %q, want %q", test.form, test.name, got, test.want)
		}
	}
}

// A command line that a test gives gets one more word or flag, or is arranged otherwise, and what
// was given stays in it and as it was.
func TestInsertedWords(t *testing.T) {
	t.Parallel()
	text := func(s string) wire.Lit { return wire.Lit{Form: wire.Text, S: s} }
	r := newRegistry()
	r.words = []string{"port", "p"}
	b := newGenerator(NewMachine(r), NewPlain(), 1).builder(nil)
	given := []wire.Lit{text("one"), text("--two"), text("three")}
	made := map[string]bool{}
	for range 4000 {
		list := b.insertWord(given)
		var words []string
		for _, l := range list {
			words = append(words, l.S)
		}
		if len(words) < 3 || len(words) > 5 {
			t.Fatalf("%q", words)
		}
		for _, l := range given {
			if !slices.Contains(words, l.S) {
				t.Fatalf("%q is not in %q", l.S, words)
			}
		}
		made[strings.Join(words, " ")] = true
	}
	for _, want := range []string{"one --two three --port", "one -p --two three", "one --port= --two three", "one --two three -p=", "--no-port one --two three",
		"one help --two three", "-- one --two three", "one --two three --", "one --two --two three", "one three --two"} {
		if !made[want] {
			t.Errorf("%q is never made", want)
		}
	}
	if given[0].S != "one" || given[1].S != "--two" || given[2].S != "three" || len(given) != 3 {
		t.Errorf("the list given is %v now", given)
	}
}
