package surface

import (
	"go/types"
	"maps"
	"slices"
)

// outsideLayouts registers the fields of structs of other modules that both versions have, where an upgrade adds, removes or
// moves some: of those types that operations are given or give, and of what is in these.
func (w *writer) outsideLayouts() {
	found := map[string]*types.Named{}
	seen := map[types.Type]bool{}
	for _, op := range w.api.ops {
		for _, t := range op.params {
			w.outsideStructs(t, seen, found)
		}
		for _, t := range op.results {
			w.outsideStructs(t, seen, found)
		}
	}
	if len(found) == 0 {
		return
	}
	base := linkedBy(w.base.pkg.Code.Types)
	for _, name := range slices.Sorted(maps.Keys(found)) {
		h := found[name].Obj()
		p := base[h.Pkg().Path()]
		if p == nil || w.leavesAlone(h.Pkg().Path()) {
			continue
		}
		if b, ok := p.Scope().Lookup(h.Name()).(*types.TypeName); ok && !b.IsAlias() {
			w.layout(b.Type(), h.Type(), w.qualify(h.Pkg())+h.Name())
		}
	}
}

// outsideStructs collects the struct types of other modules that a type is made of.
func (w *writer) outsideStructs(t types.Type, seen map[types.Type]bool, to map[string]*types.Named) {
	if t == nil || seen[t] {
		return
	}
	seen[t] = true
	switch x := types.Unalias(t).(type) {
	case *types.Named:
		o := x.Obj()
		if o.Pkg() != nil && !w.inModule(o.Pkg().Path()) && o.Exported() && x.TypeArgs().Len() == 0 {
			to[o.Pkg().Path()+"."+o.Name()] = x
		}
		w.outsideStructs(x.Underlying(), seen, to)
	case *types.Struct:
		for f := range x.Fields() {
			if f.Exported() {
				w.outsideStructs(f.Type(), seen, to)
			}
		}
	case *types.Map:
		w.outsideStructs(x.Key(), seen, to)
		w.outsideStructs(x.Elem(), seen, to)
	case interface{ Elem() types.Type }:
		w.outsideStructs(x.Elem(), seen, to)
	}
}

// linkedBy returns the packages that a package imports, directly or by way of others, by path.
func linkedBy(p *types.Package) map[string]*types.Package {
	out := map[string]*types.Package{}
	var visit func(p *types.Package)
	visit = func(p *types.Package) {
		if out[p.Path()] != nil {
			return
		}
		out[p.Path()] = p
		for _, i := range p.Imports() {
			visit(i)
		}
	}
	visit(p)
	return out
}
