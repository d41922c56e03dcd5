//go:build go1.21

package gosource

import (
	"reflect"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// reference writes a result of an earlier step where a value of type t is
// wanted, as assign does.
func (w *writer) reference(l wire.Lit, t reflect.Type, c exprContext) string {
	v, ok := w.Ref(l)
	if !ok || v.Kind() == reflect.Invalid {
		return w.fail("a reference to nothing")
	}
	name, x := w.results[l.N][l.U], v.Type()
	converted := func(expr string, from reflect.Type) string {
		if c == free && from != t {
			return w.convert(t, expr)
		}
		return expr
	}
	switch {
	case x.AssignableTo(t):
		return converted(name, x)
	case x.Kind() == reflect.Interface && !v.IsNil() && v.Elem().Type().AssignableTo(t):
		d := v.Elem().Type()
		if t.Kind() == reflect.Interface {
			d = t
		}
		return converted(name+".("+w.typ(d)+")", d)
	case t.Kind() == reflect.Pointer && v.CanAddr() && reflect.PointerTo(x).AssignableTo(t):
		return converted("&"+name, reflect.PointerTo(x))
	case t.Kind() == reflect.Pointer && x.AssignableTo(t.Elem()):
		return converted("&"+w.copyOf(l, x, t.Elem()), t)
	case x.Kind() == reflect.Pointer && x.Elem().AssignableTo(t):
		return converted("*"+name, x.Elem())
	}
	return w.fail("a %s for a %s", x, t)
}

// copyOf returns a variable of type t whose address may be taken. The machine
// copies a result each time; with one use there is nobody to see that.
func (w *writer) copyOf(l wire.Lit, x, t reflect.Type) string {
	name := w.results[l.N][l.U]
	if x == t && w.uses[[2]int{int(l.N), l.U}] == 1 {
		return name
	}
	if x == t {
		return w.define(nameFor(t), name)
	}
	own := w.variable(nameFor(t))
	w.lines = append(w.lines, statement{declares: []string{own}, with: w.typ(t) + " = " + name, isVar: true})
	return own
}

// receiver writes what a method of type t is called on.
func (w *writer) receiver(l wire.Lit, t reflect.Type, watch bool) string {
	if l.Form == wire.Ref {
		return w.receiverRef(l, t, watch)
	}
	inner, of := l, t
	for inner.Form == wire.Dynamic && len(inner.E) == 1 {
		of = w.typeNumber(inner.T)
		inner = inner.E[0]
		if of == nil {
			return w.fail("a value of a type that is not registered")
		}
	}
	if inner.Form == wire.Ref {
		return w.receiverRef(inner, of, watch)
	}
	if !watch && constantKind(of.Kind()) {
		e := w.expr(inner, of, free)
		if strings.Contains(e, " * ") {
			e = "(" + e + ")"
		}
		return e
	}
	if inner.Form == wire.Zero && of.Kind() == reflect.Pointer && !watch {
		return w.expr(inner, of, free)
	}
	if inner.Form == wire.Pointer && len(inner.E) == 1 && inner.E[0].Form == wire.Zero && of.Elem().Kind() == reflect.Struct {
		// A method with a pointer receiver takes the address by itself.
		name := w.place(inner.E[0], of.Elem())
		if watch {
			w.subject = subject{name, of.Elem(), func() reflect.Value { return w.argument(0, of).Elem() }}
		}
		return name
	}
	name := w.place(inner, of)
	if watch {
		w.subject = subject{name, of, func() reflect.Value { return w.argument(0, of) }}
	}
	return name
}

// argument returns what argument k of the last step holds now. t is the type of
// the variable that was written for it: where that is no interface, and the
// parameter is one, the value is taken out of it.
func (w *writer) argument(k int, t reflect.Type) reflect.Value {
	args := w.Args[len(w.Args)-1]
	v := args[k]
	if v.Kind() == reflect.Interface && t.Kind() != reflect.Interface {
		v = v.Elem()
	}
	return v
}

func (w *writer) receiverRef(l wire.Lit, t reflect.Type, watch bool) string {
	v, ok := w.Ref(l)
	if !ok {
		return w.fail("a reference to nothing")
	}
	x, name := v.Type(), w.results[l.N][l.U]
	same := func() reflect.Value { v, _ := w.Ref(l); return v }
	direct := x == t || x.Kind() == reflect.Pointer && x.Elem() == t ||
		t.Kind() == reflect.Interface && x.AssignableTo(t) ||
		t.Kind() == reflect.Pointer && v.CanAddr() && t.Elem() == x
	switch {
	case direct:
		if watch {
			w.subject = subject{name, x, same}
		}
		return name
	case t.Kind() == reflect.Pointer && t.Elem() == x:
		name = w.copyOf(l, x, x)
		if watch {
			w.subject = subject{name, x, func() reflect.Value { return w.argument(0, t).Elem() }}
		}
		return name
	}
	e := w.reference(l, t, free)
	if watch {
		e = w.define(nameFor(t), e)
		w.subject = subject{e, t, func() reflect.Value { return w.argument(0, t) }}
		return e
	}
	if strings.HasPrefix(e, "*") || strings.HasPrefix(e, "&") {
		e = "(" + e + ")"
	}
	return e
}

// watchedArgument writes an argument in such a way that it can be looked at
// after the call.
func (w *writer) watchedArgument(l wire.Lit, t reflect.Type, k int) string {
	if l.Form == wire.Ref {
		if v, ok := w.Ref(l); ok {
			x, name := v.Type(), w.results[l.N][l.U]
			same := func() reflect.Value { v, _ := w.Ref(l); return v }
			switch {
			case x.AssignableTo(t):
				w.subject = subject{name, x, same}
				return name
			case t.Kind() == reflect.Pointer && v.CanAddr() && reflect.PointerTo(x).AssignableTo(t):
				w.subject = subject{name, x, same}
				return "&" + name
			}
		}
	}
	of, inner := t, l
	if l.Form == wire.Dynamic && len(l.E) == 1 && w.typeNumber(l.T) != nil {
		of, inner = w.typeNumber(l.T), l.E[0]
	} else if l.Form == wire.Special {
		of = w.specialType(l, t)
	}
	name := ""
	if inner.Form == wire.Ref {
		name = w.define(nameFor(of), w.reference(inner, of, free))
	} else {
		name = w.place(inner, of)
	}
	w.subject = subject{name, of, func() reflect.Value { return w.argument(k, of) }}
	return name
}
