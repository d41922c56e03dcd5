package isomorph

import (
	"golang.org/x/tools/go/ssa"

	"github.com/isodelta/isodelta/runner/load"
)

// Reach answers, for one version, from where execution can get to a function
// of Δ. Where it does not know, it answers that it can. It is not for several
// goroutines at once.
type Reach struct {
	g       *graph
	failed  string // why there is no graph
	delta   []bool // by body: in Δ
	viewing bool   // observers that call String or Error may execute Δ
	all     *view
	tests   map[string]*view // filled on demand
	// distance from Δ by body, -1 for none; filled on demand.
	distance []int
}

// Reach prepares the analysis of a version; side is "base" or "head" and says
// which of the members' declarations are meant.
func (p *Program) Reach(changed []Function, side string) *Reach {
	p.graphOnce.Do(func() { p.graph, p.graphErr = newGraph(p) })
	r := &Reach{g: p.graph, tests: map[string]*view{}}
	if p.graphErr != nil {
		r.failed = p.graphErr.Error()
		return r
	}
	r.delta = make([]bool, len(r.g.bodies))
	for _, f := range changed {
		span := f.Base
		if side == "head" {
			span = f.Head
		}
		if span == nil {
			if f.Init {
				for _, b := range r.g.inits[f.Package] {
					r.mark(b)
				}
			}
			continue
		}
		b := r.g.at[span.Place]
		if b == nil {
			r.failed = "the declaration of " + f.Name + " was not found in " + span.File
			return r
		}
		r.mark(b)
	}
	r.all = newView(r.g, r.delta, nil, nil, r.viewing)
	return r
}

// mark puts a declaration, with its closures, into Δ.
func (r *Reach) mark(b *body) {
	for _, f := range bodies(b.fn) {
		if c := r.g.byFn[f]; c != nil {
			r.delta[c.id] = true
		}
	}
	name := b.fn.Name()
	if b.fn.Signature.Recv() != nil && (name == "String" || name == "Error") {
		r.viewing = true
	}
}

// test returns the view of a test, nil where the test is not known.
func (r *Reach) test(pkgPath, name string) *view {
	test := r.declared(pkgPath, name)
	if test == nil {
		return nil
	}
	key := pkgPath + " " + name
	if v := r.tests[key]; v != nil {
		return v
	}
	roots := []*body{test}
	if m := r.declared(pkgPath, "TestMain"); m != nil {
		roots = append(roots, m)
	}
	for i, path := range r.g.linked(pkgPath) {
		inits := r.g.inits[path]
		if i > 0 && len(inits) > 1 {
			inits = inits[:1] // the tests of other packages are not linked
		}
		roots = append(roots, inits...)
	}
	roots = append(roots, r.g.inits[pkgPath+"_test"]...)
	v := newView(r.g, r.delta, roots, test, r.viewing)
	r.tests[key] = v
	return v
}

// declared finds a function of a package or of its external tests.
func (r *Reach) declared(pkgPath, name string) *body {
	if b := r.g.byKey[pkgPath+".."+name]; b != nil {
		return b
	}
	return r.g.byKey[pkgPath+"_test.."+name]
}

// find returns the body of a condition and where an outcome leads.
func (r *Reach) find(condition load.Place, outcome bool) (*body, *ssa.BasicBlock) {
	if r.failed != "" {
		return nil, nil
	}
	at, ok := r.g.ifs[condition]
	if !ok {
		return nil, nil
	}
	if outcome {
		return at.body, at.block.Succs[0]
	}
	return at.body, at.block.Succs[1]
}

// MayReachIn reports whether what follows an outcome of a condition, returning or
// panicking to callers included, may execute a function of Δ in executions of one
// test, given by the import path of the package under test and its name. Only what
// the test can execute counts, and no other test may run beside it. It is for
// conditions that the test executes: of others it says true, as of all that it
// does not know.
func (r *Reach) MayReachIn(pkgPath, test string, condition load.Place, outcome bool) bool {
	b, target := r.find(condition, outcome)
	if b == nil {
		return true
	}
	v := r.test(pkgPath, test)
	if v == nil || !v.part[b.id] {
		return true // if it is executed all the same, the graph does not know all
	}
	return v.continues(b, target)
}

// Ahead reports whether a function of Δ may be executed, in any test, from the
// target of the outcome on, within the function and in what is called there. It
// serves to order, not to prune.
func (r *Reach) Ahead(condition load.Place, outcome bool) bool {
	b, target := r.find(condition, outcome)
	return b == nil || r.all.within(b, target)
}

// Function reports whether a test can execute a function of Δ. The package is
// given by its import path, that of the package under test for external tests
// too. It is true for functions that it does not know.
func (r *Reach) Function(pkgPath, name string) bool {
	if r.failed != "" {
		return true
	}
	v := r.test(pkgPath, name)
	return v == nil || v.reaches
}

// Sound reports whether executions may be left out on MayReachIn's word; if not,
// also why.
func (r *Reach) Sound() (bool, string) {
	if r.failed != "" {
		return false, r.failed
	}
	return r.g.unsound == "", r.g.unsound
}
