//go:build go1.21

package harness

import "reflect"

// Sequences name the fields of structs by number. Where a version has added,
// removed or moved fields of a type, the numbers are those of the fields that
// both have.

// Layout registers, by a nil pointer to a struct type whose fields differ
// between the versions, the exported fields that both have; none by one to a type that is a struct, or a slice, on
// one of them alone.
func Layout(pointer any, names ...string) {
	t := reflect.TypeOf(pointer).Elem()
	list := []int{}
	for _, n := range names {
		if f, ok := t.FieldByName(n); ok && len(f.Index) == 1 {
			list = append(list, f.Index[0])
		}
	}
	registry.layouts[t] = list
}

// Partial reports whether the fields of a struct type differ between the
// versions, so that only some of them can be named, or a type is of another kind on one of them.
func (r *Registry) Partial(t reflect.Type) bool {
	_, ok := r.layouts[t]
	return ok
}

// opens reports whether the unexported fields of a struct type can be written down, and be
// set: a test in the package under test can do so, where both versions have the same.
func (r *Registry) opens(t reflect.Type) bool {
	return t.PkgPath() != "" && t.PkgPath() == r.Package && !r.Partial(t)
}

// settable is a field that has an address, without its being unexported.
func settable(f reflect.Value) reflect.Value {
	return reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()
}

// Fields returns how many fields of a struct type can be named.
func (r *Registry) Fields(t reflect.Type) int {
	if l, ok := r.layouts[t]; ok {
		return len(l)
	}
	return t.NumField()
}

// Field returns the index of the field that number i names.
func (r *Registry) Field(t reflect.Type, i int) int {
	if l, ok := r.layouts[t]; ok {
		return l[i]
	}
	return i
}
