//go:build go1.21

package harness

import (
	"reflect"
	"strings"
)

// Stubs are types of the registering file that implement an interface by functions: see
// package surface.

const (
	stubPrefix  = "isodelta"
	stubSuffix  = "Stub"
	fieldPrefix = "On"
)

// StubName is the name of an interface's stub.
func StubName(of string) string { return stubPrefix + strings.ToUpper(of[:1]) + of[1:] + stubSuffix }

// PointerStubName is the name of an interface's stub that implements it by its pointer alone.
func PointerStubName(of string) string { return StubName(of + "ByPointer") }

// StubField is the name of the function that stands for a method.
func StubField(method string) string {
	return fieldPrefix + strings.ToUpper(method[:1]) + method[1:]
}

// IsStub reports whether a type is one of those.
func IsStub(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && strings.HasPrefix(t.Name(), stubPrefix) && strings.HasSuffix(t.Name(), stubSuffix)
}

// StubLabel is the name of a stub for people and for tests.
func StubLabel(t reflect.Type) string {
	name := strings.TrimPrefix(t.Name(), stubPrefix)
	return strings.ToLower(name[:1]) + name[1:]
}

// stubOf is the number of a type that stands for an interface, -1 without one.
func (r *Registry) stubOf(t reflect.Type) int {
	for i, ty := range r.Types {
		if IsStub(ty) && ty.Implements(t) {
			return i
		}
	}
	return -1
}

// labelled has a message of the run time name stubs as tests do.
func (r *Registry) labelled(message string) string {
	for _, k := range r.asked {
		message = strings.ReplaceAll(message, r.Types[k].Name(), StubLabel(r.Types[k]))
	}
	return message
}
