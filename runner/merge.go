package runner

import (
	"slices"

	"github.com/isodelta/isodelta/report/event"
)

// mergeForced folds forced findings into reached ones: where an input takes a
// branch that was forced, executes the same change, and the versions differ on
// it, the input is the better evidence of the two. And where inputs take the
// branch and the versions never differ, they are the better evidence too: what
// was forced was a state that no input leads to.
func (c *comparison) mergeForced() {
	kept := c.findings[:0:0]
	merged := map[string][]string{}
	for _, f := range c.findings {
		if by := c.takenBy(f); by != "" {
			merged[by] = append(merged[by], f.Condition+" in "+f.Function)
			continue
		}
		if c.agreed(f) {
			c.sum.Implausible++
			continue
		}
		kept = append(kept, f)
	}
	for i := range kept {
		list := merged[kept[i].ID]
		slices.Sort(list)
		kept[i].Merged = slices.Compact(list)
	}
	c.findings = kept
}

// takenBy returns the reached finding whose input takes all branches that a
// forced finding negates, "" if there is none.
func (c *comparison) takenBy(forced event.Finding) string {
	if forced.Rung != event.Forced {
		return ""
	}
	for _, f := range c.findings {
		branches, ok := c.calls.branches[f.ID]
		if ok && shareOne(f.Changed, forced.Changed) && (c.takes(setOf(branches[0]), forced, c.base) || c.takes(setOf(branches[1]), forced, c.head)) {
			return f.ID
		}
	}
	return ""
}

// manyCalls is how many programs must have executed a changed function before
// their agreement says something.
const manyCalls = 300

// agreed reports whether calls took all branches that a forced finding negates, on
// both versions, and executed all the changed functions that it did, many
// times, without a difference.
func (c *comparison) agreed(forced event.Finding) bool {
	if forced.Rung != event.Forced || len(forced.Changed) == 0 {
		return false
	}
	for _, p := range c.calls.callers {
		if p.campaign == nil {
			continue
		}
		enough := true
		for _, name := range forced.Changed {
			enough = enough && c.enteredBy(p, name) >= manyCalls
		}
		if enough && c.takes(p.campaign.Branches[0], forced, c.base) && c.takes(p.campaign.Branches[1], forced, c.head) && !c.reachedAny(forced.Changed) {
			return true
		}
	}
	return false
}

// reachedAny reports whether a reached finding executed one of the functions.
func (c *comparison) reachedAny(changed []string) bool {
	return slices.ContainsFunc(c.findings, func(f event.Finding) bool {
		return f.Rung == event.Reached && shareOne(f.Changed, changed)
	})
}

func shareOne(a, b []string) bool {
	return slices.ContainsFunc(a, func(x string) bool { return slices.Contains(b, x) })
}

func (c *comparison) takes(branches map[int]bool, forced event.Finding, v *version) bool {
	for _, n := range forced.Negations {
		at := -1
		for _, p := range c.pairs {
			if c.head.program.Conditions[p.head].ID == n.ID {
				at = p.head
				if v == c.base {
					at = p.base
				}
				break
			}
		}
		branch := 2 * at
		if n.Taken {
			branch++
		}
		if at < 0 || !branches[branch] {
			return false
		}
	}
	return len(forced.Negations) > 0
}

func setOf(list []int) map[int]bool {
	out := make(map[int]bool, len(list))
	for _, x := range list {
		out[x] = true
	}
	return out
}
