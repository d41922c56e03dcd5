package surface

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// parameter is one of a function, the receiver being the first of a method.
type parameter struct {
	function string
	k        int
}

// passedOn is how many calls away a parameter is looked after.
const passedOn = 3

// ProvidesFor reports whether a function is written for nil as its kth parameter, the receiver being
// the first of a method: it compares it with nil, or gives it to a function of the module that does.
func (u *Usage) ProvidesFor(f *types.Func, k int) bool {
	return u.looksAfter(parameter{f.Origin().FullName(), k}, passedOn)
}

func (u *Usage) looksAfter(p parameter, depth int) bool {
	if u.asks[p] {
		return true
	}
	if depth == 0 {
		return false
	}
	for _, to := range u.passes[p] {
		if u.looksAfter(to, depth-1) {
			return true
		}
	}
	return false
}

// provides notes which of its parameters a function compares with nil, and which it passes on.
func (u *Usage) provides(info *types.Info, decl *ast.FuncDecl) {
	f, ok := info.Defs[decl.Name].(*types.Func)
	if !ok || decl.Body == nil {
		return
	}
	numbers := map[types.Object]int{}
	if r := f.Signature().Recv(); r != nil {
		numbers[r] = 0
	}
	first := len(numbers)
	for i := range f.Signature().Params().Len() {
		numbers[f.Signature().Params().At(i)] = first + i
	}
	name := f.Origin().FullName()
	of := func(x ast.Expr) (parameter, bool) {
		id, ok := ast.Unparen(x).(*ast.Ident)
		if !ok {
			return parameter{}, false
		}
		k, ok := numbers[info.Uses[id]]
		return parameter{name, k}, ok
	}
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op != token.EQL && n.Op != token.NEQ {
				break
			}
			for _, pair := range [][2]ast.Expr{{n.X, n.Y}, {n.Y, n.X}} {
				if p, ok := of(pair[0]); ok && isNil(info, pair[1]) {
					u.asks[p] = true
				}
			}
		case *ast.CallExpr:
			u.passOn(info, n, of)
		}
		return true
	})
}

// passOn notes the parameters that a call hands to another function as they are.
func (u *Usage) passOn(info *types.Info, call *ast.CallExpr, of func(ast.Expr) (parameter, bool)) {
	callee, ok := typeutil.Callee(info, call).(*types.Func)
	if !ok {
		return
	}
	to := callee.Origin().FullName()
	first := 0
	if callee.Signature().Recv() != nil {
		first = 1
		if s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
			if p, ok := of(s.X); ok {
				u.passes[p] = append(u.passes[p], parameter{to, 0})
			}
		}
	}
	for i, a := range call.Args {
		if p, ok := of(a); ok {
			u.passes[p] = append(u.passes[p], parameter{to, first + i})
		}
	}
}
