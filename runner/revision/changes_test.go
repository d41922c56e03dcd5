package revision

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Each status, for code, tests and testdata, from two commits of a repository.
func TestChanges(t *testing.T) {
	t.Parallel()
	body := func(name string, n int) string {
		var b strings.Builder
		fmt.Fprintf(&b, "package %s\n\n", name)
		for i := range n {
			fmt.Fprintf(&b, "func F%d() int { return %d }\n", i, i)
		}
		return b.String()
	}
	f := newRepo(t)
	f.write("go.mod", "module example.com/m\n\ngo 1.21\n")
	f.write("same.go", "package m\n")
	f.write("changed.go", body("m", 10))
	f.write("gone.go", "package m\n\nvar Gone = 1\n")
	f.write("old/moved.go", "package moved\n\nvar M = 1\n")
	f.write("old/edited.go", body("old", 10))
	f.write("a_test.go", "package m\n")
	f.write("testdata/in", "one\n")
	f.write("binary", "a\x00b")
	f.write("ünï.go", "package m\n")
	f.symlink("same.go", "link")
	f.write("empty", "")
	f.commit("base")
	f.write("go.mod", "module example.com/m\n\ngo 1.22\n")
	f.write("changed.go", strings.Replace(strings.Replace(body("m", 10), "return 3", "return 33\n\t//", 1), "func F9() int { return 9 }\n", "", 1))
	f.remove("gone.go")
	f.write("new/other.go", body("new", 9)) // 9 of 11 lines of old/edited.go
	f.write("new/moved.go", "package moved\n\nvar M = 1\n")
	f.remove("old")
	f.write("a_test.go", "package m // changed\n")
	f.write("testdata/in", "two\n")
	f.write("binary", "a\x00c")
	f.write("ünï.go", "package m // é\n")
	f.remove("link")
	f.symlink("changed.go", "link")
	f.remove("empty")
	f.write("void", "")
	if err := os.Chmod(below(f.dir, "same.go"), 0o755); err != nil {
		t.Fatal(err)
	}
	f.commit("head")

	r := open(t, f.dir)
	v := resolve(t, r, "HEAD~1..HEAD")
	base, _ := layOut(t, r, v.Base)
	head, _ := layOut(t, r, v.Head)
	got, err := Changes(base, head)
	if err != nil {
		t.Fatal(err)
	}
	want := []Change{
		{Path: "a_test.go", Status: Modified, Test: true, Hunks: []Hunk{{1, 1, 1, 1}}},
		{Path: "binary", Status: Modified},
		{Path: "changed.go", Status: Modified, Hunks: []Hunk{{6, 1, 6, 2}, {12, 1, 13, 0}}},
		{Path: "empty", Status: Deleted},
		{Path: "go.mod", Status: Modified, Hunks: []Hunk{{3, 1, 3, 1}}},
		{Path: "gone.go", Status: Deleted, Hunks: []Hunk{{1, 3, 1, 0}}},
		{Path: "link", Status: Modified},
		{Path: "new/moved.go", OldPath: "old/moved.go", Status: Renamed},
		{Path: "new/other.go", OldPath: "old/edited.go", Status: Renamed, Hunks: []Hunk{{1, 1, 1, 1}, {12, 1, 12, 0}}},
		{Path: "testdata/in", Status: Modified, Testdata: true, Hunks: []Hunk{{1, 1, 1, 1}}},
		{Path: "void", Status: Added},
		{Path: "ünï.go", Status: Modified, Hunks: []Hunk{{1, 1, 1, 1}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	if none, err := Changes(head, head); err != nil || len(none) != 0 {
		t.Errorf("a tree against itself: %v %v", none, err)
	}
}

// Of files that are alike the most alike are paired, and a test never becomes code.
func TestRenames(t *testing.T) {
	t.Parallel()
	text := func(words ...string) string { return strings.Join(words, "\n") + "\n" }
	tests := []struct {
		name       string
		base, head map[string]string
		want       map[string]string
	}{
		{"the most similar", map[string]string{"a.go": text("1", "2", "3", "4", "5"), "b.go": text("1", "2", "3", "4", "x")},
			map[string]string{"c.go": text("1", "2", "3", "4", "x", "y")}, map[string]string{"c.go": "b.go"}},
		{"below the limit", map[string]string{"a.go": text("1", "2", "3", "4", "5")},
			map[string]string{"b.go": text("1", "2", "x", "y", "z")}, map[string]string{}},
		{"at the limit", map[string]string{"a.go": text("1", "2", "3", "4", "5")},
			map[string]string{"b.go": text("1", "2", "3", "y", "z")}, map[string]string{"b.go": "a.go"}},
		{"blank lines say nothing", map[string]string{"a.go": text("1", "", "", "", "", "")},
			map[string]string{"b.go": text("2", "", "", "", "", "")}, map[string]string{}},
		{"test and code", map[string]string{"a.go": "same\n"}, map[string]string{"a_test.go": "same\n"}, map[string]string{}},
		{"code and testdata", map[string]string{"a.go": "same\n"}, map[string]string{"testdata/a.go": "same\n"}, map[string]string{}},
		{"empty", map[string]string{"a.go": ""}, map[string]string{"b.go": ""}, map[string]string{}},
		{"equal ones by name", map[string]string{"p/a.go": "same\n", "p/b.go": "same\n"},
			map[string]string{"q/b.go": "same\n", "q/a.go": "same\n", "q/c.go": "same\n"},
			map[string]string{"q/a.go": "p/a.go", "q/b.go": "p/b.go"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			base, head := t.TempDir(), t.TempDir()
			plant(t, base, test.base)
			plant(t, head, test.head)
			changes, err := Changes(base, head)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for _, c := range changes {
				if c.Status == Renamed {
					got[c.Path] = c.OldPath
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("renames (-want +got):\n%s", diff)
			}
		})
	}
}

// patch replaces base's lines in each hunk by head's.
func patch(base, head []byte, found []Hunk) []byte {
	before, after := lines(base), lines(head)
	var out [][]byte
	at := 1
	for _, h := range found {
		out = append(out, before[at-1:h.BaseLine-1]...)
		out = append(out, after[h.HeadLine-1:h.HeadLine-1+h.HeadLines]...)
		at = h.BaseLine + h.BaseLines
	}
	return bytes.Join(append(out, before[at-1:]...), nil)
}

// Hunks are a patch: they turn base into head; and outside of them lines agree.
func TestHunksArePatches(t *testing.T) {
	t.Parallel()
	text := rapid.Custom(func(t *rapid.T) []byte {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{"a\n", "b\n", "c\n", "\n", "a\r\n", "é\n", "\xff\n"})).Draw(t, "lines")
		return []byte(strings.Join(parts, "") + rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "end"))
	})
	rapid.Check(t, func(t *rapid.T) {
		base, head := text.Draw(t, "base"), text.Draw(t, "head")
		found := hunks(base, head)
		if got := patch(base, head, found); !bytes.Equal(got, head) {
			t.Fatalf("hunks %v turn %q into %q, want %q", found, base, got, head)
		}
		end := 0
		for _, h := range found {
			if h.BaseLine <= end && end > 0 || h.BaseLines+h.HeadLines == 0 {
				t.Fatalf("hunks %v of %q and %q touch or are empty", found, base, head)
			}
			end = h.BaseLine + h.BaseLines
		}
		if (len(found) == 0) != bytes.Equal(base, head) {
			t.Fatalf("hunks %v of %q and %q", found, base, head)
		}
	})
}

// More different lines than there are characters below the surrogates.
func TestHunksOfLongTexts(t *testing.T) {
	t.Parallel()
	var base, head bytes.Buffer
	for i := range 70_000 {
		fmt.Fprintln(&base, i)
		switch i {
		case 10, 69_000:
			fmt.Fprintln(&head, "changed", i)
		default:
			fmt.Fprintln(&head, i)
		}
	}
	// Larger than what is compared by lines: one hunk from the first difference to
	// the last.
	if diff := cmp.Diff([]Hunk{{11, 68_991, 11, 68_991}}, hunks(base.Bytes(), head.Bytes())); diff != "" {
		t.Errorf("hunks (-want +got):\n%s", diff)
	}
	left, right, ok := letters(lines(base.Bytes()), lines(head.Bytes()))
	if !ok || string(left) != string([]rune(string(left))) || left[60_000] != right[60_000] || left[10] == right[10] {
		t.Errorf("lines and letters do not correspond")
	}
	seen := map[rune]bool{}
	for _, c := range string(left) {
		seen[c] = true
	}
	if len(seen) != 70_000 {
		t.Errorf("%d letters for 70000 lines", len(seen))
	}
}
