package mutant

// Spread takes up to n of a list, at equal distances. from is where in the first of
// them it begins, from 0 to 1.
func Spread[T any](list []T, n int, from float64) []T {
	if n >= len(list) {
		return list
	}
	out := make([]T, n)
	for i := range out {
		// As a whole number where from is 0: no place is a matter of rounding.
		at := (from + float64(i)) * float64(len(list)) / float64(n)
		out[i] = list[min(int(at), len(list)-1)]
	}
	return out
}
