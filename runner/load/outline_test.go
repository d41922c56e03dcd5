package load

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What is listed of a large module is enough to find what a change can reach, and no more.
func TestOutline(t *testing.T) {
	t.Parallel()
	dir := large(t)
	o := ReadOutline([2]string{dir, dir}, [2]string{dir, dir}, nil)
	if o == nil || o.Module() != "example.com/m" {
		t.Fatalf("%+v", o)
	}
	for _, c := range []struct{ differing, asked, listed, want string }{
		{"low/low.go", "", "far low p1 tested user", "far low tested user"},
		{"low/low_test.go", "", "far low p1 tested user", "far low tested user"},
		{"user/user.go", "", "far low p1 user", "far user"},
		{"uses/uses.go", "", "tested uses", "uses"},
		{"tested/tested.go", "", "low tested uses", "tested uses"},
		{"embedding/page/page.html", "", "embedding", "embedding"},
		{"embedding/unused/note.text", "", "embedding", "embedding"},
		{"docs/page.md", "", "", ""},
		{"new/new.go", "", "", ""},
		{"low/testdata/x.go", "", "", ""},
		{"go.mod", "", "", ""},
		{"vendor/example.com/v/v.go", "", "", ""},
		{"low/low.go", "user", "far low p1 tested user", "low user"},
		{"low/low.go", "p3", "far low p1 p3 tested user", "far low tested user"},
		{"go.mod", "user", "low p1 user", "low p1 user"},
		{"go.mod", "none", "", ""},
	} {
		var asked func(string) bool
		if c.asked != "" {
			asked = func(path string) bool { return path == "example.com/m/"+c.asked }
		}
		patterns := o.Patterns([]string{c.differing}, asked)
		if !slices.Equal(patterns[0], patterns[1]) {
			t.Errorf("%s: %q is listed of base, %q of head", c.differing, patterns[0], patterns[1])
		}
		got := strings.ReplaceAll(strings.Join(patterns[1], " "), "./", "")
		if got != c.listed {
			t.Errorf("%s, %q asked for: %q is listed, want %q", c.differing, c.asked, got, c.listed)
		}
		if c.listed == "" {
			continue
		}
		l, err := List(t.Context(), Options{Root: dir, Dir: dir, Patterns: patterns[1]})
		if err != nil {
			t.Fatal(err)
		}
		if l.Complains() {
			t.Errorf("%s: the go command complains", c.differing)
		}
		wanted := strings.Join(slices.Sorted(maps.Keys(Reachable(l, l, []string{c.differing}, asked))), " ")
		if wanted = strings.ReplaceAll(wanted, "example.com/m/", ""); wanted != c.want {
			t.Errorf("%s, %q asked for: %q is wanted, want %q", c.differing, c.asked, wanted, c.want)
		}
	}
	if l, err := List(t.Context(), Options{Root: dir, Dir: dir, Patterns: []string{"./none"}}); err == nil && !l.Complains() {
		t.Error("nothing is said of a package that is not there")
	}
}

// A package that only one version has is listed of that one alone. A module in a folder is told by the files in it, and
// Go files beside it may be of a module that it is built with.
func TestOutlineOfTwo(t *testing.T) {
	t.Parallel()
	base, head := filepath.Dir(nested(t)), filepath.Dir(nested(t))
	for _, name := range []string{"low2/low2.go", "excluded/x.go"} {
		file := filepath.Join(head, "m", name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		text := "package low2\n"
		if strings.HasPrefix(name, "excluded") {
			text = "//go:build never\n\npackage x\n"
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	o := ReadOutline([2]string{base, head}, [2]string{filepath.Join(base, "m"), filepath.Join(head, "m")}, nil)
	if o == nil {
		t.Fatal("the module is large")
	}
	got := o.Patterns([]string{"m/low2/low2.go", "m/uses/uses.go", "README.md"}, nil)
	for side, want := range [][]string{{"./tested", "./uses"}, {"./low2", "./tested", "./uses"}} {
		if !slices.Equal(got[side], want) {
			t.Errorf("%q, want %q", got[side], want)
		}
	}
	for _, differing := range []string{"beside/beside.go", "m/excluded/x.go"} {
		if got := o.Patterns([]string{differing, "m/uses/uses.go"}, nil); got[0] != nil || got[1] != nil {
			t.Errorf("%s: %q", differing, got)
		}
	}
}

// nested is the folder of the large module within a repository.
func nested(t *testing.T) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(root, "m")
	if err := os.CopyFS(to, os.DirFS(large(t))); err != nil {
		t.Fatal(err)
	}
	return to
}
