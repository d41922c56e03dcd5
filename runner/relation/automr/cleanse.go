package automr

import (
	"context"
	"time"
)

// maxKept of a type: what comes later is more complicated and tells ever less.
const maxKept = 30

// cleanse is phase III for relations of one program: the similar, the linearly
// dependent among equalities of one input relation, the implied among
// inequalities. exact says that constants are exact, as the null-space method's.
func cleanse(ctx context.Context, all []Relation, exact bool, path string) ([]Relation, error) {
	all = withoutSimilar(all, exact)
	all = withoutDependent(all, exact)
	return withoutImplied(ctx, all, solver{path: path, timeout: 5 * time.Second})
}

// withoutDependent keeps a maximal linearly independent subset of the equalities
// that have the same input relation (matrix C of the paper).
func withoutDependent(all []Relation, exact bool) []Relation {
	part := 1e-8
	if !exact {
		part = similarDistance
	}
	drop := make([]bool, len(all))
	grouped := make([]bool, len(all))
	for i, r := range all {
		if grouped[i] || r.OutputOp != Equal {
			continue
		}
		var members []int
		var rows [][]float64
		for j := i; j < len(all); j++ {
			if !grouped[j] && comparable(r, all[j]) && sameInputRelation(r, all[j], exact) {
				grouped[j] = true
				members = append(members, j)
				rows = append(rows, unit(all[j].B, true))
			}
		}
		stay := map[int]bool{}
		for _, k := range independent(rows, part) {
			stay[members[k]] = true
		}
		for _, j := range members {
			drop[j] = !stay[j]
		}
	}
	var kept []Relation
	for i, r := range all {
		if !drop[i] {
			kept = append(kept, r)
		}
	}
	return kept
}

// sameInputRelation reports whether two input relations are the same, within the
// paper's similarity or exactly.
func sameInputRelation(r, s Relation, exact bool) bool {
	if exact {
		return sameInputs(r, s)
	}
	var a, b, ranges []float64
	for j := range r.A {
		for i := range r.A[j] {
			for k := range r.A[j][i] {
				a, b = append(a, r.A[j][i][k]), append(b, s.A[j][i][k])
				ranges = append(ranges, rangeOf(k))
			}
		}
	}
	return len(a) == 0 || distanceOf(a, b, ranges) < similarDistance
}

// simplest keeps the first maxKept relations of each type and counts the rest.
func simplest(all []Relation) (kept []Relation, omitted int) {
	count := map[Type]int{}
	for _, r := range all {
		count[r.Type]++
		// Bounds are ordered by where they hold, not by how simple they are.
		if r.Type.Equality() && count[r.Type] > maxKept {
			omitted++
			continue
		}
		kept = append(kept, r)
	}
	return kept, omitted
}
