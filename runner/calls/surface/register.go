package surface

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/version"
)

// declarations finds function declarations by the position of their names.
func declarations(t *load.Tree) map[token.Pos]*ast.FuncDecl {
	out := map[token.Pos]*ast.FuncDecl{}
	for _, p := range t.Packages {
		if p.Code == nil {
			continue
		}
		for _, f := range p.Code.Syntax {
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok {
					out[fn.Name.Pos()] = fn
				}
			}
		}
	}
	return out
}

type view struct {
	tree *load.Tree
	pkg  *load.Package
}

// writer puts the registering file together.
type writer struct {
	api        *API
	base, head view
	module     string
	lacking    map[string]bool // packages that one version alone is built with
	hooks      *Hooks
	decls      version.Both[map[token.Pos]*ast.FuncDecl]
	wanted     map[string]types.Type   // named types of other modules that parameters need
	http       bool                    // a function takes types of net/http, see serving
	implement  map[string]*types.Named // interfaces that parameters have, see stubs
	held       map[string]*types.Named // interfaces that fields have
	done       map[string]bool
	partial    map[string]bool      // structs whose fields differ between the versions, see layout
	embedded   []alias              // of the shape that is being written
	key        string               // of most tags in tests, see tag
	handed     map[*types.Func]bool // unexported functions that others get hold of, see handedOut
	tested     map[string]bool      // unexported functions that tests call, see calledByTests
	starting   map[*load.Package]*spawning
	inFields   []inField  // functions that are read from fields, see selectors
	asks       *questions // see questions
}

// own registers the package under test.
func (w *writer) own() {
	w.scope(w.base.pkg.Code.Types, w.head.pkg.Code.Types, true)
}

// scope registers a package of the module; inside says that it is the package
// under test, whose unexported names are in reach.
func (w *writer) scope(base, head *types.Package, inside bool) {
	for _, name := range head.Scope().Names() {
		if !inside && !token.IsExported(name) || name == "_" {
			continue
		}
		if len(w.api.ops) > MaxOps {
			w.api.Cut = true
			return
		}
		h, b := head.Scope().Lookup(name), base.Scope().Lookup(name)
		if b == nil {
			if f, ok := h.(*types.Func); ok {
				w.api.OneSided = append(w.api.OneSided, w.short(f))
			}
			continue
		}
		switch h := h.(type) {
		case *types.Func:
			b, ok := b.(*types.Func)
			switch {
			case !ok || name == "init" || name == "TestMain":
			case readsCommandLine(b) && readsCommandLine(h):
				w.command(b, h)
			case name != "main":
				w.function(b, h)
			}
		case *types.TypeName:
			if b, ok := b.(*types.TypeName); ok {
				w.typeName(b, h)
			}
		case *types.Var:
			if b, ok := b.(*types.Var); ok && signature(b) == signature(h) && interesting(h.Type()) {
				w.variable(h)
			}
		case *types.Const:
			if b, ok := b.(*types.Const); ok && signature(b) == signature(h) && b.Val().ExactString() == h.Val().ExactString() {
				w.constant(h)
			}
		}
	}
}

func (w *writer) short(f *types.Func) string { return w.head.tree.Short(f.FullName()) }

func (w *writer) function(b, h *types.Func) {
	sig := h.Type().(*types.Signature)
	name := w.short(h)
	if signature(b) != signature(h) {
		if a := w.hooks.adapted[name]; a != nil && !hidden(w, a.sig.Results()) {
			w.adapted(b, h, a, a.sig, name, h.Name(), w.qualify(h.Pkg())+h.Name(), false, h.Exported() || isCommand(h.Pkg()))
			return
		}
		w.api.OneSided = append(w.api.OneSided, name)
		return
	}
	for _, of := range w.instances(h.Pkg(), b.Signature().TypeParams(), sig.TypeParams()) {
		expr := w.qualify(h.Pkg()) + h.Name() + of.named
		s := sig
		if len(of.head) > 0 {
			inst, err := types.Instantiate(nil, sig, of.head, true)
			if err != nil {
				continue
			}
			s = inst.(*types.Signature)
		}
		own := h.Exported() || isCommand(h.Pkg())
		n := len(w.api.ops)
		w.op(b, h, s, name, h.Name()+of.own, expr, false, own || w.handed[h])
		if len(w.api.ops) > n {
			w.api.ops[n].Handed = !own && w.handed[h]
		}
	}
}

