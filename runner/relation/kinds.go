package relation

import (
	"fmt"
	"go/types"
)

// What templates ask about types.

func basicInfo(t types.Type) types.BasicInfo {
	if b, ok := t.Underlying().(*types.Basic); ok {
		return b.Info()
	}
	return 0
}

func isInteger(t types.Type) bool { return basicInfo(t)&types.IsInteger != 0 }
func isFloat(t types.Type) bool   { return basicInfo(t)&types.IsFloat != 0 }
func isNumber(t types.Type) bool  { return isInteger(t) || isFloat(t) }
func isString(t types.Type) bool  { return basicInfo(t)&types.IsString != 0 }
func isBool(t types.Type) bool    { return basicInfo(t)&types.IsBoolean != 0 }
func isOrdered(t types.Type) bool { return isNumber(t) || isString(t) }
func isSigned(t types.Type) bool {
	return isFloat(t) || isInteger(t) && basicInfo(t)&types.IsUnsigned == 0
}

func isError(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}

// element returns the type of a slice's elements.
func element(t types.Type) (types.Type, bool) {
	s, ok := t.Underlying().(*types.Slice)
	if !ok {
		return nil, false
	}
	return s.Elem(), true
}

func isBytes(t types.Type) bool {
	e, ok := element(t)
	return ok && types.Identical(e, types.Typ[types.Byte])
}

// tells reports whether values of the type tell something when they are
// compared deeply.
func tells(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Signature, *types.Chan:
		return false
	case *types.Slice:
		return tells(u.Elem())
	}
	return true
}

// floats reports whether a value of the type holds floating-point numbers, and
// whether some of them are short.
func floats(t types.Type, seen map[types.Type]bool) (some, short bool) {
	if seen[t] {
		return false, false
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsFloat|types.IsComplex) != 0, u.Kind() == types.Float32 || u.Kind() == types.Complex64
	case *types.Struct:
		for f := range u.Fields() {
			a, b := floats(f.Type(), seen)
			some, short = some || a, short || b
		}
	case *types.Map:
		a, b := floats(u.Key(), seen)
		some, short = floats(u.Elem(), seen)
		some, short = some || a, short || b
	case interface{ Elem() types.Type }:
		return floats(u.Elem(), seen)
	}
	return some, short
}

// Kind is a type's, as Param.Kind and Call.Kinds have it.
func Kind(t types.Type) string {
	if isError(t) {
		return "error"
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Name()
	case *types.Slice:
		if b, ok := u.Elem().Underlying().(*types.Basic); ok {
			return "[]" + b.Name()
		}
	}
	return ""
}

// kinds are those of a tuple.
func kinds(t *types.Tuple) []string {
	var out []string
	for v := range t.Variables() {
		out = append(out, Kind(v.Type()))
	}
	return out
}

// small is a condition under which a number, added to itself or squared, stays
// within its type, "" where there is no need.
func small(t types.Type, x string) string {
	bits := 0
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return ""
	}
	switch b.Kind() {
	case types.Int8, types.Uint8:
		bits = 3
	case types.Int16, types.Uint16:
		bits = 7
	case types.Int32, types.Uint32:
		bits = 15
	case types.Int, types.Uint, types.Int64, types.Uint64, types.Uintptr:
		bits = 30
	default:
		return ""
	}
	if b.Info()&types.IsUnsigned != 0 {
		return fmt.Sprintf("%s < 1<<%d", x, bits)
	}
	return fmt.Sprintf("-1<<%d < %s && %s < 1<<%d", bits, x, x, bits)
}
