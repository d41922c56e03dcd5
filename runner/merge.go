package runner

import (
	"slices"

	"github.com/isodelta/isodelta/report/event"
)

// mergeForced folds forced findings into reached ones: where an input takes a
// branch that was forced, executes the same change, and the versions differ on
// it, the input is the better evidence of the two.
func (c *comparison) mergeForced() {
	kept := c.findings[:0:0]
	merged := map[string][]string{}
	for _, f := range c.findings {
		if by := c.takenBy(f); by != "" {
			merged[by] = append(merged[by], f.Condition+" in "+f.Function)
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

// takenBy gives the reached finding whose input takes all branches that a
// forced finding negates, "" if there is none.
func (c *comparison) takenBy(forced event.Finding) string {
	if forced.Rung != event.Forced {
		return ""
	}
	for _, f := range c.findings {
		branches, ok := c.calls.branches[f.ID]
		if ok && shareOne(f.Changed, forced.Changed) && (c.takes(branches[0], forced, c.base) || c.takes(branches[1], forced, c.head)) {
			return f.ID
		}
	}
	return ""
}

func shareOne(a, b []string) bool {
	return slices.ContainsFunc(a, func(x string) bool { return slices.Contains(b, x) })
}

func (c *comparison) takes(branches []int, forced event.Finding, v *version) bool {
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
		if at < 0 || !slices.Contains(branches, branch) {
			return false
		}
	}
	return len(forced.Negations) > 0
}
