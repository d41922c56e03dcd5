package isomorph

import (
	"golang.org/x/tools/go/ssa"
)

// matchFunctions pairs the conditions of two versions of a function, closures
// included. Closures pair when the nodes that use them do.
func matchFunctions(b, h *Program, bf, hf *function, opt Options) []Pair {
	var out []Pair
	type bodyPair struct {
		base, head *ssa.Function
		resumed    bool // found only past an edit, and so is all in it
	}
	queue := []bodyPair{{bf.fn, hf.fn, false}}
	same := bf.canonical == hf.canonical
	for len(queue) > 0 {
		p := queue[0]
		queue = queue[1:]
		w := matchBodies(b, h, p.base, p.head, opt, same)
		for _, block := range p.base.Blocks {
			i, ok := lastIf(block)
			if !ok {
				continue
			}
			partner, ok := w.fwd[i].(*ssa.If)
			if !ok {
				continue
			}
			base, inBase := b.leaves[i]
			head, inHead := h.leaves[partner]
			if inBase && inHead {
				kind := w.kind[i]
				if p.resumed {
					kind = Resynchronised
				}
				out = append(out, Pair{Base: base, Head: head, Kind: kind})
			}
		}
		for _, c := range p.base.AnonFuncs {
			if partner, ok := w.fwd[c].(*ssa.Function); ok {
				queue = append(queue, bodyPair{c, partner, p.resumed || w.kind[c] == Resynchronised})
			}
		}
	}
	return out
}

// matchBodies pairs the nodes of two bodies. It walks, then checks what it
// assumed of phi nodes; where an assumption was wrong it forbids that pair of
// phi nodes and starts again. Pairs are only ever forbidden, so it ends.
func matchBodies(b, h *Program, base, head *ssa.Function, opt Options, same bool) *walk {
	banned := map[[2]*ssa.Phi]bool{}
	distrusted := map[*ssa.Phi]bool{}
	var alignment *alignment
	for round := 0; ; round++ {
		w := newWalk(b.names, h.names, base, head, banned, distrusted)
		w.strict()
		if wrong := w.wrongPhis(); len(wrong) > 0 {
			ban(wrong, banned, distrusted, round)
			continue
		}
		if same || w.complete() {
			return w
		}
		if alignment == nil {
			alignment = align(newSequence(b.names, base), newSequence(h.names, head))
		}
		w.dropShifted(alignment)
		if opt.Strict {
			return w
		}
		w.resynchronise(alignment)
		if wrong := w.wrongPhis(); len(wrong) > 0 {
			ban(wrong, banned, distrusted, round)
			continue
		}
		return w
	}
}

// ban forbids pairs of phi nodes. There can be very many pairs in a large
// function, so after some rounds the nodes themselves are given up.
func ban(wrong [][2]*ssa.Phi, banned map[[2]*ssa.Phi]bool, distrusted map[*ssa.Phi]bool, round int) {
	const patience = 20
	for _, p := range wrong {
		banned[p] = true
		if round >= patience {
			distrusted[p[0]] = true
			distrusted[p[1]] = true
		}
	}
}
