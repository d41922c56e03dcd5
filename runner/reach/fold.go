package reach

import (
	"slices"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/version"
)

// Fold folds forced findings into reached ones: where an input takes a branch that
// was forced, executes the same change, and the versions differ on it, the input is
// the better evidence of the two. And where inputs take the branch and the versions
// never differ, they are the better evidence too: what was forced was a state that no
// input leads to. Those are left out, and counted.
func (s *Stage) Fold(findings []event.Finding) (kept []event.Finding, implausible int) {
	reached := slices.DeleteFunc(slices.Clone(findings), func(f event.Finding) bool { return f.Rung != event.Reached })
	return fold(findings,
		func(forced event.Finding) string { return s.takenBy(reached, forced) },
		func(forced event.Finding) bool { return s.agreed(reached, forced) })
}

// fold puts forced findings under those that they are taken by, and drops those of
// which inputs agree.
func fold(findings []event.Finding, takenBy func(event.Finding) string, agreed func(event.Finding) bool) (kept []event.Finding, implausible int) {
	merged := map[string][]string{}
	for _, f := range findings {
		if f.Rung == event.Forced {
			if by := takenBy(f); by != "" {
				merged[by] = append(merged[by], f.Condition+" in "+f.Function)
				continue
			}
			if agreed(f) {
				implausible++
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
	return kept, implausible
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

// manyCalls is how many sequences must have executed a changed function before
// their agreement says something; a guess.
const manyCalls = 300

// agreed reports whether calls took all branches that a forced finding negates, on
// both versions, and executed all the changed functions that it did, many times,
// without a difference.
func (s *Stage) agreed(reached []event.Finding, forced event.Finding) bool {
	if len(forced.Changed) == 0 || slices.ContainsFunc(reached, func(f event.Finding) bool { return shareOne(f.Changed, forced.Changed) }) {
		return false
	}
	for _, p := range s.Packages {
		if p.Search == nil {
			continue
		}
		enough := true
		for _, name := range forced.Changed {
			enough = enough && s.entered(p, name) >= manyCalls
		}
		if enough && s.Matching.Takes(version.Base, p.Search.Branches[version.Base], forced.Negations) &&
			s.Matching.Takes(version.Head, p.Search.Branches[version.Head], forced.Negations) {
			return true
		}
	}
	return false
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
