package check

import (
	"slices"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/relation/declare"
)

// registerDeclared registers what is declared of an operation.
func (r *Registrar) registerDeclared(a *surface.API, op wire.Op) {
	o := a.Op(op)
	for _, x := range r.Declared.Relations {
		if x.Function == o.Name && x.Package == o.Package {
			if err := a.AddRelation(op, x); err != nil {
				r.Env.Limit(event.Limit{Kind: event.LimitRelations, What: x.At, Reason: err.Error()})
			}
		}
	}
	for _, x := range r.Declared.Categories {
		if x.Function == o.Name && x.Package == o.Package {
			if err := a.AddChoices(x); err != nil {
				r.Env.Limit(event.Limit{Kind: event.LimitRelations, What: x.At, Reason: err.Error()})
			}
		}
	}
}

// NoteUnreached lists the declared relations of the share that were not checked, because
// the change does not reach their functions or they cannot be called.
func (s *Stage) NoteUnreached() {
	own := s.Declared
	own.Relations = slices.DeleteFunc(slices.Clone(own.Relations), func(x relation.Relation) bool { return !s.Share.has(x.Package, x.Function) })
	for _, l := range Unreached(own, s.seen) {
		s.Env.Limit(l)
	}
}

// Unreached lists declared relations that were not checked: those whose identifiers
// are not among the ones that were.
func Unreached(declared declare.Compiled, checked map[string]bool) []event.Limit {
	var out []event.Limit
	for _, r := range declared.Relations {
		if !checked[r.ID()] {
			out = append(out, event.Limit{Kind: event.LimitRelations, What: r.At,
				Reason: r.Notation + " was not checked: the change does not reach the function, or no input for it was found"})
		}
	}
	return out
}

func (r *Registrar) isDeclared(o surface.Operation) bool {
	of := func(function, pkg string) bool { return function == o.Name && pkg == o.Package }
	return slices.ContainsFunc(r.Declared.Relations, func(x relation.Relation) bool { return of(x.Function, x.Package) }) ||
		slices.ContainsFunc(r.Declared.Categories, func(x relation.ChoiceSet) bool { return of(x.Function, x.Package) })
}

func rankOf(first bool) int {
	if first {
		return 0
	}
	return 1
}
