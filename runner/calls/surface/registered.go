package surface

import (
	"go/ast"
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// registered takes in the texts under which functions are handed out: the key of a table, the other fields of an entry, the
// other arguments of a call. Who writes a template, a query or a command line calls them so.
func (c *collection) registered(p *packages.Package, functions map[types.Object]bool) {
	if len(functions) == 0 {
		return
	}
	for _, f := range p.Syntax {
		var path []ast.Node
		ast.Inspect(f, func(n ast.Node) bool {
			if n == nil {
				path = path[:len(path)-1]
				return true
			}
			path = append(path, n)
			if name, ok := n.(*ast.Ident); ok && functions[p.TypesInfo.Uses[name]] {
				for _, s := range handedOutAs(p, path) {
					c.addText(s)
				}
			}
			return true
		})
	}
}

// handedOutAs are the texts that stand beside the last node of a path, where it is a value and is not called.
func handedOutAs(p *packages.Package, path []ast.Node) []string {
	var out []string
	text := func(e ast.Expr) {
		if v := p.TypesInfo.Types[e].Value; v != nil && v.Kind() == constant.String {
			out = append(out, constant.StringVal(v))
		}
	}
	for i := len(path) - 2; i >= 0 && len(out) == 0; i-- {
		switch n := path[i].(type) {
		case *ast.CallExpr:
			if n.Fun == path[i+1] {
				return nil
			}
			for _, a := range n.Args {
				text(a)
			}
		case *ast.KeyValueExpr:
			text(n.Key)
		case *ast.CompositeLit:
			for _, e := range n.Elts {
				if field, ok := e.(*ast.KeyValueExpr); ok {
					e = field.Value
				}
				text(e)
			}
		case *ast.SelectorExpr, *ast.UnaryExpr, *ast.ParenExpr:
		default:
			return nil
		}
	}
	return out
}
