package load

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"
)

// Fields count that a type of both trees has in one of them alone and that others can see.
func TestLacking(t *testing.T) {
	t.Parallel()
	tree := func(text string) *Tree {
		dir := t.TempDir()
		for _, f := range txtar.Parse([]byte(text)).Files {
			file := filepath.Join(dir, filepath.FromSlash(f.Name))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		loaded, err := Load(context.Background(), Options{Root: dir, Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		return loaded
	}
	const module = "-- go.mod --\nmodule example.com/m\n\ngo 1.21\n\nrequire example.com/dep v1.0.0\n\nreplace example.com/dep => ./dep\n" +
		"-- dep/go.mod --\nmodule example.com/dep\n\ngo 1.21\n-- d.go --\npackage m\n\nimport _ \"example.com/dep\"\n"
	base := tree(module + "-- m.go --\npackage m\n\ntype T struct{ A, Old int }\n\ntype G[E any] struct{ V E }\n" +
		"-- dep/dep.go --\npackage dep\n\ntype D struct{ Z int }\n")
	head := tree(module + "-- m.go --\npackage m\n\ntype T struct{ A, New int; hidden bool }\n\ntype G[E any] struct{ V E; N int }\n\ntype Added struct{ X int }\n\n" +
		"-- p/p.go --\npackage p\n\ntype P struct{ Y int }\n-- dep/dep.go --\npackage dep\n\ntype D struct{ Z, More int }\n")
	if got, want := Lacking(head, base), []string{"example.com/dep.D.More", "example.com/m.G.N", "example.com/m.T.New"}; !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
	if got, want := Lacking(base, head), []string{"example.com/m.T.Old"}; !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
}
