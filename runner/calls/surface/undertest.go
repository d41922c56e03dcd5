package surface

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// underTest returns the signature of a function of a test file without the test that it takes first, and reports whether it
// takes one. Others keep theirs.
func underTest(sig *types.Signature) (without *types.Signature, ok bool) {
	params := vars(sig.Params())
	if len(params) == 0 || !isTest(params[0].Type()) || sig.Variadic() && len(params) == 1 {
		return sig, false
	}
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(params[1:]...), sig.Results(), sig.Variadic()), true
}

// testFunction is a function of a test file as sequences see it.
type testFunction struct {
	sig  *types.Signature // without the test
	expr string           // in the registering file
	test bool             // it takes the test first
}

// asCalled returns how sequences see a function of the test files of p, and reports whether they may call it as far as the test
// that it takes is concerned.
func asCalled(p *packages.Package, f *types.Func) (t testFunction, ok bool) {
	t.sig, t.test = underTest(f.Signature())
	t.expr = f.Name()
	if t.test {
		t.expr = "isodeltaH.TakingTest(" + f.Name() + ")"
	}
	return t, !t.test || !goesParallel(p, f.Name())
}

// isTest reports whether a type is *testing.T or testing.TB.
func isTest(t types.Type) bool {
	if p, ok := t.(*types.Pointer); ok {
		n, ok := p.Elem().(*types.Named)
		return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "testing" && n.Obj().Name() == "T"
	}
	n, ok := t.(*types.Named)
	return ok && isTB(n.Obj())
}

// goesParallel reports whether a function of a test file lets the test that calls it wait for others, which
// never end while calls are made.
func goesParallel(p *packages.Package, name string) bool {
	parallel := false
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == name {
				ast.Inspect(f, func(n ast.Node) bool {
					call, ok := n.(*ast.SelectorExpr)
					parallel = parallel || ok && call.Sel.Name == "Parallel"
					return !parallel
				})
			}
		}
	}
	return parallel
}
