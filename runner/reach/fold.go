package reach

import (
	"slices"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/version"
)

// Fold folds forced findings into reached ones: where an input takes a branch that
// was forced, executes the same change, and the versions differ on it, the input is
// the better evidence of the two. And where calls or tests take the branch and the
// versions never differ, they are witnesses against it: what was forced was a state that
// no input leads to. Those are left out, and told with how many take the branch. Tests
// counts, for each version, the tests that take a branch as they are.
func (s *Stage) Fold(findings []event.Finding, tests version.Both[map[int]int]) (kept []event.Finding, folded []event.Folded) {
	reached := slices.DeleteFunc(slices.Clone(findings), func(f event.Finding) bool { return f.Rung != event.Reached })
	observed := slices.ContainsFunc(findings, func(f event.Finding) bool { return f.Rung == event.Observed })
	if observed {
		tests = version.Both[map[int]int]{} // some of them do show a difference
	}
	return fold(findings,
		func(forced event.Finding) string { return s.takenBy(reached, forced) },
		func(forced event.Finding) (event.Folded, bool) { return s.witnessed(forced, tests) })
}

// fold puts forced findings under those that they are taken by, and drops those that
// there are witnesses against.
func fold(findings []event.Finding, takenBy func(event.Finding) string, witnessed func(event.Finding) (event.Folded, bool)) (kept []event.Finding, folded []event.Folded) {
	merged := map[string][]string{}
	for _, f := range findings {
		if f.Rung == event.Forced {
			if by := takenBy(f); by != "" {
				merged[by] = append(merged[by], f.Condition+" in "+f.Function)
				continue
			}
			if x, ok := witnessed(f); ok {
				folded = append(folded, x)
				continue
			}
		}
		kept = append(kept, f)
	}
	for i := range kept {
		list := merged[kept[i].ID]
		slices.Sort(list)
		kept[i].Merged = slices.Compact(list)
	}
	return kept, folded
}

// takenBy returns the reached finding whose input takes all branches that a forced
// finding negates, "" without one.
func (s *Stage) takenBy(reached []event.Finding, forced event.Finding) string {
	for _, f := range reached {
		branches, ok := s.branches[f.ID]
		if !ok || !shareOne(f.Changed, forced.Changed) {
			continue
		}
		for _, side := range version.Sides {
			if s.Matching.Takes(side, setOf(branches[side]), forced.Negations) {
				return f.ID
			}
		}
	}
	return ""
}

// Witnesses against a forced finding; guesses. Calls of our own differ in few values, so
// that it takes more of them.
const (
	ManyCalls = 30
	manyTests = 3
)

// witnessed returns how many calls and tests take all branches that a forced finding
// negates, on either version, where these are many and calls executed the changed
// functions that it did as often. No input that takes the branches differs: those that do
// are reached findings that the forced one is put under.
func (s *Stage) witnessed(forced event.Finding, tests version.Both[map[int]int]) (event.Folded, bool) {
	x := event.Folded{Condition: forced.Condition, Function: forced.Function, Kind: forced.Kind}
	if len(forced.Negations) > 0 {
		x.Taken = forced.Negations[0].Taken
	}
	least := func(branches version.Both[map[int]int]) int {
		return min(s.Matching.Times(version.Base, branches[version.Base], forced.Negations), s.Matching.Times(version.Head, branches[version.Head], forced.Negations))
	}
	for _, p := range s.Packages {
		if p.Search == nil {
			continue
		}
		calls := least(p.Search.Branches)
		for _, name := range forced.Changed {
			calls = min(calls, s.entered(p, name))
		}
		x.Calls = max(x.Calls, calls)
	}
	if x.Tests = least(tests); x.Tests < manyTests {
		x.Tests = 0 // a single test may be the one that was forced
	}
	return x, len(forced.Changed) > 0 && (x.Calls >= ManyCalls || x.Tests > 0)
}

func shareOne(a, b []string) bool {
	return slices.ContainsFunc(a, func(x string) bool { return slices.Contains(b, x) })
}

func setOf(list []int) map[int]bool {
	out := make(map[int]bool, len(list))
	for _, x := range list {
		out[x] = true
	}
	return out
}
