package surface

import (
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/relation"
)

// Registered is a relation whose groups the test binary can run.
type Registered struct {
	relation.Relation
	ID string
	Op wire.Op
}

// Subject is an operation of the package under test as package relation wants
// it; nil for others.
func (a *API) Subject(op wire.Op) *relation.Subject {
	o := a.Op(op)
	if o.Function == nil || o.Package != a.Package || o.adapted != nil || o.Test {
		return nil
	}
	return &relation.Subject{Name: o.Name, Expr: o.call, Short: o.Function.Name(), Package: o.Function.Pkg(), Sig: o.sig,
		Receiver: o.IsMethod()}
}

// AddRelation lets the registering file register a relation of operation op.
func (a *API) AddRelation(op wire.Op, r relation.Relation) error {
	id := r.ID()
	for _, known := range a.Relations {
		if known.ID == id {
			return nil
		}
	}
	src, _, err := relation.Registration(r, func(p string) string { return a.Import(p) + "." })
	if err != nil {
		return err
	}
	a.Relations = append(a.Relations, Registered{r, id, op})
	a.lines = append(a.lines, line{text: src, op: -1, relation: id})
	return nil
}

// AddChoices lets the registering file register the categories of a function.
func (a *API) AddChoices(s relation.ChoiceSet) error {
	src, _, err := relation.Choices(s, func(p string) string { return a.Import(p) + "." })
	if err == nil {
		a.lines = append(a.lines, line{text: src, op: -1})
	}
	return err
}

// AddNumeric lets the registering file register an adapter of an operation on
// numbers, and reports whether it is one.
func (a *API) AddNumeric(op wire.Op) bool {
	n, src, ok := a.numericOf(a.Op(op))
	if ok {
		n.Op = op
		a.Numeric = append(a.Numeric, n)
		a.lines = append(a.lines, line{text: src, op: -1})
	}
	return ok
}
