package isomorph

import (
	"golang.org/x/tools/go/ssa"

	"github.com/isodelta/isodelta/runner/load"
)

// matchFunctions pairs the conditions of two versions of a function. Where they
// differ it matches in both directions and keeps what both agree on: choices
// between equals, of phi nodes or of what to resume from, then cannot decide.
func matchFunctions(b, h *Program, bf, hf *function, opt Options) []Pair {
	forth := matchOneWay(b, h, bf, hf, opt)
	if bf.canonical == hf.canonical {
		return forth
	}
	back := map[[2]load.Place]Kind{}
	for _, p := range matchOneWay(h, b, hf, bf, opt) {
		back[[2]load.Place{p.Head, p.Base}] = p.Kind
	}
	var out []Pair
	for _, p := range forth {
		kind, agreed := back[[2]load.Place{p.Base, p.Head}]
		if !agreed {
			continue
		}
		if kind == Resynchronised {
			p.Kind = kind
		}
		out = append(out, p)
	}
	return out
}

// matchOneWay pairs the conditions of two versions of a function, closures
// included. Closures pair when the nodes that use them do.
func matchOneWay(b, h *Program, bf, hf *function, opt Options) []Pair {
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
	forbidden := newBans()
	w := walkStrictly(b, h, base, head, forbidden)
	if same || w.complete() {
		return w
	}
	a := align(newSequence(b.names, base), newSequence(h.names, head))
	w.dropShifted(a)
	if opt.Strict {
		return w
	}
	// What is learnt past an edit takes no strict pair back.
	later := newBans()
	for round := 0; ; round++ {
		w.banned = later
		w.resynchronise(a)
		wrong := w.wrongPhis(Resynchronised)
		if len(wrong) == 0 {
			return w
		}
		later.add(wrong, round)
		w = walkStrictly(b, h, base, head, forbidden)
		w.dropShifted(a)
	}
}

func walkStrictly(b, h *Program, base, head *ssa.Function, forbidden *bans) *walk {
	for round := 0; ; round++ {
		w := newWalk(b.names, h.names, base, head, forbidden)
		w.strict()
		wrong := w.wrongPhis(Strict)
		if len(wrong) == 0 {
			return w
		}
		forbidden.add(wrong, round)
	}
}

// bans are pairs of phi nodes that were tried in vain.
type bans struct {
	pairs map[[2]*ssa.Phi]bool
	nodes map[*ssa.Phi]bool
}

func newBans() *bans {
	return &bans{map[[2]*ssa.Phi]bool{}, map[*ssa.Phi]bool{}}
}

// add forbids pairs. There can be very many in a large function, so after some
// rounds the nodes themselves are given up.
func (x *bans) add(wrong [][2]*ssa.Phi, round int) {
	const patience = 20
	for _, p := range wrong {
		x.pairs[p] = true
		if round >= patience {
			x.nodes[p[0]], x.nodes[p[1]] = true, true
		}
	}
}

func (x *bans) has(b, h *ssa.Phi) bool {
	return x.pairs[[2]*ssa.Phi{b, h}] || x.nodes[b] || x.nodes[h]
}
