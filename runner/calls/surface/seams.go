package surface

import (
	"go/types"
	"slices"

	"github.com/isodelta/isodelta/isomorph"
)

// maxSeams bounds the functions of dependencies that are called by themselves.
const maxSeams = 40

// seams registers functions of dependencies that lead to what differs there. What they show
// is no behaviour of this module; it says which values tell the versions apart.
func (w *writer) seams(list []isomorph.Seam) {
	count := 0
	for _, s := range list {
		head, base := w.head.pkg.Code.Imports[s.Package], w.base.pkg.Code.Imports[s.Package]
		if count == maxSeams || head == nil || base == nil || head.Types == nil || base.Types == nil || w.leavesAlone(s.Package) {
			continue
		}
		if s.Type == "" && slices.ContainsFunc(list, func(o isomorph.Seam) bool { return o.Package == s.Package && o.Type != "" && o.Name == s.Name }) {
			continue // the method, called on a value that the whole process shares
		}
		h, b := member(head.Types, s), member(base.Types, s)
		if h == nil || b == nil || signature(h) != signature(b) || w.seam(head.Types, s.Type, h) {
			continue
		}
		count++
	}
}

// member returns the function or method of a package that a seam is; nil without one.
func member(p *types.Package, s isomorph.Seam) *types.Func {
	if s.Type == "" {
		f, _ := p.Scope().Lookup(s.Name).(*types.Func)
		return f
	}
	t, ok := p.Scope().Lookup(s.Type).(*types.TypeName)
	if !ok {
		return nil
	}
	if n, ok := t.Type().(*types.Named); !ok || n.TypeParams().Len() > 0 || types.IsInterface(n) {
		return nil
	}
	o, _, _ := types.LookupFieldOrMethod(types.NewPointer(t.Type()), true, p, s.Name)
	f, _ := o.(*types.Func)
	return f
}

// seam registers one, and reports whether it is left out.
func (w *writer) seam(p *types.Package, named string, f *types.Func) (left bool) {
	sig := f.Signature()
	expr, whole := w.qualify(p)+f.Name(), types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
	if named != "" {
		recv := types.NewPointer(p.Scope().Lookup(named).Type())
		params := append([]*types.Var{types.NewVar(0, nil, "", recv)}, vars(sig.Params())...)
		whole = types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), sig.Results(), sig.Variadic())
		expr = "(*" + w.qualify(p) + named + ")." + f.Name()
	}
	if untouchable(whole, f) != "" || w.hides(whole) || hidden(w, sig.Results()) {
		return true
	}
	for i := range whole.Params().Len() {
		w.want(whole.Params().At(i).Type())
	}
	n := len(w.api.ops)
	w.foreign(f, whole, expr, f.Name(), named != "", "")
	if len(w.api.ops) > n {
		w.api.ops[n].Seam = true
	}
	return false
}
