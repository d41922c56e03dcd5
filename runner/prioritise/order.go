package prioritise

import "slices"

// Distance is Definition 4: the units of a path that are not covered, each as often as it
// weighs; weight nil means 1. A unit that a path has twice counts once (Definition 2).
func Distance(path []int, covered map[int]bool, weight func(unit int) int) int {
	seen := map[int]bool{}
	sum := 0
	for _, unit := range path {
		if covered[unit] || seen[unit] {
			continue
		}
		seen[unit] = true
		if weight == nil {
			sum++
		} else {
			sum += weight(unit)
		}
	}
	return sum
}

// Order is Algorithm 1: it returns the numbers of paths, those first that add most to those
// before them. Of equals the one with the lower number is first.
func Order(paths [][]int, weight func(unit int) int) []int {
	left := make([]int, len(paths))
	for i := range left {
		left[i] = i
	}
	order := make([]int, 0, len(paths))
	covered := map[int]bool{}
	for len(left) > 0 {
		at, most := -1, 0
		for i, n := range left {
			if d := Distance(paths[n], covered, weight); d > most {
				at, most = i, d
			}
		}
		if at < 0 {
			if len(covered) == 0 {
				return append(order, left...) // paths without units that weigh anything
			}
			clear(covered)
			continue
		}
		for _, unit := range paths[left[at]] {
			covered[unit] = true
		}
		order = append(order, left[at])
		left = slices.Delete(left, at, at+1)
	}
	return order
}
