package surface

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/isodelta/isodelta/runner/calls/harness"
)

const (
	maxAsked    = 8 // interfaces of one package under test that values of any type are asked for, see asked
	maxPointers = 4 // of these, such that get a stub whose pointer alone has the methods
)

// asked registers what functions that take anything ask values for: errors, what package fmt
// prints by a method, what an encoder encodes by one, and the interfaces that code of the module
// asserts. Each gets a stub, so that the method can panic, and so that a nil pointer has it. Some
// get another stub, of which the pointer alone has the method: who looks at fields one by one
// has to take the address there. Both are the fields of structs.
func (w *writer) asked() {
	if !w.takesAnything() && !w.holdsAnything() {
		return
	}
	found := map[string]*types.Named{}
	note := func(t types.Type) {
		if n, ok := types.Unalias(t).(*types.Named); ok && w.stubbable(n) {
			found[types.TypeString(n, nil)] = n
		}
	}
	note(types.Universe.Lookup("error").Type())
	for _, p := range w.head.tree.Packages {
		if p.Code == nil || p.Path != w.api.Package && w.head.pkg.Code.Imports[p.Path] == nil {
			continue
		}
		for _, known := range [][2]string{{"fmt", "Stringer"}, {"encoding/json", "Marshaler"}, {"encoding", "TextMarshaler"}} {
			if i := p.Code.Imports[known[0]]; i != nil && i.Types != nil {
				if o := i.Types.Scope().Lookup(known[1]); o != nil {
					note(o.Type())
				}
			}
		}
		eachAsserted(p.Code, note)
	}
	keys := slices.Sorted(maps.Keys(found))
	pointers := 0
	for _, key := range keys[:min(len(keys), maxAsked)] {
		t := found[key]
		value := stubName(t)
		w.stub(t)
		w.line(-1, "isodeltaH.Asked((*%s)(nil))", value)
		if t.Obj().Pkg() == nil || pointers >= maxPointers || !w.takesAnything() {
			continue
		}
		pointers++
		pointer := harness.PointerStubName(t.Obj().Name())
		w.stubAs(t, pointer, "*")
		w.line(-1, "isodeltaH.Asked((*%s)(nil))", pointer)
		for _, kind := range []string{value, pointer, "*" + pointer, "[]" + pointer} {
			w.typ("struct{A " + kind + w.tag("a") + "}")
		}
	}
}

// eachAsserted calls do for the types that code of a package asserts or switches by.
func eachAsserted(p *packages.Package, do func(types.Type)) {
	one := func(e ast.Expr) {
		if t := p.TypesInfo.TypeOf(e); t != nil {
			do(t)
		}
	}
	for _, f := range p.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeAssertExpr:
				if n.Type != nil { // nil in the head of a switch
					one(n.Type)
				}
			case *ast.TypeSwitchStmt:
				for _, c := range n.Body.List {
					for _, e := range c.(*ast.CaseClause).List {
						one(e)
					}
				}
			}
			return true
		})
	}
}

// holdsAnything reports whether an operation takes a map or a slice of anything, or a pointer to one.
func (w *writer) holdsAnything() bool {
	for _, o := range w.api.ops {
		for _, t := range o.params {
			if p, ok := t.Underlying().(*types.Pointer); ok {
				t = p.Elem()
			}
			if e, ok := t.Underlying().(interface{ Elem() types.Type }); ok {
				if i, ok := e.Elem().Underlying().(*types.Interface); ok && i.Empty() {
					return true
				}
			}
		}
	}
	return false
}
