//go:build go1.21

package harness

import (
	"math"
	"reflect"

	probe "github.com/isodelta/isodelta/runner/probe"
)

// Equal reports whether two values are deeply equal: floats relative to the
// larger of both, NaN equal to NaN, an absent slice or map to an empty one, and
// of errors only whether there is one.
func Equal(a, b any, tolerance float64) bool {
	ea, isErr := a.(error)
	eb, isErr2 := b.(error)
	if isErr || isErr2 {
		return (ea == nil) == (eb == nil)
	}
	return equal(reflect.ValueOf(a), reflect.ValueOf(b), tolerance, 0)
}

// deepestEqual is how deep values are compared.
const deepestEqual = 64

func equal(a, b reflect.Value, tolerance float64, depth int) bool {
	if !a.IsValid() || !b.IsValid() {
		return a.IsValid() == b.IsValid()
	}
	if a.Type() != b.Type() {
		return false
	}
	if depth > deepestEqual {
		return true
	}
	switch a.Kind() {
	case reflect.Float32, reflect.Float64:
		return near(a.Float(), b.Float(), tolerance)
	case reflect.Complex64, reflect.Complex128:
		x, y := a.Complex(), b.Complex()
		return near(real(x), real(y), tolerance) && near(imag(x), imag(y), tolerance)
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return false
		}
		for i := 0; i < a.Len(); i++ {
			if !equal(a.Index(i), b.Index(i), tolerance, depth+1) {
				return false
			}
		}
		return true
	case reflect.Map:
		if a.Len() != b.Len() {
			return false
		}
		for it := a.MapRange(); it.Next(); {
			if !equal(it.Value(), b.MapIndex(it.Key()), tolerance, depth+1) {
				return false
			}
		}
		return true
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return a.Kind() == reflect.Pointer && a.Pointer() == b.Pointer() || equal(a.Elem(), b.Elem(), tolerance, depth+1)
	case reflect.Struct:
		for i := 0; i < a.NumField(); i++ {
			if !equal(a.Field(i), b.Field(i), tolerance, depth+1) {
				return false
			}
		}
		return true
	case reflect.String:
		return a.String() == b.String()
	case reflect.Bool:
		return a.Bool() == b.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return a.Int() == b.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return a.Uint() == b.Uint()
	}
	va, _ := probe.Digest(a)
	vb, _ := probe.Digest(b)
	return va == vb
}

func near(a, b, tolerance float64) bool {
	if a == b || a != a && b != b {
		return true
	}
	return math.Abs(a-b) <= tolerance*math.Max(math.Abs(a), math.Abs(b)) && !math.IsInf(a, 0) && !math.IsInf(b, 0)
}