// isCommand reports whether a package is that of a command. Nobody imports it: what its users
// meet comes out of functions that are not exported.
func isCommand(p *types.Package) bool { return p.Name() == "main" }

// typeName registers a named type with its methods.
func (w *writer) typeName(b, h *types.TypeName) {
	if h.IsAlias() || b.IsAlias() {
		return
	}
	hn, ok := h.Type().(*types.Named)
	bn, ok2 := b.Type().(*types.Named)
	if !ok || !ok2 || hn.TypeParams().Len() != bn.TypeParams().Len() || types.IsInterface(hn) || types.IsInterface(bn) {
		return
	}
	for _, of := range w.instances(h.Pkg(), bn.TypeParams(), hn.TypeParams()) {
		t, bt := types.Type(hn), types.Type(bn)
		if len(of.head) > 0 {
			var err, err2 error
			t, err = types.Instantiate(nil, hn, of.head, true)
			bt, err2 = types.Instantiate(nil, bn, of.base, true)
			if err != nil || err2 != nil {
				continue
			}
		}
		expr := w.qualify(h.Pkg()) + h.Name() + of.named
		// Who calls from outside has no value of a type that nothing gives.
		if h.Exported() || given(hn) || isCommand(h.Pkg()) {
			w.typ(expr)
			w.fieldsNamingFiles(t, expr)
			if w.hooks.spelled[fullName(hn)] {
				w.line(-1, "isodeltaH.SpelledOut((*%s)(nil))", expr)
			}
			w.stubbed(hn)
		}
		w.layout(bt, t, expr)
		w.methods(bt, t, expr)
	}
}

func (w *writer) typ(expr string) {
	w.line(-1, "isodeltaH.Type((*%s)(nil))", expr)
}

// layout registers which fields of a struct both versions have, if they do not
// have the same: none where the type is of another kind on one of them, a slice, say.
func (w *writer) layout(base, head types.Type, expr string) {
	b, ok := base.Underlying().(*types.Struct)
	h, ok2 := head.Underlying().(*types.Struct)
	if !ok || !ok2 {
		if fmt.Sprintf("%T", base.Underlying()) != fmt.Sprintf("%T", head.Underlying()) {
			w.lay(head, expr, "")
		}
		return
	}
	was := map[string]string{}
	same := b.NumFields() == h.NumFields()
	for i := range b.NumFields() {
		was[b.Field(i).Name()] = signature(b.Field(i))
		same = same && h.Field(i).Name() == b.Field(i).Name() && signature(h.Field(i)) == signature(b.Field(i))
	}
	if same {
		return
	}
	names := ""
	for i := range h.NumFields() {
		f := h.Field(i)
		if f.Exported() && was[f.Name()] == signature(f) {
			names += fmt.Sprintf(", %q", f.Name())
		}
	}
	w.lay(head, expr, names)
}

// lay registers names of fields as those that both versions have.
func (w *writer) lay(head types.Type, expr, names string) {
	w.partial[types.TypeString(head, nil)] = true
	w.line(-1, "isodeltaH.Layout((*%s)(nil)%s)", expr, names)
}

