package surface

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// maxMentioned bounds the errors of other modules that are registered.
const maxMentioned = 16

// mentioned registers the error variables of other modules and of the standard library that code of
// the package names on both versions, such as context.DeadlineExceeded: what is given to
// it can fail with them. Those of the module itself are registered by imported.
func (w *writer) mentioned() {
	base, head := w.errorsIn(w.base.pkg.Code), w.errorsIn(w.head.pkg.Code)
	count := 0
	for _, key := range slices.Sorted(maps.Keys(head)) {
		if base[key] != nil && count < maxMentioned {
			count++
			w.variable(head[key])
		}
	}
}

// errorsIn are the exported error variables of other modules that a package uses, by path and name.
func (w *writer) errorsIn(p *packages.Package) map[string]*types.Var {
	found := map[string]*types.Var{}
	for _, o := range p.TypesInfo.Uses {
		v, ok := o.(*types.Var)
		if !ok || v.Pkg() == nil || !v.Exported() || v.IsField() || v.Parent() != v.Pkg().Scope() || !types.Identical(v.Type(), types.Universe.Lookup("error").Type()) {
			continue
		}
		if path := v.Pkg().Path(); path != w.api.Package && !w.inModule(path) && !strings.Contains(path, "internal") {
			found[path+"."+v.Name()] = v
		}
	}
	return found
}
