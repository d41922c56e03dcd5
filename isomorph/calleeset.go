package isomorph

import (
	"encoding/binary"
	mathbits "math/bits"
	"slices"
)

// calleeSet is what a call may execute. Calls that may execute the same share
// one set: there are many calls through interfaces and values, and they may
// execute many functions, but there are few such sets.
type calleeSet struct {
	index   int   // among the graph's
	ids     []int // of bodies, sorted
	callers []caller
}

// union collects what a call may execute: single bodies, and sets that are known
// by an identity, so that equal unions are made once.
type union struct {
	ids  []int
	sets []*knownSet
}

// knownSet is a set of bodies that is the same object wherever it occurs.
type knownSet struct {
	number int
	ids    idSet
	holds  map[*calleeSet]bool // what was added to it at once, while it grew
	final  []int               // ids, once it grows no more
}

func (g *graph) newKnown(ids idSet) *knownSet {
	g.known++
	return &knownSet{number: g.known, ids: ids, holds: map[*calleeSet]bool{}}
}

func (u *union) add(s *knownSet) {
	if !slices.Contains(u.sets, s) {
		u.sets = append(u.sets, s)
	}
}

// setOf returns the set of what a union holds, nil for nothing. The sets in it do not
// grow any more.
func (g *graph) setOf(u *union) *calleeSet {
	slices.Sort(u.ids)
	u.ids = slices.Compact(u.ids)
	slices.SortFunc(u.sets, func(a, b *knownSet) int { return a.number - b.number })
	var key []byte
	for _, s := range u.sets {
		key = binary.AppendUvarint(key, uint64(s.number))
	}
	key = append(key, 0) // no set has this number
	for _, id := range u.ids {
		key = binary.AppendUvarint(key, uint64(id))
	}
	if s, ok := g.unions[string(key)]; ok {
		return s
	}
	all := bits(make([]uint64, (len(g.bodies)+63)/64))
	all.add(u.ids)
	for _, s := range u.sets {
		if s.final == nil {
			s.final = s.ids.sorted()
		}
		all.add(s.final)
	}
	s := g.intern(all.sorted())
	g.unions[string(key)] = s
	return s
}

// bits is a set of bodies that many sets are added to.
type bits []uint64

func (b bits) add(ids []int) {
	for _, id := range ids {
		b[id/64] |= 1 << (id % 64)
	}
}

func (b bits) sorted() []int {
	n := 0
	for _, word := range b {
		n += mathbits.OnesCount64(word)
	}
	out := make([]int, 0, n)
	for i, word := range b {
		for ; word != 0; word &= word - 1 {
			out = append(out, i*64+mathbits.TrailingZeros64(word))
		}
	}
	return out
}

// intern returns the one set with these bodies, nil for none.
func (g *graph) intern(ids []int) *calleeSet {
	if len(ids) == 0 {
		return nil
	}
	var key []byte
	for _, id := range ids {
		key = binary.AppendUvarint(key, uint64(id))
	}
	s, ok := g.byIDs[string(key)]
	if !ok {
		s = &calleeSet{index: len(g.sets), ids: ids}
		g.byIDs[string(key)] = s
		g.sets = append(g.sets, s)
	}
	return s
}

// addSet adds a set to a list, unless it is nil or there already.
func addSet(list []*calleeSet, s *calleeSet) []*calleeSet {
	if s == nil || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// idSet is a set of bodies.
type idSet map[int]bool

func (s idSet) addAll(t idSet) {
	for id := range t {
		s[id] = true
	}
}

func (s idSet) sorted() []int {
	out := make([]int, 0, len(s))
	for id := range s {
		out = append(out, id)
	}
	slices.Sort(out)
	return out
}
