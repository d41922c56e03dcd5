package isomorph

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// sequence is a body laid out in the order of flow, without silent nodes and
// phi nodes, each node with texts that tell what it does.
type sequence struct {
	names  *namer
	nodes  []ssa.Instruction
	tokens []string                   // the node with its operands, some levels deep
	gists  []string                   // the node with its operands, without what goes into calls
	first  map[*ssa.BasicBlock]string // token of a block's first node
	whole  map[*ssa.BasicBlock]string // tokens of all its nodes
	cache  map[tokenKey]string
}

type tokenKey struct {
	v     ssa.Instruction
	depth int
}

func newSequence(n *namer, fn *ssa.Function) *sequence {
	s := &sequence{names: n, first: map[*ssa.BasicBlock]string{}, whole: map[*ssa.BasicBlock]string{}, cache: map[tokenKey]string{}}
	for _, b := range flow(fn) {
		var all strings.Builder
		for _, i := range b.Instrs {
			if _, phi := i.(*ssa.Phi); phi || silent(i) {
				continue
			}
			const levels = 4
			t := s.token(i, levels)
			s.nodes = append(s.nodes, i)
			s.tokens = append(s.tokens, t)
			s.gists = append(s.gists, s.gist(i))
			if all.Len() == 0 {
				s.first[b] = t
			}
			all.WriteString(t + "\n")
		}
		s.whole[b] = all.String()
	}
	return s
}

// token writes a node and what its operands are made of, up to a depth.
func (s *sequence) token(i ssa.Instruction, depth int) string {
	key := tokenKey{i, depth}
	if t, ok := s.cache[key]; ok {
		return t
	}
	var b strings.Builder
	b.WriteString(s.names.attribute(i))
	if _, phi := i.(*ssa.Phi); !phi && depth > 0 {
		b.WriteString("(")
		for _, v := range operands(i) {
			b.WriteString(s.operand(v, depth-1) + ";")
		}
		b.WriteString(")")
	}
	t := b.String()
	s.cache[key] = t
	return t
}

func (s *sequence) operand(v ssa.Value, depth int) string {
	if t := s.names.fixed(v); t != "" {
		return t
	}
	switch v := v.(type) {
	case *ssa.Function:
		return "closure " + s.names.typ(v.Signature)
	case *ssa.Parameter:
		for k, p := range v.Parent().Params {
			if p == v {
				return fmt.Sprintf("p%d:", k) + s.names.typ(v.Type())
			}
		}
	case ssa.Instruction:
		return s.token(v, depth)
	}
	return "free " + s.names.typ(v.Type())
}

// gist is a token without what its operands are made of, except who is called:
// "f(x) > 0" and "f(y) > 0" have the same, "g(x) > 0" has another.
func (s *sequence) gist(i ssa.Instruction) string {
	levels := 1
	if _, ok := i.(*ssa.If); ok {
		levels++ // what is tested belongs to it
	}
	return s.outline(i, levels, 8)
}

// outline descends a number of levels, not counting nodes that merely take a
// value out of another, and steps at most.
func (s *sequence) outline(i ssa.Instruction, levels, steps int) string {
	t := s.names.attribute(i)
	if c, ok := i.(ssa.CallInstruction); ok {
		return t + "(" + s.names.fixed(c.Common().Value) + ")"
	}
	switch i.(type) {
	case *ssa.Phi:
		return t
	case *ssa.Extract, *ssa.UnOp, *ssa.Field, *ssa.FieldAddr, *ssa.TypeAssert,
		*ssa.ChangeType, *ssa.ChangeInterface, *ssa.Convert, *ssa.MakeInterface:
	default:
		levels--
	}
	if levels < 0 || steps == 0 {
		return t
	}
	for _, v := range operands(i) {
		if f := s.names.fixed(v); f != "" {
			t += ";" + f
		} else if vi, ok := v.(ssa.Instruction); ok {
			t += ";" + s.outline(vi, levels, steps-1)
		} else {
			t += ";" + s.operand(v, 0)
		}
	}
	return t
}

// alignment holds the pairs of nodes that every best alignment of two
// sequences agrees on.
type alignment struct {
	base, head *sequence
	// numbers stand for tokens and for texts of blocks: comparing long texts
	// for each cell of a table would take most of the time.
	baseToken, headToken []int
	numbers              map[string]int
	fwd, back            map[ssa.Instruction]ssa.Instruction
	order                [][2]int // the pairs as indices, ascending in base
}

