package isomorph

import (
	mathbits "math/bits"

	"github.com/isodelta/isodelta/runner/load"
)

// Distances returns how many calls lie between declarations and each member of Δ, both given by where
// their func keywords stand: by member, then by declaration; 0 for the member itself, -1 where no call leads
// there or one of them is not known. It is what Distance is for each member alone.
func (r *Reach) Distances(members, declarations []load.Place) [][]int {
	out := make([][]int, len(members))
	for k := range out {
		out[k] = make([]int, len(declarations))
		for i := range out[k] {
			out[k][i] = -1
		}
	}
	if r.failed != "" {
		return out
	}
	asked := map[int][]int{} // declarations by body
	for i, d := range declarations {
		if b := r.g.at[d]; b != nil {
			asked[b.id] = append(asked[b.id], i)
		}
	}
	for from := 0; from < len(members); from += 64 {
		n := min(64, len(members)-from)
		r.spread(members[from:from+n], func(body int, which uint64, distance int) {
			for _, i := range asked[body] {
				for rest := which; rest != 0; rest &= rest - 1 {
					out[from+mathbits.TrailingZeros64(rest)][i] = distance
				}
			}
		})
	}
	return out
}

// spread goes from at most 64 members to their callers, callers of these and so on, all members at once.
// It tells, for each body, of which members, as bits, it is that far away.
func (r *Reach) spread(members []load.Place, tell func(body int, which uint64, distance int)) {
	known := make([]uint64, len(r.g.bodies))
	passed := make([]uint64, len(r.g.sets))
	at := map[int]uint64{}
	for k, place := range members {
		b := r.g.at[place]
		if b == nil {
			continue
		}
		for _, f := range bodies(b.fn) {
			if c := r.g.byFn[f]; c != nil {
				at[c.id] |= 1 << k
				known[c.id] |= 1 << k
			}
		}
	}
	for distance := 0; len(at) > 0; distance++ {
		next := map[int]uint64{}
		for id, which := range at {
			tell(id, which, distance)
			for _, s := range r.g.bodies[id].in {
				fresh := which &^ passed[s.index]
				if fresh == 0 {
					continue
				}
				passed[s.index] |= fresh
				for _, c := range s.callers {
					if new := fresh &^ known[c.body]; new != 0 {
						known[c.body] |= new
						next[c.body] |= new
					}
				}
			}
		}
		at = next
	}
}
