package replay

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/runner/load"
)

// API is what programs about one package can name: functions, methods and
// types that both versions have alike.
type API struct {
	Package  string   // import path
	Name     string   // of the package
	Harness  []byte   // the test file that registers all of it
	Ops      []Op     // in the order of registration, behind the builtin ones
	OneSided []string // functions that only one version has, or with another signature
	Cut      bool     // there are more than MostOps
	Literals Literals // of the package and its tests, once AddLiterals was called
	lines    []line   // of registrations
	head     []string // of the registering file
	imported []string // aliases of its imports
	// Ineligible are functions that cannot be called from here, with the reason.
	Ineligible map[string]string
}

// Op is a function, method or variable as the parent knows it.
type Op struct {
	Name     string // as in Δ
	Package  string // import path of the declaring package
	File     string // of head, relative to the tree
	Line     int
	Offset   int // of the func keyword, head
	BaseFile string
	BaseAt   int // of the func keyword, base
	Exported bool
	Variable bool
	Spawns   bool // its declaration has a go statement
	Global   bool // its declaration changes a package-level variable
	// Dynamic names the methods, as in Δ, that a call of an interface's method
	// may be a call of.
	Dynamic []string
	hook    int
	results []types.Type
	params  []types.Type
}

// Hook is the number of the operation's entry hook, -1 without.
func (o Op) Hook() int { return o.hook }

// ComponentName names a component of a call in place: a result, or something
// given that the call may have changed.
func (o Op) ComponentName(i int) string {
	if i < 0 {
		return "panic"
	}
	n := len(o.results)
	if i >= n {
		return fmt.Sprintf("what it was given, %d", i-n+1)
	}
	failing := n > 0 && types.Identical(o.results[n-1], types.Universe.Lookup("error").Type())
	switch {
	case failing && i == n-1:
		return "error"
	case n == 1 || n == 2 && failing:
		return "result"
	}
	return fmt.Sprintf("result %d", i+1)
}

// Types are the named types of the module that an operation has to do with.
func (o Op) Types() []string { return append(o.Params(), o.Results()...) }

// Params are the named types of its parameters, its receiver's included.
func (o Op) Params() []string { return namedTypes(o.params) }

// Results are the named types of its results.
func (o Op) Results() []string { return namedTypes(o.results) }

func namedTypes(list []types.Type) []string {
	var out []string
	for _, t := range list {
		for {
			if e, ok := t.(interface{ Elem() types.Type }); ok {
				t = e.Elem()
				continue
			}
			break
		}
		if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != nil {
			out = append(out, n.Obj().Pkg().Path()+"."+n.Obj().Name())
		}
	}
	return out
}

// line registers one thing; op is its index in Ops, -1 for a type or constant.
type line struct {
	text string
	op   int
}

// MostOps bounds the operations of one package under test.
const MostOps = 3000

// NewAPI looks at what a package offers on both versions. own is the version
// whose tests are built. probe is the import path of the injected probe.
func NewAPI(base, head, own *load.Tree, pkg, probe string, hooks *Hooks) (*API, error) {
	bp, hp, op := find(base, pkg), find(head, pkg), find(own, pkg)
	if bp == nil || hp == nil || op == nil || bp.Code == nil || hp.Code == nil {
		return nil, fmt.Errorf("%s is not a package of both versions", pkg)
	}
	w := &writer{
		api:  &API{Package: pkg, Name: hp.Code.Name, Ineligible: map[string]string{}},
		base: view{base, bp}, head: view{head, hp}, module: head.Module,
		imports: map[string]string{}, probe: probe, hooks: hooks, wanted: map[string]types.Type{}, done: map[string]bool{},
	}
	w.decls = [2]map[token.Pos]*ast.FuncDecl{declarations(base), declarations(head)}
	w.own()
	w.testTypes(op)
	w.shapes(op)
	w.imported()
	w.interfaces()
	w.makers()
	w.file()
	return w.api, nil
}

