package surface

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"
)

// changesGlobal reports whether a declaration assigns to a package-level variable,
// or calls a method by pointer on one of the module's own types. Only the
// declaration itself is looked at: what is found by trying need not be proved.
func changesGlobal(d *ast.FuncDecl, p *packages.Package) bool {
	found := false
	global := func(e ast.Expr) *types.Var {
		for {
			switch x := e.(type) {
			case *ast.ParenExpr:
				e = x.X
				continue
			case *ast.IndexExpr:
				e = x.X
				continue
			case *ast.StarExpr:
				e = x.X
				continue
			case *ast.SelectorExpr:
				if p.TypesInfo.Selections[x] != nil {
					e = x.X
					continue
				}
				e = x.Sel
				continue
			case *ast.Ident:
				if v, ok := p.TypesInfo.Uses[x].(*types.Var); ok && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
					return v
				}
			}
			return nil
		}
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if n.Tok != token.DEFINE && global(l) != nil {
					found = true
				}
			}
		case *ast.IncDecStmt:
			if global(n.X) != nil {
				found = true
			}
		case *ast.CallExpr:
			s, ok := n.Fun.(*ast.SelectorExpr)
			if !ok || p.TypesInfo.Selections[s] == nil {
				return true
			}
			v := global(s.X)
			f, ok := p.TypesInfo.Selections[s].Obj().(*types.Func)
			if v == nil || !ok {
				return true
			}
			recv := f.Type().(*types.Signature).Recv()
			if _, pointer := recv.Type().(*types.Pointer); pointer && f.Pkg() != nil && sameModule(f.Pkg().Path(), p) && mutates(v) {
				found = true
			}
		}
		return !found
	})
	return found
}

func sameModule(path string, p *packages.Package) bool {
	return p.Module != nil && (path == p.Module.Path || strings.HasPrefix(path, p.Module.Path+"/"))
}

// mutates reports whether a variable's name does not promise a constant: exported
// variables and pointers to structs are what registries are made of.
func mutates(v *types.Var) bool {
	t := v.Type()
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	_, ok := t.Underlying().(*types.Struct)
	return ok
}
