package contrast

import (
	"cmp"
	"slices"
)

// A row is what is known of one input.
type row struct {
	differs bool
	facts   map[subject]fact // of the arguments
	// branches are those that the last call took.
	branches map[feature]bool
}

// A feature is something that may be said of an input.
type feature struct {
	code string // Go: an argument, or a condition
	says string // as in "is negative"
	file string // of a condition
	line int
	// weight is how little a reader learns of it; smaller is better.
	weight int
	of     subject
	test   test
}

// told is what was learnt.
type told struct {
	// all hold for each input that differs. With exact, all inputs differ for which they
	// hold.
	all   []feature
	exact bool
}

const (
	// leastRows is how many rows of each kind it takes to learn from.
	leastRows = 8
	// leastFresh is how many of each kind must confirm it.
	leastFresh = 5
	// maxNecessary bounds the features that are put together in pairs.
	maxNecessary = 60
	// maxCandidates bounds the conjunctions that are held against fresh rows.
	maxCandidates = 3
)

// learn returns what tells rows that differ from others, if that holds for the fresh ones,
// too; false where nothing does. The result depends on nothing but the rows.
func learn(rows, fresh []row) (told, bool) {
	if differ := count(rows); differ < leastRows || len(rows)-differ < leastRows {
		return told{}, false
	}
	if differ := count(fresh); differ < leastFresh || len(fresh)-differ < leastFresh {
		return told{}, false
	}
	for i, t := range candidates(rows) {
		if i == maxCandidates {
			break
		}
		if t.holds(fresh) {
			return t, true
		}
	}
	return told{}, false
}

func count(rows []row) int {
	n := 0
	for _, r := range rows {
		if r.differs {
			n++
		}
	}
	return n
}

// necessity is a feature that holds for all rows that differ.
type necessity struct {
	feature
	others []bool // the rows that do not, in order: whether it holds
	n      int    // of others
}

// candidates are what is true of rows, the best first: exact features, exact pairs, and
// then what is only necessary.
func candidates(rows []row) []told {
	var list []necessity
	equal := len(rows) - count(rows)
	for _, f := range features(rows) {
		x := necessity{feature: f}
		all := true
		for _, r := range rows {
			holds := f.holds(r)
			if r.differs {
				all = all && holds
				continue
			}
			x.others = append(x.others, holds)
			if holds {
				x.n++
			}
		}
		if all && x.n < equal {
			list = append(list, x)
		}
	}
	slices.SortStableFunc(list, func(a, b necessity) int {
		return cmp.Or(cmp.Compare(min(a.n, 1), min(b.n, 1)), cmp.Compare(a.weight, b.weight), cmp.Compare(a.n, b.n))
	})
	var out []told
	for _, x := range list {
		if x.n == 0 {
			out = append(out, told{all: []feature{x.feature}, exact: true})
		}
	}
	if len(out) > 0 {
		return out
	}
	list = list[:min(len(list), maxNecessary)]
	out = pairs(list)
	slices.SortStableFunc(list, func(a, b necessity) int { return cmp.Compare(a.n, b.n) })
	for _, x := range list {
		if 3*(equal-x.n) >= equal {
			out = append(out, told{all: []feature{x.feature}})
		}
	}
	return out
}

// pairs are the exact conjunctions of two.
func pairs(list []necessity) []told {
	type pair struct {
		a, b   int
		weight int
	}
	var found []pair
	for i, a := range list {
		for j, b := range list[:i] {
			exact := true
			for k := range a.others {
				if a.others[k] && b.others[k] {
					exact = false
					break
				}
			}
			if exact {
				found = append(found, pair{j, i, a.weight + b.weight})
			}
		}
	}
	slices.SortStableFunc(found, func(x, y pair) int { return cmp.Compare(x.weight, y.weight) })
	var out []told
	for _, p := range found[:min(len(found), maxCandidates-1)] {
		out = append(out, told{all: []feature{list[p.a].feature, list[p.b].feature}, exact: true})
	}
	return out
}

// holds reports whether what was learnt is true of rows without exception.
func (t told) holds(rows []row) bool {
	without, equal := 0, 0
	for _, r := range rows {
		all := !slices.ContainsFunc(t.all, func(f feature) bool { return !f.holds(r) })
		switch {
		case r.differs && !all, t.exact && all && !r.differs:
			return false
		case !r.differs:
			equal++
			if !all {
				without++
			}
		}
	}
	return 3*without >= equal
}
