//go:build go1.21

package probe

import (
	"reflect"
	"strconv"
	"strings"
)

// Rewritten tests pass what they have as literals through VS, VI, VF, VB, VL, VM and VT, and ask VN
// how often to execute a statement. Each has a number, and the parent says what an iteration
// has in the place of some of them.

// varied is what the iteration under way has in the place of literals, by number; nil for nothing.
var varied map[int]string

// Operations on lists, each followed by the number of an element.
const (
	DropElement   = "drop:"
	DoubleElement = "double:"
	SwapElements  = "swap:" // with the one behind it
)

// VS passes a text on, or gives what stands in its place.
func VS(n int, s string) string {
	if varied == nil {
		return s
	}
	if other, ok := varied[n]; ok {
		return other
	}
	return s
}

// VI is VS for integers, of which the decimal digits are told.
func VI[T ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64](n int, i T) T {
	if varied == nil {
		return i
	}
	if other, ok := varied[n]; ok {
		if x, err := strconv.ParseInt(other, 10, 64); err == nil {
			return T(x)
		}
	}
	return i
}

// VF is VS for floating-point numbers.
func VF[T ~float32 | ~float64](n int, f T) T {
	if varied == nil {
		return f
	}
	if other, ok := varied[n]; ok {
		if x, err := strconv.ParseFloat(other, 64); err == nil {
			return T(x)
		}
	}
	return f
}

// VB reports whether b is true, or whether it is not where it is varied.
func VB(n int, b bool) bool {
	if varied == nil {
		return b
	}
	_, other := varied[n]
	return b != other
}

// VL passes a list on, or gives one of other elements.
func VL[S ~[]E, E any](n int, list S) S {
	if varied == nil {
		return list
	}
	operation, number, ok := strings.Cut(varied[n], ":")
	if !ok {
		return list
	}
	i, err := strconv.Atoi(number)
	if err != nil || i < 0 || i >= len(list) {
		return list
	}
	out := append(S(nil), list[:i]...)
	switch operation + ":" {
	case DropElement:
		return append(out, list[i+1:]...)
	case DoubleElement:
		return append(append(out, list[i]), list[i:]...)
	case SwapElements:
		if i+1 < len(list) {
			return append(append(out, list[i+1], list[i]), list[i+2:]...)
		}
	}
	return list
}

// VT passes a table on, or one in which a field of one row is that of another row: row.field.row.
func VT[S ~[]E, E any](n int, table S) S {
	if varied == nil {
		return table
	}
	numbers := strings.Split(varied[n], ".")
	if len(numbers) != 3 {
		return table
	}
	var at [3]int
	for i, s := range numbers {
		var err error
		if at[i], err = strconv.Atoi(s); err != nil || at[i] < 0 {
			return table
		}
	}
	row, field, from := at[0], at[1], at[2]
	if row >= len(table) || from >= len(table) || reflect.TypeOf(table).Elem().Kind() != reflect.Struct || field >= reflect.TypeOf(table).Elem().NumField() {
		return table
	}
	out := append(S(nil), table...)
	to, other := reflect.ValueOf(&out[row]).Elem().Field(field), reflect.ValueOf(&out[from]).Elem().Field(field)
	reflect.NewAt(to.Type(), to.Addr().UnsafePointer()).Elem().Set(reflect.NewAt(other.Type(), other.Addr().UnsafePointer()).Elem())
	return out
}

// VM passes a map on, or one without a key. Its keys are told in the order of the source.
func VM[M ~map[K]V, K comparable, V any](n int, m M, keys ...K) M {
	if varied == nil {
		return m
	}
	operation, number, _ := strings.Cut(varied[n], ":")
	i, err := strconv.Atoi(number)
	if err != nil || operation+":" != DropElement || i < 0 || i >= len(keys) {
		return m
	}
	delete(m, keys[i])
	return m
}

// VN is how often a statement is executed: once, unless something else is told.
func VN(n int) int {
	if varied == nil {
		return 1
	}
	if other, ok := varied[n]; ok {
		if times, err := strconv.Atoi(other); err == nil {
			return times
		}
	}
	return 1
}

// variations reads what is told of literals: number=value, separated by commas, the value in
// hexadecimal digits; "-" for nothing.
func variations(s string) map[int]string {
	if s == "-" {
		return nil
	}
	out := map[int]string{}
	for _, x := range strings.Split(s, ",") {
		number, digits, _ := strings.Cut(x, "=")
		n, err := strconv.Atoi(number)
		if err != nil {
			continue
		}
		value := make([]byte, 0, len(digits)/2)
		for i := 0; i+2 <= len(digits); i += 2 {
			b, _ := strconv.ParseUint(digits[i:i+2], 16, 8)
			value = append(value, byte(b))
		}
		out[n] = string(value)
	}
	return out
}
