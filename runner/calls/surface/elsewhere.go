package surface

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/isodelta/isodelta/runner/version"
)

const (
	maxElsewhere  = 6 // interfaces of one package under test
	maxBuilders   = 3 // constructors of one interface
	maxBuilderArg = 4 // parameters of a constructor
)

// elsewhere registers constructors of interfaces that functions of the package under test take. They are in packages of the module
// that it does not import, and nothing in reach implements these interfaces. An evaluator's context, for example, is
// often made by main in a package of its own.
func (w *writer) elsewhere() {
	for _, t := range w.unimplemented() {
		count := 0
		for _, p := range w.head.tree.Packages {
			base := find(w.base.tree, p.Path)
			if base == nil || p.Code == nil || base.Code == nil || p.Code.Types == nil || base.Code.Types == nil {
				continue
			}
			for _, pair := range builders(base.Code.Types, p.Code.Types, t) {
				if count < maxBuilders && w.joins(p.Code) && w.joins(base.Code) {
					w.function(pair[version.Base], pair[version.Head])
					count++
				}
			}
		}
	}
}

// builders returns the exported functions of a package that build values of an interface on both versions.
func builders(base, head *types.Package, t *types.Named) (out []version.Both[*types.Func]) {
	for _, name := range head.Scope().Names() {
		h, ok := head.Scope().Lookup(name).(*types.Func)
		b, both := base.Scope().Lookup(name).(*types.Func)
		if ok && both && h.Exported() && signature(b) == signature(h) && builds(h.Signature(), t) {
			out = append(out, version.Both[*types.Func]{b, h})
		}
	}
	return out
}

// unimplemented returns the interfaces of the module that functions of the package take and that nothing in reach implements.
func (w *writer) unimplemented() []*types.Named {
	var out []*types.Named
	for _, o := range w.api.ops {
		if o.Package != w.api.Package {
			continue
		}
		for _, t := range o.params {
			n, ok := types.Unalias(t).(*types.Named)
			if !ok || !types.IsInterface(n) || n.Obj().Pkg() == nil || !w.inModule(n.Obj().Pkg().Path()) || n.TypeArgs().Len() > 0 ||
				slices.Contains(out, n) || len(out) >= maxElsewhere || w.implemented(n) {
				continue
			}
			out = append(out, n)
		}
	}
	return out
}

// implemented reports whether something in reach implements an interface: a result of an operation, or a type of the package or of
// one of the module that it imports.
func (w *writer) implemented(t *types.Named) bool {
	face := t.Underlying().(*types.Interface)
	if slices.ContainsFunc(w.api.ops, func(o Operation) bool { return len(o.results) > 0 && !o.Variable && isOf(o.results[0], t) }) {
		return true
	}
	scopes := []*types.Package{w.head.pkg.Code.Types}
	for path, p := range w.head.pkg.Code.Imports {
		if w.inModule(path) && p.Types != nil {
			scopes = append(scopes, p.Types)
		}
	}
	for _, p := range scopes {
		for _, name := range p.Scope().Names() {
			o, ok := p.Scope().Lookup(name).(*types.TypeName)
			if ok && (o.Exported() || p == scopes[0]) && !types.IsInterface(o.Type()) && (types.Implements(o.Type(), face) || types.Implements(types.NewPointer(o.Type()), face)) {
				return true
			}
		}
	}
	return false
}

// isOf reports whether a type is an interface, or a concrete type that implements it.
func isOf(t types.Type, face *types.Named) bool {
	return types.Identical(t, face) || !types.IsInterface(t) && types.Implements(t, face.Underlying().(*types.Interface))
}

// builds reports whether a function has few parameters and returns a value of an interface, perhaps with an error.
func builds(sig *types.Signature, face *types.Named) bool {
	results := sig.Results()
	return sig.TypeParams().Len() == 0 && sig.Params().Len() <= maxBuilderArg && (results.Len() == 1 ||
		results.Len() == 2 && types.Identical(results.At(1).Type(), types.Universe.Lookup("error").Type())) && isOf(results.At(0).Type(), face)
}

// joins reports whether the package under test can import another package of the module without an import cycle.
func (w *writer) joins(p *packages.Package) bool {
	if p.Name == "main" || p.PkgPath == w.api.Package || w.closed(p.PkgPath) || w.head.pkg.Code.Imports[p.PkgPath] != nil {
		return false
	}
	return imported(p, w.api.Package) == nil
}
