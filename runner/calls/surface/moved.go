package surface

import (
	"go/ast"
	"go/types"

	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/version"
)

// MarkMoved finds the unexported functions of the package that another changed function names, on either version: what
// they are asked for may have moved together with those that ask.
func (a *API) MarkMoved(base, head *load.Tree, change Change) {
	for side, t := range []*load.Tree{base, head} {
		p := find(t, a.Package)
		if p == nil || p.Code == nil {
			continue
		}
		named, declared := map[load.Place]bool{}, declarations(t)
		for _, file := range p.Code.Syntax {
			for _, decl := range file.Decls {
				if d, ok := decl.(*ast.FuncDecl); ok && change.Functions[side][t.Place(d.Pos())] {
					for _, other := range namedIn(p.Code.TypesInfo, d) {
						if o := declared[other.Origin().Pos()]; o != nil && o != d {
							named[t.Place(o.Pos())] = true
						}
					}
				}
			}
		}
		for i, op := range a.ops {
			if !op.Exported && op.Package == a.Package && named[op.At[version.Side(side)]] {
				a.ops[i].Moved = true
			}
		}
	}
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
