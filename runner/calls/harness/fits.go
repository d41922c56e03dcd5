//go:build go1.21

package harness

import (
	"reflect"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// assign sets v to x, also where only one of value and pointer fits.
func assign(v, x reflect.Value) error {
	switch {
	case !x.IsValid():
		return ErrInvalid
	case x.Type().AssignableTo(v.Type()):
		v.Set(x)
	case x.Kind() == reflect.Interface && !x.IsNil() && x.Elem().Type().AssignableTo(v.Type()):
		v.Set(x.Elem())
	case v.Kind() == reflect.Pointer && x.CanAddr() && x.Addr().Type().AssignableTo(v.Type()):
		v.Set(x.Addr())
	case v.Kind() == reflect.Pointer && x.Type().AssignableTo(v.Type().Elem()):
		v.Set(reflect.New(v.Type().Elem()))
		v.Elem().Set(x)
	case x.Kind() == reflect.Pointer && !x.IsNil() && copies(x.Type().Elem(), v.Type()):
		v.Set(x.Elem())
	default:
		return ErrInvalid
	}
	return nil
}

// fits reports whether assign can work between the types.
func fits(to, from reflect.Type) bool {
	return from.AssignableTo(to) ||
		to.Kind() == reflect.Pointer && from.AssignableTo(to.Elem()) && to.Elem().Kind() != reflect.Interface ||
		from.Kind() == reflect.Pointer && to.Kind() != reflect.Interface && copies(from.Elem(), to)
}

// copies reports whether what a pointer points to may be copied to a value of type
// to. A struct with hidden state is not copied from behind a pointer, whose author gave
// out pointers so that nobody does; one whose methods are all of values is, since calling
// any of them copies it.
func copies(from, to reflect.Type) bool {
	n := from.NumMethod()
	return from.AssignableTo(to) && (!opaque(from) || n > 0 && n == reflect.PointerTo(from).NumMethod())
}

// receives reports whether a method of values of type to is called on what a pointer of type from points to, as Go
// does by itself: the method copies it, whatever it hides.
func receives(to, from reflect.Type) bool {
	return from.Kind() == reflect.Pointer && from.Elem() == to && to.NumMethod() > 0
}

// behind is what such a method is called on, where the ith argument of a call is such a pointer.
func (m *Machine) behind(op *Operation, i int, l wire.Lit) (reflect.Value, bool) {
	if i > 0 || !op.Method || l.Form != wire.Ref {
		return reflect.Value{}, false
	}
	x, ok := m.Ref(l)
	if !ok || !x.IsValid() || !receives(op.In[i], x.Type()) || x.IsNil() {
		return reflect.Value{}, false
	}
	v := reflect.New(op.In[i]).Elem()
	v.Set(x.Elem())
	return v, true
}
