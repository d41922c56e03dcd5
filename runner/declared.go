package runner

import (
	"context"
	"slices"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/relation"
)

// compileDeclared type-checks the relations and categories that the
// configuration declares.
func (c *comparison) compileDeclared(ctx context.Context) (err error) {
	if c.opt.NoRelations {
		return nil
	}
	c.relations.declared, err = relation.Compile(ctx, c.opt.ConfigFile, c.opt.Relations, c.opt.Categories, c.base.tree, c.head.tree)
	for _, l := range c.relations.declared.Limits {
		c.limit(event.Limit{Kind: "relations", What: "declared relations", Reason: l})
	}
	return err
}

// registerDeclared registers what is declared of an operation.
func (c *comparison) registerDeclared(a *calls.API, op wire.Op) {
	o := a.Op(op)
	for _, r := range c.relations.declared.Relations {
		if r.Function == o.Name && r.Package == o.Package {
			if err := a.AddRelation(op, r); err != nil {
				c.limit(event.Limit{Kind: "relations", What: r.At, Reason: err.Error()})
			}
		}
	}
	for _, s := range c.relations.declared.Categories {
		if s.Function == o.Name && s.Package == o.Package {
			if err := a.AddChoices(s); err != nil {
				c.limit(event.Limit{Kind: "relations", What: s.At, Reason: err.Error()})
			}
		}
	}
}

// noteUnreached says which declared relations were not checked, because the
// change does not reach their functions or they cannot be called.
func (c *comparison) noteUnreached() {
	for _, r := range c.relations.declared.Relations {
		if !c.relations.seen[r.ID()] {
			c.limit(event.Limit{Kind: "relations", What: r.At, Reason: r.Notation + " was not checked: the change does not reach the function, or no input for it was found"})
		}
	}
}

func (c *comparison) isDeclared(o calls.Operation) bool {
	of := func(function, pkg string) bool { return function == o.Name && pkg == o.Package }
	return slices.ContainsFunc(c.relations.declared.Relations, func(r relation.Relation) bool { return of(r.Function, r.Package) }) ||
		slices.ContainsFunc(c.relations.declared.Categories, func(s relation.ChoiceSet) bool { return of(s.Function, s.Package) })
}

func rankOf(first bool) int {
	if first {
		return 0
	}
	return 1
}
