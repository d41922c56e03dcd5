package expectation

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/revision"
)

func TestReplacements(t *testing.T) {
	t.Parallel()
	got := replacements("name: a\nalias: \"\"\nkeep me\n", "name: a\nalias: null\nkeep it all\nme\n")
	want := []replacement{{"alias", `" "`, "null"}, {"keep", "", "it all"}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(replacement{})); diff != "" {
		t.Error(diff)
	}
	if got := replacements("a b", "a  b\n"); got != nil {
		t.Errorf("white space alone: %v", got)
	}
}

// What an edited file of expectations has in place of the same words is expected, whatever the input was; what it
// does not have, or has by chance, is not.
func TestMarkReplacement(t *testing.T) {
	t.Parallel()
	base := tree(t, map[string]string{
		"testdata/a.golden": "module: x\nalias: \"\"\nversion: \"\"\n",
		"README.md":         "Usage:\n  --help      shows this\n",
	})
	head := tree(t, map[string]string{
		"testdata/a.golden": "module: x\nalias: null\nversion: null\n",
		"README.md":         "Usage:\n  --header-from string   relative path of a file\n  --help               shows this\n",
	})
	edits, err := Read(base, head, []revision.Change{
		{Path: "testdata/a.golden", Status: revision.Modified, Test: true, Hunks: []revision.Hunk{{BaseLine: 2, BaseLines: 2, HeadLine: 2, HeadLines: 2}}},
		{Path: "README.md", Status: revision.Modified, Hunks: []revision.Hunk{{BaseLine: 2, BaseLines: 1, HeadLine: 2, HeadLines: 2}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		base, head string
		file       string // "" where it is not expected
	}{
		{"- provider: p\n  alias: \"\"\n  version: \"\"\n", "- provider: p\n  alias: null\n  version: null\n", "testdata/a.golden"},
		{"- provider: p\n  alias: \"\"\n", "- provider: q\n  alias: null\n", ""},
		{"- provider: p\n  type: \"\"\n", "- provider: p\n  type: null\n", ""},
		{"Flags:\n -h, --help   shows this\n", "Flags:\n --header-from string   relative path of a file\n -h, --help   shows this\n", "README.md"},
		{"Flags:\n", "Flags:\n a file\n", ""},
		{"relative path of a file", "", ""},
	} {
		f := event.Finding{Rung: event.Reached, Function: "Print", Input: "Print()", Base: event.Result{Outcome: event.Pass, Value: strconv.Quote(tc.base)},
			Head: event.Result{Outcome: event.Pass, Value: strconv.Quote(tc.head)}}
		got := ""
		if x := edits.Mark([]event.Finding{f})[0].Expected; x != nil {
			got = x.File
		}
		if got != tc.file {
			t.Errorf("%q → %q: expected by %q, want %q", tc.base, tc.head, got, tc.file)
		}
	}
}
