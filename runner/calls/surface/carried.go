package surface

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/isodelta/isodelta/runner/load"
)

// carried names the methods, as in Δ, of the module's types that a declaration makes values
// of by composite literals, and does not give by that type. What gets such a value, as an
// interface most often, calls them where no call is seen: middleware hands on a writer of its
// own.
func (w *writer) carried(d *ast.FuncDecl, sig *types.Signature, in *load.Package, tree *load.Tree) []string {
	if d == nil || d.Body == nil || in == nil || in.Code == nil || in.Code.TypesInfo == nil {
		return nil
	}
	given := map[string]bool{}
	for v := range sig.Results().Variables() {
		given[strings.TrimPrefix(types.TypeString(v.Type(), nil), "*")] = true
	}
	var out []string
	ast.Inspect(d.Body, func(n ast.Node) bool {
		l, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		named, ok := types.Unalias(in.Code.TypesInfo.TypeOf(l)).(*types.Named)
		if !ok || named.Obj().Pkg() == nil || !w.inModule(named.Obj().Pkg().Path()) || given[types.TypeString(named, nil)] {
			return true
		}
		for m := range named.Origin().Methods() {
			out = append(out, tree.Short(m.FullName()))
		}
		return true
	})
	return out
}
