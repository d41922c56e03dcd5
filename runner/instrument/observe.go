package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// maxResults is the arity of the largest observer.
const maxResults = 6

// observer finds the expressions of one declaration that its author looks at.
// Nodes are met from the outside in; stack holds the way to the current one.
type observer struct {
	*testPackage
	f       *file
	test    string
	wrapped map[ast.Expr]bool // done, or not to be done
	stack   []ast.Node
}

func (w *testPackage) observe(f *file, d ast.Node, test string) {
	o := &observer{testPackage: w, f: f, test: test, wrapped: map[ast.Expr]bool{}}
	ast.Inspect(d, func(n ast.Node) bool {
		if n == nil {
			o.stack = o.stack[:len(o.stack)-1]
			return true
		}
		o.visit(n)
		o.stack = append(o.stack, n)
		return true
	})
}

func (o *observer) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.DeferStmt:
		o.wrapped[n.Call] = true // must stay a call of its own
	case *ast.GoStmt:
		o.wrapped[n.Call] = true
	case *ast.BinaryExpr:
		if comparison(n) && !o.countsLoop(n) {
			o.operand(n.X, n, n.Y)
			o.operand(n.Y, n)
		}
	case *ast.CallExpr:
		o.call(n)
		o.calledAbroad(n)
		if o.judges(n) {
			for i, a := range n.Args {
				o.operand(a, n, n.Args[i+1:]...)
			}
		}
	}
}

// countsLoop reports whether the condition of a loop compares the loop's own
// variable: it says nothing about the code under test.
func (o *observer) countsLoop(b *ast.BinaryExpr) bool {
	loop, ok := o.stack[len(o.stack)-1].(*ast.ForStmt)
	if !ok || loop.Cond != b || loop.Init == nil {
		return false
	}
	init, ok := loop.Init.(*ast.AssignStmt)
	if !ok {
		return false
	}
	for _, l := range init.Lhs {
		id, ok := l.(*ast.Ident)
		if !ok {
			continue
		}
		for _, side := range []ast.Expr{b.X, b.Y} {
			if u, ok := ast.Unparen(side).(*ast.Ident); ok && u.Name == id.Name {
				return true
			}
		}
	}
	return false
}

// call wraps a call into the module under test.
func (o *observer) call(n *ast.CallExpr) {
	if o.wrapped[n] {
		return
	}
	fn := o.callee(n)
	if fn == nil || !o.underTest(fn) {
		return
	}
	results := o.results(n)
	if results == nil || len(results) > maxResults {
		return
	}
	for _, t := range results {
		if testingType(t) != "" || unobservable(t) {
			return
		}
	}
	id := o.wrap(n, len(results))
	for i, a := range n.Args {
		o.argument(id, n, a, n.Args[i+1:])
	}
}

// maxArgs bounds the arguments of a call that are told.
const maxArgs = 4

// argument has an argument told that says which row of a table a call is about. A site has
// a number.
func (o *observer) argument(site int, call *ast.CallExpr, e ast.Expr, after []ast.Expr) {
	args := &o.suite.Sites[site].Args
	tv, ok := o.info.Types[e]
	if !ok || len(*args) == maxArgs || o.wrapped[e] || !variable(e) || !tv.IsValue() || tv.Value != nil || !tellable(tv.Type) || o.changedLater(e, call, after) {
		return
	}
	o.wrapped[e] = true
	o.f.edits.open(o.f.offset(e.Pos()), fmt.Sprintf("%s.G(%d, %d, ", o.names.probe, site, len(*args)))
	o.f.edits.close(o.f.offset(e.End()), ")")
	*args = append(*args, o.f.text(e))
}

// variable reports whether an expression is a variable, or a field of one.
func variable(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return variable(e.X)
	}
	return false
}

// tellable reports whether a value of a type reads as what somebody wrote: a number, a text
// or a truth, a list of them, or bytes.
func tellable(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsConstType != 0 && u.Info()&types.IsUntyped == 0
	case *types.Slice:
		return tellable(u.Elem())
	}
	return false
}

// results returns the types of a call's results, nil without one.
func (o *observer) results(n *ast.CallExpr) []types.Type {
	tv, ok := o.info.Types[n]
	if !ok || tv.Type == nil || tv.IsVoid() {
		return nil
	}
	tuple, ok := tv.Type.(*types.Tuple)
	if !ok {
		return []types.Type{tv.Type}
	}
	var out []types.Type
	for i := range tuple.Len() {
		out = append(out, tuple.At(i).Type())
	}
	return out
}

// underTest reports whether the module declares a function or method, in a file
// that is no test.
func (o *observer) underTest(fn *types.Func) bool {
	fn = fn.Origin()
	return fn.Pkg() != nil && o.inModule(fn.Pkg().Path()) && !o.inTestFile(fn)
}

func (o *testPackage) inModule(pkg string) bool {
	rest, ok := strings.CutPrefix(pkg, o.tree.Module)
	return ok && (rest == "" || rest[0] == '/')
}

func (o *testPackage) inTestFile(obj types.Object) bool {
	tok := o.tree.Fset.File(obj.Pos())
	return tok != nil && isTestFile(tok.Name())
}

// quiet are packages whose functions do not judge values, or whose arguments
// are at work on another goroutine while they are looked at.
var quiet = []string{
	"testing", "fmt", "log", "sync", "time", "context", "os/exec", "os/signal",
	"syscall", "runtime", "unsafe", "net", "golang.org/x/sync",
}

