package isomorph

import (
	"golang.org/x/tools/go/ssa"
)

// node is an ssa.Instruction or ssa.Value, as a map key.
type node any

// walk is one attempt at pairing the nodes of two bodies.
type walk struct {
	base, head           *ssa.Function
	baseNames, headNames *namer
	fwd, back            map[node]node // base to head, and the reverse
	kind                 map[node]Kind // of the pair, by its node of base
	entries              []entry
	banned               *bans
	// lax lets operands that are matched on neither side count as equal; it
	// is set past the first edit.
	lax   bool
	now   Kind
	other *alignment // pairs that contradict it are not made; may be nil
}

// point is a place in a body, before the instruction block.Instrs[index].
type point struct {
	block *ssa.BasicBlock
	index int
}

// bound is a phi node with the value that the path taken gives it.
type bound struct {
	phi   *ssa.Phi
	value ssa.Value
}

// entry is one pair of edges, walked together, with the phi nodes they bind.
type entry struct{ base, head []bound }

func newWalk(bn, hn *namer, base, head *ssa.Function, banned *bans) *walk {
	w := &walk{
		base: base, head: head, baseNames: bn, headNames: hn,
		fwd: map[node]node{}, back: map[node]node{}, kind: map[node]Kind{},
		banned: banned, now: Strict,
	}
	for i, p := range base.Params {
		if i < len(head.Params) && w.sameType(p, head.Params[i]) {
			w.pair(p, head.Params[i])
		}
	}
	if len(base.FreeVars) == len(head.FreeVars) {
		for i, v := range base.FreeVars {
			if w.sameType(v, head.FreeVars[i]) {
				w.pair(v, head.FreeVars[i])
			}
		}
	}
	return w
}

func (w *walk) sameType(b, h ssa.Value) bool {
	return w.baseNames.typ(b.Type()) == w.headNames.typ(h.Type())
}

func (w *walk) pair(b, h node) {
	w.fwd[b], w.back[h], w.kind[b] = h, b, w.now
}

// pairNodes pairs two equal instructions, and the closures they use.
func (w *walk) pairNodes(b, h ssa.Instruction) {
	w.pair(b, h)
	bs, hs := operands(b), operands(h)
	for k := range bs {
		w.pairClosures(bs[k], hs[k])
	}
}

func (w *walk) pairClosures(b, h ssa.Value) {
	bc, ok1 := b.(*ssa.Function)
	hc, ok2 := h.(*ssa.Function)
	if ok1 && ok2 && bc.Parent() != nil && w.fwd[bc] == nil {
		w.pair(bc, hc)
	}
}

func (w *walk) unpair(b node) {
	h := w.fwd[b]
	delete(w.fwd, b)
	delete(w.back, h)
	delete(w.kind, b)
}

// strict is Algorithm 1 of the paper on instructions: from the entries on,
// both versions are walked side by side until they differ.
func (w *walk) strict() {
	if len(w.base.Blocks) == 0 || len(w.head.Blocks) == 0 {
		return
	}
	w.from([]edge{{point{w.base.Blocks[0], 0}, point{w.head.Blocks[0], 0}, nil, nil, 0}})
	if w.base.Recover != nil && w.head.Recover != nil {
		w.from([]edge{{point{w.base.Recover, 0}, point{w.head.Recover, 0}, nil, nil, 0}})
	}
}

// edge leads to a pair of points: as the successor-th successor of a pair of
// blocks, or from nowhere.
type edge struct {
	base, head         point
	basePred, headPred *ssa.BasicBlock
	successor          int
}

func successors(b, h *ssa.BasicBlock) []edge {
	var out []edge
	for k := range b.Succs {
		if k < len(h.Succs) {
			out = append(out, edge{point{b.Succs[k], 0}, point{h.Succs[k], 0}, b, h, k})
		}
	}
	return out
}

// from walks from pairs of points to the first differences.
func (w *walk) from(stack []edge) {
	for len(stack) > 0 {
		e := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		bp, bound1 := advance(e.base, e.basePred, e.successor)
		hp, bound2 := advance(e.head, e.headPred, e.successor)
		for {
			if len(bound1)+len(bound2) > 0 {
				w.bind(bound1, bound2)
			}
			if bp.block == nil || hp.block == nil {
				break
			}
			b, h := bp.block.Instrs[bp.index], hp.block.Instrs[hp.index]
			if !w.fits(b, h) {
				break
			}
			w.pairNodes(b, h)
			if bp.index == len(bp.block.Instrs)-1 || hp.index == len(hp.block.Instrs)-1 {
				if _, ok := b.(*ssa.If); ok {
					next := successors(bp.block, hp.block)
					reverse(next) // so that the outcome true is walked first
					stack = append(stack, next...)
				}
				break
			}
			bp, bound1 = advance(point{bp.block, bp.index + 1}, nil, 0)
			hp, bound2 = advance(point{hp.block, hp.index + 1}, nil, 0)
		}
	}
}

// advance goes to the next node that is not silent, through jumps, and says
// which phi nodes are passed with which values. The point has no block where
// there is nothing but an empty loop.
func advance(p point, pred *ssa.BasicBlock, successor int) (point, []bound) {
	var out []bound
	for jumps := 0; ; {
		i := p.block.Instrs[p.index]
		switch i := i.(type) {
		case *ssa.Phi:
			if pred != nil {
				out = append(out, bound{i, i.Edges[predIndex(p.block, pred, successor)]})
			}
			p.index++
		case *ssa.DebugRef:
			p.index++
		case *ssa.Jump:
			if jumps++; jumps > len(p.block.Parent().Blocks) {
				return point{}, out
			}
			pred, successor = p.block, 0
			p = point{p.block.Succs[0], 0}
		default:
			return p, out
		}
	}
}

