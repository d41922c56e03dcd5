package instrument

import (
	"go/ast"
	"go/types"
	"strconv"
	"strings"
)

// maxToldParams is how many parameters a function of another module has at most that tests tell of.
const maxToldParams = 6

// calledAbroad has a test tell that it calls a function of another module: see probe.Called.
func (o *observer) calledAbroad(n *ast.CallExpr) {
	fn := o.callee(n)
	if o.wrapped[n] || fn == nil || !o.tellsOf(fn) {
		return
	}
	sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
	if !ok {
		return
	}
	if s := o.info.Selections[sel]; s != nil && (s.Kind() != types.MethodVal || !byReference(fn)) {
		return
	}
	o.suite.NeedsLang = o.suite.NeedsLang || o.old
	o.f.edits.open(o.f.offset(n.Fun.Pos()), o.names.probe+".Called("+strconv.Quote(fn.FullName())+", ")
	o.f.edits.close(o.f.offset(n.Fun.End()), ")")
}

// tellsOf reports whether a function is one of another module, of those that tests call to prepare what they give to the
// code: no function of the standard library, and none that judges.
func (o *observer) tellsOf(fn *types.Func) bool {
	sig := fn.Signature()
	if fn.Pkg() == nil || !fn.Exported() || fn.Origin() != fn || o.inModule(fn.Pkg().Path()) || sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0 || sig.Params().Len() > maxToldParams {
		return false
	}
	domain, _, _ := strings.Cut(fn.Pkg().Path(), "/")
	return strings.Contains(domain, ".") && !o.forTests(fn.Pkg())
}

// byReference reports whether a method is of something that is not copied when the method is taken.
func byReference(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	if recv == nil {
		return false
	}
	_, pointer := types.Unalias(recv.Type()).(*types.Pointer)
	return pointer || types.IsInterface(recv.Type())
}

// forTests reports whether a function of a package takes a testing type.
func (o *testPackage) forTests(p *types.Package) bool {
	known, ok := o.judging[p]
	if !ok {
		for _, name := range p.Scope().Names() {
			if fn, ok := p.Scope().Lookup(name).(*types.Func); ok && fn.Exported() && takesTest(fn.Signature()) {
				known = true
				break
			}
		}
		o.judging[p] = known
	}
	return known
}
