package isomorph

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// heldFunctions returns the functions that package-level variables of the units hold in interfaces from the start. A table of
// functions for templates is an example. Templates call these functions through package reflect, which no call graph sees.
func heldFunctions(prog *ssa.Program, units []unit) map[*ssa.Global][]*ssa.Function {
	held := map[*ssa.Global][]*ssa.Function{}
	for _, u := range units {
		for _, init := range u.info.InitOrder {
			for _, v := range init.Lhs {
				pkg := prog.Package(v.Pkg())
				if pkg == nil || !holdsInterfaces(v.Type()) {
					continue
				}
				global := pkg.Var(v.Name())
				ast.Inspect(init.Rhs, func(n ast.Node) bool {
					id, ok := n.(*ast.Ident)
					if !ok {
						return true
					}
					if f, ok := u.info.Uses[id].(*types.Func); ok && global != nil {
						if fn := prog.FuncValue(f); fn != nil {
							held[global] = append(held[global], fn)
						}
					}
					return true
				})
			}
		}
	}
	return held
}

// holdsInterfaces reports whether a type is a map or a list of interfaces.
func holdsInterfaces(t types.Type) bool {
	list, ok := t.Underlying().(interface{ Elem() types.Type })
	return ok && types.IsInterface(list.Elem())
}
