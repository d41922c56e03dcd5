package isomorph

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// view is the part of a program that one test can execute, or all of it, with
// the answers for that part.
type view struct {
	g       *graph
	delta   []bool   // by body: in Δ
	part    []bool   // by body: may be executed at all
	hot     []bool   // by body: calling it may execute Δ
	ahead   [][]bool // by body and block: see aheadOf; filled on demand
	sets    []bool   // by set of callees: one of them is hot
	exit    []bool   // by body: after it returns or panics, Δ may be executed
	reaches bool     // Δ may be executed at all
	always  bool     // goroutines or parallel subtests make the order of things unknown
}

// answer is a boolean that is computed when it is first needed.
type answer byte

const (
	unasked answer = iota
	no
	yes
)

func answered(holds bool) answer {
	if holds {
		return yes
	}
	return no
}

// newView analyses what roots can execute, and then what may follow in the
// test; no roots mean the whole program, and every test. viewing says that
// observers may execute Δ at the end of any test.
func newView(g *graph, delta []bool, roots []*body, test *body, viewing bool) *view {
	v := &view{g: g, delta: delta, ahead: make([][]bool, len(g.bodies)), sets: make([]bool, len(g.sets))}
	v.part = v.executable(roots)
	v.hot = v.hotBodies()
	v.exit = v.exits(test, viewing)
	v.always = v.unordered()
	if test != nil {
		v.reaches = v.hot[test.id] || viewing || v.always || v.exit[test.id]
	}
	return v
}

// executable follows calls from the roots. Those through values and interfaces
// lead to bodies that something executed has made a value.
func (v *view) executable(roots []*body) []bool {
	part := make([]bool, len(v.g.bodies))
	if roots == nil {
		for i := range part {
			part[i] = true
		}
		return part
	}
	var queue []int
	add := func(id int) {
		if !part[id] {
			part[id] = true
			queue = append(queue, id)
		}
	}
	enabled := func(id int) bool {
		for b := range v.g.values.enablers[id] {
			if part[b] {
				return true
			}
		}
		return false
	}
	enables := v.g.values.enabledBy()
	waiting := map[int]bool{}              // called, but not yet a value
	done := make([][2]bool, len(v.g.sets)) // by whether they were called by name
	for _, r := range roots {
		add(r.id)
	}
	for len(queue) > 0 {
		b := v.g.bodies[queue[0]]
		queue = queue[1:]
		for _, id := range enables[b.id] {
			if waiting[id] {
				add(id)
			}
		}
		for _, sites := range b.sites {
			for _, s := range sites {
				seen := &done[s.callees.index][0]
				if s.direct {
					seen = &done[s.callees.index][1]
				}
				if *seen {
					continue
				}
				*seen = true
				for _, id := range s.callees.ids {
					if s.direct || enabled(id) {
						add(id)
					} else {
						waiting[id] = true
					}
				}
			}
		}
	}
	return part
}

// hotBodies goes from Δ to all direct and indirect callers in the part.
func (v *view) hotBodies() []bool {
	hot := make([]bool, len(v.g.bodies))
	var queue []int
	for id, d := range v.delta {
		if d && v.part[id] {
			hot[id] = true
			queue = append(queue, id)
		}
	}
	for len(queue) > 0 {
		b := v.g.bodies[queue[0]]
		queue = queue[1:]
		for _, s := range b.in {
			if v.sets[s.index] {
				continue
			}
			v.sets[s.index] = true
			for _, c := range s.callers {
				if v.part[c.body] && !hot[c.body] {
					hot[c.body] = true
					queue = append(queue, c.body)
				}
			}
		}
	}
	return hot
}

// hotSet reports whether one of the callees is hot: hotBodies met all such sets.
func (v *view) hotSet(s *calleeSet) bool { return v.sets[s.index] }

func (v *view) anyHot(list []*calleeSet) bool { return slices.ContainsFunc(list, v.hotSet) }

