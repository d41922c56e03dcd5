//go:build go1.21

package harness

import (
	"sort"

	"github.com/isodelta/isodelta/runner/calls/wire"
	probe "github.com/isodelta/isodelta/runner/probe"
)

// maxSeeds bounds the sequences to begin with that are run again for a further goal.
const maxSeeds = 48

// seeds runs the sequences to begin with. What they pass is remembered for others, and by
// which conditions they came: for a further goal only those are run that pass a condition
// which leads there, the nearest first. Code that tells its operands is slow, and there
// are goals by the dozen.
func (a *aim) seeds() {
	type seed struct {
		p    wire.Sequence
		near int32
	}
	var again []seed
	for _, b := range a.q.Seeds {
		p, _, err := wire.Decode(b)
		if err != nil || len(p) > wire.MaxSteps {
			continue
		}
		if p = a.server.g.seed(p); len(p) == 0 {
			continue
		}
		passed, known := a.server.passed[string(b)]
		if !known {
			a.server.g.remember(p)
			a.run(a.spelledOut(p))
			a.server.passed[string(b)] = probe.CoveredBranches()
			continue
		}
		if near := a.ahead(passed); near >= 0 {
			again = append(again, seed{p, near})
		}
	}
	sort.SliceStable(again, func(i, j int) bool { return again[i].near < again[j].near })
	for i, s := range again {
		if i == maxSeeds {
			break
		}
		a.run(a.spelledOut(s.p))
	}
}

// ahead is how many decisions lie between the goal and the nearest of conditions that were
// passed, on either of its sides; -1 where none leads there.
func (a *aim) ahead(passed []int) int32 {
	near := int32(-1)
	for _, branch := range passed {
		if branch >= len(a.sight.goal.ahead) {
			break // ascending
		}
		for _, n := range a.sight.goal.ahead[branch&^1 : branch|1+1] {
			if n >= 0 && (near < 0 || n < near) {
				near = n
			}
		}
	}
	return near
}
