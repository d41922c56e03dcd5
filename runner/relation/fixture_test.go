package relation

import (
	"go/types"
	"path/filepath"
	"testing"

	injected "github.com/isodelta/isodelta/runner/calls/harness"
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

// realHarness injects what the engine injects into a module.
func realHarness(t *testing.T, dir, module string) {
	t.Helper()
	dir = filepath.Join(dir, "isodeltaprobe")
	if _, err := probe.Write(dir, probe.Size{Conditions: 1, Sites: 1, Module: module}); err != nil {
		t.Fatal(err)
	}
	if _, err := injected.Write(dir, module); err != nil {
		t.Fatal(err)
	}
}
