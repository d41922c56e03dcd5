package event

import (
	"cmp"
	"slices"
	"strings"
)

// Relating joins the relations of a stream to its findings: a relation belongs to
// a finding if it is one of the function that the finding is about, or of a
// changed function that ran, in the same module. It is made by Stream.Relating,
// and does not follow later changes of the stream. It takes no longer than the
// stream is long, however many relations or findings a function has.
type Relating struct {
	modules   []string
	relations []Relation // sorted
	of        map[spot][]int
	saying    map[spot]saying
	concerns  map[spot]concern
	weights   map[clusterKey]int
}

// spot is a function in a module: one of no module, which fits any, or in every
// module.
type spot struct{ module, function string }

// everywhere is the module of what is said of a function in all modules; no module is
// called so.
const everywhere = "\x00"

// saying is what relations say together; concern, what findings are about a function.
type (
	saying  struct{ broken bool }
	concern struct{ named, open bool }
)

// clusterKey is a cluster's findings of one status.
type clusterKey struct {
	cluster string
	status  int
}

// Weights of clusters within a rung.
const (
	breaksRelation = iota // of its relations, one is broken
	noRelation            // none is; that all are kept says nothing about what differs
)

// maxRelated bounds the relations that are given for findings.
const maxRelated = 50

// Relating joins what the stream holds now.
func (s *Stream) Relating() Relating {
	r := Relating{relations: s.Relations, of: map[spot][]int{}, saying: map[spot]saying{}, concerns: map[spot]concern{}, weights: map[clusterKey]int{}}
	for _, v := range s.Versions {
		r.modules = append(r.modules, v.Module)
	}
	if len(s.Relations) == 0 {
		return r
	}
	r.relations = slices.SortedFunc(slices.Values(s.Relations), CompareRelations)
	for i, e := range r.relations {
		for _, at := range []spot{{e.Module, e.Function}, {everywhere, e.Function}} {
			r.of[at] = append(r.of[at], i)
			r.saying[at] = r.saying[at].with(saying{isBroken(e)})
		}
	}
	for _, f := range s.Findings {
		module, said := r.moduleOf(f), saying{}
		for _, name := range functionsOf(f) {
			for _, at := range fitting(module, name) {
				said = said.with(r.saying[at])
			}
			for _, at := range []spot{{module, name}, {everywhere, name}} {
				r.concerns[at] = r.concerns[at].with(concern{true, f.Open()})
			}
		}
		k := clusterKey{f.Cluster, openRank(f)}
		if have, seen := r.weights[k]; !seen || said.weight() < have {
			r.weights[k] = said.weight()
		}
	}
	return r
}

// fitting are the places of what belongs to a function of a module.
func fitting(module, function string) []spot {
	if module == "" {
		return []spot{{everywhere, function}}
	}
	return []spot{{module, function}, {"", function}}
}

func (s saying) with(t saying) saying {
	return saying{s.broken || t.broken}
}

func (c concern) with(d concern) concern { return concern{c.named || d.named, c.open || d.open} }

// weight ranks a finding by what its relations say; new, kept and violated ones say
// nothing about what the change does to it.
func (s saying) weight() int {
	if s.broken {
		return breaksRelation
	}
	return noRelation
}

// breaking are the functions of a finding that have a broken relation, or all of them where another finding of its
// cluster has them.
func (r Relating) breaking(f Finding) []string {
	module, all := r.moduleOf(f), functionsOf(f)
	broken := slices.DeleteFunc(slices.Clone(all), func(name string) bool {
		return !slices.ContainsFunc(fitting(module, name), func(at spot) bool { return r.saying[at].broken })
	})
	if len(broken) == 0 {
		return all
	}
	return broken
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
// of CompareRelations, and at most maxRelated of them.
func (r Relating) Of(findings ...Finding) []Relation {
	if len(r.relations) == 0 || len(findings) == 0 {
		return nil
	}
	var all []int
	module := r.moduleOf(findings[0])
	for _, name := range functionsOf(findings...) {
		for _, at := range fitting(module, name) {
			list := r.of[at]
			all = append(all, list[:min(len(list), maxRelated)]...)
		}
	}
	slices.Sort(all)
	var out []Relation
	for _, i := range all[:min(len(all), maxRelated)] {
		out = append(out, r.relations[i])
	}
	return out
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

// Compare orders findings that represent their clusters as CompareFindings does,
// but that of clusters of the same harm and rung those with a broken relation come
// first. It returns -1, 0 or 1.
func (r Relating) Compare(a, b Finding) int {
	return cmp.Or(
		compareGravity(a, b),
		cmp.Compare(a.seen(), b.seen()),
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

// Open reports whether a relation is a difference in behaviour which nobody has taken
// on: it is broken, not accepted itself, and not all findings of its function are intended
// or accepted.
func (r Relating) Open(e Relation) bool {
	c := r.concern(e)
	return e.State == Broken && e.Accepted == nil && (c.open || !c.named)
}

// Alone reports whether no finding is about the relation's function.
func (r Relating) Alone(e Relation) bool { return !r.concern(e).named }

func (r Relating) concern(e Relation) concern {
	var c concern
	for _, at := range fitting(e.Module, e.Function) {
		c = c.with(r.concerns[at])
	}
	return c
}

func isBroken(e Relation) bool { return e.State == Broken }

// isAcceptedRelation reports whether a relation is broken, and somebody took that on.
func isAcceptedRelation(e Relation) bool { return isBroken(e) && e.Accepted != nil }

// hasAccepted reports whether it took an acceptance to close a finding or a relation.
func (s *Stream) hasAccepted() bool {
	return s.hasFinding(isAccepted) || slices.ContainsFunc(s.Relations, isAcceptedRelation)
}

// hasOpenRelation reports whether some relation is broken and open.
func (s *Stream) hasOpenRelation() bool {
	return slices.ContainsFunc(s.Relations, isBroken) && slices.ContainsFunc(s.Relations, s.Relating().Open)
}