// judges reports whether a call looks at its arguments: that of a function
// outside the module, or of one of the module that is given a testing type.
func (o *observer) judges(n *ast.CallExpr) bool {
	fn := o.callee(n)
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	pkg := fn.Pkg().Path()
	if o.inModule(pkg) {
		return !o.inTestFile(fn) && takesTest(fn.Signature())
	}
	for _, q := range quiet {
		if pkg == q || strings.HasPrefix(pkg, q+"/") {
			return false
		}
	}
	return fn.FullName() != "os.Exit" && fn.FullName() != "os.StartProcess" &&
		!strings.HasPrefix(fn.FullName(), "(*os.Process)")
}

func takesTest(s *types.Signature) bool {
	for i := range s.Params().Len() {
		if testingType(s.Params().At(i).Type()) != "" {
			return true
		}
	}
	return false
}

// operand wraps an operand of a comparison or an argument. What comes after
// it in the same list is given, since it may change what is read here.
func (o *observer) operand(e ast.Expr, parent ast.Node, after ...ast.Expr) {
	e = ast.Unparen(e)
	if o.wrapped[e] {
		return
	}
	switch x := e.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr, *ast.TypeAssertExpr:
	case *ast.CallExpr:
		if o.contextTyped(x) {
			return
		}
	default:
		return
	}
	tv, ok := o.info.Types[e]
	if !ok || !tv.IsValue() || tv.Value != nil || tv.IsNil() {
		return
	}
	if b, ok := tv.Type.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
		return
	}
	if _, ok := tv.Type.(*types.Tuple); ok {
		return
	}
	if testingType(tv.Type) != "" || unobservable(tv.Type) {
		return
	}
	if _, ok := tv.Type.Underlying().(*types.Signature); ok {
		return
	}
	if !o.calls(e) && o.changedLater(e, parent, after) {
		return
	}
	o.wrap(e, 1)
}

// contextTyped reports whether a builtin's result may take its type from the
// context, or is constant or not depending on the argument.
func (o *observer) contextTyped(call *ast.CallExpr) bool {
	fun := ast.Unparen(call.Fun)
	if s, ok := fun.(*ast.SelectorExpr); ok {
		fun = s.Sel
	}
	id, ok := fun.(*ast.Ident)
	if !ok {
		return false
	}
	b, ok := o.info.Uses[id].(*types.Builtin)
	return ok && b.Name() != "len" && b.Name() != "cap"
}

// calls reports whether a call is one of a function, as against a conversion or
// a builtin.
func (o *observer) calls(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	tv := o.info.Types[call.Fun]
	return !tv.IsType() && !tv.IsBuiltin()
}

// changedLater reports whether a function is called, or a channel received from,
// after e in the same evaluation. The compiler reads plain operands after such
// calls; wrapped in a call itself, an operand would be read before them, and see
// another value where the function changes it.
func (o *observer) changedLater(e ast.Expr, parent ast.Node, after []ast.Expr) bool {
	for _, a := range after {
		if o.acts(a) {
			return true
		}
	}
	inner := parent
	for i := len(o.stack) - 1; i >= 0; i-- {
		switch p := o.stack[i].(type) {
		case *ast.BinaryExpr:
			if logical(p.Op) {
				return false
			}
		case *ast.IfStmt, *ast.ForStmt, *ast.SwitchStmt, *ast.RangeStmt, *ast.CaseClause,
			*ast.BlockStmt, *ast.FuncLit, *ast.FuncDecl, *ast.CommClause, *ast.TypeSwitchStmt:
			return false
		}
		if o.actsAfter(o.stack[i], inner) {
			return true
		}
		inner = o.stack[i]
	}
	return false
}

// actsAfter reports whether something that acts follows inner within outer.
func (o *observer) actsAfter(outer, inner ast.Node) bool {
	found := false
	ast.Inspect(outer, func(n ast.Node) bool {
		if n == nil || found || n == inner {
			return false
		}
		if n.End() <= inner.Pos() {
			return false
		}
		if e, ok := n.(ast.Expr); ok && n.Pos() >= inner.End() {
			found = o.acts(e)
			return false
		}
		return true
	})
	return found
}

func (o *observer) acts(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			found = found || o.calls(n)
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

// wrap has the values of an expression observed, and returns the number of the site.
func (o *observer) wrap(e ast.Expr, results int) int {
	o.wrapped[e] = true
	site := o.site(o.f, e.Pos(), o.f.text(e), o.test)
	id := strconv.Itoa(site)
	o.suite.NeedsLang = o.suite.NeedsLang || o.old
	open, close := o.names.probe+".O1("+id+", ", ")"
	if results > 1 {
		open, close = o.names.probe+".O"+strconv.Itoa(results)+"(", ")("+id+")"
	}
	o.f.edits.open(o.f.offset(e.Pos()), open)
	o.f.edits.close(o.f.offset(e.End()), close)
	return site
}

// unobservable reports whether values of a type must not be copied or read while
// others use them: those that hold locks.
func unobservable(t types.Type) bool { return holdsLock(t, map[types.Type]bool{}) }

func holdsLock(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch u := types.Unalias(t).(type) {
	case *types.Named:
		if pkg := u.Obj().Pkg(); pkg != nil && (pkg.Path() == "sync" || pkg.Path() == "sync/atomic") {
			_, isInterface := u.Underlying().(*types.Interface)
			return !isInterface
		}
		return holdsLock(u.Underlying(), seen)
	case *types.Struct:
		for i := range u.NumFields() {
			if holdsLock(u.Field(i).Type(), seen) {
				return true
			}
		}
	case *types.Array:
		return holdsLock(u.Elem(), seen)
	case *types.Tuple:
		for i := range u.Len() {
			if holdsLock(u.At(i).Type(), seen) {
				return true
			}
		}
	}
	return false
}