func find(t *load.Tree, pkg string) *load.Package {
	for _, p := range t.Packages {
		if p.Path == pkg {
			return p
		}
	}
	return nil
}

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
	probe      string
	hooks      *Hooks
	decls      [2]map[token.Pos]*ast.FuncDecl
	imports    map[string]string     // path → alias
	wanted     map[string]types.Type // named types of other modules that parameters need
	done       map[string]bool
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
		if len(w.api.Ops) > MostOps {
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
			if b, ok := b.(*types.Func); ok && name != "init" && name != "main" && name != "TestMain" {
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

// signature is an object's type, spelled out; versions are compared by it. The
// names of parameters and results are no part of it: who calls does not see
// them.
func signature(o types.Object) string {
	path := func(p *types.Package) string { return p.Path() }
	sig, ok := o.Type().(*types.Signature)
	if !ok {
		return types.TypeString(o.Type(), path)
	}
	var b strings.Builder
	for p := range sig.TypeParams().TypeParams() {
		fmt.Fprintf(&b, "[%s %s]", p.Obj().Name(), types.TypeString(p.Constraint(), path))
	}
	for _, list := range []*types.Tuple{sig.Params(), sig.Results()} {
		b.WriteString("(")
		for v := range list.Variables() {
			b.WriteString(types.TypeString(v.Type(), path) + ",")
		}
		b.WriteString(")")
	}
	if sig.Variadic() {
		b.WriteString("...")
	}
	return b.String()
}

func (w *writer) short(f *types.Func) string { return w.head.tree.Short(f.FullName()) }

func (w *writer) function(b, h *types.Func) {
	sig := h.Type().(*types.Signature)
	if signature(b) != signature(h) {
		w.api.OneSided = append(w.api.OneSided, w.short(h))
		return
	}
	name := w.short(h)
	for _, args := range instances(sig.TypeParams()) {
		expr := w.qualify(h.Pkg()) + h.Name() + plainArgs(args)
		s := sig
		if len(args) > 0 {
			inst, err := types.Instantiate(nil, sig, args, true)
			if err != nil {
				continue
			}
			s = inst.(*types.Signature)
		}
		w.op(b, h, s, name, h.Name()+plainArgs(args), expr, false, h.Exported())
	}
}

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
	for _, args := range instances(hn.TypeParams()) {
		t, bt := types.Type(hn), types.Type(bn)
		if len(args) > 0 {
			var err, err2 error
			t, err = types.Instantiate(nil, hn, args, true)
			bt, err2 = types.Instantiate(nil, bn, args, true)
			if err != nil || err2 != nil {
				continue
			}
		}
		expr := w.qualify(h.Pkg()) + h.Name() + plainArgs(args)
		w.typ(expr)
		w.layout(bt, t, expr)
		w.methods(bt, t, expr)
	}
}

func (w *writer) typ(expr string) {
	w.line(-1, "isodeltaH.Type((*%s)(nil))", expr)
}

// layout registers which fields of a struct both versions have, if they do not
// have the same.
func (w *writer) layout(base, head types.Type, expr string) {
	b, ok := base.Underlying().(*types.Struct)
	h, ok2 := head.Underlying().(*types.Struct)
	if !ok || !ok2 {
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
		if b == nil || signature(b.Origin()) != signature(h.Origin()) {
			if len(hs.At(i).Index()) == 1 {
				w.api.OneSided = append(w.api.OneSided, name)
			}
			continue
		}
		recv := "(*" + expr + ")"
		on := types.Type(types.NewPointer(head))
		if _, pointer := h.Type().(*types.Signature).Recv().Type().(*types.Pointer); !pointer && len(hs.At(i).Index()) == 1 {
			recv, on = expr, head
		}
		s := hs.At(i).Type().(*types.Signature)
		params := []*types.Var{types.NewVar(0, nil, "", on)}
		for k := range s.Params().Len() {
			params = append(params, s.Params().At(k))
		}
		whole := types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), s.Results(), s.Variadic())
		w.op(b, h, whole, name, h.Name(), recv+"."+h.Name(), true, h.Exported() && (exportedType(head) || given(head)))
	}
}

// given says whether an exported function of the type's package gives a value
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
	if w.hides(sig) {
		w.api.Ineligible[name] = "takes or gives an unexported type of another package"
		return
	}
	o := Op{Name: name, Package: h.Pkg().Path(), Exported: exported, Offset: -1, BaseAt: -1, hook: w.hooks.Number(name)}
	if d := w.decls[1][h.Origin().Pos()]; d != nil {
		at := w.head.tree.Fset.PositionFor(d.Pos(), false)
		ast.Inspect(d, func(n ast.Node) bool {
			if _, ok := n.(*ast.GoStmt); ok {
				o.Spawns = true
			}
			return true
		})
		if q := find(w.head.tree, o.Package); q != nil {
			o.Global = changesGlobal(d, q.Code)
		}
		o.File, o.Line, o.Offset = w.head.tree.Rel(at.Filename), at.Line, at.Offset
	}
	if d := w.decls[0][b.Origin().Pos()]; d != nil {
		at := w.base.tree.Fset.PositionFor(d.Pos(), false)
		o.BaseFile, o.BaseAt = w.base.tree.Rel(at.Filename), at.Offset
	}
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
	w.line(len(w.api.Ops), "isodeltaH.Func(isodeltaH.Op{Name: %q, Expr: %q, Package: %q, Method: %t, Exported: %t, Hook: %d}, %s)",
		name, expr, pkg, method, exported, w.hooks.Number(name), fn)
	w.api.Ops = append(w.api.Ops, o)
}

