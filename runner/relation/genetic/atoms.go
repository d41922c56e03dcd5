package genetic

import (
	"slices"

	"github.com/isodelta/isodelta/runner/relation/law"
)

// mostAtoms bounds the comparisons that are enumerated.
const mostAtoms = 20_000

// atoms enumerates small comparisons: of an output, or an operator of it, with a term of
// at most two operators. Smaller ones come first, and each comes once in normal form.
func atoms(p Problem, constants []*law.Expr) []*law.Expr {
	e := &enumeration{problem: p, seen: map[string]bool{}}
	e.terms(constants)
	for size := 1; size <= 5; size++ {
		for _, left := range e.simple {
			if !p.mentionsOutput(left) {
				continue
			}
			for _, right := range e.all {
				if len(e.found) >= mostAtoms {
					return e.found
				}
				if right.Size() == size && right.Key() != left.Key() {
					e.compare(left, right)
				}
			}
		}
	}
	return e.found
}

// enumeration is what atoms has so far.
type enumeration struct {
	problem Problem
	simple  []*law.Expr // variables, and operators of one variable
	all     []*law.Expr // those, constants, and operators of two of them
	found   []*law.Expr
	seen    map[string]bool
}

func (e *enumeration) terms(constants []*law.Expr) {
	seen := map[string]bool{}
	add := func(to *[]*law.Expr, x *law.Expr) {
		if x = law.Simplify(x); !seen[x.Key()] {
			seen[x.Key()] = true
			*to = append(*to, x)
		}
	}
	for i, v := range e.problem.Variables {
		add(&e.simple, law.Var(i, v.Kind))
	}
	signatures := law.Signatures()
	variables := slices.Clone(e.simple)
	for _, s := range signatures {
		for _, x := range variables {
			if len(s.Args) == 1 && s.Args[0] == x.Kind() {
				add(&e.simple, law.Apply(s.Op, x))
			}
		}
	}
	base := append(slices.Clone(e.simple), constants...)
	e.all = slices.Clone(base)
	for _, s := range signatures {
		if len(s.Args) != 2 || s.Result == law.Bool {
			continue
		}
		for _, a := range base {
			for _, b := range base {
				if a.Kind() == s.Args[0] && b.Kind() == s.Args[1] {
					add(&e.all, law.Apply(s.Op, a, b))
				}
			}
		}
	}
}

// compare adds the comparisons of two terms; only equality with large ones.
func (e *enumeration) compare(a, b *law.Expr) {
	if a.Size() == 1 && a.Kind() == law.Bool {
		e.add(a)
	}
	e.add(law.Apply(law.Equal, a, b))
	if b.Size() <= 3 {
		e.add(law.Apply(law.AtMost, a, b))
		e.add(law.Apply(law.AtMost, b, a))
		e.add(law.Apply(law.Less, a, b))
		e.add(law.Apply(law.Less, b, a))
	}
	if b.Size() > 2 {
		return
	}
	for _, op := range []law.Op{law.Same, law.HasPrefix, law.HasSuffix, law.Contains} {
		e.add(law.Apply(op, a, b))
		if op != law.Same {
			e.add(law.Apply(op, b, a))
		}
	}
}

// add adds a relation, if there is one that is new and is neither true nor false.
func (e *enumeration) add(x *law.Expr) {
	if x == nil {
		return
	}
	if x = law.Simplify(x); x.Op() != law.Constant && !e.seen[x.Key()] {
		e.seen[x.Key()] = true
		e.found = append(e.found, x)
	}
}
