package surface

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// driver registers a function of a test file that both versions have, that is given a text, and that gives what came of it:
// so the package's own tests set the code up and drive it. It reports whether there is such a function.
func (w *writer) driver(name string) bool {
	if w.base.pkg.Test == nil || w.head.pkg.Test == nil {
		return false
	}
	b, _ := w.base.pkg.Test.Types.Scope().Lookup(name).(*types.Func)
	h, _ := w.head.pkg.Test.Types.Scope().Lookup(name).(*types.Func)
	if b == nil || h == nil || name == "TestMain" || signature(b) != signature(h) {
		return false
	}
	of, ok := asCalled(w.head.pkg.Test, h)
	if !ok || !drives(of.sig) || untouchable(of.sig, h) != "" {
		return false
	}
	for side, p := range []*packages.Package{w.base.pkg.Test, w.head.pkg.Test} {
		for _, file := range p.Syntax {
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == name {
					w.decls[side][f.Name.Pos()] = f
				}
			}
		}
	}
	n := len(w.api.ops)
	w.op(b, h, of.sig, w.short(h), name, of.expr, false, true)
	if len(w.api.ops) == n {
		return false
	}
	w.api.ops[n].Driver, w.api.ops[n].Test = true, of.test
	return true
}

// drives reports whether a function is given a text or texts, and gives something.
func drives(sig *types.Signature) bool {
	if sig.TypeParams().Len() > 0 || sig.Results().Len() == 0 {
		return false
	}
	for v := range sig.Params().Variables() {
		if holdsText(v.Type()) || holdsBytes(v.Type()) {
			return true
		}
	}
	return false
}

// holdsBytes reports whether a type is a list of bytes.
func holdsBytes(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	if !ok {
		return false
	}
	b, ok := s.Elem().Underlying().(*types.Basic)
	return ok && b.Kind() == types.Byte
}