// interfaces registers the methods of the interfaces that the package's
// functions give, its own and others': what they give is often of an unexported
// type, which can be called in no other way.
func (w *writer) interfaces() {
	given := map[string]*types.Named{}
	for _, o := range w.api.Ops {
		for _, t := range o.results {
			n, ok := t.(*types.Named)
			if !ok || !types.IsInterface(n) || n.TypeArgs().Len() > 0 || n.Obj().Pkg() == nil { // error has no package
				continue
			}
			if own := n.Obj().Pkg().Path() == w.api.Package; own || n.Obj().Exported() && !strings.Contains(n.Obj().Pkg().Path(), "internal") {
				given[n.Obj().Pkg().Path()+"."+n.Obj().Name()] = n
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(given)) {
		w.interfaceMethods(given[key])
	}
}

const mostInterfaceMethods = 24

func (w *writer) interfaceMethods(n *types.Named) {
	face := n.Underlying().(*types.Interface)
	if face.NumMethods() > mostInterfaceMethods || !face.IsMethodSet() {
		return
	}
	for i := range face.NumMethods() {
		m := face.Method(i)
		sig := m.Type().(*types.Signature)
		if !m.Exported() || untouchable(sig, m) != "" || w.hides(sig) {
			continue
		}
		name := n.Obj().Name() + "." + m.Name()
		if n.Obj().Pkg().Path() != w.api.Package {
			name = n.Obj().Pkg().Path() + "." + name
		}
		o := Op{Name: name, Package: n.Obj().Pkg().Path(), Exported: n.Obj().Exported(), Offset: -1, BaseAt: -1, hook: -1,
			Dynamic: w.implementing(face, m.Name())}
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
		w.line(len(w.api.Ops), "isodeltaH.Func(isodeltaH.Op{Name: %q, Expr: %q, Package: \"\", Method: true, Exported: %t, Hook: -1}, %s.%s)",
			name, m.Name(), o.Exported, w.qualify(n.Obj().Pkg())+n.Obj().Name(), m.Name())
		w.api.Ops = append(w.api.Ops, o)
	}
}

// implementing names the methods of the package's types that a method of an
// interface may stand for.
func (w *writer) implementing(face *types.Interface, method string) []string {
	var out []string
	scope := w.head.pkg.Code.Types.Scope()
	for _, name := range scope.Names() {
		t, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || t.IsAlias() {
			continue
		}
		n, ok := t.Type().(*types.Named)
		if !ok || types.IsInterface(n) || n.TypeParams().Len() > 0 || !types.Implements(types.NewPointer(n), face) {
			continue
		}
		if f, _, _ := types.LookupFieldOrMethod(types.NewPointer(n), true, scope.Lookup(name).Pkg(), method); f != nil {
			if f, ok := f.(*types.Func); ok && w.inModule(f.Pkg().Path()) {
				out = append(out, w.short(f))
			}
		}
	}
	return out
}

// untouchable says why a function is not to be called by itself.
func untouchable(sig *types.Signature, f *types.Func) string {
	for i := range sig.Params().Len() {
		t := sig.Params().At(i).Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != nil {
			switch n.Obj().Pkg().Path() {
			case "testing", "os", "net", "net/http", "os/exec", "database/sql", "syscall":
				return "takes " + types.TypeString(t, nil)
			}
		}
		if b, ok := t.Underlying().(*types.Basic); ok && b.Kind() == types.UnsafePointer {
			return "takes unsafe.Pointer"
		}
	}
	switch f.Name() {
	case "Lock", "Unlock", "RLock", "RUnlock", "Wait":
		if sig.Params().Len() <= 1 && sig.Results().Len() == 0 {
			return "locks or waits"
		}
	}
	return ""
}

// hides says that a signature names what this package cannot write down.
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
			p := x.Obj().Pkg()
			if p != nil && !w.inModule(p.Path()) && !types.IsInterface(x) && x.Obj().Exported() && x.TypeArgs().Len() == 0 {
				w.wanted[p.Path()+"."+x.Obj().Name()] = x
			}
		}
		return
	}
}

