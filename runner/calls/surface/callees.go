package surface

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

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
	declared, from := bodies(t, p, at)
	var visit func(d *ast.FuncDecl)
	visit = func(d *ast.FuncDecl) {
		ast.Inspect(d.Body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			f := typeutil.StaticCallee(p.Code.TypesInfo, call)
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

// bodies are the functions of a package that have a body, and the one at a place, nil
// if there is none.
func bodies(t *load.Tree, p *load.Package, at load.Place) (declared map[types.Object]*ast.FuncDecl, there *ast.FuncDecl) {
	declared = declaredIn(p)
	for _, d := range declared {
		if t.Place(d.Pos()) == at {
			there = d
		}
	}
	return declared, there
}

// declaredIn are the functions of a package that have a body.
func declaredIn(p *load.Package) map[types.Object]*ast.FuncDecl {
	declared := map[types.Object]*ast.FuncDecl{}
	for _, f := range p.Code.Syntax {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				declared[p.Code.TypesInfo.Defs[d.Name]] = d
			}
		}
	}
	return declared
}
