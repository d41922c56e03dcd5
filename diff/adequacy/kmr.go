package adequacy

import "slices"

// KMR is Definition 5: requirements gives for each test requirement the source
// inputs that satisfy it, as indices of relations; relations gives for each
// source input the number of relations associated with it, |S_RO(t)| of
// Definition 3. The adequacy of equation 3 is met/of, where of is the number of
// requirements. It panics if k is less than 1 or an index is out of range.
func KMR(requirements [][]int, relations []int, k int) (met, of float64) {
	if k < 1 {
		panic("adequacy: k must be at least 1")
	}
	// Sums of whole numbers do not depend on the order in which they are added.
	sum := 0
	for _, satisfying := range requirements {
		sum += best(satisfying, relations, k)
	}
	return float64(sum) / float64(k), float64(len(requirements))
}

// best is k times what equations 4 and 5 give for one requirement.
func best(satisfying, relations []int, k int) int {
	most := 0
	for _, t := range satisfying {
		most = max(most, relations[t])
	}
	return min(most, k)
}

// Adequate reports whether Definition 4 holds: every requirement is satisfied by
// a source input that is associated with at least k relations.
func Adequate(requirements [][]int, relations []int, k int) bool {
	return !slices.ContainsFunc(requirements, func(satisfying []int) bool { return best(satisfying, relations, k) < k })
}