// predIndex finds which of a block's incoming edges comes from a predecessor's
// successor-th outgoing one: both may lead to the same block.
func predIndex(b, pred *ssa.BasicBlock, successor int) int {
	skip := 0
	for k := range successor {
		if pred.Succs[k] == b {
			skip++
		}
	}
	for i, p := range b.Preds {
		if p == pred {
			if skip == 0 {
				return i
			}
			skip--
		}
	}
	return 0
}

// bind pairs the phi nodes that two edges enter, on the assumption that the
// edges not walked yet agree too; wrongPhis checks it afterwards. A phi node
// without a partner ends nothing: it is no statement of the program, and
// whatever uses it will differ.
func (w *walk) bind(base, head []bound) {
	w.entries = append(w.entries, entry{base, head})
	for _, b := range base {
		if w.fwd[b.phi] != nil {
			continue
		}
		var best *ssa.Phi
		for _, h := range head {
			if w.back[h.phi] != nil || w.banned.has(b.phi, h.phi) || !w.sameType(b.phi, h.phi) || !w.same(b.value, h.value) {
				continue
			}
			// Several variables may enter with one value. The comment is the
			// variable's name: it breaks ties and decides nothing else.
			if best == nil || best.Comment != b.phi.Comment && h.phi.Comment == b.phi.Comment {
				best = h.phi
			}
		}
		if best != nil {
			w.pair(b.phi, best)
			for _, h := range head {
				if h.phi == best {
					w.pairClosures(b.value, h.value)
				}
			}
		}
	}
}

// wrongPhis lists the pairs of phi nodes, of one kind, that some pair of edges
// contradicts.
func (w *walk) wrongPhis(kind Kind) [][2]*ssa.Phi {
	var out [][2]*ssa.Phi
	for _, e := range w.entries {
		for _, b := range e.base {
			partner, ok := w.fwd[b.phi].(*ssa.Phi)
			if !ok || w.kind[b.phi] != kind {
				continue
			}
			agrees := false
			for _, h := range e.head {
				if h.phi == partner {
					agrees = w.same(b.value, h.value)
				}
			}
			if !agrees {
				out = append(out, [2]*ssa.Phi{b.phi, partner})
			}
		}
		for _, h := range e.head {
			partner, ok := w.back[h.phi].(*ssa.Phi)
			if !ok || w.kind[partner] != kind {
				continue
			}
			entered := false
			for _, b := range e.base {
				entered = entered || b.phi == partner
			}
			if !entered {
				out = append(out, [2]*ssa.Phi{partner, h.phi})
			}
		}
	}
	return out
}

// fits reports whether two nodes may be paired now. Past an edit equal texts
// may lead the walk from a condition to one that decides before it, so there
// the order of decisions is asked for as well.
func (w *walk) fits(b, h ssa.Instruction) bool {
	if w.fwd[b] != nil || w.back[h] != nil || !w.equal(b, h) {
		return false
	}
	i, isIf := b.(*ssa.If)
	return !isIf || !w.lax || w.ordered(i, h.(*ssa.If))
}

// equal reports whether two nodes have the same opcode, types, constants,
// callees and operands.
func (w *walk) equal(b, h ssa.Instruction) bool {
	if w.other.contradicts(b, h) || w.baseNames.attribute(b) != w.headNames.attribute(h) {
		return false
	}
	bs, hs := operands(b), operands(h)
	if len(bs) != len(hs) {
		return false
	}
	for k := range bs {
		if !w.same(bs[k], hs[k]) {
			return false
		}
	}
	return true
}

// same reports whether two operands are the same.
func (w *walk) same(b, h ssa.Value) bool {
	bt, ht := w.baseNames.fixed(b), w.headNames.fixed(h)
	if bt != "" || ht != "" {
		return bt == ht
	}
	if bc, ok := b.(*ssa.Function); ok {
		hc, ok := h.(*ssa.Function)
		return ok && w.sameClosure(bc, hc)
	}
	partner, matched := w.fwd[b], w.back[h] != nil
	if partner != nil || matched {
		return partner == node(h)
	}
	return w.lax && w.alike(b, h)
}

// sameClosure reports whether two closures are paired or may be. What is in them
// does not count: it is matched by itself.
func (w *walk) sameClosure(b, h *ssa.Function) bool {
	if w.fwd[b] != nil || w.back[h] != nil {
		return w.fwd[b] == node(h)
	}
	return w.baseNames.typ(b.Signature) == w.headNames.typ(h.Signature)
}

// alike reports whether two unmatched values are the same in all but their
// operands.
func (w *walk) alike(b, h ssa.Value) bool {
	bi, ok1 := b.(ssa.Instruction)
	hi, ok2 := h.(ssa.Instruction)
	if !ok1 || !ok2 {
		return ok1 == ok2 && w.sameType(b, h)
	}
	return w.baseNames.attribute(bi) == w.headNames.attribute(hi)
}

// complete reports whether no node of either body is left without a partner.
func (w *walk) complete() bool {
	for _, f := range []*ssa.Function{w.base, w.head} {
		partner := w.fwd
		if f == w.head {
			partner = w.back
		}
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				if _, phi := i.(*ssa.Phi); !phi && !silent(i) && partner[i] == nil {
					return false
				}
			}
		}
	}
	return true
}
