package surface

import (
	"go/types"
	"slices"
)

// maxPromoted bounds the types whose methods structs are made to promote.
const maxPromoted = 4

// promoted registers structs that embed a type whose exported methods the change adds or takes away,
// by value and by pointer: what the type gains, whoever embeds it gains, too, and an UnmarshalJSON
// then decodes nothing but the type.
func (w *writer) promoted() {
	base, head := w.base.pkg.Code.Types.Scope(), w.head.pkg.Code.Types.Scope()
	n := 0
	for _, name := range head.Names() {
		was, is := namedType(base.Lookup(name)), namedType(head.Lookup(name))
		if was == nil || is == nil || name == "Own" || n == maxPromoted || slices.Equal(methodNames(was), methodNames(is)) {
			continue
		}
		n++
		w.typ("struct{Own string; " + name + "}")
		w.typ("struct{Own string; *" + name + "}")
	}
}

// namedType is the exported type without parameters that an object declares and that a struct can embed
// with a pointer; nil for others.
func namedType(o types.Object) *types.Named {
	name, ok := o.(*types.TypeName)
	if !ok || name.IsAlias() || !name.Exported() {
		return nil
	}
	t, ok := name.Type().(*types.Named)
	if !ok || t.TypeParams().Len() > 0 {
		return nil
	}
	switch t.Underlying().(type) {
	case *types.Interface, *types.Pointer:
		return nil
	}
	return t
}

// methodNames are the exported methods that a pointer to a type has, and after them those that a value has.
func methodNames(t *types.Named) []string {
	var names []string
	for _, set := range []*types.MethodSet{types.NewMethodSet(types.NewPointer(t)), types.NewMethodSet(t)} {
		for m := range set.Methods() {
			if m.Obj().Exported() {
				names = append(names, m.Obj().Name())
			}
		}
		names = append(names, "")
	}
	return names
}
