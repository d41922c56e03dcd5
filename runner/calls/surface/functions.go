package surface

import (
	"fmt"
	"go/types"
	"iter"
	"strings"
)

const (
	// deepestCall bounds how often what a call gives is called in turn.
	deepestCall = 3
	// maxFunctionTypes bounds the types of functions that are called.
	maxFunctionTypes = 24
)

// functions registers calls of the functions that the package's functions give: what a
// middleware or an option does shows only there. One operation stands for all functions
// of a type.
func (w *writer) functions() {
	seen := map[string]bool{}
	from := 0
	for range deepestCall {
		to := len(w.api.ops)
		for i := from; i < to; i++ {
			for _, t := range w.api.ops[i].results {
				w.functionType(t, seen)
			}
		}
		from = to
	}
}

// functionType registers the call of functions of a type.
func (w *writer) functionType(t types.Type, seen map[string]bool) {
	sig, ok := t.Underlying().(*types.Signature)
	if !ok || sig.TypeParams().Len() > 0 || sig.Variadic() {
		return
	}
	whole := types.NewSignatureType(nil, nil, nil, types.NewTuple(append([]*types.Var{types.NewVar(0, nil, "", t)}, vars(sig.Params())...)...), sig.Results(), false)
	name := types.TypeString(t, func(p *types.Package) string { return p.Name() })
	if seen[name] || len(seen) == maxFunctionTypes || untouchableParameters(whole) != "" || w.hides(whole) || hidden(w, sig.Results()) || !w.spells(whole) || hidden(w, types.NewTuple(types.NewVar(0, nil, "", t))) {
		return
	}
	seen[name] = true
	w.http = w.http || takesServed(sig)
	o := Operation{Name: name + "()", Package: w.api.Package, Exported: true, hook: -1, Dynamic: w.giving(t)}
	text := func(t types.Type) string {
		return types.TypeString(t, func(p *types.Package) string { return strings.TrimSuffix(w.qualify(p), ".") })
	}
	var params, args, results []string
	for i, v := range vars(whole.Params()) {
		o.params = append(o.params, v.Type())
		w.want(v.Type())
		params = append(params, fmt.Sprintf("a%d %s", i, text(v.Type())))
		if i > 0 {
			args = append(args, fmt.Sprintf("a%d", i))
		}
	}
	for _, v := range vars(sig.Results()) {
		o.results = append(o.results, v.Type())
		results = append(results, text(v.Type()))
	}
	body := "a0(" + strings.Join(args, ", ") + ")"
	if len(results) > 0 {
		body = "return " + body
	}
	w.line(len(w.api.ops), "isodeltaH.Func(isodeltaH.Operation{Name: %q, Package: \"\", Method: true, Exported: true, Hook: -1}, func(%s) (%s) { %s })",
		o.Name, strings.Join(params, ", "), strings.Join(results, ", "), body)
	w.api.ops = append(w.api.ops, o)
}

// hidden reports whether a tuple names what this package cannot write down.
func hidden(w *writer, t *types.Tuple) bool {
	return w.hides(types.NewSignatureType(nil, nil, nil, t, nil, false))
}

// spells reports whether the package under test can write down all types of a signature, those within types without a
// name, too: such a struct may hold a type of a package that nobody else may import.
func (w *writer) spells(sig *types.Signature) bool {
	seen := map[types.Type]bool{}
	var spelled func(t types.Type) bool
	all := func(list iter.Seq[*types.Var]) bool {
		for v := range list {
			if !spelled(v.Type()) {
				return false
			}
		}
		return true
	}
	named := func(o *types.TypeName) bool {
		return o.Pkg() == nil || o.Pkg().Path() == w.api.Package || o.Exported() && !w.closed(o.Pkg().Path())
	}
	spelled = func(t types.Type) bool {
		if seen[t] {
			return true
		}
		seen[t] = true
		switch t := t.(type) {
		case *types.Alias:
			return named(t.Obj())
		case *types.Named:
			for a := range t.TypeArgs().Types() {
				if !spelled(a) {
					return false
				}
			}
			return named(t.Obj())
		case *types.Map:
			return spelled(t.Key()) && spelled(t.Elem())
		case *types.Struct:
			return all(t.Fields())
		case *types.Signature:
			return all(t.Params().Variables()) && all(t.Results().Variables())
		case *types.Interface:
			for m := range t.ExplicitMethods() {
				if !spelled(m.Type()) {
					return false
				}
			}
		case interface{ Elem() types.Type }:
			return spelled(t.Elem())
		}
		return true
	}
	return spelled(sig)
}
