//go:build go1.21

package gosource

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/harness"
	probe "github.com/isodelta/isodelta/runner/probe"
)

// holdsAddress reports whether a text may show an address of memory: code under
// test prints them too.
func holdsAddress(s string) bool {
	for {
		i := strings.Index(s, "0x")
		if i < 0 {
			return false
		}
		s = s[i+2:]
		if n := len(s) - len(strings.TrimLeft(s, "0123456789abcdef")); n >= 6 {
			return true
		}
	}
}

// formatted is what fmt makes of a value; a method that panics or never ends
// makes nothing, nor does a list or a map that is in itself, which ends the process.
func formatted(verb string, x reflect.Value) (text string, ok bool) {
	if !x.IsValid() || !x.CanInterface() || endless(x, 0) {
		return "", false
	}
	v := x.Interface()
	ending, _, _ := probe.Guard(harness.CallFuel, func() { text = fmt.Sprintf(verb, v) })
	return text, ending == probe.Returned && !strings.Contains(text, "(PANIC=")
}

// deepest is how deep values are within each other at most that come to an end.
const deepest = 100

// endless reports whether fmt would go on with a value forever, as it follows lists, maps and interfaces, but
// no pointers within these.
func endless(x reflect.Value, depth int) bool {
	if depth > deepest {
		return true
	}
	switch x.Kind() {
	case reflect.Pointer:
		return depth == 0 && endless(x.Elem(), depth+1)
	case reflect.Interface:
		return endless(x.Elem(), depth+1)
	case reflect.Slice, reflect.Array:
		if constantKind(x.Type().Elem().Kind()) {
			return false
		}
		for i := 0; i < x.Len(); i++ {
			if endless(x.Index(i), depth+1) {
				return true
			}
		}
	case reflect.Map:
		for it := x.MapRange(); it.Next(); {
			if endless(it.Key(), depth+1) || endless(it.Value(), depth+1) {
				return true
			}
		}
	case reflect.Struct:
		for i := 0; i < x.NumField(); i++ {
			if endless(x.Field(i), depth+1) {
				return true
			}
		}
	}
	return false
}

// addressed reports whether fmt would show an address of memory in a value, with
// or without the methods that say what it is.
func addressed(x reflect.Value, depth int, methods bool) bool {
	if !x.IsValid() {
		return false
	}
	if depth > 50 {
		return true
	}
	if methods && x.CanInterface() && x.Kind() != reflect.Interface {
		switch x.Interface().(type) {
		case error, fmt.Stringer, fmt.Formatter:
			return false
		}
	}
	switch x.Kind() {
	case reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Uintptr:
		return !x.IsZero()
	case reflect.Pointer:
		if x.IsNil() {
			return false
		}
		if depth > 0 {
			return true
		}
		switch x.Elem().Kind() {
		case reflect.Struct, reflect.Array, reflect.Slice, reflect.Map:
			return addressed(x.Elem(), depth+1, methods)
		}
		return true
	case reflect.Interface:
		return addressed(x.Elem(), depth, methods)
	case reflect.Slice, reflect.Array:
		if !mayPoint(x.Type().Elem(), 0) {
			return false
		}
		for i := 0; i < x.Len(); i++ {
			if addressed(x.Index(i), depth+1, methods) {
				return true
			}
		}
	case reflect.Map:
		if !mayPoint(x.Type().Elem(), 0) && !mayPoint(x.Type().Key(), 0) {
			return false
		}
		for it := x.MapRange(); it.Next(); {
			if addressed(it.Key(), depth+1, methods) || addressed(it.Value(), depth+1, methods) {
				return true
			}
		}
	case reflect.Struct:
		for i := 0; i < x.NumField(); i++ {
			if addressed(x.Field(i), depth+1, methods) {
				return true
			}
		}
	}
	return false
}

// mayPoint reports whether values of a type can hold what prints as an address.
func mayPoint(t reflect.Type, depth int) bool {
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return depth > 10 || mayPoint(t.Elem(), depth+1)
	case reflect.Map:
		return depth > 10 || mayPoint(t.Key(), depth+1) || mayPoint(t.Elem(), depth+1)
	case reflect.Struct:
		for i := 0; i < t.NumField(); i++ {
			if depth > 10 || mayPoint(t.Field(i).Type, depth+1) {
				return true
			}
		}
		return false
	}
	return !constantKind(t.Kind()) || t.Kind() == reflect.Uintptr
}
