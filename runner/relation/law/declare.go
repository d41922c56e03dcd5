package law

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// declarations collects overloads.
type declarations [operators][]overload

func (d *declarations) add(op Op, result Kind, run kernel, args ...Kind) {
	d[op] = append(d[op], overload{args: args, result: result, run: run})
}

// declare lists what there is.
func declare() *declarations {
	d := &declarations{}
	d.truths()
	d.ints()
	d.floats()
	d.texts()
	equality(d, Bool, func(a, b bool) bool { return a == b }, func(a, b bool) int { return truth(a) - truth(b) })
	equality(d, Int, func(a, b int64) bool { return a == b }, cmp.Compare[int64])
	equality(d, Float, equalFloats, cmp.Compare[float64])
	equality(d, Text, func(a, b string) bool { return a == b }, strings.Compare)
	ordered(d, Int, less[int64])
	ordered(d, Float, func(a, b float64) bool { return a < b && !equalFloats(a, b) })
	ordered(d, Text, less[string])
	extremes[int64](d, Int)
	extremes[float64](d, Float)
	return d
}

func less[T cmp.Ordered](a, b T) bool { return a < b }

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (d *declarations) truths() {
	d.add(Not, Bool, total1(func(a bool) bool { return !a }), Bool)
	d.add(And, Bool, total2(func(a, b bool) bool { return a && b }), Bool, Bool)
	d.add(Or, Bool, total2(func(a, b bool) bool { return a || b }), Bool, Bool)
	d.add(Implies, Bool, total2(func(a, b bool) bool { return !a || b }), Bool, Bool)
}

// equality declares what only needs to know which values are equal, for a kind and for
// lists of it. order is one in which the elements of lists can be compared.
func equality[T any](d *declarations, k Kind, equal func(a, b T) bool, order func(a, b T) int) {
	list := k - Bool + Bools
	d.add(Equal, Bool, total2(equal), k, k)
	d.add(Equal, Bool, total2(func(a, b []T) bool { return slices.EqualFunc(a, b, equal) }), list, list)
	d.add(Same, Bool, total2(func(a, b []T) bool {
		return len(a) == len(b) && slices.EqualFunc(sorted(a, order), sorted(b, order), equal)
	}), list, list)
	d.add(Contains, Bool, total2(func(a []T, b T) bool {
		return slices.ContainsFunc(a, func(e T) bool { return equal(e, b) })
	}), list, k)
	d.add(HasPrefix, Bool, total2(func(a, b []T) bool {
		return len(b) <= len(a) && slices.EqualFunc(a[:len(b)], b, equal)
	}), list, list)
	d.add(Len, Int, total1(func(a []T) int64 { return int64(len(a)) }), list)
	d.add(Concat, list, total2(func(a, b []T) []T { return slices.Concat(a, b) }), list, list)
	d.add(Append, list, total2(func(a []T, b T) []T { return append(slices.Clip(a), b) }), list, k)
	d.add(Reverse, list, total1(reversed[T]), list)
	d.add(Rotate, list, total1(func(a []T) []T { return slices.Concat(a[min(1, len(a)):], a[:min(1, len(a))]) }), list)
	d.add(Tail, list, partial1(func(a []T) ([]T, bool) { return a[min(1, len(a)):], len(a) > 0 }), list)
	d.add(Init, list, partial1(func(a []T) ([]T, bool) { return a[:max(0, len(a)-1)], len(a) > 0 }), list)
	d.add(First, k, partial1(func(a []T) (e T, ok bool) {
		if len(a) == 0 {
			return e, false
		}
		return a[0], true
	}), list)
	d.add(Last, k, partial1(func(a []T) (e T, ok bool) {
		if len(a) == 0 {
			return e, false
		}
		return a[len(a)-1], true
	}), list)
	if k != Bool {
		d.add(Sort, list, total1(func(a []T) []T { return sorted(a, order) }), list)
		d.add(Sorted, Bool, total1(func(a []T) bool { return slices.IsSortedFunc(a, order) }), list)
	}
}

