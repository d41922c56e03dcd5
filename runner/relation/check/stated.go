package check

import (
	"slices"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/relation/tested"
)

// fromTests returns what the tests of base state of a package's functions. Head's tests
// are not asked: what they state may be what the change has made true.
func (r *Registrar) fromTests(pkg string) []relation.Relation {
	list, known := r.stated[pkg]
	if known || r.Tests == nil {
		return list
	}
	if r.stated == nil {
		r.stated = map[string][]relation.Relation{}
	}
	for _, p := range r.Tests.Packages {
		if p.Path == pkg {
			var left []tested.Left
			list, left = tested.Find(r.Tests, p)
			for _, l := range left {
				r.Env.Limit(event.Limit{Kind: event.LimitRelations, What: l.At, Reason: l.Reason})
			}
		}
	}
	r.stated[pkg] = list
	return list
}

// registerStated registers what tests state of operations, and returns how much it is.
func (r *Registrar) registerStated(a *surface.API, ops []wire.Op) int {
	n := 0
	for _, x := range r.fromTests(a.Package) {
		op, ok := source(a, x)
		if !ok || !slices.Contains(ops, op) || n >= r.registrable()/2 {
			continue
		}
		if a.AddRelation(op, x) == nil {
			n++
		}
	}
	return n
}

// sources returns the operations that relations from tests begin with of which one call
// is of an operation that is wanted: the change may be in another call than the first.
func (r *Registrar) sources(a *surface.API, wanted func(wire.Op) bool) []wire.Op {
	byCall := map[string]wire.Op{}
	for i := range a.All() {
		if s := a.Subject(i); s != nil {
			byCall[s.Expr] = i
		}
	}
	var out []wire.Op
	for _, x := range r.fromTests(a.Package) {
		op, ok := source(a, x)
		if !ok || slices.Contains(out, op) || a.Op(op).Spawns || a.Op(op).Global {
			continue
		}
		if slices.ContainsFunc(x.Form.Calls, func(c relation.Call) bool { i, ok := byCall[c.Function]; return ok && wanted(i) }) {
			out = append(out, op)
		}
	}
	return out
}

// source is the operation that a relation's source call is of.
func source(a *surface.API, x relation.Relation) (wire.Op, bool) {
	for i, o := range a.All() {
		if o.Name != x.Function || o.Package != x.Package || o.Variable {
			continue
		}
		if s := a.Subject(i); s != nil && s.Expr == x.Form.Calls[0].Function {
			return i, true
		}
	}
	return 0, false
}
