package coverage

import (
	"github.com/isodelta/isodelta/runner/baseline"
	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/matching"
	"github.com/isodelta/isodelta/runner/negation/explore"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/version"
)

// Record is what was executed in the course of a run.
type Record struct {
	covered  version.Both[outcome.Bits] // branches, by tests as they are
	times    version.Both[map[int]int]  // tests as they are that take a branch
	explored version.Both[outcome.Bits] // branches, by variants
	entered  version.Both[outcome.Bits] // functions of Δ, by tests as they are
	reached  outcome.Bits               // functions of Δ, by variants and calls of our own on either version
	called   version.Both[outcome.Bits] // branches, by calls of our own
	negated  map[outcome.Branch]bool    // branches of pairs

	// Each suite on its own version: base's on base, head's on head.
	own    version.Both[outcome.Bits]    // branches covered
	linked version.Both[outcome.Bits]    // branches in the binaries of packages whose tests ran
	ran    version.Both[map[string]bool] // those packages
}

// SawTest books a test as it is. A test of head's suite that base's has too, and
// that the change does not edit, tells of both suites; edited ones stand in base's.
func (r *Record) SawTest(seen baseline.Seen, suites *build.Suites) {
	for side, runs := range seen.Results {
		var taken outcome.Bits
		for _, x := range runs {
			taken = outcome.Join(taken, x.Covered)
			r.entered[side] = outcome.Join(r.entered[side], x.Entered)
		}
		r.covered[side] = outcome.Join(r.covered[side], taken)
		if r.times[side] == nil {
			r.times[side] = map[int]int{}
		}
		for _, b := range taken.Members() {
			r.times[side][b]++
		}
	}
	t := seen.Test.Test
	if t.Suite.Side == version.Base {
		r.book(version.Base, t.Suite.Own, t.Package, seen.Results[version.Base])
		return
	}
	if !suites.IsNew(t) && !suites.InBase(t) {
		r.book(version.Base, t.Suite.Other, t.Package, seen.Results[version.Base])
	}
	r.book(version.Head, t.Suite.Own, t.Package, seen.Results[version.Head])
}

// book books what a test of a package did on the version that its suite belongs to.
func (r *Record) book(side version.Side, v *build.Version, pkg string, results []outcome.Result) {
	for _, x := range results {
		r.own[side] = outcome.Join(r.own[side], x.Covered)
	}
	if r.ran[side] == nil {
		r.ran[side] = map[string]bool{}
	}
	if !r.ran[side][pkg] {
		r.ran[side][pkg] = true
		r.linked[side] = outcome.Join(r.linked[side], v.Linked(pkg))
	}
}

// SawAlone books a test that ran on its own version alone.
func (r *Record) SawAlone(t *build.Test, x outcome.Result) {
	side := t.Suite.Side
	r.entered[side] = outcome.Join(r.entered[side], x.Entered)
	r.covered[side] = outcome.Join(r.covered[side], x.Covered)
	r.book(side, t.Suite.Own, t.Package, []outcome.Result{x})
}

// Tests returns how many tests take each branch of a version, as they are.
func (r *Record) Tests(side version.Side) map[int]int { return r.times[side] }

// SawVariant books a variant.
func (r *Record) SawVariant(v explore.Variant) {
	if r.negated == nil {
		r.negated = map[outcome.Branch]bool{}
	}
	for _, b := range v.Set.Branches {
		r.negated[b] = true
	}
	if v.Set.Both {
		r.negated[v.Set.Branches[0].Sibling()] = true
	}
	r.explored[version.Base] = outcome.Join(r.explored[version.Base], v.Base.Covered)
	r.reached = outcome.Join(r.reached, v.Base.Entered)
	if v.Head != nil {
		r.explored[version.Head] = outcome.Join(r.explored[version.Head], v.Head.Covered)
		r.reached = outcome.Join(r.reached, v.Head.Entered)
	}
}

// SawVaried books a run of a varied test.
func (r *Record) SawVaried(base, head outcome.Bits) {
	r.reached = outcome.Join(outcome.Join(r.reached, base), head)
}

// SawEntered books how often calls of our own entered the functions of Δ, on either
// version.
func (r *Record) SawEntered(times []int) {
	entered := outcome.NewBits(len(times))
	for k, n := range times {
		if n > 0 {
			entered.Add(k)
		}
	}
	r.reached = outcome.Join(r.reached, entered)
}

// Unexecuted names the functions of Δ that nothing executed on either version, among
// those that would have told; outside are those of them that lie in packages which are not
// within. What initialisers alone call has run before.
func (r *Record) Unexecuted(m *matching.Matching, within func(pkg string) bool) (names, outside []string) {
	executed := outcome.Join(r.reached, outcome.Join(r.entered[version.Base], r.entered[version.Head]))
	told := map[int]bool{}
	for _, v := range m.Versions {
		for _, k := range v.Program.Marked {
			told[k] = true
		}
	}
	for k, name := range m.Names {
		switch f := m.Changed[k]; {
		case !told[k] || executed.Has(k) || f.Early:
		case within(f.Package):
			names = append(names, name)
		default:
			outside = append(outside, name)
		}
	}
	return names, outside
}

// SawCalls books the branches of a version that calls of our own took.
func (r *Record) SawCalls(side version.Side, branches map[int]int) {
	for b := range branches {
		if b/8 >= len(r.called[side]) {
			r.called[side] = append(r.called[side], make(outcome.Bits, b/8+1-len(r.called[side]))...)
		}
		r.called[side].Add(b)
	}
}
