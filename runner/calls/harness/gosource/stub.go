//go:build go1.21

package gosource

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// stub names a type that the registering file declares, which a test has to declare for
// itself, within the package.
func (w *writer) stub(t reflect.Type) string {
	name := harness.StubLabel(t)
	w.internal = true
	w.own[name] = true
	for _, s := range w.stubs {
		if s.Name == name {
			return name
		}
	}
	w.stubs = append(w.stubs, wire.Stub{Name: name})
	at := len(w.stubs) - 1
	switch {
	case harness.IsTB(t):
		w.stubs[at].Text = harness.TBSource(name, w.std("testing"), w.std("fmt"))
		return name
	case harness.IsConn(t):
		w.stubs[at].Text = harness.ConnSource(name, w.std("net"), w.std("io"), w.std("sync"), w.std("time"))
		return name
	}
	var fields, methods strings.Builder
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		fmt.Fprintf(&fields, "%s %s\n", f.Name, w.typ(f.Type))
	}
	of, receiver := t, name
	if t.NumMethod() == 0 {
		of, receiver = reflect.PointerTo(t), "*"+name // its pointer alone has the methods
	}
	for i := 0; i < of.NumMethod(); i++ {
		m := of.Method(i)
		f, ok := t.FieldByName(harness.StubField(m.Name))
		if !ok {
			return w.fail("%s lacks a function for %s", name, m.Name)
		}
		methods.WriteString(w.stubMethod(receiver, m.Name, f))
	}
	w.stubs[at].Text = "type " + name + " struct {\n" + fields.String() + "}\n\n" + methods.String()
	return name
}

// stubMethod is a method that calls the function in a field, if there is one.
func (w *writer) stubMethod(receiver, method string, f reflect.StructField) string {
	var params, args, results []string
	for i := 0; i < f.Type.NumIn(); i++ {
		p, a := w.element(f.Type.In(i)), fmt.Sprintf("a%d", i)
		if f.Type.IsVariadic() && i == f.Type.NumIn()-1 {
			p, a = "..."+w.element(f.Type.In(i).Elem()), a+"..."
		}
		params, args = append(params, fmt.Sprintf("a%d %s", i, p)), append(args, a)
	}
	for i := 0; i < f.Type.NumOut(); i++ {
		results = append(results, fmt.Sprintf("r%d %s", i, w.element(f.Type.Out(i))))
	}
	call, after := "s."+f.Name+"("+strings.Join(args, ", ")+")", ""
	out := ""
	if len(results) > 0 {
		call, after = "return "+call, "return\n"
		out = "(" + strings.Join(results, ", ") + ")"
	}
	return fmt.Sprintf("func (s %s) %s(%s) %s {\nif s.%s != nil {\n%s\n}\n%s}\n\n", receiver, method, strings.Join(params, ", "), out, f.Name, call, after)
}