// contradicts reports whether one of two nodes unmistakably belongs elsewhere.
func (a *alignment) contradicts(b, h ssa.Instruction) bool {
	if a == nil {
		return false
	}
	if p, ok := a.fwd[b]; ok && p != h {
		return true
	}
	p, ok := a.back[h]
	return ok && p != b
}

// maxCells is the largest number of cells of one table of align; four tables of
// as many int32.
const maxCells = 1 << 20

func align(b, h *sequence) *alignment {
	a := &alignment{base: b, head: h, numbers: map[string]int{},
		fwd: map[ssa.Instruction]ssa.Instruction{}, back: map[ssa.Instruction]ssa.Instruction{}}
	a.baseToken, a.headToken = a.number(b.tokens), a.number(h.tokens)
	a.span(0, len(b.nodes), 0, len(h.nodes))
	a.attachOperands()
	return a
}

func (a *alignment) number(tokens []string) []int {
	out := make([]int, len(tokens))
	for k, t := range tokens {
		id, ok := a.numbers[t]
		if !ok {
			id = len(a.numbers)
			a.numbers[t] = id
		}
		out[k] = id
	}
	return out
}

// attachOperands makes what an aligned If tests follow it. Of "n < 0" twice in
// a row the comparison alone fits either, the If only one.
func (a *alignment) attachOperands() {
	baseIndex, headIndex := a.base.index(), a.head.index()
	var attach func(b, h ssa.Value)
	attach = func(b, h ssa.Value) {
		bi, ok1 := b.(ssa.Instruction)
		hi, ok2 := h.(ssa.Instruction)
		if !ok1 || !ok2 || a.fwd[bi] != nil || a.back[hi] != nil {
			return
		}
		i, ok1 := baseIndex[bi]
		j, ok2 := headIndex[hi]
		if !ok1 || !ok2 || a.baseToken[i] != a.headToken[j] {
			return
		}
		a.add(i, j)
		bs, hs := operands(bi), operands(hi)
		for k := range bs {
			attach(bs[k], hs[k])
		}
	}
	for _, p := range slices.Clone(a.order) {
		b, ok1 := a.base.nodes[p[0]].(*ssa.If)
		h, ok2 := a.head.nodes[p[1]].(*ssa.If)
		if ok1 && ok2 {
			attach(b.Cond, h.Cond)
		}
	}
	slices.SortFunc(a.order, func(x, y [2]int) int { return x[0] - y[0] })
}

func (s *sequence) index() map[ssa.Instruction]int {
	m := map[ssa.Instruction]int{}
	for i, n := range s.nodes {
		m[n] = i
	}
	return m
}

// span aligns two stretches. Where they are too long for tables, it first
// splits them at nodes that are unique in both, as patience diff does.
func (a *alignment) span(b0, b1, h0, h1 int) {
	if b0 == b1 || h0 == h1 {
		return
	}
	if (b1-b0+1)*(h1-h0+1) <= maxCells {
		a.tables(b0, b1, h0, h1)
		return
	}
	anchors := uniqueAnchors(a.base.tokens[b0:b1], a.head.tokens[h0:h1])
	if len(anchors) == 0 {
		return
	}
	pb, ph := b0, h0
	for _, x := range anchors {
		a.span(pb, b0+x[0], ph, h0+x[1])
		a.add(b0+x[0], h0+x[1])
		pb, ph = b0+x[0]+1, h0+x[1]+1
	}
	a.span(pb, b1, ph, h1)
}

func (a *alignment) add(i, j int) {
	a.fwd[a.base.nodes[i]], a.back[a.head.nodes[j]] = a.head.nodes[j], a.base.nodes[i]
	a.order = append(a.order, [2]int{i, j})
}

// Scores of an alignment: equal nodes are worth gain, each edited stretch
// costs stretch. An If is worth more the more its successors agree, which is
// what tells a condition from an inserted one with the same text.
const (
	gain    = 4
	stretch = 3
)

func (a *alignment) score(i, j int) int32 {
	if a.baseToken[i] != a.headToken[j] {
		return 0
	}
	s := int32(gain)
	if _, ok := a.base.nodes[i].(*ssa.If); ok {
		bs, hs := a.base.nodes[i].Block().Succs, a.head.nodes[j].Block().Succs
		for k := range bs {
			if a.base.first[bs[k]] == a.head.first[hs[k]] {
				s++
			}
			if a.base.whole[bs[k]] == a.head.whole[hs[k]] {
				s++
			}
		}
	}
	return s
}

