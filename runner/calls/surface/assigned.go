package surface

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/isodelta/isodelta/runner/calls/harness"
)

// maxAssigned bounds the variables that are set, of one package under test.
const maxAssigned = 24

// assigned registers the variables of the package that its users set: exported ones, and those that flags of the command line
// are kept in, or lead to. They are of plain types, alike on both versions, read by the package's functions, and written by none.
func (w *writer) assigned() {
	p := w.head.pkg.Code
	read, written := variablesOf(p)
	flags := flagsOf(p)
	n := 0
	for _, name := range p.Types.Scope().Names() {
		h, ok := p.Types.Scope().Lookup(name).(*types.Var)
		b, both := w.base.pkg.Code.Types.Scope().Lookup(name).(*types.Var)
		if !ok || !both || !read[h] || written[h] || signature(b) != signature(h) || n == maxAssigned {
			continue
		}
		t, pointer := h.Type(), "&"+name
		expr := name
		if p, ok := t.(*types.Pointer); ok && flags[h] {
			t, pointer, expr = p.Elem(), name, "*"+name
		}
		if basic, ok := t.Underlying().(*types.Basic); !ok || basic.Info()&types.IsConstType == 0 || !flags[h] && (!h.Exported() || isCommand(p.Types)) {
			continue
		}
		n++
		w.assign(w.head.tree.Short(w.api.Package+"."+name)+" =", w.api.Package, expr, pointer)
	}
	w.assignedFields(maxAssigned - n)
}

// flagPackages are those by which commands declare their flags.
var flagPackages = []string{"flag", "github.com/spf13/pflag", "github.com/alecthomas/kingpin", "github.com/alecthomas/kingpin/v2", "gopkg.in/alecthomas/kingpin.v2"}

// flagsOf returns the package-level variables that flags are kept in: those that begin with what a function of such a package
// gives, and those whose address is given to one.
func flagsOf(p *packages.Package) map[types.Object]bool {
	flags := map[types.Object]bool{}
	declares := func(e ast.Expr) bool {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok {
			return false
		}
		f, ok := typeutil.Callee(p.TypesInfo, call).(*types.Func)
		return ok && f.Pkg() != nil && slices.Contains(flagPackages, f.Pkg().Path())
	}
	for _, file := range p.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				for i, e := range n.Values {
					if i < len(n.Names) && len(n.Names) == len(n.Values) && declares(e) {
						flags[p.TypesInfo.Defs[n.Names[i]]] = true
					}
				}
			case *ast.CallExpr:
				if !declares(n) {
					return true
				}
				for _, a := range n.Args {
					if x, ok := ast.Unparen(a).(*ast.UnaryExpr); ok && x.Op == token.AND {
						if id, ok := ast.Unparen(x.X).(*ast.Ident); ok {
							flags[p.TypesInfo.Uses[id]] = true
						}
					}
				}
			}
			return true
		})
	}
	return flags
}

// assign registers an assignment to a variable of a package, or to what it leads to.
func (w *writer) assign(op, pkg, variable, pointer string) {
	w.line(len(w.api.ops), "isodeltaH.Assign(isodeltaH.Operation{Name: %q, Expr: %q, Package: %q, Exported: true, Hook: -1}, %s)", op, variable, pkg, pointer)
	w.api.ops = append(w.api.ops, Operation{Name: op, Package: pkg, Exported: true, OfTest: true, hook: -1})
}

// input registers the standard input, where the package or one of the module that it imports reads it.
func (w *writer) input() {
	for _, p := range w.head.tree.Packages {
		if p.Code == nil || p.Path != w.api.Package && w.head.pkg.Code.Imports[p.Path] == nil {
			continue
		}
		for _, o := range p.Code.TypesInfo.Uses {
			if readsInput(o) {
				w.surrounding(harness.GivenInput, "os", harness.GivenInput, "Input")
				return
			}
		}
	}
}

// readsInput reports whether code that names an object may read the standard input.
func readsInput(o types.Object) bool {
	if o.Pkg() == nil {
		return false
	}
	return o.Pkg().Path() == "os" && o.Name() == "Stdin" || slices.Contains(inputMethods, o.Name()) && o.Pkg().Path() == "github.com/spf13/cobra"
}

// inputMethods are those of a command that give its input, which is the standard one if nobody sets another.
var inputMethods = []string{"InOrStdin"}

// variablesOf returns the variables of a package that its functions read, and those that they write or take the address of. What init
// functions write are first values.
func variablesOf(p *packages.Package) (read, written map[*types.Var]bool) {
	read, written = map[*types.Var]bool{}, map[*types.Var]bool{}
	named := func(e ast.Expr) *types.Var {
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok {
			return nil
		}
		v, ok := p.TypesInfo.Uses[id].(*types.Var)
		if !ok || v.Parent() != p.Types.Scope() {
			return nil
		}
		return v
	}
	eachNode(p, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				written[named(e)] = true
			}
		case *ast.IncDecStmt:
			written[named(n.X)] = true
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				written[named(n.X)] = true
			}
		case *ast.Ident:
			read[named(n)] = true
		}
	})
	return read, written
}

// eachNode calls visit for all that a package's functions are made of, but for init functions: what these write are first values.
func eachNode(p *packages.Package, visit func(ast.Node)) {
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil && f.Name.Name == "init" {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				visit(n)
				return true
			})
		}
	}
}
