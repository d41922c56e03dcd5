package surface

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/isodelta/isodelta/runner/load"
)

// Usage is what the code of a module, its tests included, gives to functions by name.
type Usage struct {
	called map[string]bool         // functions by their full name
	nils   map[string]map[int]bool // which arguments are nil in a call, the receiver first
	asks   map[parameter]bool      // those that a function compares with nil
	passes map[parameter][]parameter
	empty  map[string]bool // struct types of which somebody makes an empty value
	filled map[string]bool // struct types of which somebody makes a value with an unexported field

	settings map[string]*settings // of struct types, see AlwaysSets
	bindings *bindings            // see Bound
}

// NewUsage reads all calls of some trees.
func NewUsage(trees ...*load.Tree) *Usage {
	u := &Usage{called: map[string]bool{}, nils: map[string]map[int]bool{}, asks: map[parameter]bool{}, passes: map[parameter][]parameter{}, empty: map[string]bool{}, filled: map[string]bool{},
		settings: map[string]*settings{}, bindings: newBindings()}
	for _, t := range trees {
		for _, p := range t.Packages {
			for _, v := range p.Variants() {
				u.read(v)
			}
		}
	}
	return u
}

// Nil reports whether a call gives nil as the kth argument of a function, the receiver
// being the first of a method; called reports whether anything calls it by name.
func (u *Usage) Nil(f *types.Func, k int) (given, called bool) {
	name := f.Origin().FullName()
	return u.nils[name][k], u.called[name]
}

// MissesNil reports whether nil of a type is a value that is missing. Nil slices and maps
// are empty ones, and a nil error and nothing in an empty interface are values like others.
func MissesNil(t types.Type) bool {
	if t == nil {
		return false
	}
	switch under := t.Underlying().(type) {
	case *types.Pointer, *types.Signature, *types.Chan:
		return true
	case *types.Interface:
		return !under.Empty() && !types.Identical(t, types.Universe.Lookup("error").Type())
	}
	return false
}

// LeavesEmpty reports whether a struct of a type, named as package reflect does, is made
// somewhere with nothing in it.
func (u *Usage) LeavesEmpty(name string) bool { return u.empty[name] }

// FillsHidden reports whether a struct of a type, named as package reflect does, is made somewhere with
// a field that others cannot set.
func (u *Usage) FillsHidden(name string) bool { return u.filled[name] }

func (u *Usage) read(p *packages.Package) {
	if p.TypesInfo == nil {
		return
	}
	u.bindings.read(p)
	for _, f := range p.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				u.provides(p.TypesInfo, n)
			case *ast.CallExpr:
				u.call(p.TypesInfo, n)
			case *ast.CompositeLit:
				if len(n.Elts) == 0 {
					u.makes(p.TypesInfo.TypeOf(n))
				}
				u.fills(p.TypesInfo, n)
				u.set(p.TypesInfo, n)
			case *ast.ValueSpec:
				if n.Type != nil && len(n.Values) == 0 {
					u.makes(p.TypesInfo.TypeOf(n.Type))
				}
			}
			return true
		})
	}
}

func (u *Usage) call(info *types.Info, call *ast.CallExpr) {
	if b, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && len(call.Args) == 1 && info.Uses[b] == types.Universe.Lookup("new") {
		u.makes(info.TypeOf(call.Args[0]))
		return
	}
	f, ok := typeutil.Callee(info, call).(*types.Func)
	if !ok {
		return
	}
	name := f.Origin().FullName()
	u.called[name] = true
	first := 0
	if f.Signature().Recv() != nil {
		first = 1
	}
	for i, a := range call.Args {
		if isNil(info, a) {
			if u.nils[name] == nil {
				u.nils[name] = map[int]bool{}
			}
			u.nils[name][first+i] = true
		}
	}
}

// isNil reports whether an expression is nil, or nil converted to a type.
func isNil(info *types.Info, x ast.Expr) bool {
	x = ast.Unparen(x)
	if call, ok := x.(*ast.CallExpr); ok && len(call.Args) == 1 && info.Types[call.Fun].IsType() {
		return isNil(info, call.Args[0])
	}
	return info.Types[x].IsNil()
}

func (u *Usage) makes(t types.Type) {
	if t == nil {
		return
	}
	if _, ok := t.Underlying().(*types.Struct); ok {
		u.empty[ReflectName(t)] = true
	}
}

// fills notes a struct that is made with an unexported field.
func (u *Usage) fills(info *types.Info, x *ast.CompositeLit) {
	t := info.TypeOf(x)
	if t == nil {
		return
	}
	fields, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i, e := range x.Elts {
		field := i < fields.NumFields() && !fields.Field(i).Exported()
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			name, isName := kv.Key.(*ast.Ident)
			field = isName && !name.IsExported()
		}
		if field {
			u.filled[ReflectName(t)] = true
		}
	}
}

// ReflectName is the name that package reflect gives to a type.
func ReflectName(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

// Parameter is the type of the kth thing that an operation is given, the receiver being
// the first of a method; nil where there is none.
func (o Operation) Parameter(k int) types.Type {
	if k < 0 || k >= len(o.params) {
		return nil
	}
	return o.params[k]
}

// Makes reports whether an operation is a function, and no method, that gives values of a
// type, or pointers to them; the type is named as package reflect does.
func (o Operation) Makes(name string) bool {
	if o.Function == nil || o.IsMethod() {
		return false
	}
	for _, t := range o.results {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		if ReflectName(t) == name {
			return true
		}
	}
	return false
}

// givesError reports whether the only result of a function is an error.
func givesError(sig *types.Signature) bool {
	return sig.Results().Len() == 1 && types.Identical(sig.Results().At(0).Type(), types.Universe.Lookup("error").Type())
}
