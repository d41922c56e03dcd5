package surface

import (
	"go/types"
	"maps"
	"slices"
	"strings"
)

const (
	maxInner     = 160 // methods of what functions are given, see callbacks
	maxInnerArgs = 4
)

// callbacks registers methods of what functions that the package takes are given in turn: a
// handler answers by its framework's context, which may be of another module. They are called
// by such functions alone.
func (w *writer) callbacks() {
	given := map[string]types.Type{} // by their text
	for _, o := range w.api.ops {
		for _, list := range [][]types.Type{o.params, o.results} {
			for _, t := range list {
				w.givenTo(t, given, 0)
			}
		}
	}
	have := map[string]bool{}
	for _, o := range w.api.ops {
		have[o.Name] = true
	}
	count := 0
	for _, key := range slices.Sorted(maps.Keys(given)) {
		ms := types.NewMethodSet(given[key])
		for i := range ms.Len() {
			f, ok := ms.At(i).Obj().(*types.Func)
			sig := ms.At(i).Type().(*types.Signature)
			// The method of an error that an interface embeds is of no package.
			if !ok || f.Pkg() == nil || !f.Exported() || count == maxInner || have[f.FullName()] || !plainly(sig) || w.hides(sig) || hidden(w, sig.Results()) || untouchable(sig, f) != "" {
				continue
			}
			have[f.FullName()] = true
			count++
			w.line(len(w.api.ops), "isodeltaH.Func(isodeltaH.Operation{Name: %q, Expr: %q, Method: true, Exported: true, Inner: true, Hook: -1}, (%s).%s)",
				f.FullName(), f.Name(), types.TypeString(given[key], func(p *types.Package) string { return strings.TrimSuffix(w.qualify(p), ".") }), f.Name())
			w.api.ops = append(w.api.ops, Operation{Name: f.FullName(), Package: f.Pkg().Path(), Exported: true, hook: -1})
		}
	}
}

// givenTo collects what functions in a type are given: named interfaces and pointers to named
// structs that have methods. Those of the package itself are operations anyway.
func (w *writer) givenTo(t types.Type, out map[string]types.Type, depth int) {
	if depth > deepestCall {
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		w.givenTo(u.Elem(), out, depth+1)
	case *types.Signature:
		for v := range u.Results().Variables() {
			w.givenTo(v.Type(), out, depth+1)
		}
		for v := range u.Params().Variables() {
			w.givenTo(v.Type(), out, depth+1)
			t := v.Type()
			if p, ok := t.(*types.Pointer); ok {
				t = p.Elem()
			}
			n, ok := t.(*types.Named)
			if !ok || n.TypeArgs().Len() > 0 || n.Obj().Pkg() == nil || !n.Obj().Exported() || types.IsInterface(n) != (t == v.Type()) ||
				n.Obj().Pkg().Path() == w.api.Package && !types.IsInterface(n) || w.leavesAlone(n.Obj().Pkg().Path()) {
				continue
			}
			out[types.TypeString(v.Type(), nil)] = v.Type()
		}
	}
}

// plainly reports whether a method is given plain values only.
func plainly(sig *types.Signature) bool {
	if sig.Params().Len() > maxInnerArgs {
		return false
	}
	for v := range sig.Params().Variables() {
		t := v.Type().Underlying()
		if s, ok := t.(*types.Slice); ok {
			t = s.Elem().Underlying()
		}
		switch u := t.(type) {
		case *types.Basic:
		case *types.Interface:
			if u.NumMethods() > 0 {
				return false
			}
		default:
			return false
		}
	}
	return true
}
