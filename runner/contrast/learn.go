package contrast

import (
	"cmp"
	"slices"
)

// A Row is what is known of one input.
type Row struct {
	Differs bool
	// Numbers, Texts and Truths are plain facts, by what they are of.
	facts map[subject]fact
	// branches are those that the last call took, by place in the list of features.
	branches map[Feature]bool
}

// A Feature is something that may be said of an input.
type Feature struct {
	Code string // Go: an argument, or a condition
	Says string // as in "is negative"
	File string // of a condition
	Line int
	// weight is how little a reader learns of it; smaller is better.
	weight int
	of     subject
	test   test
}

// Told is what was learnt.
type Told struct {
	// All holds for each input that differs. With Exact, all inputs differ for which it
	// holds.
	All   []Feature
	Exact bool
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

// Learn returns what tells rows that differ from others, if that holds for the fresh ones,
// too; false where nothing does. The result depends on nothing but the rows.
func Learn(rows, fresh []Row) (Told, bool) {
	if differ := count(rows); differ < leastRows || len(rows)-differ < leastRows {
		return Told{}, false
	}
	if differ := count(fresh); differ < leastFresh || len(fresh)-differ < leastFresh {
		return Told{}, false
	}
	for i, t := range candidates(rows) {
		if i == maxCandidates {
			break
		}
		if t.holds(fresh) {
			return t, true
		}
	}
	return Told{}, false
}

func count(rows []Row) int {
	n := 0
	for _, r := range rows {
		if r.Differs {
			n++
		}
	}
	return n
}

// necessity is a feature that holds for all rows that differ.
type necessity struct {
	Feature
	others []bool // the rows that do not, in order: whether it holds
	n      int    // of others
}

// candidates are what is true of rows, the best first: exact features, exact pairs, and
// then what is only necessary.
func candidates(rows []Row) []Told {
	var list []necessity
	equal := len(rows) - count(rows)
	for _, f := range features(rows) {
		x := necessity{Feature: f}
		all := true
		for _, r := range rows {
			holds := f.holds(r)
			if r.Differs {
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
	var out []Told
	for _, x := range list {
		if x.n == 0 {
			out = append(out, Told{All: []Feature{x.Feature}, Exact: true})
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
			out = append(out, Told{All: []Feature{x.Feature}})
		}
	}
	return out
}

// pairs are the exact conjunctions of two.
func pairs(list []necessity) []Told {
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
	var out []Told
	for _, p := range found[:min(len(found), maxCandidates-1)] {
		out = append(out, Told{All: []Feature{list[p.a].Feature, list[p.b].Feature}, Exact: true})
	}
	return out
}

// holds reports whether what was learnt is true of rows without exception.
func (t Told) holds(rows []Row) bool {
	without, equal := 0, 0
	for _, r := range rows {
		all := !slices.ContainsFunc(t.All, func(f Feature) bool { return !f.holds(r) })
		switch {
		case r.Differs && !all, t.Exact && all && !r.Differs:
			return false
		case !r.Differs:
			equal++
			if !all {
				without++
			}
		}
	}
	return 3*without >= equal
}
