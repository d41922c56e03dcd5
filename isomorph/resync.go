package isomorph

import (
	"golang.org/x/tools/go/ssa"
)

// dropShifted takes back strict pairs that the alignment shows to be wrong: a
// condition inserted before another with the same text is equal to it, and
// only what follows tells them apart.
func (w *walk) dropShifted(a *alignment) {
	for _, i := range a.base.nodes {
		if h, ok := w.fwd[i].(ssa.Instruction); ok && a.contradicts(i, h) {
			w.unpair(i)
		}
	}
}

// resynchronise continues past edits, from the pairs of the alignment that
// agree with what is matched, and then from nodes that are unmistakable by
// their gist alone.
func (w *walk) resynchronise(a *alignment) {
	w.lax, w.now, w.other = true, Resynchronised, a
	for _, p := range a.order {
		w.resume(a.base.nodes[p[0]], a.head.nodes[p[1]])
	}
	for _, p := range w.gistPairs(a) {
		w.resume(a.base.nodes[p[0]], a.head.nodes[p[1]])
	}
}

// resume pairs two nodes past an edit and walks on from them.
func (w *walk) resume(b, h ssa.Instruction) {
	if !w.fits(b, h) {
		return
	}
	w.pairNodes(b, h)
	if _, isIf := b.(*ssa.If); isIf {
		w.from(successors(b.Block(), h.Block()))
	}
}

// ordered reports whether a pair of Ifs respects dominance among the pairs made.
func (w *walk) ordered(b, h *ssa.If) bool {
	for _, block := range w.base.Blocks {
		other, ok := lastIf(block)
		if !ok {
			continue
		}
		partner, ok := w.fwd[other].(*ssa.If)
		if !ok {
			continue
		}
		if b.Block().Dominates(block) && partner.Block().Dominates(h.Block()) ||
			block.Dominates(b.Block()) && h.Block().Dominates(partner.Block()) {
			return false
		}
	}
	return true
}

// gistPairs finds, in each stretch between matched nodes, the nodes whose gist
// occurs there once in each version.
func (w *walk) gistPairs(a *alignment) [][2]int {
	index := a.head.index()
	var matched [][2]int
	for i, b := range a.base.nodes {
		if h, ok := w.fwd[b].(ssa.Instruction); ok {
			if j, ok := index[h]; ok {
				matched = append(matched, [2]int{i, j})
			}
		}
	}
	var out [][2]int
	pb, ph := 0, 0
	stretch := func(b1, h1 int) {
		bs, bi := w.open(a.base, w.fwd, pb, b1)
		hs, hi := w.open(a.head, w.back, ph, h1)
		for _, x := range uniqueAnchors(bs, hs) {
			out = append(out, [2]int{bi[x[0]], hi[x[1]]})
		}
	}
	for _, x := range longestAscending(matched) {
		stretch(x[0], x[1])
		pb, ph = x[0]+1, x[1]+1
	}
	stretch(len(a.base.nodes), len(a.head.nodes))
	return out
}

// open lists the gists, and indices, of a stretch's unmatched nodes.
func (w *walk) open(s *sequence, partner map[node]node, from, to int) (gists []string, indices []int) {
	for i := from; i < to; i++ {
		if partner[s.nodes[i]] == nil {
			gists, indices = append(gists, s.gists[i]), append(indices, i)
		}
	}
	return gists, indices
}
