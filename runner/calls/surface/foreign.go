package surface

import (
	"go/types"
	"maps"
	"slices"
	"strings"
)

// interfaces registers the methods of the interfaces that the package's
// functions give, its own and others': what they give is often of an unexported
// type, which can be called in no other way.
func (w *writer) interfaces() {
	given := map[string]*types.Named{}
	for _, o := range w.api.ops {
		for _, t := range o.results {
			n, ok := t.(*types.Named)
			if !ok || !types.IsInterface(n) || n.Obj().Pkg() == nil { // error has no package
				continue
			}
			args, plain := typeArguments(n)
			if own := n.Obj().Pkg().Path() == w.api.Package; plain && (own || n.Obj().Exported() && !w.closed(n.Obj().Pkg().Path())) {
				given[n.Obj().Pkg().Path()+"."+n.Obj().Name()+plainArgs(args)] = n
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(given)) {
		w.interfaceMethods(given[key])
	}
}

// typeArguments returns the type arguments of an instance, and reports whether all of them can be written
// without naming a package.
func typeArguments(n *types.Named) (args []types.Type, plain bool) {
	for i := range n.TypeArgs().Len() {
		args = append(args, n.TypeArgs().At(i))
	}
	return args, !strings.ContainsAny(plainArgs(args), "./")
}

const maxInterfaceMethods = 64

func (w *writer) interfaceMethods(n *types.Named) {
	face := n.Underlying().(*types.Interface)
	if face.NumMethods() > maxInterfaceMethods || !face.IsMethodSet() {
		return
	}
	args, _ := typeArguments(n)
	was := w.base.methodsOf(n.Obj())
	for i := range face.NumMethods() {
		m := face.Method(i)
		sig := m.Type().(*types.Signature)
		if !m.Exported() || was != nil && was[m.Name()] != signature(m.Origin()) || untouchable(sig, m) != "" || w.hides(sig) {
			continue
		}
		name := n.Obj().Name() + "." + m.Name()
		if n.Obj().Pkg().Path() != w.api.Package {
			name = n.Obj().Pkg().Path() + "." + name
		}
		o := Operation{Name: name, Package: n.Obj().Pkg().Path(), Exported: n.Obj().Exported(), hook: -1,
			Dynamic: w.implementing(face, args, m.Name())}
		if isServed(n.Obj()) {
			// Most handlers are functions that others have made.
			o.Dynamic = append(o.Dynamic, w.giving(n)...)
		}
		if len(o.Dynamic) == 0 {
			continue
		}
		o.params = append(o.params, n)
		for k := range sig.Params().Len() {
			o.params = append(o.params, sig.Params().At(k).Type())
			w.want(sig.Params().At(k).Type())
		}
		for k := range sig.Results().Len() {
			o.results = append(o.results, sig.Results().At(k).Type())
		}
		w.line(len(w.api.ops), "isodeltaH.Func(isodeltaH.Operation{Name: %q, Expr: %q, Package: \"\", Method: true, Exported: %t, Hook: -1}, %s.%s)",
			name, m.Name(), o.Exported, w.qualify(n.Obj().Pkg())+n.Obj().Name()+plainArgs(args), m.Name())
		w.api.ops = append(w.api.ops, o)
	}
}

// methodsOf returns the signatures of a version's interface of a name, by method; nil if nothing of that name is
// known there.
func (v view) methodsOf(name *types.TypeName) map[string]string {
	var there *types.Package
	seen := map[*types.Package]bool{}
	var visit func(p *types.Package)
	visit = func(p *types.Package) {
		if seen[p] || there != nil {
			return
		}
		seen[p] = true
		if p.Path() == name.Pkg().Path() {
			there = p
			return
		}
		for _, i := range p.Imports() {
			visit(i)
		}
	}
	visit(v.pkg.Code.Types)
	if there == nil {
		return nil
	}
	out := map[string]string{}
	t, ok := there.Scope().Lookup(name.Name()).(*types.TypeName)
	if !ok {
		return out
	}
	if face, ok := t.Type().Underlying().(*types.Interface); ok {
		for i := range face.NumMethods() {
			out[face.Method(i).Name()] = signature(face.Method(i))
		}
	}
	return out
}

// outsiders registers the methods of types of others that functions give and that hold what does their work, as a
// *slog.Logger holds the package's handler, and those that tell what is in a value that shows nothing by
// itself, as the colours of a style: nothing else shows what was put into them.
func (w *writer) outsiders() {
	given := map[string]types.Type{}
	for _, o := range w.api.ops {
		if o.hook < 0 {
			continue
		}
		for _, t := range o.results {
			if n := outsider(t); n != nil && !w.inModule(n.Obj().Pkg().Path()) {
				given[types.TypeString(t, nil)] = t
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(given)) {
		w.outsiderMethods(given[key])
	}
}

// outsider is the struct type of a value, or pointer, that holds what does its work, an interface or a function in a
// field of its own, or that shows nothing by itself. It is nil for other types, and for those that calls make in ways of
// their own.
func outsider(t types.Type) *types.Named {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := t.(*types.Named)
	if !ok || n.Obj().Pkg() == nil || !n.Obj().Exported() || n.TypeArgs().Len() > 0 || slices.Contains(leftAlone, n.Obj().Pkg().Path()) || strings.Contains(n.Obj().Pkg().Path(), "internal") {
		return nil
	}
	if works(n) || mute(n) {
		return n
	}
	return nil
}

// works reports whether a struct type has an interface or a function in an unexported field.
func works(n *types.Named) bool {
	fields, ok := n.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range fields.Fields() {
		if _, function := f.Type().Underlying().(*types.Signature); !f.Exported() && (function || types.IsInterface(f.Type())) {
			return true
		}
	}
	return false
}

// mute reports whether a struct type has unexported fields alone and no method that says what is in them.
func mute(n *types.Named) bool {
	fields, ok := n.Underlying().(*types.Struct)
	if !ok || fields.NumFields() == 0 {
		return false
	}
	for f := range fields.Fields() {
		if f.Exported() {
			return false
		}
	}
	set := types.NewMethodSet(types.NewPointer(n))
	return !slices.ContainsFunc([]string{"String", "Error", "MarshalText", "MarshalJSON", "Equal"}, func(name string) bool {
		return set.Lookup(n.Obj().Pkg(), name) != nil
	})
}

const maxOutsiderMethods = 24

func (w *writer) outsiderMethods(t types.Type) {
	set := types.NewMethodSet(t)
	n := outsider(t)
	for i := range min(set.Len(), maxOutsiderMethods) {
		m, ok := set.At(i).Obj().(*types.Func)
		if !ok || !m.Exported() || len(set.At(i).Index()) > 1 {
			continue
		}
		sig := m.Signature()
		if untouchable(sig, m) != "" || w.hides(sig) || !works(n) && !tells(sig, t) {
			continue
		}
		recv := w.qualify(n.Obj().Pkg()) + n.Obj().Name()
		if _, ok := t.(*types.Pointer); ok {
			recv = "(*" + recv + ")"
		}
		o := Operation{Name: n.Obj().Pkg().Path() + "." + n.Obj().Name() + "." + m.Name(), Package: n.Obj().Pkg().Path(), Exported: true, hook: -1,
			Dynamic: w.giving(t)}
		o.params = append(o.params, t)
		for v := range sig.Params().Variables() {
			o.params = append(o.params, v.Type())
			w.want(v.Type())
		}
		for v := range sig.Results().Variables() {
			o.results = append(o.results, v.Type())
		}
		w.line(len(w.api.ops), "isodeltaH.Func(isodeltaH.Operation{Name: %q, Expr: %q, Package: \"\", Method: true, Exported: true, Hook: -1}, %s.%s)",
			o.Name, m.Name(), recv, m.Name())
		w.api.ops = append(w.api.ops, o)
	}
}

// tells reports whether a method takes nothing and gives something other than a value of the type t that it is of.
func tells(sig *types.Signature, t types.Type) bool {
	if sig.Params().Len() > 0 {
		return false
	}
	for v := range sig.Results().Variables() {
		if !types.Identical(v.Type(), t) {
			return true
		}
	}
	return false
}

// giving names the functions that give a value of a type, or that write a struct down with one.
func (w *writer) giving(t types.Type) []string {
	var out []string
	for _, f := range w.inFields {
		if types.Identical(f.t, t) {
			out = append(out, f.by...)
		}
	}
	for _, o := range w.api.ops {
		if o.Function != nil && slices.ContainsFunc(o.results, func(r types.Type) bool { return types.Identical(r, t) }) {
			out = append(out, o.Name)
		}
	}
	return out
}

// implementing names the methods of the package's types that a method of an
// interface may stand for. Generic types are taken with the type arguments that the interface has.
func (w *writer) implementing(face *types.Interface, args []types.Type, method string) []string {
	var out []string
	scope := w.head.pkg.Code.Types.Scope()
	for _, name := range scope.Names() {
		t, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || t.IsAlias() {
			continue
		}
		n, ok := t.Type().(*types.Named)
		if !ok || types.IsInterface(n) {
			continue
		}
		if n.TypeParams().Len() > 0 {
			if len(args) != n.TypeParams().Len() {
				continue // Instantiate panics where there is none
			}
			instance, err := types.Instantiate(nil, n, args, true)
			if err != nil {
				continue
			}
			n = instance.(*types.Named)
		}
		if !types.Implements(types.NewPointer(n), face) {
			continue
		}
		if f, _, _ := types.LookupFieldOrMethod(types.NewPointer(n), true, scope.Lookup(name).Pkg(), method); f != nil {
			if f, ok := f.(*types.Func); ok && f.Pkg() != nil && w.inModule(f.Pkg().Path()) {
				out = append(out, w.short(f.Origin()))
			}
		}
	}
	return out
}

// want notes a type of another module that a parameter needs.
func (w *writer) want(t types.Type) {
	for {
		switch x := t.(type) {
		case *types.Pointer:
			t = x.Elem()
			continue
		case *types.Slice:
			t = x.Elem()
			continue
		case *types.Named:
			w.stubbed(x)
			p := x.Obj().Pkg()
			if p != nil && !w.inModule(p.Path()) && x.Obj().Exported() && x.TypeArgs().Len() == 0 {
				w.wanted[p.Path()+"."+x.Obj().Name()] = x
			}
		}
		return
	}
}

// leftAlone are packages whose functions are not called for values.
var leftAlone = []string{"testing", "os", "net", "net/http", "os/exec", "syscall", "runtime", "reflect", "unsafe", "sync", "sync/atomic", "log", "time", "context", "io", "io/fs", "plugin", "C"}

const (
	maxMakers  = 6  // functions for one type of another module
	maxMethods = 24 // methods of it that give one
)

// makers registers functions of other modules that make the values wanted.
func (w *writer) makers() {
	w.wantReceivers()
	names := make([]string, 0, len(w.wanted))
	for n := range w.wanted {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		t := w.wanted[n].(*types.Named)
		p := t.Obj().Pkg()
		if w.leavesAlone(p.Path()) {
			continue
		}
		count := 0
		for _, name := range p.Scope().Names() {
			f, ok := p.Scope().Lookup(name).(*types.Func)
			if !ok || !f.Exported() || count == maxMakers {
				continue
			}
			sig := f.Type().(*types.Signature)
			if sig.TypeParams().Len() == 0 && gives(sig, t) && simple(sig, 0) && untouchable(sig, f) == "" {
				w.foreign(f, sig, w.qualify(p)+name, name, false, "")
				count++
			}
		}
		if types.IsInterface(t) {
			w.interfaceMakers(t)
			continue
		}
		ms := types.NewMethodSet(types.NewPointer(t))
		count = 0
		for i := range ms.Len() {
			f := ms.At(i).Obj().(*types.Func)
			s := ms.At(i).Type().(*types.Signature)
			if !f.Exported() || count == maxMethods || !gives(s, t) || !simple(s, 0) {
				continue
			}
			whole := types.NewSignatureType(nil, nil, nil, types.NewTuple(append([]*types.Var{types.NewVar(0, nil, "", types.NewPointer(t))}, vars(s.Params())...)...), s.Results(), s.Variadic())
			w.foreign(f, whole, "(*"+w.qualify(p)+t.Obj().Name()+")."+f.Name(), f.Name(), true, "")
			count++
		}
	}
}

func (w *writer) leavesAlone(path string) bool {
	return slices.Contains(leftAlone, path) || w.closed(path) || strings.HasPrefix(path, "vendor/")
}

// closed reports whether the package under test may not import another one, since that stands below a folder of
// the name internal whose parent the package is not below, or since a version has no such package.
func (w *writer) closed(path string) bool {
	if w.lacking[path] {
		return true
	}
	const internal = "internal"
	elements := strings.Split(path, "/")
	for at := len(elements) - 1; at >= 0; at-- {
		if elements[at] == internal {
			parent := strings.Join(elements[:at], "/")
			return parent == "" || w.api.Package != parent && !strings.HasPrefix(w.api.Package, parent+"/")
		}
	}
	return false
}

// wantReceivers notes the types whose methods give interfaces that are wanted: the context of
// a framework, say, is made by a method of its engine.
func (w *writer) wantReceivers() {
	for _, n := range slices.Sorted(maps.Keys(w.wanted)) {
		if t := w.wanted[n].(*types.Named); types.IsInterface(t) && !w.leavesAlone(t.Obj().Pkg().Path()) {
			eachMaker(t, func(recv *types.Named, _ *types.Func, _ *types.Signature) {
				w.wanted[t.Obj().Pkg().Path()+"."+recv.Obj().Name()] = recv
			})
		}
	}
}

// interfaceMakers registers methods of other types that give an interface.
func (w *writer) interfaceMakers(t *types.Named) {
	count := 0
	eachMaker(t, func(recv *types.Named, f *types.Func, s *types.Signature) {
		if count++; count > maxMakers {
			return
		}
		whole := types.NewSignatureType(nil, nil, nil, types.NewTuple(append([]*types.Var{types.NewVar(0, nil, "", types.NewPointer(recv))}, vars(s.Params())...)...), s.Results(), s.Variadic())
		w.foreign(f, whole, "(*"+w.qualify(t.Obj().Pkg())+recv.Obj().Name()+")."+f.Name(), f.Name(), true, "")
	})
}

// eachMaker calls do for the methods by which other types of its package give an interface.
func eachMaker(t *types.Named, do func(recv *types.Named, f *types.Func, s *types.Signature)) {
	scope := t.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		o, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || !o.Exported() || o.IsAlias() {
			continue
		}
		recv, ok := o.Type().(*types.Named)
		if !ok || recv.TypeParams().Len() > 0 || types.IsInterface(recv) {
			continue
		}
		ms := types.NewMethodSet(types.NewPointer(recv))
		for i := range ms.Len() {
			f := ms.At(i).Obj().(*types.Func)
			s := ms.At(i).Type().(*types.Signature)
			if f.Exported() && gives(s, t) && simple(s, 0) && len(ms.At(i).Index()) == 1 {
				do(recv, f, s)
			}
		}
	}
}

func vars(t *types.Tuple) []*types.Var {
	out := make([]*types.Var, t.Len())
	for i := range out {
		out[i] = t.At(i)
	}
	return out
}

// foreign registers a function of another module; more is what else the registering file says of it.
func (w *writer) foreign(f *types.Func, sig *types.Signature, fn, expr string, method bool, more string) {
	if slices.ContainsFunc(w.api.ops, func(o Operation) bool { return o.Seam && o.Name == f.FullName() }) {
		return
	}
	w.http = w.http || takesServed(sig)
	pkg := ""
	if !method {
		pkg = f.Pkg().Path()
	}
	w.line(len(w.api.ops), "isodeltaH.Func(isodeltaH.Operation{Name: %q, Expr: %q, Package: %q, Method: %t, Exported: true, Hook: -1%s}, %s)",
		f.FullName(), expr, pkg, method, more, fn)
	o := Operation{Name: f.FullName(), Package: f.Pkg().Path(), Exported: true, GivesError: givesError(sig), hook: -1}
	if recv := f.Signature().Recv(); method && recv != nil {
		t := recv.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		o.abroad, _ = t.(*types.Named)
	}
	w.api.ops = append(w.api.ops, o)
}

// gives reports whether a result is t or a pointer to it.
func gives(sig *types.Signature, t types.Type) bool {
	if sig.Results().Len() == 0 || sig.Results().Len() > 2 {
		return false
	}
	r := sig.Results().At(0).Type()
	if p, ok := r.(*types.Pointer); ok {
		r = p.Elem()
	}
	return types.Identical(r, t)
}

// simple reports whether all parameters are of basic kinds, what handlers are given, or slices,
// pointers or named types of their own package.
func simple(sig *types.Signature, from int) bool {
	for i := from; i < sig.Params().Len(); i++ {
		t := sig.Params().At(i).Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != nil && isServed(n.Obj()) {
			continue
		}
		switch u := t.Underlying().(type) {
		case *types.Basic, *types.Struct:
		case *types.Slice:
			if _, ok := u.Elem().Underlying().(*types.Basic); !ok {
				return false
			}
		default:
			return false
		}
	}
	return true
}
