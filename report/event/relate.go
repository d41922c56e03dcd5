package event

import (
	"cmp"
	"slices"
	"strings"
)

// Relating joins the relations of a stream to its findings: a relation belongs to
// a finding if it is one of the function that the finding is about, or of a
// changed function that ran, in the same module. It is made by Stream.Relating,
// and does not follow later changes of the stream.
type Relating struct {
	modules []string
	of      map[string][]Relation // by function, sorted
	found   map[string]*concern   // by what findings are about
	closed  map[relationKey]bool  // broken, and explained by findings that are closed
	named   map[relationKey]bool  // of some finding
	weights map[clusterKey]int
}

type relationKey struct{ module, id string }

// clusterKey is a cluster's findings of one standing.
type clusterKey struct {
	cluster  string
	standing int
}

// Weights of clusters within a rung.
const (
	breaksRelation = iota // of its relations, one is broken
	noRelation            // none says anything
	keepsRelations        // all are kept
)

// Relating joins what the stream holds now.
func (s *Stream) Relating() Relating {
	r := Relating{of: map[string][]Relation{}, found: map[string]*concern{}, closed: map[relationKey]bool{}, named: map[relationKey]bool{}, weights: map[clusterKey]int{}}
	for _, v := range s.Versions {
		r.modules = append(r.modules, v.Module)
	}
	for _, e := range s.Relations {
		r.of[e.Function] = append(r.of[e.Function], e)
	}
	for _, list := range r.of {
		slices.SortFunc(list, CompareRelations)
	}
	if len(r.of) == 0 {
		return r
	}
	for _, f := range s.Findings {
		module, functions := r.moduleOf(f), functionsOf(f)
		about := strings.Join(append([]string{module}, functions...), "\x00")
		c := r.found[about]
		if c == nil {
			list := r.collect(module, functions)
			c = &concern{relations: list, weight: weigh(list)}
			r.found[about] = c
		}
		c.open = c.open || f.Open()
		k := clusterKey{f.Cluster, openRank(f)}
		if have, seen := r.weights[k]; !seen || c.weight < have {
			r.weights[k] = c.weight
		}
	}
	open := map[relationKey]bool{}
	for _, c := range r.found {
		for _, e := range c.relations {
			id := relationKey{e.Module, e.ID}
			r.named[id] = true
			open[id] = open[id] || c.open
		}
	}
	for id := range r.named {
		r.closed[id] = !open[id]
	}
	return r
}

// concern is what findings of the same functions share: there may be many of
// them, and many relations.
type concern struct {
	relations []Relation // sorted
	weight    int
	open      bool // of some finding, neither intended nor accepted
}

// functionsOf are the functions that findings are about, sorted.
func functionsOf(findings ...Finding) []string {
	var names []string
	for _, f := range findings {
		names = append(append(names, f.Function), f.Changed...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Of are the relations of some findings in the module of the first, in the order
// of CompareRelations. The list is not to be changed.
func (r Relating) Of(findings ...Finding) []Relation {
	if len(r.of) == 0 || len(findings) == 0 {
		return nil
	}
	module, functions := r.moduleOf(findings[0]), functionsOf(findings...)
	if c := r.found[strings.Join(append([]string{module}, functions...), "\x00")]; c != nil {
		return slices.Clip(c.relations)
	}
	return r.collect(module, functions)
}

func (r Relating) collect(module string, functions []string) []Relation {
	var list []Relation
	for _, n := range functions {
		for _, e := range r.of[n] {
			if e.Module == "" || module == "" || e.Module == module {
				list = append(list, e)
			}
		}
	}
	slices.SortFunc(list, CompareRelations)
	return list
}

// moduleOf is the innermost module that holds the finding's package, "" where
// that is none of the stream's.
func (r Relating) moduleOf(f Finding) string {
	module := ""
	for _, m := range r.modules {
		if (f.Package == m || strings.HasPrefix(f.Package, m+"/")) && len(m) > len(module) {
			module = m
		}
	}
	return module
}

// weigh ranks a finding by what its relations say; new and violated ones say
// nothing about what the change does.
func weigh(list []Relation) int {
	switch {
	case slices.ContainsFunc(list, isBroken):
		return breaksRelation
	case len(list) > 0 && !slices.ContainsFunc(list, func(e Relation) bool { return e.State != Kept }):
		return keepsRelations
	}
	return noRelation
}

// Compare orders findings that speak for their clusters as CompareFindings does,
// but that of clusters on the same rung those with a broken relation come first,
// and those whose relations are all kept last. It returns -1, 0 or 1.
func (r Relating) Compare(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(openRank(a), openRank(b)),
		cmp.Compare(rank(rungs, string(a.Rung)), rank(rungs, string(b.Rung))),
		cmp.Compare(r.weight(a), r.weight(b)),
		CompareFindings(a, b),
	)
}

// weight is that of the finding's cluster, the one that says most about it.
func (r Relating) weight(f Finding) int {
	if w, ok := r.weights[clusterKey{f.Cluster, openRank(f)}]; ok {
		return w
	}
	return noRelation
}

// Open says that a relation is a difference in behaviour which nobody has taken
// on: it is broken, and not all findings of its function are intended or accepted.
func (r Relating) Open(e Relation) bool {
	return e.State == Broken && !r.closed[relationKey{e.Module, e.ID}]
}

// Alone says that no finding is about the relation's function.
func (r Relating) Alone(e Relation) bool { return !r.named[relationKey{e.Module, e.ID}] }

func isBroken(e Relation) bool { return e.State == Broken }

// hasOpenRelation says that some relation is broken and open.
func (s *Stream) hasOpenRelation() bool {
	return slices.ContainsFunc(s.Relations, isBroken) && slices.ContainsFunc(s.Relations, s.Relating().Open)
}