// aheadOf says, for each block of a body, whether execution from its start on
// may call something hot before the body ends.
func (v *view) aheadOf(b *body) []bool {
	if v.ahead[b.id] != nil {
		return v.ahead[b.id]
	}
	out := make([]bool, len(b.fn.Blocks))
	var queue []*ssa.BasicBlock
	for k, block := range b.fn.Blocks {
		if slices.ContainsFunc(b.sites[k], func(s site) bool { return v.hotSet(s.callees) }) {
			out[k] = true
			queue = append(queue, block)
		}
	}
	for len(queue) > 0 {
		block := queue[0]
		queue = queue[1:]
		for _, p := range block.Preds {
			if !out[p.Index] {
				out[p.Index] = true
				queue = append(queue, p)
			}
		}
	}
	v.ahead[b.id] = out
	return out
}

// follows reports whether something hot may follow a call within the calling
// body, its deferred calls included.
func (v *view) follows(c caller) bool {
	b := v.g.bodies[c.body]
	if v.delta[b.id] || v.anyHot(b.deferred) {
		return true
	}
	if !v.hot[b.id] {
		return false
	}
	sites := b.sites[c.block]
	if sites[c.site].again && v.hotSet(sites[c.site].callees) {
		return true
	}
	for _, s := range sites[c.site+1:] {
		if v.hotSet(s.callees) {
			return true
		}
	}
	ahead := v.aheadOf(b)
	for _, s := range b.fn.Blocks[c.block].Succs {
		if ahead[s.Index] {
			return true
		}
	}
	return false
}

// exits computes whether something hot may execute after a body returns or
// panics: what follows in callers, and in theirs; and at last, what the test
// leaves to its end.
func (v *view) exits(test *body, viewing bool) []bool {
	out := make([]bool, len(v.g.bodies))
	var queue []int
	mark := func(id int) {
		if v.part[id] && !out[id] {
			out[id] = true
			queue = append(queue, id)
		}
	}
	last := viewing
	followed := make([]answer, len(v.g.sets)) // something hot follows one of the calls
	follows := func(s *calleeSet) bool {
		if followed[s.index] == unasked {
			followed[s.index] = answered(slices.ContainsFunc(s.callers, func(c caller) bool { return v.part[c.body] && v.follows(c) }))
		}
		return followed[s.index] == yes
	}
	for _, b := range v.g.bodies {
		if v.part[b.id] {
			last = last || v.anyHot(b.cleanup)
			if slices.ContainsFunc(b.in, follows) {
				mark(b.id)
			}
		}
	}
	for _, b := range v.g.bodies {
		if last && (b == test || test == nil && b.root) {
			mark(b.id)
		}
	}
	done := make([]bool, len(v.g.sets))
	for len(queue) > 0 {
		b := v.g.bodies[queue[0]]
		queue = queue[1:]
		for _, sites := range b.sites {
			for _, s := range sites {
				if done[s.callees.index] {
					continue
				}
				done[s.callees.index] = true
				for _, id := range s.callees.ids {
					mark(id)
				}
			}
		}
	}
	return out
}

// unordered reports whether other goroutines, or parallel subtests, may execute Δ:
// what they do after a branch was negated need not follow it in any order that
// is known here.
func (v *view) unordered() bool {
	hot, parallel := false, false
	for _, b := range v.g.bodies {
		if !v.part[b.id] {
			continue
		}
		if v.anyHot(b.async) {
			return true
		}
		hot = hot || v.hot[b.id]
		parallel = parallel || b.parallel && !b.root
	}
	return hot && parallel
}

// continues reports whether what follows from the start of a block on may execute
// Δ.
func (v *view) continues(b *body, target *ssa.BasicBlock) bool {
	return v.always || v.within(b, target) || v.exit[b.id]
}

// within reports whether what follows from the start of a block on may execute Δ
// before the body ends.
func (v *view) within(b *body, target *ssa.BasicBlock) bool {
	return v.delta[b.id] || v.aheadOf(b)[target.Index] || v.anyHot(b.deferred)
}
