package relation

import (
	"go/build"
	"go/types"
	"maps"
	"path/filepath"
	"testing"

	injected "github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/probe"
)

// subjects are all functions and methods of a package, generic ones with int
// or with what a table says.
func subjects(pkg *load.Package, tree *load.Tree, args map[string][]types.Type) []*Subject {
	var out []*Subject
	add := func(f *types.Func, n int) {
		a := args[f.Name()]
		for len(a) < n {
			a = append(a, types.Typ[types.Int])
		}
		if s := NewSubject(f, tree.Short(f.FullName()), a[:n]); s != nil {
			out = append(out, s)
		}
	}
	scope := pkg.Code.Types.Scope()
	for _, name := range scope.Names() {
		switch o := scope.Lookup(name).(type) {
		case *types.Func:
			add(o, o.Type().(*types.Signature).TypeParams().Len())
		case *types.TypeName:
			if n, ok := o.Type().(*types.Named); ok && !o.IsAlias() {
				for m := range n.Methods() {
					add(m, n.TypeParams().Len())
				}
			}
		}
	}
	return out
}

// realHarness writes an overlay with what the engine injects, and returns its path.
func realHarness(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	replace, err := probe.Overlay(build.Default.GOROOT, dir, false)
	if err != nil {
		t.Fatal(err)
	}
	harnesses, err := injected.Overlay(build.Default.GOROOT, dir)
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(replace, harnesses)
	file := filepath.Join(dir, "overlay.json")
	if err := execute.WriteOverlay(file, replace); err != nil {
		t.Fatal(err)
	}
	return file
}
