//go:build go1.21

package harness

import (
	"reflect"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Selector registers the reading of an exported field of a struct, of which a nil pointer is given. So sequences
// get to what a value has in its fields, as users do: client.Repositories.List. Of a struct in a field they get a pointer.
func Selector(o Operation, of any, field string) {
	t := reflect.TypeOf(of)
	f, ok := t.Elem().FieldByName(field)
	if !ok {
		panic("no field " + field + " in " + t.String())
	}
	o.Expr = "." + field
	reading(o, t, f.Type, func(v reflect.Value) reflect.Value {
		if v.IsNil() {
			dereferenceNil()
		}
		return v.Elem().FieldByIndex(f.Index)
	})
}

// First registers the reading of the first element of a slice, of which a nil pointer is given, likewise.
func First(o Operation, of any) {
	t := reflect.TypeOf(of).Elem()
	o.Expr = "[0]"
	reading(o, t, t.Elem(), func(v reflect.Value) reflect.Value {
		if v.Len() == 0 {
			_ = []int{}[v.Len()] // panics as the same code in Go does
		}
		return v.Index(0)
	})
}

func reading(o Operation, from, to reflect.Type, read func(reflect.Value) reflect.Value) {
	o.Method, o.Selector = true, true
	if o.Address = to.Kind() == reflect.Struct; o.Address {
		of := read
		to, read = reflect.PointerTo(to), func(v reflect.Value) reflect.Value { return of(v).Addr() }
	}
	Func(o, reflect.MakeFunc(reflect.FuncOf([]reflect.Type{from}, []reflect.Type{to}, false), func(in []reflect.Value) []reflect.Value {
		return []reflect.Value{read(in[0])}
	}).Interface())
}

// dereferenceNil panics as the same code in Go does.
func dereferenceNil() {
	var none *struct{ _ int }
	*none = struct{ _ int }{}
}

// read adds the reading of a value of type t out of the newest value that has one, and reports whether there is such a value.
func (b *builder) read(t reflect.Type) (wire.Lit, bool) {
	for i := len(b.vars) - 1; i >= 0; i-- {
		for _, mk := range b.g.makersOf(t) {
			if op := &b.g.m.Ops[mk.op]; op.Selector && fits(op.In[0], b.vars[i].t) {
				b.add(wire.Step{Op: mk.op, Args: []wire.Lit{wire.RefTo(b.vars[i].step, b.vars[i].result)}})
				return wire.RefTo(len(b.p)-1, 0), true
			}
		}
	}
	return wire.Lit{}, false
}
