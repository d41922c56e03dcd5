package law

import "math"

// Kind is the type of a value, a variable or a tree.
type Kind uint8

// The kinds. Values are Go values bool, int64, float64, string, and slices of those; nil
// is an undefined value of any kind.
const (
	None Kind = iota // no kind
	Bool
	Int
	Float
	Text
	Bools
	Ints
	Floats
	Texts
)

// GoType returns the Go type of the kind's values.
func (k Kind) GoType() string {
	return [...]string{"", "bool", "int64", "float64", "string", "[]bool", "[]int64", "[]float64", "[]string"}[k]
}

// String returns the name of the kind.
func (k Kind) String() string {
	return [...]string{"none", "bool", "int", "float", "text", "bools", "ints", "floats", "texts"}[k]
}

// IsList reports whether values are lists.
func (k Kind) IsList() bool { return k >= Bools }

// IsNumber reports whether values are numbers.
func (k Kind) IsNumber() bool { return k == Int || k == Float }

// Elem returns the kind of a list's elements, None if it is no list.
func (k Kind) Elem() Kind {
	if !k.IsList() {
		return None
	}
	return k - Bools + Bool
}

// KindOf returns the kind of a value, None for nil and for what is no value.
func KindOf(v any) Kind {
	switch v.(type) {
	case bool:
		return Bool
	case int64:
		return Int
	case float64:
		return Float
	case string:
		return Text
	case []bool:
		return Bools
	case []int64:
		return Ints
	case []float64:
		return Floats
	case []string:
		return Texts
	}
	return None
}

// tolerance is the relative one with which floating-point numbers are compared.
const tolerance = 1e-9

// equalFloats reports whether two numbers are the same up to the tolerance.
func equalFloats(a, b float64) bool {
	d := math.Abs(a - b)
	return a == b || d <= tolerance*max(math.Abs(a), math.Abs(b)) && d <= math.MaxFloat64
}
