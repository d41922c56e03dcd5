package automr

import (
	"math"
	"sort"
)

// keepNew keeps those of the laws that do not follow from kept ones.
func (e *equalities) keepNew(laws []law) {
	for _, l := range laws {
		if !e.follows(l) {
			e.keep(l)
		}
	}
}

// follows reports whether a law is in the ideal of kept laws, as far as that is
// cheap: whether it is a linear combination of their multiples of one degree
// more, among the inputs of its group and perhaps one further input that kept
// laws connect with it. So f²(x+2) = f²(x)+2 follows from f²(x+1) = f²(x)+1.
func (e *equalities) follows(l law) bool {
	if e.inIdeal(l, l.group) {
		return true
	}
	for _, between := range e.between(l) {
		if e.inIdeal(l, append(append([]mapping(nil), l.group...), between)) {
			return true
		}
	}
	return false
}

// between are inputs that kept laws relate to the source or that relate to them,
// none less simple than the law's own: a derivation through those is no reason to
// leave a law out.
func (e *equalities) between(l law) []mapping {
	seen := map[string]bool{}
	most := 0.0
	for _, g := range l.group {
		seen[g.key] = true
		most = math.Max(most, g.complexity)
	}
	var all []mapping
	add := func(m mapping, ok bool) {
		if ok && !seen[m.key] && m.complexity <= most {
			seen[m.key] = true
			all = append(all, m)
		}
	}
	for _, k := range e.laws {
		for _, g := range k.group[1:] {
			add(g, true)
			for _, own := range l.group[1:] {
				if inv, ok := g.inverse(); ok {
					add(own.then(inv))
				}
			}
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].complexity < all[j].complexity })
	return all[:min(len(all), 20)]
}

// inIdeal reports whether the law is a combination of multiples of kept laws among
// the inputs of group, of which the law's are the first.
func (e *equalities) inIdeal(l law, group []mapping) bool {
	m := e.eval.program.Out
	degree := l.degree + 1
	for degree > l.degree && countMonomials(len(group)*m, degree, 100) >= 100 {
		degree--
	}
	of := monomials(len(group)*m, degree)
	known := &span{}
	for _, k := range e.consequences(group, degree, of) {
		known.add(k)
	}
	row := make([]float64, len(of))
	for j, mono := range monomials(len(l.group)*m, l.degree) {
		row[indexOfMonomial(of, mono)] = l.b[j]
	}
	_, rest := known.remainder(row)
	return len(known.rows) > 0 && rest < 1e-7
}
