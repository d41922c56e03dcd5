package blame

import (
	"strings"
	"testing"

	"github.com/isodelta/isodelta/runner/revision"
)

// TestAlike tells edits that do the same to other names from those that only look so.
func TestAlike(t *testing.T) {
	t.Parallel()
	const base = "r.Header.Set(key, value)\nr.Header.Set(k, \".*\")\nr.Header.Add(key, value)\nreturn 5\nreturn 7\nx := f(a)"
	const head = "r.Header[key] = []string{value}\nr.Header[k] = []string{\".*\"} // all\nr.Header[key] = []string{value}\nreturn 6\nreturn 8\nx := f(b)"
	s := &Stage{files: []fileEdits{{change: revision.Change{Path: "a.go"}, base: strings.Split(base, "\n"), head: strings.Split(head, "\n")}}}
	var got []string
	for line := 1; line <= 6; line++ {
		got = append(got, s.alike(unit{file: "a.go", hunks: []revision.Hunk{{BaseLine: line, BaseLines: 1, HeadLine: line, HeadLines: 1}}}))
	}
	if got[0] == "" || got[0] != got[1] {
		t.Errorf("the same with other names: %q", got[:2])
	}
	if got[2] == "" || got[2] == got[0] {
		t.Errorf("another method: %q and %q", got[0], got[2])
	}
	if got[3]+got[4]+got[5] != "" {
		t.Errorf("a number for a number, and a name for a name: %q", got[3:])
	}
}

// TestAlikeAnew tells a function that was written anew from its copy for numbers of another size, whichever of their
// lines happen to be the same as before.
func TestAlikeAnew(t *testing.T) {
	t.Parallel()
	const base = "func A() int32 {\nvar v uint32\nfor ok() {\nv += a()\nreport(\"a\")\n}\nreturn v\n}\n" +
		"func B() int64 {\nvar v uint64\nfor ok() {\nv += b()\nreport(\"b\")\n}\nreturn v\n}"
	const head = "func A() int32 {\nvar w uint32\nfor !ok() {\nw |= a()\nreport(\"a\")\n}\nreturn w\n}\n" +
		"func B() int64 {\nvar w uint64\nfor !ok() {\nw |= b()\nreport(\"c\")\n}\nreturn w\n}"
	s := &Stage{files: []fileEdits{{change: revision.Change{Path: "a.go"}, base: strings.Split(base, "\n"), head: strings.Split(head, "\n")}}}
	hunk := func(line, lines int) revision.Hunk {
		return revision.Hunk{BaseLine: line, BaseLines: lines, HeadLine: line, HeadLines: lines}
	}
	a := s.alike(unit{file: "a.go", hunks: []revision.Hunk{hunk(2, 3), hunk(7, 1)}})
	b := s.alike(unit{file: "a.go", hunks: []revision.Hunk{hunk(10, 4), hunk(15, 1)}})
	if a == "" || a != b {
		t.Errorf("%q and %q", a, b)
	}
	if apart := s.alike(unit{file: "a.go", hunks: []revision.Hunk{hunk(2, 1), hunk(15, 1)}}); apart == a {
		t.Errorf("hunks far from each other: %q", apart)
	}
}

// TestAlikeNamed tells the places where one function is called in place of another, whatever they are given and whichever
// package's name stands before it.
func TestAlikeNamed(t *testing.T) {
	t.Parallel()
	const base = "if !IsValidURL(a) {\nok := validator.IsValidURL(s.URL)\nif !IsValidURL(a) {\nuse(a)"
	const head = "if !urllib.IsAbsoluteURL(a) {\nok := urllib.IsAbsoluteURL(s.URL)\nif !urllib.HasHost(a) {\nuse(b)"
	s := &Stage{files: []fileEdits{{change: revision.Change{Path: "a.go"}, base: strings.Split(base, "\n"), head: strings.Split(head, "\n")}}}
	var got []string
	for line := 1; line <= 4; line++ {
		got = append(got, s.alike(unit{file: "a.go", hunks: []revision.Hunk{{BaseLine: line, BaseLines: 1, HeadLine: line, HeadLines: 1}}}))
	}
	if got[0] == "" || got[0] != got[1] || got[2] == got[0] || got[3] != "" {
		t.Errorf("%q", got)
	}
}
