package load

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// large writes a module with as many packages as it takes for some to be left out:
// user imports low, which only tested's test imports; embedding embeds a file; the others
// are alone.
func large(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"go.mod":                     "module example.com/m\n\ngo 1.24\n",
		"low/low.go":                 "package low\n\nfunc N() int { return 1 }\n",
		"user/user.go":               "package user\n\nimport (\n\t\"example.com/m/low\"\n\t\"example.com/m/p1\"\n)\n\nfunc N() int { return low.N() + p1.N() }\n",
		"far/far.go":                 "package far\n\nimport \"example.com/m/user\"\n\nfunc N() int { return user.N() }\n",
		"tested/tested.go":           "package tested\n\nfunc N() int { return 1 }\n",
		"tested/tested_test.go":      "package tested\n\nimport (\n\t\"testing\"\n\n\t\"example.com/m/low\"\n)\n\nfunc TestN(t *testing.T) { _ = low.N() }\n",
		"uses/uses.go":               "package uses\n\nimport \"example.com/m/tested\"\n\nfunc N() int { return tested.N() }\n",
		"embedding/embedding.go":     "package embedding\n\nimport _ \"embed\"\n\n//go:embed page/page.html\nvar Page string\n",
		"embedding/page/page.html":   "<p>",
		"embedding/page/x/x.go":      "package x\n",
		"embedding/unused/note.text": "",
	}
	for i := range narrowAbove {
		files[fmt.Sprintf("p%d/p.go", i)] = fmt.Sprintf("package p%d\n\nfunc N() int { return 1 }\n", i)
	}
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Of a large module those packages are wanted that link what differs, and no others.
func TestReachable(t *testing.T) {
	t.Parallel()
	dir := large(t)
	l, err := List(t.Context(), Options{Root: dir, Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ differing, asked, want string }{
		{"low/low.go", "", "far low tested user"},
		{"low/removed.go", "", "far low tested user"},
		{"user/user.go", "", "far user"},
		{"uses/uses.go", "", "uses"},
		{"tested/tested.go", "", "tested uses"},
		{"embedding/page/page.html", "", "embedding"},
		{"embedding/unused/note.text", "", "embedding"},
		{"docs/page.md", "", ""},
		{"docs/main.go", "", ""},
		{"go.mod", "", "all"},
		{"vendor/example.com/v/v.go", "", "all"},
		{"low/low.go", "user", "low user"},
		{"low/low.go", "tested", "low tested"},
		{"low/low.go", "p3", "far low tested user"},
		{"low/low.go", "none", "far low tested user"},
		{"go.mod", "user", "low p1 user"},
		{"go.mod", "none", "all"},
	} {
		got := "all"
		var asked func(string) bool
		if c.asked != "" {
			asked = func(path string) bool { return path == "example.com/m/"+c.asked }
		}
		if wanted := Reachable(l, l, []string{c.differing}, asked); wanted != nil {
			got = strings.ReplaceAll(strings.Join(slices.Sorted(maps.Keys(wanted)), " "), "example.com/m/", "")
		}
		if got != c.want {
			t.Errorf("%s differs, %q is asked for: %q, want %q", c.differing, c.asked, got, c.want)
		}
	}
}

// Packages that are not wanted are not in the tree; what is, has all its types.
func TestLoadWanted(t *testing.T) {
	t.Parallel()
	dir := large(t)
	for _, sourceOnly := range []bool{false, true} {
		l, err := List(t.Context(), Options{Root: dir, Dir: dir, sourceOnly: sourceOnly})
		if err != nil {
			t.Fatal(err)
		}
		tree, err := l.Load(t.Context(), Reachable(l, l, []string{"low/low.go"}, nil))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range tree.Packages {
			got = append(got, strings.TrimPrefix(p.Path, "example.com/m/"))
			for _, v := range p.Variants() {
				if v.IllTyped || len(v.Syntax) == 0 {
					t.Errorf("%s: not type-checked: %v", v.ID, v.Errors)
				}
			}
		}
		if !slices.Equal(got, []string{"far", "low", "tested", "user"}) || !tree.Left["example.com/m/p1"] || tree.Left["example.com/m/low"] {
			t.Errorf("loaded %q, left %d", got, len(tree.Left))
		}
	}
}