// methods registers the methods of a type, promoted ones of the module's
// included.
func (w *writer) methods(base, head types.Type, expr string) {
	hs := types.NewMethodSet(types.NewPointer(head))
	bs := types.NewMethodSet(types.NewPointer(base))
	byName := map[string]*types.Func{}
	for i := range bs.Len() {
		f := bs.At(i).Obj().(*types.Func)
		byName[f.Name()] = f
	}
	for i := range hs.Len() {
		h := hs.At(i).Obj().(*types.Func)
		b := byName[h.Name()]
		if h.Pkg() == nil || !w.inModule(h.Pkg().Path()) || !h.Exported() && h.Pkg().Path() != w.api.Package {
			continue
		}
		name := w.short(h.Origin())
		var a *adaptation
		if b != nil && signature(b.Origin()) != signature(h.Origin()) {
			a = w.hooks.adapted[name]
		}
		if b == nil || a == nil && signature(b.Origin()) != signature(h.Origin()) || a != nil && hidden(w, a.sig.Results()) {
			if len(hs.At(i).Index()) == 1 {
				w.api.OneSided = append(w.api.OneSided, name)
			}
			continue
		}
		recv := "(*" + expr + ")"
		on := types.Type(types.NewPointer(head))
		if !ofPointer(h) && !ofPointer(b) && len(hs.At(i).Index()) == 1 {
			recv, on = expr, head
		}
		s := hs.At(i).Type().(*types.Signature)
		if a != nil {
			s = a.sig
		}
		whole := types.NewSignatureType(nil, nil, nil, types.NewTuple(append([]*types.Var{newVar(on)}, vars(s.Params())...)...), s.Results(), s.Variadic())
		exported := isCommand(h.Pkg()) || h.Exported() && (exportedType(head) || given(head))
		if a != nil {
			w.adapted(b, h, a, whole, name, h.Name(), recv+"."+h.Name(), true, exported)
			continue
		}
		w.op(b, h, whole, name, h.Name(), recv+"."+h.Name(), true, exported)
	}
}

// ofPointer reports whether a method is declared of a pointer.
func ofPointer(f *types.Func) bool {
	_, ok := f.Signature().Recv().Type().(*types.Pointer)
	return ok
}

// adapted registers a function or method that both versions call through one signature.
func (w *writer) adapted(b, h *types.Func, a *adaptation, sig *types.Signature, name, expr, fn string, method, exported bool) {
	from := len(w.api.ops)
	text := types.TypeString(sig, func(p *types.Package) string { return strings.TrimSuffix(w.qualify(p), ".") })
	by := "Adapt"
	if a.whole {
		by = "AdaptWhole"
	}
	w.op(b, h, sig, name, expr, fmt.Sprintf("isodeltaH.%s[%s](%s)", by, text, fn), method, exported)
	for i := from; i < len(w.api.ops); i++ {
		w.api.ops[i].adapted = a
	}
}

// given reports whether an exported function of the type's package gives a value
// of it, so that whoever uses the package can call its methods although the
// type's name is not exported.
func given(t types.Type) bool {
	n, ok := t.(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return false
	}
	scope := n.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		f, ok := scope.Lookup(name).(*types.Func)
		if !ok || !f.Exported() {
			continue
		}
		for v := range f.Type().(*types.Signature).Results().Variables() {
			r := v.Type()
			if p, ok := r.(*types.Pointer); ok {
				r = p.Elem()
			}
			if r, ok := r.(*types.Named); ok && r.Origin() == n.Origin() {
				return true
			}
		}
	}
	return false
}

func exportedType(t types.Type) bool {
	n, ok := t.(*types.Named)
	return ok && n.Obj().Exported()
}

func (w *writer) inModule(path string) bool {
	return path == w.module || strings.HasPrefix(path, w.module+"/")
}

