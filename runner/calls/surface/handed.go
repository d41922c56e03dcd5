package surface

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// handedOut returns the unexported functions that a package puts as values of an empty
// interface into maps, as the functions of templates are. Who takes them out calls them by
// reflection, with whatever the text of a template gives: no caller of the package's own
// keeps promises about the arguments.
func handedOut(p *packages.Package) map[*types.Func]bool {
	out := map[*types.Func]bool{}
	add := func(e ast.Expr) {
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok {
			return
		}
		if f, ok := p.TypesInfo.Uses[id].(*types.Func); ok && f.Pkg() == p.Types && !f.Exported() && f.Signature().TypeParams().Len() == 0 {
			out[f] = true
		}
	}
	for _, file := range p.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				if !takesAnything(p.TypesInfo.TypeOf(n)) {
					return true
				}
				for _, e := range n.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok {
						add(kv.Value)
					}
				}
			case *ast.AssignStmt:
				if len(n.Lhs) != len(n.Rhs) {
					return true
				}
				for i, e := range n.Lhs {
					if x, ok := ast.Unparen(e).(*ast.IndexExpr); ok && takesAnything(p.TypesInfo.TypeOf(x.X)) {
						add(n.Rhs[i])
					}
				}
			}
			return true
		})
	}
	return out
}

// takesAnything reports whether a map's values are of an empty interface.
func takesAnything(t types.Type) bool {
	if t == nil {
		return false
	}
	m, ok := t.Underlying().(*types.Map)
	if !ok {
		return false
	}
	face, ok := m.Elem().Underlying().(*types.Interface)
	return ok && face.Empty()
}
