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
