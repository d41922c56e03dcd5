package surface

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/isodelta/isodelta/runner/load"
)

// spawning knows which functions of a package start goroutines.
type spawning struct {
	calls  map[*ast.FuncDecl][]*ast.FuncDecl
	starts map[*ast.FuncDecl]string // by the names that the run time gives
}

// spawningIn reads the code of a package.
func spawningIn(p *load.Package) *spawning {
	s := &spawning{map[*ast.FuncDecl][]*ast.FuncDecl{}, map[*ast.FuncDecl]string{}}
	declared := declaredIn(p)
	for f, d := range declared {
		ast.Inspect(d.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				if f, ok := f.(*types.Func); ok {
					s.starts[d] = runtimeName(f)
				}
			case *ast.CallExpr:
				if f := typeutil.StaticCallee(p.Code.TypesInfo, n); f != nil && declared[f.Origin()] != nil {
					s.calls[d] = append(s.calls[d], declared[f.Origin()])
				}
			}
			return true
		})
	}
	return s
}

// of names the functions of the package that start goroutines when one is called, sorted.
func (s *spawning) of(d *ast.FuncDecl) []string {
	seen := map[*ast.FuncDecl]bool{}
	var out []string
	var visit func(d *ast.FuncDecl)
	visit = func(d *ast.FuncDecl) {
		if seen[d] {
			return
		}
		seen[d] = true
		if name := s.starts[d]; name != "" {
			out = append(out, name)
		}
		for _, next := range s.calls[d] {
			visit(next)
		}
	}
	visit(d)
	slices.Sort(out)
	return out
}

// runtimeName is the name of a function in a stack that the run time prints, without type arguments.
func runtimeName(f *types.Func) string {
	name := f.Name()
	if recv := f.Signature().Recv(); recv != nil {
		t := types.Unalias(recv.Type())
		p, pointer := t.(*types.Pointer)
		if pointer {
			t = types.Unalias(p.Elem())
		}
		n, ok := t.(*types.Named)
		if !ok {
			return ""
		}
		if name = n.Obj().Name() + "." + name; pointer {
			name = "(*" + n.Obj().Name() + ")." + f.Name()
		}
	}
	return f.Pkg().Path() + "." + name
}

// spawners names what starts goroutines where a declared function is called.
func (w *writer) spawners(p *load.Package, d *ast.FuncDecl) []string {
	if p == nil || p.Code == nil || d.Body == nil {
		return nil
	}
	if w.starting[p] == nil {
		if w.starting == nil {
			w.starting = map[*load.Package]*spawning{}
		}
		w.starting[p] = spawningIn(p)
	}
	return w.starting[p].of(d)
}

// Starts reports whether a call of the operation may start the goroutines that a function does, which is named as the
// run time names what created a goroutine.
func (o Operation) Starts(creator string) bool {
	creator = strings.ReplaceAll(creator, "%2e", ".")
	creator = strings.ReplaceAll(creator, "[...]", "")
	for _, s := range o.spawners {
		if rest, ok := strings.CutPrefix(creator, s); ok && (rest == "" || strings.HasPrefix(rest, ".func") || strings.HasPrefix(rest, ".gowrap")) {
			return true
		}
	}
	return false
}

// hasGo reports whether there is a go statement in a declaration or a file.
func hasGo(in ast.Node) (found bool) {
	ast.Inspect(in, func(n ast.Node) bool {
		if _, ok := n.(*ast.GoStmt); ok {
			found = true
		}
		return !found
	})
	return found
}
