package surface

import (
	"cmp"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/isodelta/isodelta/runner/load"
)

const (
	maxUsed       = 32 // functions of other modules that the package and its tests call
	maxUsedParams = 6  // of one of them
)

// prepares is what the registering file says of them.
const prepares = ", Prepares: true"

// used registers functions of other modules that the package's tests call, or the package itself, with values that operations
// are given: what puts something into a store, gives a router its routes, or sets the words of a command. Without such calls
// all that is of another module is as its constructors leave it.
func (w *writer) used(t *load.Tree, own *load.Package) {
	known := map[string]*usedAbroad{}
	note := func(info *types.Info, files []*ast.File, test bool) {
		for _, file := range files {
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				if f, ok := typeutil.Callee(info, call).(*types.Func); ok && w.usable(f) {
					u := known[f.FullName()]
					if u == nil {
						u = &usedAbroad{f: f}
						known[f.FullName()] = u
					}
					u.calls++
					u.byTest = u.byTest || test
				}
				return true
			})
		}
	}
	note(own.Code.TypesInfo, own.Code.Syntax, false)
	for _, p := range []*packages.Package{own.Test, own.XTest} {
		if p != nil && p.TypesInfo != nil {
			note(p.TypesInfo, testFiles(t, p), true)
		}
	}
	list := slices.Collect(maps.Values(known))
	slices.SortFunc(list, func(a, b *usedAbroad) int {
		return cmp.Or(compareTrueFirst(a.byTest, b.byTest), cmp.Compare(b.calls, a.calls), strings.Compare(a.f.FullName(), b.f.FullName()))
	})
	for _, u := range list[:min(len(list), maxUsed)] {
		w.usedFunction(u.f)
	}
}

// usedAbroad is a function of another module that is called.
type usedAbroad struct {
	f      *types.Func
	calls  int // places
	byTest bool
}

func compareTrueFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// usable reports whether a function is one of another module that is given a value of a type that operations take, or gives one, and that
// can be called from anywhere.
func (w *writer) usable(f *types.Func) bool {
	p, sig := f.Pkg(), f.Signature()
	if p == nil || !f.Exported() || f.Origin() != f || w.inModule(p.Path()) || w.leavesAlone(p.Path()) || sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0 ||
		sig.Params().Len() > maxUsedParams || untouchable(sig, f) != "" || w.hides(sig) || waits(f) || slices.ContainsFunc(vars(sig.Params()), takesTB) {
		return false
	}
	if recv := sig.Recv(); recv != nil {
		n := named(recv.Type())
		return n != nil && n.Obj().Exported() && w.taken(n, f.Pkg())
	}
	return slices.ContainsFunc(vars(sig.Params()), func(v *types.Var) bool {
		n := named(v.Type())
		return n != nil && w.taken(n, f.Pkg())
	}) || w.givesTaken(f)
}

// givesTaken reports whether a function gives what implements an interface that operations take: a file system in memory, say,
// which is of another package than the interface is.
func (w *writer) givesTaken(f *types.Func) bool {
	sig := f.Signature()
	if sig.Results().Len() == 0 || sig.Results().Len() > 2 {
		return false
	}
	gives := sig.Results().At(0).Type()
	return gives != types.Universe.Lookup("error").Type() && w.eachTaken(f.Pkg(), func(t types.Type) bool {
		return types.IsInterface(t) && types.AssignableTo(gives, t)
	})
}

// eachTaken reports whether a condition holds for one of the types of other modules that operations take, as a package knows them,
// but for empty interfaces.
func (w *writer) eachTaken(p *types.Package, holds func(types.Type) bool) bool {
	for _, key := range slices.Sorted(maps.Keys(w.wanted)) {
		n := w.wanted[key].(*types.Named)
		if face, ok := n.Underlying().(*types.Interface); ok && face.Empty() || w.leavesAlone(n.Obj().Pkg().Path()) {
			continue
		}
		if t := sameIn(p, n.Obj()); t != nil && holds(t) {
			return true
		}
	}
	return false
}

// sameIn finds the type of a name in what a package imports, or in the package itself; nil where nothing there is of that
// name. Both versions have types of their own.
func sameIn(p *types.Package, name *types.TypeName) types.Type {
	for _, there := range slices.Concat(p.Imports(), []*types.Package{p}) {
		if there.Path() == name.Pkg().Path() {
			if o := there.Scope().Lookup(name.Name()); o != nil {
				return o.Type()
			}
		}
	}
	return nil
}

// takesTB reports whether a parameter is for a test: such functions judge.
func takesTB(v *types.Var) bool {
	n := named(v.Type())
	return n != nil && isTB(n.Obj())
}

// waits reports whether a function's name says that it goes on until somebody ends it.
func waits(f *types.Func) bool {
	for _, prefix := range []string{"Listen", "Serve", "Run", "Start", "Wait", "Fatal", "Exit", "Shutdown"} {
		if strings.HasPrefix(f.Name(), prefix) && f.Name() != "ServeHTTP" {
			return true
		}
	}
	return false
}

// named is the named type of a value, or of what a pointer leads to; nil for others.
func named(t types.Type) *types.Named {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	n, _ := types.Unalias(t).(*types.Named)
	return n
}

// taken reports whether operations are given values of a type of another module, or values that implement it, as a package
// knows them.
func (w *writer) taken(n *types.Named, in *types.Package) bool {
	p := n.Obj().Pkg()
	if p == nil || w.wanted[p.Path()+"."+n.Obj().Name()] != nil {
		return p != nil
	}
	face, ok := n.Underlying().(*types.Interface)
	return ok && !face.Empty() && w.eachTaken(in, func(t types.Type) bool { return types.AssignableTo(t, n) })
}

// usedFunction registers a function of another module, unless it is one that makes values.
func (w *writer) usedFunction(f *types.Func) {
	sig := f.Signature()
	recv := sig.Recv()
	known := []string{f.FullName()}
	if recv != nil {
		known = append(known, f.Pkg().Path()+"."+named(recv.Type()).Obj().Name()+"."+f.Name()) // see outsiders
	}
	if slices.ContainsFunc(w.api.ops, func(o Operation) bool { return slices.Contains(known, o.Name) }) {
		return
	}
	if recv == nil {
		w.foreign(f, sig, w.qualify(f.Pkg())+f.Name(), f.Name(), false, prepares)
		return
	}
	n := named(recv.Type())
	of := w.qualify(n.Obj().Pkg()) + n.Obj().Name()
	if _, pointer := recv.Type().(*types.Pointer); pointer {
		of = "(*" + of + ")"
	}
	whole := types.NewSignatureType(nil, nil, nil, types.NewTuple(append([]*types.Var{types.NewVar(0, nil, "", recv.Type())}, vars(sig.Params())...)...), sig.Results(), sig.Variadic())
	w.foreign(f, whole, of+"."+f.Name(), f.Name(), true, prepares)
}
