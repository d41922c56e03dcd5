package surface

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"
)

// bindings tell which parameters always get one of the module's own tables. A parser of sizes, for example, gets one of two maps of
// units. Users of the module cannot pass another one.
type bindings struct {
	given   map[parameter]map[string]bool // package-level variables by path and name; "" for anything else
	callers map[string]map[string]bool    // the functions that call a function by name
	named   map[string]int                // how often a function is mentioned
	calls   map[string]int                // how often a mention is a call
	changed map[string]bool               // variables that code assigns to, or takes the address of
}

func newBindings() *bindings {
	return &bindings{given: map[parameter]map[string]bool{}, callers: map[string]map[string]bool{}, named: map[string]int{}, calls: map[string]int{}, changed: map[string]bool{}}
}

// Bound reports whether every call of an unexported function passes a package-level table as the kth argument, and nothing changes
// these tables. The receiver is the first argument of a method. callers are the full names of the calling functions.
func (u *Usage) Bound(f *types.Func, k int) (callers map[string]bool, bound bool) {
	name := f.Origin().FullName()
	given := u.bindings.given[parameter{name, k}]
	if f.Exported() || len(given) == 0 || u.bindings.named[name] != u.bindings.calls[name] {
		return nil, false
	}
	for v := range given {
		if v == "" || u.bindings.changed[v] {
			return nil, false
		}
	}
	return u.bindings.callers[name], true
}

// read collects the calls and the assignments in a package.
func (b *bindings) read(p *packages.Package) {
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			caller := ""
			if d, ok := d.(*ast.FuncDecl); ok {
				if f, ok := p.TypesInfo.Defs[d.Name].(*types.Func); ok {
					caller = f.FullName()
				}
			}
			ast.Inspect(d, func(n ast.Node) bool {
				b.node(p.TypesInfo, caller, n)
				return true
			})
		}
	}
}

func (b *bindings) node(info *types.Info, caller string, n ast.Node) {
	switch n := n.(type) {
	case *ast.Ident:
		if f, ok := info.Uses[n].(*types.Func); ok {
			b.named[f.Origin().FullName()]++
		}
	case *ast.CallExpr:
		b.call(info, caller, n)
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			for _, l := range n.Lhs {
				b.change(info, l)
			}
		}
	case *ast.IncDecStmt:
		b.change(info, n.X)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			b.change(info, n.X)
		}
	}
}

// call notes the arguments of a call.
func (b *bindings) call(info *types.Info, caller string, call *ast.CallExpr) {
	switch f := typeutil.Callee(info, call).(type) {
	case *types.Builtin:
		if (f.Name() == "delete" || f.Name() == "clear") && len(call.Args) > 0 {
			b.change(info, call.Args[0])
		}
	case *types.Func:
		name, first := f.Origin().FullName(), 0
		if f.Signature().Recv() != nil {
			first = 1
		}
		b.calls[name]++
		if b.callers[name] == nil {
			b.callers[name] = map[string]bool{}
		}
		b.callers[name][caller] = true
		for i, a := range call.Args {
			p := parameter{name, first + i}
			if b.given[p] == nil {
				b.given[p] = map[string]bool{}
			}
			b.given[p][table(info, a)] = true
		}
	}
}

// change notes an assignment to a variable or to a part of it.
func (b *bindings) change(info *types.Info, x ast.Expr) {
	for {
		switch e := ast.Unparen(x).(type) {
		case *ast.IndexExpr:
			x = e.X
		case *ast.SliceExpr:
			x = e.X
		case *ast.StarExpr:
			x = e.X
		default:
			if name := packageVariable(info, e); name != "" {
				b.changed[name] = true
			}
			return
		}
	}
}

// table returns the path and the name of a package-level variable that holds a map, a list or a function. It returns "" for other
// expressions.
func table(info *types.Info, x ast.Expr) string {
	t := info.TypeOf(x)
	if t == nil {
		return ""
	}
	switch t.Underlying().(type) {
	case *types.Map, *types.Slice, *types.Array, *types.Signature:
		return packageVariable(info, ast.Unparen(x))
	}
	return ""
}

// packageVariable returns the path and the name of a package-level variable. It returns "" for other expressions.
func packageVariable(info *types.Info, x ast.Expr) string {
	if s, ok := x.(*ast.SelectorExpr); ok {
		x = s.Sel
	}
	id, ok := x.(*ast.Ident)
	if !ok {
		return ""
	}
	v, ok := info.Uses[id].(*types.Var)
	if !ok || v.Pkg() == nil || v.Parent() != v.Pkg().Scope() {
		return ""
	}
	return v.Pkg().Path() + "." + v.Name()
}
