package tested

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/runner/relation/goexpr"
)

// methods are those of testing.T that its stand-in in package harness has.
var methods = []string{"Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow", "Failed", "Helper", "Log", "Logf", "Run", "Skip", "Skipf", "SkipNow", "Skipped", "Cleanup"}

// portable returns an error for a body that cannot run elsewhere: one that uses what only
// the tests declare, or of its *testing.T more than the stand-in has.
func (f *finder) portable(lit *ast.FuncLit) (err error) {
	fail := func(format string, args ...any) bool {
		if err == nil {
			err = fmt.Errorf(format, args...)
		}
		return false
	}
	selects := map[*ast.Ident]string{}
	ast.Inspect(lit, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt, *ast.SelectStmt, *ast.SendStmt, *ast.ChanType:
			return fail("it starts goroutines or uses channels")
		case *ast.RangeStmt:
			if _, is := f.info.TypeOf(n.X).Underlying().(*types.Basic); is && !isText(f.info.TypeOf(n.X)) {
				return fail("it ranges over a number, which files for older versions of Go do not know")
			}
			if _, is := f.info.TypeOf(n.X).Underlying().(*types.Signature); is {
				return fail("it ranges over a function, which files for older versions of Go do not know")
			}
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok {
				selects[id] = n.Sel.Name
			}
		case *ast.Ident:
			return f.movable(n, lit, selects[n], fail)
		}
		return true
	})
	return err
}

// movable reports whether a name of a body means the same where the package's code stands;
// what is selected of it, "" for nothing, counts, too.
func (f *finder) movable(id *ast.Ident, lit *ast.FuncLit, what string, fail func(string, ...any) bool) bool {
	o := f.info.Uses[id]
	if o == nil {
		if d := f.info.Defs[id]; d != nil && !isField(d) && f.code.Scope().Lookup(id.Name) != nil {
			return fail("it declares %s, as the package does", id.Name)
		}
		return true
	}
	if p, ok := o.(*types.PkgName); ok {
		switch imported := p.Imported().Path(); {
		case imported == "testing" && what != "T":
			return fail("it uses testing.%s", what)
		case imported != f.path && strings.Contains(strings.Split(imported, "/")[0], "."), imported == "unsafe":
			return fail("it uses package %s", imported)
		}
		return true
	}
	local := o.Pos() >= lit.Pos() && o.Pos() < lit.End()
	switch {
	case o.Pkg() == nil || isField(o):
	case isTesting(o.Type()) && local:
		if _, isVar := o.(*types.Var); isVar && !slices.Contains(methods, what) {
			if what == "" {
				return fail("it hands its *testing.T on")
			}
			return fail("it uses %s.%s", id.Name, what)
		}
	case local:
	case o.Parent() == nil: // a method
		if strings.TrimSuffix(o.Pkg().Path(), "_test") == f.path && !f.hasMethod(o) {
			return fail("it uses %s, which the tests declare", id.Name)
		}
	case o.Parent() == o.Pkg().Scope():
		if _, ok := f.inline(o); ok {
			return true
		}
		if (o.Pkg().Path() == f.path || strings.TrimSuffix(o.Pkg().Path(), "_test") == f.path) && (f.declares(o) == nil || strings.HasSuffix(o.Pkg().Path(), "_test")) {
			return fail("it uses %s, which the tests declare", id.Name)
		}
	default:
		return fail("it uses %s of the test around it", id.Name)
	}
	return true
}

// inline writes the value of a constant that only the tests declare; false for all else.
func (f *finder) inline(o types.Object) (string, bool) {
	c, ok := o.(*types.Const)
	if !ok || o.Pkg() == nil || f.declares(o) != nil || strings.TrimSuffix(o.Pkg().Path(), "_test") != f.path {
		return "", false
	}
	text := constantText(c.Val())
	b, ok := c.Type().(*types.Basic)
	if !ok || text == "" {
		return "", false
	}
	if b.Info()&types.IsUntyped == 0 {
		text = goexpr.Convert(b.Name(), text)
	}
	return text, true
}

func isField(o types.Object) bool {
	v, ok := o.(*types.Var)
	return ok && v.IsField()
}

// hasMethod reports whether the code declares a method that a test calls.
func (f *finder) hasMethod(o types.Object) bool {
	fn, ok := o.(*types.Func)
	if !ok {
		return false
	}
	if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		return true
	}
	return f.funcs[fn.Origin().FullName()] != nil
}