// tables finds, by dynamic programming over both directions, the pairs that
// lie on a best alignment, and keeps those without a rival.
func (a *alignment) tables(b0, b1, h0, h1 int) {
	n, m := b1-b0, h1-h0
	const never = -1 << 29
	at := func(i, j int) int { return i*(m+1) + j }
	size := (n + 1) * (m + 1)
	equal := make([]int32, size) // score of pairing i with j, 0 where they differ
	for i := range n {
		for j := range m {
			equal[at(i, j)] = a.score(b0+i, h0+j)
		}
	}
	// after[i,j] is the best that can follow when i and j nodes are used up
	// and the last step was a pair; afterGap, when it was an edit.
	after, afterGap := make([]int32, size), make([]int32, size)
	for i := n; i >= 0; i-- {
		for j := m; j >= 0; j-- {
			if i == n && j == m {
				continue
			}
			paired, gap := int32(never), int32(never)
			if i < n && j < m && equal[at(i, j)] > 0 {
				paired = equal[at(i, j)] + after[at(i+1, j+1)]
			}
			if i < n {
				gap = max(gap, afterGap[at(i+1, j)])
			}
			if j < m {
				gap = max(gap, afterGap[at(i, j+1)])
			}
			afterGap[at(i, j)] = max(paired, gap)
			after[at(i, j)] = max(paired, gap-stretch)
		}
	}
	best := after[0]
	// before[i,j] is the best of what ends with i and j nodes used up and a
	// pair last; beforeGap, with an edit last.
	before, beforeGap := make([]int32, size), make([]int32, size)
	partnerOf, partnersOfHead := make([]int, n), make([]int, m)
	count := make([]int, n)
	for i := 0; i <= n; i++ {
		for j := 0; j <= m; j++ {
			p, g := int32(never), int32(never)
			if i == 0 && j == 0 {
				p = 0
			}
			if i > 0 && j > 0 && equal[at(i-1, j-1)] > 0 {
				p = equal[at(i-1, j-1)] + max(before[at(i-1, j-1)], beforeGap[at(i-1, j-1)])
				if p+after[at(i, j)] == best {
					count[i-1]++
					partnerOf[i-1] = j - 1
					partnersOfHead[j-1]++
				}
			}
			if i > 0 {
				g = max(g, before[at(i-1, j)]-stretch, beforeGap[at(i-1, j)])
			}
			if j > 0 {
				g = max(g, before[at(i, j-1)]-stretch, beforeGap[at(i, j-1)])
			}
			before[at(i, j)], beforeGap[at(i, j)] = p, g
		}
	}
	for i := range n {
		if count[i] == 1 && partnersOfHead[partnerOf[i]] == 1 {
			a.add(b0+i, h0+partnerOf[i])
		}
	}
}

// uniqueAnchors returns the longest ascending run of pairs of tokens that occur
// once in each of two lists.
func uniqueAnchors(b, h []string) [][2]int {
	once := func(list []string) map[string]int {
		m := map[string]int{}
		for i, t := range list {
			if _, ok := m[t]; ok {
				m[t] = -1
			} else {
				m[t] = i
			}
		}
		return m
	}
	ob, oh := once(b), once(h)
	var pairs [][2]int
	for i, t := range b {
		if ob[t] == i {
			if j, ok := oh[t]; ok && j >= 0 {
				pairs = append(pairs, [2]int{i, j})
			}
		}
	}
	return longestAscending(pairs)
}

// longestAscending picks of pairs, ascending in the first component, a longest
// run that ascends in the second.
func longestAscending(pairs [][2]int) [][2]int {
	var ends []int // index in pairs of the smallest end of a run of each length
	prev := make([]int, len(pairs))
	for k, p := range pairs {
		lo, hi := 0, len(ends)
		for lo < hi {
			mid := (lo + hi) / 2
			if pairs[ends[mid]][1] < p[1] {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		prev[k] = -1
		if lo > 0 {
			prev[k] = ends[lo-1]
		}
		if lo == len(ends) {
			ends = append(ends, k)
		} else {
			ends[lo] = k
		}
	}
	if len(ends) == 0 {
		return nil
	}
	out := make([][2]int, len(ends))
	for k, i := ends[len(ends)-1], len(ends)-1; i >= 0; k, i = prev[k], i-1 {
		out[i] = pairs[k]
	}
	return out
}