// op registers one function or method.
func (w *writer) op(b, h *types.Func, sig *types.Signature, name, expr, fn string, method, exported bool) {
	if why := untouchable(sig, h); why != "" {
		w.api.Ineligible[name] = why
		return
	}
	if strings.HasPrefix(h.Name(), "XXX_") {
		w.api.Ineligible[name] = "is generated for the library of protocol buffers alone"
		return
	}
	if tellsMessage(h) {
		w.api.Ineligible[name] = "is what protocol buffers tell of a message, which is another text in each program"
		return
	}
	if w.hides(sig) {
		w.api.Ineligible[name] = "takes or gives an unexported type of another package"
		return
	}
	if w.unlinked(b, h) {
		w.api.Ineligible[name] = "has no body"
		return
	}
	o := Operation{Name: name, Package: h.Pkg().Path(), Exported: exported, Tested: !exported && w.tested[h.Origin().FullName()], GivesError: givesError(sig), hook: w.hooks.Number(name)}
	if d := w.decls[version.Head][h.Origin().Pos()]; d != nil {
		o.Spawns = hasGo(d)
		if q := find(w.head.tree, o.Package); q != nil {
			o.spawners = w.spawners(q, d)
			o.Global = changesGlobal(d, q.Code)
			o.Carries = w.carried(d, sig, q, w.head.tree)
		}
		o.At[version.Head], o.Line = w.head.tree.Place(d.Pos()), w.head.tree.Line(d.Pos())
	}
	if d := w.decls[version.Base][b.Origin().Pos()]; d != nil {
		o.At[version.Base] = w.base.tree.Place(d.Pos())
		o.Carries = append(o.Carries, w.carried(d, sig, find(w.base.tree, o.Package), w.base.tree)...)
	}
	w.http = w.http || takesServed(sig)
	for i := range sig.Params().Len() {
		o.params = append(o.params, sig.Params().At(i).Type())
		w.want(sig.Params().At(i).Type())
	}
	for i := range sig.Results().Len() {
		o.results = append(o.results, sig.Results().At(i).Type())
	}
	pkg := ""
	if !method {
		pkg = h.Pkg().Path()
	}
	o.Function, o.expr, o.call, o.sig = h, expr, fn, sig
	files := ""
	if n := w.namingFiles(h, sig); n != 0 {
		files = fmt.Sprintf(", Paths: %#x", n)
	}
	if a := w.hooks.adapted[name]; a != nil {
		files += a.registered()
	}
	if readsCommandLine(h) {
		o.Global, o.Command = true, true
		files += ", CommandLine: true"
	}
	w.line(len(w.api.ops), "isodeltaH.Func(isodeltaH.Operation{Name: %q, Expr: %q, Package: %q, Method: %t, Exported: %t, Hook: %d%s}, %s)",
		name, expr, pkg, method, exported, w.hooks.Number(name), files, fn)
	w.api.ops = append(w.api.ops, o)
}

// untouchable says why a function is not to be called by itself.
func untouchable(sig *types.Signature, f *types.Func) string {
	if why := untouchableParameters(sig); why != "" {
		return why
	}
	if strings.HasPrefix(f.Name(), "ListenAndServe") {
		return "listens"
	}
	switch f.Name() {
	case "Lock", "Unlock", "RLock", "RUnlock", "Wait":
		if sig.Params().Len() <= 1 && sig.Results().Len() == 0 {
			return "locks or waits"
		}
	}
	return ""
}

// untouchableParameters says why a function with a signature is not to be called.
func untouchableParameters(sig *types.Signature) string {
	for i := range sig.Params().Len() {
		t := sig.Params().At(i).Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != nil {
			switch n.Obj().Pkg().Path() {
			case "testing", "os", "net", httpPath, "os/exec", "database/sql", "syscall":
				if !isServed(n.Obj()) && !isData(n) && !isTB(n.Obj()) && !isConn(n.Obj()) {
					return "takes " + types.TypeString(t, nil)
				}
			}
		}
		if b, ok := t.Underlying().(*types.Basic); ok && b.Kind() == types.UnsafePointer {
			return "takes unsafe.Pointer"
		}
	}
	return ""
}

// isData reports whether values of a type are nothing but bytes or words, as those of an IP
// address and its mask are.
func isData(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Slice:
		b, ok := u.Elem().Underlying().(*types.Basic)
		return ok && b.Kind() != types.UnsafePointer
	case *types.Struct:
		for f := range u.Fields() {
			if !f.Exported() || !isData(f.Type()) {
				return false
			}
		}
		return u.NumFields() > 0
	}
	return false
}

// hides reports whether a signature names what this package cannot write down.
func (w *writer) hides(sig *types.Signature) bool {
	hidden := false
	seen := map[types.Type]bool{}
	var visit func(t types.Type)
	visit = func(t types.Type) {
		if seen[t] || hidden {
			return
		}
		seen[t] = true
		switch t := t.(type) {
		case *types.Named:
			o := t.Obj()
			if o.Pkg() != nil && o.Pkg().Path() != w.api.Package && !o.Exported() {
				hidden = true
			}
			for i := range t.TypeArgs().Len() {
				visit(t.TypeArgs().At(i))
			}
		case interface{ Elem() types.Type }:
			visit(t.Elem())
			if m, ok := t.(*types.Map); ok {
				visit(m.Key())
			}
		}
	}
	for i := range sig.Params().Len() {
		visit(sig.Params().At(i).Type())
	}
	return hidden
}