// ordered declares the order of a kind.
func ordered[T any](d *declarations, k Kind, less func(a, b T) bool) {
	d.add(Less, Bool, total2(less), k, k)
	d.add(AtMost, Bool, total2(func(a, b T) bool { return !less(b, a) }), k, k)
}

// extremes declares the least and the greatest number.
func extremes[T int64 | float64](d *declarations, k Kind) {
	d.add(Min, k, total2(func(a, b T) T { return min(a, b) }), k, k)
	d.add(Max, k, total2(func(a, b T) T { return max(a, b) }), k, k)
	of := func(extreme func([]T) T) kernel {
		return partial1(func(a []T) (T, bool) {
			if len(a) == 0 {
				return 0, false
			}
			return extreme(a), true
		})
	}
	d.add(Min, k, of(slices.Min[[]T]), k-Bool+Bools)
	d.add(Max, k, of(slices.Max[[]T]), k-Bool+Bools)
}

func (d *declarations) ints() {
	d.add(Add, Int, partial2(addInts), Int, Int)
	d.add(Sub, Int, partial2(subInts), Int, Int)
	d.add(Mul, Int, partial2(mulInts), Int, Int)
	d.add(Neg, Int, partial1(func(a int64) (int64, bool) { return -a, a != math.MinInt64 }), Int)
	d.add(Abs, Int, partial1(func(a int64) (int64, bool) { return max(a, -a), a != math.MinInt64 }), Int)
	d.add(Sum, Int, partial1(sumInts), Ints)
}

func (d *declarations) floats() {
	number := func(v float64) (float64, bool) { return v, !math.IsNaN(v) }
	d.add(Add, Float, partial2(func(a, b float64) (float64, bool) { return number(a + b) }), Float, Float)
	d.add(Sub, Float, partial2(func(a, b float64) (float64, bool) { return number(a - b) }), Float, Float)
	d.add(Mul, Float, partial2(func(a, b float64) (float64, bool) { return number(a * b) }), Float, Float)
	d.add(Neg, Float, total1(func(a float64) float64 { return -a }), Float)
	d.add(Abs, Float, total1(math.Abs), Float)
	d.add(Sum, Float, partial1(func(a []float64) (float64, bool) {
		sum := 0.0
		for _, v := range a {
			sum += v
		}
		return number(sum)
	}), Floats)
}

func (d *declarations) texts() {
	d.add(Len, Int, total1(func(a string) int64 { return int64(len(a)) }), Text)
	d.add(Concat, Text, total2(func(a, b string) string { return a + b }), Text, Text)
	d.add(Contains, Bool, total2(strings.Contains), Text, Text)
	d.add(HasPrefix, Bool, total2(strings.HasPrefix), Text, Text)
	d.add(HasSuffix, Bool, total2(strings.HasSuffix), Text, Text)
	d.add(Lower, Text, total1(strings.ToLower), Text)
	d.add(Upper, Text, total1(strings.ToUpper), Text)
	d.add(Trim, Text, total1(strings.TrimSpace), Text)
	d.add(Reverse, Text, partial1(func(a string) (string, bool) {
		return string(reversed([]rune(a))), utf8.ValidString(a)
	}), Text)
	d.add(Tail, Text, partial1(func(a string) (string, bool) {
		_, n := utf8.DecodeRuneInString(a)
		return a[n:], a != "" && utf8.ValidString(a)
	}), Text)
	d.add(Init, Text, partial1(func(a string) (string, bool) {
		_, n := utf8.DecodeLastRuneInString(a)
		return a[:len(a)-n], a != "" && utf8.ValidString(a)
	}), Text)
}

func reversed[T any](a []T) []T {
	a = slices.Clone(a)
	slices.Reverse(a)
	return a
}

func sorted[T any](a []T, order func(a, b T) int) []T {
	a = slices.Clone(a)
	slices.SortFunc(a, order)
	return a
}