// leftAlone are packages whose functions are not called for values.
var leftAlone = []string{"testing", "os", "net", "net/http", "os/exec", "syscall", "runtime", "reflect", "unsafe", "sync", "sync/atomic", "log", "time", "context", "io", "io/fs", "plugin", "C"}

const (
	mostMakers  = 6  // functions for one type of another module
	mostMethods = 24 // methods of it that give one
)

// makers registers functions of other modules that make the values wanted.
func (w *writer) makers() {
	names := make([]string, 0, len(w.wanted))
	for n := range w.wanted {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		t := w.wanted[n].(*types.Named)
		p := t.Obj().Pkg()
		if slices.Contains(leftAlone, p.Path()) || strings.Contains(p.Path(), "internal/") || strings.HasPrefix(p.Path(), "internal") || strings.HasPrefix(p.Path(), "vendor/") {
			continue
		}
		count := 0
		for _, name := range p.Scope().Names() {
			f, ok := p.Scope().Lookup(name).(*types.Func)
			if !ok || !f.Exported() || count == mostMakers {
				continue
			}
			sig := f.Type().(*types.Signature)
			if sig.TypeParams().Len() == 0 && gives(sig, t) && simple(sig, 0) && untouchable(sig, f) == "" {
				w.foreign(f, sig, w.qualify(p)+name, name, false)
				count++
			}
		}
		ms := types.NewMethodSet(types.NewPointer(t))
		count = 0
		for i := range ms.Len() {
			f := ms.At(i).Obj().(*types.Func)
			s := ms.At(i).Type().(*types.Signature)
			if !f.Exported() || count == mostMethods || !gives(s, t) || !simple(s, 0) {
				continue
			}
			whole := types.NewSignatureType(nil, nil, nil, types.NewTuple(append([]*types.Var{types.NewVar(0, nil, "", types.NewPointer(t))}, vars(s.Params())...)...), s.Results(), s.Variadic())
			w.foreign(f, whole, "(*"+w.qualify(p)+t.Obj().Name()+")."+f.Name(), f.Name(), true)
			count++
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

func (w *writer) foreign(f *types.Func, sig *types.Signature, fn, expr string, method bool) {
	pkg := ""
	if !method {
		pkg = f.Pkg().Path()
	}
	w.line(len(w.api.Ops), "isodeltaH.Func(isodeltaH.Op{Name: %q, Expr: %q, Package: %q, Method: %t, Exported: true, Hook: -1}, %s)",
		f.FullName(), expr, pkg, method, fn)
	o := Op{Name: f.FullName(), Package: f.Pkg().Path(), Exported: true, Offset: -1, BaseAt: -1, hook: -1}
	w.api.Ops = append(w.api.Ops, o)
}

// gives says whether a result is t or a pointer to it.
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

// simple says that all parameters are of basic kinds, or slices, pointers or
// named types of their own package.
func simple(sig *types.Signature, from int) bool {
	for i := from; i < sig.Params().Len(); i++ {
		t := sig.Params().At(i).Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
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

// imported registers what the packages of the module export that the package
// under test imports: they make its arguments.
func (w *writer) imported() {
	var paths []string
	for path, p := range w.head.pkg.Code.Imports {
		if w.inModule(path) && p.Types != nil && w.base.pkg.Code.Imports[path] != nil && !strings.HasSuffix(path, "isodeltaprobe") {
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

// testTypes registers the types that the suite's own tests declare.
func (w *writer) testTypes(p *load.Package) {
	if p.Test == nil || p.Code == nil {
		return
	}
	for _, name := range p.Test.Types.Scope().Names() {
		t, ok := p.Test.Types.Scope().Lookup(name).(*types.TypeName)
		if !ok || t.IsAlias() || name == "_" || p.Code.Types.Scope().Lookup(name) != nil || w.done["type "+name] {
			continue
		}
		if n, ok := t.Type().(*types.Named); ok && n.TypeParams().Len() == 0 && !types.IsInterface(n) {
			w.typ(name)
		}
	}
}

// interesting says whether a package-level variable is worth having: not an
// error, not a function, not what a literal says as well.
func interesting(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic, *types.Signature, *types.Chan:
		return false
	case *types.Interface:
		return u.NumMethods() > 0 && !types.Identical(t, types.Universe.Lookup("error").Type())
	}
	return true
}

func (w *writer) variable(v *types.Var) {
	if !v.Exported() {
		return
	}
	expr := w.qualify(v.Pkg()) + v.Name()
	w.line(len(w.api.Ops), "isodeltaH.Var(isodeltaH.Op{Name: %q, Expr: %q, Package: %q, Exported: true, Hook: -1}, &%s)",
		w.head.tree.Short(v.Pkg().Path()+"."+v.Name()), v.Name(), v.Pkg().Path(), expr)
	w.api.Ops = append(w.api.Ops, Op{Name: w.head.tree.Short(v.Pkg().Path() + "." + v.Name()), Package: v.Pkg().Path(),
		Exported: true, Variable: true, Offset: -1, BaseAt: -1, hook: -1})
}

func (w *writer) constant(c *types.Const) {
	n, ok := c.Type().(*types.Named)
	if !ok || !n.Obj().Exported() && n.Obj().Pkg().Path() != w.api.Package {
		return
	}
	w.line(-1, "isodeltaH.Const(%q, %q, %s)", c.Name(), c.Pkg().Path(), w.qualify(c.Pkg())+c.Name())
}

// qualify gives the prefix of a package's names.
func (w *writer) qualify(p *types.Package) string {
	if p == nil || p.Path() == w.api.Package {
		return ""
	}
	alias, ok := w.imports[p.Path()]
	if !ok {
		alias = "isodelta" + strconv.Itoa(len(w.imports))
		w.imports[p.Path()] = alias
	}
	return alias + "."
}

func plainArgs(args []types.Type) string {
	if len(args) == 0 {
		return ""
	}
	var s []string
	for _, a := range args {
		s = append(s, types.TypeString(a, nil))
	}
	return "[" + strings.Join(s, ", ") + "]"
}

// instances chooses type arguments: none for what is not generic.
func instances(params *types.TypeParamList) [][]types.Type {
	n := params.Len()
	if n == 0 {
		return [][]types.Type{nil}
	}
	basic := func(k types.BasicKind) types.Type { return types.Typ[k] }
	choices := [][]types.Type{
		{basic(types.Int)}, {basic(types.String)}, {basic(types.Float64)}, {types.NewSlice(basic(types.Int))},
		{types.NewMap(basic(types.String), basic(types.Int))}, {types.Universe.Lookup("error").Type()},
	}
	fit := make([][]types.Type, n)
	for i := range n {
		for _, c := range choices {
			if len(fit[i]) < 2 && satisfies(c[0], params, i) {
				fit[i] = append(fit[i], c[0])
			}
		}
	}
	var out [][]types.Type
	add := func(args []types.Type) {
		for _, a := range args {
			if a == nil {
				return
			}
		}
		key := plainArgs(args)
		for _, o := range out {
			if plainArgs(o) == key {
				return
			}
		}
		out = append(out, args)
	}
	at := func(i, k int) types.Type {
		if k < len(fit[i]) {
			return fit[i][k]
		}
		if len(fit[i]) > 0 {
			return fit[i][0]
		}
		return nil // its constraint speaks of other parameters: see complete
	}
	for _, first := range []int{0, 1} {
		for _, rest := range []int{first, 1 - first} {
			args := make([]types.Type, n)
			for i := range n {
				k := rest
				if i == 0 {
					k = first
				}
				args[i] = at(i, k)
			}
			add(complete(params, args))
			if len(out) == 3 {
				return out
			}
		}
	}
	return out
}

// satisfies says whether t fits parameter i, taken for itself.
func satisfies(t types.Type, params *types.TypeParamList, i int) bool {
	c, ok := params.At(i).Constraint().Underlying().(*types.Interface)
	if !ok || mentions(c, params) {
		return false
	}
	return types.Satisfies(t, c)
}

// complete fills in arguments whose constraint speaks of other parameters:
// ~[]E, ~map[K]V.
func complete(params *types.TypeParamList, args []types.Type) []types.Type {
	for range params.Len() {
		for i, a := range args {
			if a != nil {
				continue
			}
			c, ok := params.At(i).Constraint().Underlying().(*types.Interface)
			if !ok || c.NumEmbeddeds() != 1 {
				continue
			}
			t := c.EmbeddedType(0)
			if u, ok := t.(*types.Union); ok && u.Len() == 1 {
				t = u.Term(0).Type()
			}
			args[i] = substitute(t, params, args)
		}
	}
	return args
}

func substitute(t types.Type, params *types.TypeParamList, args []types.Type) types.Type {
	switch t := t.(type) {
	case *types.TypeParam:
		for i := range params.Len() {
			if params.At(i) == t {
				return args[i]
			}
		}
	case *types.Slice:
		if e := substitute(t.Elem(), params, args); e != nil {
			return types.NewSlice(e)
		}
	case *types.Map:
		k, e := substitute(t.Key(), params, args), substitute(t.Elem(), params, args)
		if k != nil && e != nil {
			return types.NewMap(k, e)
		}
	case *types.Basic:
		return t
	}
	return nil
}

func mentions(c *types.Interface, params *types.TypeParamList) bool {
	text := types.TypeString(c, nil)
	for i := range params.Len() {
		name := params.At(i).Obj().Name()
		for _, f := range strings.FieldsFunc(text, func(r rune) bool {
			return !(r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9')
		}) {
			if f == name {
				return true
			}
		}
	}
	return false
}

// CallsTest is the test function that answers the parent.
const CallsTest = "TestIsodeltaCalls"

func (w *writer) line(op int, format string, args ...any) {
	w.api.lines = append(w.api.lines, line{fmt.Sprintf(format, args...), op})
}

// file writes what stands in front of the registrations.
func (w *writer) file() {
	h := []string{"//go:build go1.21", "", "package " + w.api.Name, "", "import (", "\tisodeltaT \"testing\"", "",
		fmt.Sprintf("\tisodeltaH %q", path.Join(w.probe, "harness"))}
	for _, p := range slices.Sorted(maps.Keys(w.imports)) {
		h = append(h, fmt.Sprintf("\t%s %q", w.imports[p], p))
	}
	for _, p := range slices.Sorted(maps.Keys(w.imports)) {
		w.api.imported = append(w.api.imported, w.imports[p])
	}
	w.api.head = append(h, ")", "", fmt.Sprintf("func %s(*isodeltaT.T) { isodeltaH.Serve() }", CallsTest), "",
		"func init() {", fmt.Sprintf("\tisodeltaH.Package(%q)", w.api.Package))
}

// File is the test file that registers all operations, one to a line.
func (a *API) File() []byte {
	var b bytes.Buffer
	used := ""
	for _, l := range a.lines {
		used += l.text + "\n"
	}
	for _, h := range a.head {
		// An import that no registration uses any more does not compile.
		if alias, _, ok := strings.Cut(strings.TrimPrefix(h, "\t"), " "); ok && slices.Contains(a.imported, alias) && !strings.Contains(used, alias+".") {
			h = ""
		}
		b.WriteString(h + "\n")
	}
	for _, l := range a.lines {
		b.WriteString("\t" + l.text + "\n")
	}
	b.WriteString("}\n")
	return b.Bytes()
}

// Drop leaves out what a line of the file registers, which does not compile.
// It gives its name; false if the line registers nothing.
func (a *API) Drop(number int) (string, bool) {
	i := number - 1 - len(a.head)
	if i < 0 || i >= len(a.lines) {
		return "", false
	}
	l := a.lines[i]
	a.lines = slices.Delete(a.lines, i, i+1)
	if l.op < 0 {
		return l.text, true
	}
	name := a.Ops[l.op].Name
	a.Ops = slices.Delete(a.Ops, l.op, l.op+1)
	for k := range a.lines {
		if a.lines[k].op > l.op {
			a.lines[k].op--
		}
	}
	return name, true
}

// AddLiterals lets the file register texts and numbers too: calls in place are
// made where nobody sends any.
func (a *API) AddLiterals(l Literals) {
	const most, text, perLine = 400, 200, 50
	a.Literals = l
	for near := range l.Texts {
		var texts []string
		for _, t := range spread(l.Texts[near], most) {
			if len(t) <= text {
				texts = append(texts, strconv.Quote(t))
			}
		}
		var numbers []string
		for _, n := range spread(l.Numbers[near], most) {
			numbers = append(numbers, strconv.FormatInt(n, 10))
		}
		for c := range slices.Chunk(texts, perLine) {
			a.lines = append(a.lines, line{fmt.Sprintf("isodeltaH.Texts(%d, %s)", near, strings.Join(c, ", ")), -1})
		}
		for c := range slices.Chunk(numbers, perLine) {
			a.lines = append(a.lines, line{fmt.Sprintf("isodeltaH.Numbers(%d, %s)", near, strings.Join(c, ", ")), -1})
		}
	}
}

// FileName is the registering file's, in the folder of the package.
const FileName = "isodelta_calls_test.go"
