package isomorph

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// deepestHanded bounds how far the fields of structs are followed.
const deepestHanded = 4

// handed writes the definitions of the structs that a function of a dependency takes and gives, and that it turns into interfaces. Whoever looks at
// one by reflection, as encoders do, sees its fields and their tags: with others the function gives something else, though its code
// is the same. Structs of the packages for which same is true are left out, as are those without tags, whose fields code names.
func (n *namer) handed(fn *ssa.Function, same func(path string) bool) string {
	found := map[string]string{}
	var visit func(t types.Type, depth int)
	visit = func(t types.Type, depth int) {
		if depth > deepestHanded {
			return
		}
		switch t := types.Unalias(t).(type) {
		case *types.Pointer:
			visit(t.Elem(), depth)
		case *types.Slice:
			visit(t.Elem(), depth)
		case *types.Array:
			visit(t.Elem(), depth)
		case *types.Map:
			visit(t.Elem(), depth)
		case *types.Named:
			fields, ok := t.Underlying().(*types.Struct)
			pkg := t.Obj().Pkg()
			if !ok || pkg == nil || same(pkg.Path()) {
				return
			}
			name := n.typ(t)
			if _, known := found[name]; known {
				return
			}
			found[name] = ""
			tags := false
			for i := range fields.NumFields() {
				tags = tags || fields.Tag(i) != ""
				visit(fields.Field(i).Type(), depth+1)
			}
			if tags {
				found[name] = n.typ(fields)
			}
		}
	}
	for _, list := range []*types.Tuple{fn.Signature.Params(), fn.Signature.Results()} {
		for v := range list.Variables() {
			visit(v.Type(), 0)
		}
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if made, ok := instr.(*ssa.MakeInterface); ok {
				visit(made.X.Type(), 0)
			}
		}
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if found[name] != "" {
			b.WriteString(name + " " + found[name] + "\n")
		}
	}
	return b.String()
}
