package harness

import (
	"slices"
	"strings"
	"testing"
)

// A text that tells the versions of a dependency apart is put where this module's own texts
// have one like it: an expression's format, the expression within a template, a line.
func TestTextsWithinOthers(t *testing.T) {
	p := NewPlain()
	p.hosts = []string{`"2017" | date: "%Y"`, "a = 1\nb = { c = 2 }\n", "no part", `{{ "a" | upcase }}`}
	p.tried = []string{"%^Q", "d = { e = 3, }"}
	r, seen := NewRand(1), map[string]bool{}
	for range 20_000 {
		seen[p.String(r, "{{ page.title }}")] = true
	}
	for _, want := range []string{`"2017" | date: "%^Q"`, `{{"2017" | date: "%^Q"}}`, `{"2017" | date: "%^Q"}`, "a = 1\nd = { e = 3, }\n", "%^Q"} {
		if !seen[want] {
			t.Errorf("never made %q", want)
		}
	}
}

// What a dependency reads comes to stand in front of a page that this module reads.
func TestTextsWithinFences(t *testing.T) {
	p := NewPlain()
	p.tried = []string{"d = { e = 3, }"}
	r, seen := NewRand(1), map[string]bool{}
	for range 2000 {
		seen[p.String(r, "+++\nf = 4\ng = \"5\"\n+++\n# Page\n")] = true
	}
	if want := "+++\nd = { e = 3, }\n+++\n# Page\n"; !seen[want] {
		t.Errorf("never made %q", want)
	}
}

// Behind a percent sign stands a letter, and other letters and flags are tried there.
func TestVerbs(t *testing.T) {
	p := dictionaryOfTests()
	tokens := tokenize("%Y is %d, 100% or %-5d")
	if got := verbs(tokens); !slices.Equal(got, []int{1, 6}) {
		t.Fatalf("%q at %v", tokens, got)
	}
	r, seen := NewRand(1), map[string]bool{}
	for range 2000 {
		seen[p.verb(r, tokenize("%Y"), []int{1})] = true
	}
	for _, want := range []string{"%j", "%^Y", "%-e"} {
		if !seen[want] {
			t.Errorf("never made %q", want)
		}
	}
	for s := range seen {
		if !strings.HasPrefix(s, "%") || len(s) > 3 {
			t.Errorf("%q", s)
		}
	}
}