// imported registers what the packages of the module export that the package
// under test imports: they make its arguments.
func (w *writer) imported() {
	var paths []string
	for path, p := range w.head.pkg.Code.Imports {
		if w.inModule(path) && p.Types != nil && w.base.pkg.Code.Imports[path] != nil {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	for _, path := range paths {
		b, h := find(w.base.tree, path), find(w.head.tree, path)
		if b == nil || h == nil || b.Code == nil || h.Code == nil || h.Code.Name == "main" {
			continue
		}
		w.scope(b.Code.Types, h.Code.Types, false)
	}
}

// ofTests registers the types that the suite's own tests declare, and the functions by
// which they make values: of a type that has no constructor, tests know how to make one.
func (w *writer) ofTests(p *load.Package) {
	if p.Test == nil || p.Code == nil {
		return
	}
	for _, name := range p.Test.Types.Scope().Names() {
		if name == "_" || p.Code.Types.Scope().Lookup(name) != nil || w.done["type "+name] {
			continue
		}
		switch o := p.Test.Types.Scope().Lookup(name).(type) {
		case *types.TypeName:
			if n, ok := o.Type().(*types.Named); ok && !o.IsAlias() && n.TypeParams().Len() == 0 && !types.IsInterface(n) {
				w.typ(name)
			}
		case *types.Func:
			if !w.driver(name) {
				w.testMaker(p.Test, o)
			}
		}
	}
}

// testMaker registers a function of the test files of p that makes a value of a named struct or
// interface.
func (w *writer) testMaker(p *packages.Package, f *types.Func) {
	of, ok := asCalled(p, f)
	sig := of.sig
	if !ok || f.Signature().TypeParams().Len() > 0 || sig.Results().Len() == 0 || sig.Results().Len() > 2 || !makesNamed(sig.Results().At(0).Type()) ||
		!simple(sig, 0) || untouchable(sig, f) != "" {
		return
	}
	w.line(len(w.api.ops), "isodeltaH.Func(isodeltaH.Operation{Name: %q, Expr: %q, Package: %q, Exported: true, Hook: -1}, %s)",
		f.Name(), f.Name(), w.api.Package, of.expr)
	// Without its types: it is no target, but makes values for others.
	w.api.ops = append(w.api.ops, Operation{Name: f.Name(), Package: w.api.Package, Exported: true, OfTest: true, Test: of.test, hook: -1})
}

// makesNamed reports whether a result is a named struct or interface, or a pointer to one.
func makesNamed(t types.Type) bool {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := t.(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return false
	}
	switch n.Underlying().(type) {
	case *types.Struct, *types.Interface:
		return true
	}
	return false
}

// interesting reports whether a package-level variable is worth having: a struct
// or an array: a sequence gets a copy of it; or an error, which callers compare with. What is behind a pointer, a map
// or a slice is the package's own state, which later sequences would meet.
func interesting(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return types.Identical(t, types.Universe.Lookup("error").Type())
}

func (w *writer) variable(v *types.Var) {
	if !v.Exported() {
		return
	}
	expr := w.qualify(v.Pkg()) + v.Name()
	w.line(len(w.api.ops), "isodeltaH.Var(isodeltaH.Operation{Name: %q, Expr: %q, Package: %q, Exported: true, Hook: -1}, &%s)",
		w.head.tree.Short(v.Pkg().Path()+"."+v.Name()), v.Name(), v.Pkg().Path(), expr)
	w.api.ops = append(w.api.ops, Operation{Name: w.head.tree.Short(v.Pkg().Path() + "." + v.Name()), Package: v.Pkg().Path(),
		Exported: true, Variable: true, hook: -1})
}

func (w *writer) constant(c *types.Const) {
	n, ok := c.Type().(*types.Named)
	if !ok || !n.Obj().Exported() && n.Obj().Pkg().Path() != w.api.Package {
		return
	}
	w.line(-1, "isodeltaH.Const(%q, %q, %s)", c.Name(), c.Pkg().Path(), w.qualify(c.Pkg())+c.Name())
}

// qualify returns the prefix of a package's names.
func (w *writer) qualify(p *types.Package) string {
	if p == nil || p.Path() == w.api.Package {
		return ""
	}
	return w.api.Import(p.Path()) + "."
}
