//go:build go1.21

package harness

import (
	"reflect"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// addressed is the steps whose values hold the text of an address, or come of such a text: cut,
// in capitals or by its length it is no address any more that could be left out of a comparison.
type addressed map[int]bool

// from reports whether a step is given what such a step gave.
func (a addressed) from(s wire.Step) bool {
	if len(a) == 0 {
		return false
	}
	for _, l := range s.Args {
		for _, k := range refs(l, nil) {
			if a[k] {
				return true
			}
		}
	}
	return false
}

// note books a step that showed an address, or is given what such a step gave: of the values that it
// was given itself, too, since a call may leave the text in them.
func (a *addressed) note(i int, s wire.Step, shows bool) {
	if !shows && !a.from(s) {
		return
	}
	if *a == nil {
		*a = addressed{}
	}
	(*a)[i] = true
	for _, l := range s.Args {
		for _, k := range refs(l, nil) {
			(*a)[k] = true
		}
	}
}

// givesFunctions reports whether an argument holds functions behind an interface that says nothing of
// them: as a value to be printed, say.
func givesFunctions(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Interface:
		return v.NumMethod() == 0 && !v.IsNil() && holdsFunctions(v.Elem(), 3)
	case reflect.Slice:
		if v.Type().Elem().Kind() != reflect.Interface {
			return false
		}
		for i := 0; i < v.Len() && i < maxElements; i++ {
			if givesFunctions(v.Index(i)) {
				return true
			}
		}
	}
	return false
}

// holdsFunctions reports whether a value is a function, or holds one at most so deep.
func holdsFunctions(v reflect.Value, depth int) bool {
	switch v.Kind() {
	case reflect.Func:
		return !v.IsNil()
	case reflect.Interface, reflect.Pointer:
		return depth > 0 && !v.IsNil() && holdsFunctions(v.Elem(), depth-1)
	case reflect.Struct:
		for i := 0; depth > 0 && i < v.NumField(); i++ {
			if holdsFunctions(v.Field(i), depth-1) {
				return true
			}
		}
	case reflect.Slice, reflect.Array:
		for i := 0; depth > 0 && i < v.Len() && i < maxElements; i++ {
			if holdsFunctions(v.Index(i), depth-1) {
				return true
			}
		}
	}
	return false
}
