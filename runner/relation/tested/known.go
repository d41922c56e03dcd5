package tested

import (
	"go/ast"
	"go/types"

	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/relation"
)

// known are the functions that the code of the package under test declares. Tests are
// type-checked with other objects for the same functions, so these go by their names.
type known struct {
	path  string
	code  *types.Package
	tree  *load.Tree
	funcs map[string]*types.Func
	plain map[*types.Func]*function // those without type arguments, as they are called
}

func newKnown(t *load.Tree, p *load.Package) *known {
	k := &known{path: p.Path, code: p.Code.Types, tree: t, funcs: map[string]*types.Func{}, plain: map[*types.Func]*function{}}
	scope := k.code.Scope()
	for _, name := range scope.Names() {
		switch o := scope.Lookup(name).(type) {
		case *types.Func:
			k.funcs[o.FullName()] = o
		case *types.TypeName:
			if n, ok := o.Type().(*types.Named); ok && !o.IsAlias() && !types.IsInterface(n) {
				for m := range n.Methods() {
					k.funcs[m.FullName()] = m
				}
			}
		}
	}
	return k
}

// callee finds the function that a call is of, nil if it is none of the package under
// test. recv is the expression of a method's receiver.
func (k *known) callee(info *types.Info, call *ast.CallExpr) (f *function, recv ast.Expr) {
	fun := ast.Unparen(call.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	var name *ast.Ident
	switch x := fun.(type) {
	case *ast.Ident:
		name = x
	case *ast.SelectorExpr:
		name = x.Sel
		if s := info.Selections[x]; s != nil {
			// A method of an embedded field is called on another value than is written.
			if s.Kind() != types.MethodVal || len(s.Index()) != 1 {
				return nil, nil
			}
			recv = x.X
		}
	default:
		return nil, nil
	}
	fn, ok := info.Uses[name].(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg().Path() != k.path {
		return nil, nil
	}
	code := k.funcs[fn.Origin().FullName()]
	if code == nil {
		return nil, nil
	}
	var args []types.Type
	if recv != nil {
		args = typeArguments(info.TypeOf(recv))
	} else if inst, ok := info.Instances[name]; ok {
		for a := range inst.TypeArgs.Types() {
			args = append(args, a)
		}
	}
	for _, a := range args {
		if _, basic := a.(*types.Basic); !basic {
			return nil, nil // it is another type in the code
		}
	}
	if f := k.plain[code]; f != nil && len(args) == 0 {
		return f, recv
	}
	s := relation.NewSubject(code, k.tree.Short(code.FullName()), args)
	if s == nil || !s.Writable() {
		return nil, nil
	}
	f = &function{s}
	if len(args) == 0 {
		k.plain[code] = f
	}
	return f, recv
}

func typeArguments(t types.Type) []types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	var out []types.Type
	if n, ok := types.Unalias(t).(*types.Named); ok {
		for a := range n.TypeArgs().Types() {
			out = append(out, a)
		}
	}
	return out
}

// declares returns the code's object for one that a test uses, nil if it has none.
func (k *known) declares(o types.Object) types.Object {
	if o == nil || o.Pkg() == nil || o.Pkg().Path() != k.path || o.Parent() != o.Pkg().Scope() {
		return nil
	}
	return k.code.Scope().Lookup(o.Name())
}
