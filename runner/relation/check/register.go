package check

import (
	"cmp"
	"slices"

	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/matching"
	"github.com/isodelta/isodelta/runner/reach"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/relation/declare"
	"github.com/isodelta/isodelta/runner/stage"
)

// Registrar says which relations functions may have, before anything is built: a
// relation is a closure that is compiled into the test binary.
type Registrar struct {
	Env      *stage.Env
	Matching *matching.Matching
	Surface  *reach.Surface
	Declared declare.Compiled // in the configuration, see package declare
	Share    Share            // of the functions
	Tests    *load.Tree       // base, of which the tests state relations; nil if they are not asked
	// Everything says that relations of all exported functions are checked.
	Everything bool
	stated     map[string][]relation.Relation // by package, see fromTests
}

const (
	// maxRelated bounds the functions of a package whose relations are checked.
	maxRelated = 24
	// maxRegistered bounds the general relations of a package: each is a closure
	// that has to be compiled.
	maxRegistered = 160
	// minTried are tried of each function all the same.
	minTried = 2
)

// Register lets a package's test binary check what its functions may have in the
// way of relations: those functions that show the change, exported ones unless there
// are none.
func (r *Registrar) Register(a *surface.API) {
	ops := r.related(a)
	for _, op := range r.Share.of(a, ops) {
		r.registerDeclared(a, op)
	}
	stated := r.registerStated(a, ops)
	for _, op := range ops {
		s := a.Subject(op)
		if s == nil {
			continue
		}
		list := relation.Templates(s) // the likeliest first
		for _, x := range list[:min(len(list), max(minTried, (r.registrable()-stated)/len(ops)))] {
			// What is no Go is a mistake of the template's; the rest is of use.
			_ = a.AddRelation(op, x)
		}
		a.AddNumeric(op)
	}
}

// registrable returns how many general relations are tried in a package: at most one
// for each second of the budget.
func (r *Registrar) registrable() int {
	if r.Env.Plan.Unlimited() || r.Everything {
		return maxRegistered
	}
	return min(maxRegistered, int(r.Env.Plan.Total.Seconds()))
}

// related returns the operations of a package whose relations are checked, those that
// show the change most directly first.
func (r *Registrar) related(a *surface.API) []wire.Op {
	roles := r.Surface.Roles(a)
	var out []wire.Op
	exported := false
	for i, o := range a.All() {
		if roles[i] >= wire.Caller && !o.Variable && !o.Entry && !o.Global && !o.Spawns && o.Package == a.Package {
			out = append(out, i)
			exported = exported || o.Exported
		}
	}
	if exported {
		out = slices.DeleteFunc(out, func(i wire.Op) bool { return !a.Op(i).Exported && !r.isDeclared(a.Op(i)) })
	}
	stated := r.sources(a, func(o wire.Op) bool { return roles[o] >= wire.Caller })
	for _, op := range stated {
		if !slices.Contains(out, op) {
			out = append(out, op)
		}
	}
	// What somebody has declared comes first, then what tests state.
	slices.SortStableFunc(out, func(i, j wire.Op) int {
		return cmp.Or(cmp.Compare(rankOf(r.isDeclared(a.Op(i))), rankOf(r.isDeclared(a.Op(j)))),
			cmp.Compare(rankOf(slices.Contains(stated, i)), rankOf(slices.Contains(stated, j))),
			cmp.Compare(roles[j], roles[i]))
	})
	if r.Everything {
		return out
	}
	return out[:min(len(out), maxRelated)]
}
