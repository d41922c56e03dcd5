package matching

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/version"
)

// pruning is what is known about variants that need not run.
type pruning struct {
	on bool // ranks are asked for
	// dynamic: a variant that executes nothing of Δ on base behaves the same
	// on head. static: reachability over blocks may be trusted.
	dynamic, static bool
}

func (m *Matching) preparePruning(opt Options) {
	if opt.NoPrune || len(m.PruneBlockers) > 0 {
		return
	}
	m.prune.on, m.prune.dynamic = true, true
	for _, f := range m.Changed {
		if f.Init {
			m.prune.dynamic = false
		}
	}
	reach := m.Reaches()
	okBase, _ := reach[version.Base].Sound()
	okHead, _ := reach[version.Head].Sound()
	m.prune.static = m.prune.dynamic && okBase && okHead
}

// Reaches answers, for each version, what may come to execute Δ.
func (m *Matching) Reaches() version.Both[*isomorph.Reach] {
	if m.reach[version.Base] == nil {
		var both sync.WaitGroup
		both.Go(func() { m.reach[version.Base] = m.Base.Reach(m.Changed, "base") })
		both.Go(func() { m.reach[version.Head] = m.Head.Reach(m.Changed, "head") })
		both.Wait()
	}
	return m.reach
}

// Quiet reports whether an execution that entered nothing of Δ is proved to be the
// same on both versions.
func (m *Matching) Quiet(r outcome.Result) bool { return m.prune.dynamic && r.Entered.Empty() }

// Aside reports whether what an execution shows may come from around the code, for it entered nothing of Δ and a
// module changed that only tests are built with.
func (m *Matching) Aside(r outcome.Result) bool {
	return r.Entered.Empty() && slices.ContainsFunc(m.Dependencies, func(d isomorph.Dependency) bool { return len(d.Packages) == 0 })
}

// Rank orders a branch for a test, which executes Δ itself or not: 0 if the change
// lies ahead of it, 1 if the test executes the change anyway, 2 if it may come to
// it after returning to its callers, 3 if not, and -1 if that proves it equal.
func (m *Matching) Rank(b outcome.Branch, t *build.Test, reaches bool) int {
	if !m.prune.on {
		return 0
	}
	base, head := m.condition(version.Base, b.Condition()).Place, m.condition(version.Head, b.Condition()).Place
	any := func(answer func(*isomorph.Reach, load.Place) bool) bool {
		return answer(m.reach[version.Base], base) || answer(m.reach[version.Head], head)
	}
	switch {
	case any(func(r *isomorph.Reach, at load.Place) bool { return r.Ahead(at, b.Value()) }):
		return 0
	case reaches:
		return 1
	case any(func(r *isomorph.Reach, at load.Place) bool {
		return r.MayReachIn(t.Package, t.Source, at, b.Value())
	}):
		return 2
	case m.prune.static:
		return -1
	}
	return 3
}

// Order sorts tests by how many calls lead from them to Δ, initialisers apart: should
// the time be too short for all, the nearest are wanted, and before them those whose names have a rare word
// of Δ's functions: hundreds of tests may lead to one function, and few of them to what it does. First of all come those
// that the change edits and that lead to Δ, since somebody wrote them for it. Tests that the
// call graph does not know come next, and those that do not reach Δ last.
func (m *Matching) Order(tests []*build.Test, edits func(*build.Test) bool) {
	away := map[*build.Test]int{}
	for _, t := range tests {
		away[t] = math.MaxInt
		for _, r := range m.Reaches() {
			d, ok, known := r.TestDistance(t.Package, t.Source)
			switch {
			case !known:
				d = math.MaxInt - 1
			case !ok:
				d = math.MaxInt
			}
			away[t] = min(away[t], d)
		}
	}
	named := namedAfter(m.Names, tests)
	reaches := func(t *build.Test) bool { return away[t] < math.MaxInt-1 }
	slices.SortStableFunc(tests, func(a, b *build.Test) int {
		if reaches(a) && reaches(b) {
			if x, y := edits(a), edits(b); x != y {
				if x {
					return -1
				}
				return 1
			}
			if c := cmp.Compare(named[b], named[a]); c != 0 {
				return c
			}
		}
		return cmp.Compare(away[a], away[b])
	})
}
