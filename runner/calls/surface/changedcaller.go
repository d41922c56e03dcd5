package surface

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/packages"

	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/version"
)

// MarkChangedCallers finds the unexported functions of the package that another changed function names, on either version:
// what they are asked for may have moved together with those that ask.
func (a *API) MarkChangedCallers(base, head *load.Tree, change Change) {
	for side, t := range []*load.Tree{base, head} {
		p := find(t, a.Package)
		if p == nil || p.Code == nil {
			continue
		}
		named := namedByOthers(t, p.Code, change.Functions[side])
		for i, op := range a.ops {
			if !op.Exported && op.Package == a.Package && named[op.At[version.Side(side)]] {
				a.ops[i].ChangedCaller = true
			}
		}
	}
}

// namedByOthers are the places of the functions of a tree that a changed function of a package names, but for itself.
func namedByOthers(t *load.Tree, p *packages.Package, changed map[load.Place]bool) map[load.Place]bool {
	out, declared := map[load.Place]bool{}, declarations(t)
	for _, file := range p.Syntax {
		for _, decl := range file.Decls {
			d, ok := decl.(*ast.FuncDecl)
			if !ok || !changed[t.Place(d.Pos())] {
				continue
			}
			for _, f := range namedIn(p.TypesInfo, d) {
				if o := declared[f.Origin().Pos()]; o != nil && o != d {
					out[t.Place(o.Pos())] = true
				}
			}
		}
	}
	return out
}

// namedIn returns the functions and methods that a declaration names.
func namedIn(info *types.Info, d *ast.FuncDecl) (out []*types.Func) {
	ast.Inspect(d, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if f, ok := info.Uses[id].(*types.Func); ok {
				out = append(out, f)
			}
		}
		return true
	})
	return out
}
