package event

import (
	"cmp"
	"slices"
)

// mergeGoals joins what shards tell of branches. Of one branch the shard counts that came
// furthest.
func mergeGoals(a, b []Goal) []Goal {
	type place struct {
		version, function, file, branch string
		line                            int
	}
	of := func(g Goal) place { return place{g.Version, g.Function, g.File, g.Branch, g.Line} }
	out := slices.Clone(a)
	at := map[place]int{}
	for i, g := range out {
		at[of(g)] = i
	}
	for _, g := range b {
		i, known := at[of(g)]
		switch {
		case !known:
			at[of(g)] = len(out)
			out = append(out, g)
		case cmp.Or(cmp.Compare(rank(goalStates, g.State), rank(goalStates, out[i].State)), cmp.Compare(out[i].Tried, g.Tried)) < 0:
			out[i] = g
		}
	}
	return out
}
