package surface

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/harness"
)

const (
	maxStubs       = 32 // interfaces of one package under test that get a stub
	maxStubMethods = 8  // of such an interface
)

// unstubbed are packages whose interfaces have values that are made otherwise, or that no
// function of a plain shape can stand for.
var unstubbed = []string{"context", "io", "io/fs", "net", "net/http", "os", "reflect", "sort", "sync", "testing", "time"}

// stubbed notes an interface that a parameter has, or the interfaces that fields of a struct have which users set, or elements of such fields.
func (w *writer) stubbed(t *types.Named) {
	if p := t.Obj().Pkg(); p != nil && w.stubbable(t) {
		w.implement[p.Path()+"."+t.Obj().Name()] = t
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || t.Obj().Pkg() == nil || !w.inModule(t.Obj().Pkg().Path()) {
		return
	}
	for f := range s.Fields() {
		of := f.Type()
		if list, ok := of.Underlying().(*types.Slice); ok {
			of = list.Elem()
		}
		n, ok := types.Unalias(of).(*types.Named)
		if ok && f.Exported() && n.Obj().Pkg() != nil && w.stubbable(n) {
			w.held[n.Obj().Pkg().Path()+"."+n.Obj().Name()] = n
		}
	}
}

// stubbable reports whether a type is an interface that a stub can implement. The predeclared
// error is one, which has no package.
func (w *writer) stubbable(t *types.Named) bool {
	i, ok := t.Underlying().(*types.Interface)
	if isTB(t.Obj()) || isConn(t.Obj()) {
		return true
	}
	if !ok || t.TypeArgs().Len() > 0 || t.TypeParams().Len() > 0 || !i.IsMethodSet() || i.NumMethods() == 0 || i.NumMethods() > maxStubMethods {
		return false
	}
	p := t.Obj().Pkg()
	if p == nil {
		return t.Obj() == types.Universe.Lookup("error")
	}
	if slices.Contains(unstubbed, p.Path()) || w.closed(p.Path()) || p.Path() != w.api.Package && !t.Obj().Exported() {
		return false
	}
	for m := range i.Methods() {
		sig := m.Signature()
		if !m.Exported() && p.Path() != w.api.Package || w.hides(sig) || hidden(w, sig.Results()) || !w.spells(sig) {
			return false
		}
	}
	return true
}

// stubs registers a type for each of these interfaces: a struct of functions, one for each
// method. Functions are made in many ways (results of all kinds, errors, telling of their
// calls), so implementations are.
func (w *writer) stubs() {
	keys := slices.Sorted(maps.Keys(w.implement))
	for _, key := range slices.Sorted(maps.Keys(w.held)) {
		if w.implement[key] == nil {
			w.implement[key] = w.held[key]
			keys = append(keys, key)
		}
	}
	for _, key := range keys[:min(len(keys), maxStubs)] {
		switch t := w.implement[key]; {
		case isTB(t.Obj()):
			w.tb()
		case isConn(t.Obj()):
			w.conn()
		default:
			w.stub(t)
		}
	}
}

// isTB reports whether a type is testing.TB. Types outside of package testing can implement it only by embedding it.
func isTB(o *types.TypeName) bool {
	return o.Pkg() != nil && o.Pkg().Path() == "testing" && o.Name() == "TB"
}

// isConn reports whether a type is net.Conn.
func isConn(o *types.TypeName) bool {
	return o.Pkg() != nil && o.Pkg().Path() == "net" && o.Name() == "Conn"
}

// conn registers the type that stands for net.Conn.
func (w *writer) conn() {
	if w.done["stub "+harness.StubConn] {
		return // of another package's interface
	}
	w.done["stub "+harness.StubConn] = true
	of := func(path string) string { return w.api.Import(path) + "." }
	source := harness.ConnSource(harness.StubConn, of("net"), of("io"), of("sync"), of("time"))
	w.line(-1, "}\n\n%s\nfunc init() {\n\tisodeltaH.Type((**%s)(nil))", source, harness.StubConn)
}

// tb registers the type that stands for testing.TB.
func (w *writer) tb() {
	if w.done["stub "+harness.StubTB] {
		return // of another package's interface
	}
	w.done["stub "+harness.StubTB] = true
	source := harness.TBSource(harness.StubTB, w.api.Import("testing")+".", w.api.Import("fmt")+".")
	w.line(-1, "}\n\n%s\nfunc init() {\n\tisodeltaH.Type((**%s)(nil))", source, harness.StubTB)
}

// stub registers the type of an interface under its name.
func (w *writer) stub(t *types.Named) { w.stubAs(t, stubName(t), "") }

func stubName(t *types.Named) string { return harness.StubName(t.Obj().Name()) }

// stubAs declares the type between two functions of the registering file, so that it is left
// out with its registration if it does not compile. star is "*" where the pointer alone is to
// have the methods, else empty.
func (w *writer) stubAs(t *types.Named, name, star string) {
	if w.done["stub "+name] {
		return // of another package's interface
	}
	w.done["stub "+name] = true
	text := func(t types.Type) string {
		return types.TypeString(t, func(p *types.Package) string { return strings.TrimSuffix(w.qualify(p), ".") })
	}
	var fields, methods strings.Builder
	for m := range t.Underlying().(*types.Interface).Methods() {
		sig := m.Signature()
		var params, args, results []string
		for i, v := range vars(sig.Params()) {
			p, a := text(v.Type()), fmt.Sprintf("a%d", i)
			if sig.Variadic() && i == sig.Params().Len()-1 {
				p, a = "..."+text(v.Type().(*types.Slice).Elem()), a+"..."
			}
			params, args = append(params, fmt.Sprintf("a%d %s", i, p)), append(args, a)
		}
		for i, v := range vars(sig.Results()) {
			results = append(results, fmt.Sprintf("r%d %s", i, text(v.Type())))
		}
		field := harness.StubField(m.Name())
		fmt.Fprintf(&fields, "\t%s func(%s) (%s)\n", field, strings.Join(params, ", "), strings.Join(results, ", "))
		call := "s." + field + "(" + strings.Join(args, ", ") + ")"
		if len(results) > 0 {
			call = "return " + call
		}
		fmt.Fprintf(&methods, "func (s %s%s) %s(%s) (%s) {\n\tif s.%s != nil {\n\t\t%s\n\t}\n\treturn\n}\n\n", star, name, m.Name(), strings.Join(params, ", "), strings.Join(results, ", "), field, call)
	}
	w.line(-1, "}\n\ntype %s struct {\n%s}\n\n%sfunc init() {\n\tisodeltaH.Type((*%s)(nil))", name, fields.String(), methods.String(), name)
}
