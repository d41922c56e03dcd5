package surface

import (
	"go/ast"
	"go/types"

	"github.com/isodelta/isodelta/runner/load"
)

// Callees returns where the functions of a package are declared that one of them calls by
// name, directly or through others of the package. It is empty for a place at which none is
// declared.
func Callees(t *load.Tree, pkg string, at load.Place) map[load.Place]bool {
	found := map[load.Place]bool{}
	p := find(t, pkg)
	if p == nil || p.Code == nil {
		return found
	}
	declared := map[types.Object]*ast.FuncDecl{}
	var from *ast.FuncDecl
	for _, f := range p.Code.Syntax {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				declared[p.Code.TypesInfo.Defs[d.Name]] = d
				if t.Place(d.Pos()) == at {
					from = d
				}
			}
		}
	}
	var visit func(d *ast.FuncDecl)
	visit = func(d *ast.FuncDecl) {
		ast.Inspect(d.Body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			f := called(p.Code.TypesInfo, call)
			if f == nil {
				return true
			}
			next := declared[f.Origin()]
			if next == nil || found[t.Place(next.Pos())] {
				return true
			}
			found[t.Place(next.Pos())] = true
			visit(next)
			return true
		})
	}
	if from != nil {
		visit(from)
	}
	return found
}

// called is the function or method that a call names; nil where it calls a value.
func called(info *types.Info, call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	var f *types.Func
	switch x := fun.(type) {
	case *ast.Ident:
		f, _ = info.Uses[x].(*types.Func)
	case *ast.SelectorExpr:
		f, _ = info.Uses[x.Sel].(*types.Func)
	}
	return f
}
