package calls

import (
	"cmp"
	"slices"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/probe"
)

// InPlaceDifference is a call that both versions made, on equal copies of what
// a test gave to a function, with different results.
type InPlaceDifference struct {
	Hook     int
	Key      uint64 // with the seed enough to make the call again
	Mutation int    // 0: with what the test gave
	// Base and Head are how the call ended.
	Base, Head probe.Ending
	// Components are those that visibly differ, in ascending order: results
	// first, then the arguments that a call can change. They are empty where
	// the endings differ.
	Components []int
}

// ending is the component number under which a function's endings are masked.
const ending = -1

// CompareCalls matches the calls of two versions by function and input, and
// tells what differs visibly. What masked holds for is a known difference:
// component -1 stands for how a call ends. The order is that of base's calls,
// which is the same for a seed, those of one function together.
func CompareCalls(base, head []wire.Call, masked func(hook, component int) bool) []InPlaceDifference {
	type place struct {
		hook int
		key  uint64
	}
	others := make(map[place]*wire.Call, len(head))
	for i := range head {
		at := place{head[i].Hook, head[i].Key}
		if others[at] == nil {
			others[at] = &head[i]
		}
	}
	var out []InPlaceDifference
	for i := range base {
		b := &base[i]
		h := others[place{b.Hook, b.Key}]
		if h == nil {
			continue
		}
		delete(others, place{b.Hook, b.Key})
		d := InPlaceDifference{Hook: b.Hook, Key: b.Key, Mutation: b.Mutation, Base: b.Ending, Head: h.Ending}
		if b.Ending != h.Ending {
			if !masked(b.Hook, ending) {
				out = append(out, d)
			}
			continue
		}
		d.Components = differing(b, h, masked)
		if len(d.Components) > 0 {
			out = append(out, d)
		}
	}
	slices.SortStableFunc(out, func(a, b InPlaceDifference) int { return cmp.Compare(a.Hook, b.Hook) })
	return out
}

// differing lists components that visibly differ. One that only one version
// has differs: the function's head has changed.
func differing(b, h *wire.Call, masked func(hook, component int) bool) []int {
	var out []int
	for i := range max(len(b.Components), len(h.Components)) {
		same := i < len(b.Components) && i < len(h.Components) && b.Components[i].Visible == h.Components[i].Visible
		if !same && !masked(b.Hook, i) {
			out = append(out, i)
		}
	}
	return out
}
