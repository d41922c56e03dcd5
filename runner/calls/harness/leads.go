//go:build go1.21

package harness

import (
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// shareLed is how many of a hundred targets are chosen by a member of Δ that they may lead to.
const shareLed = 45

// leads are the members of Δ that some operation may lead to. A change has members that every second sequence
// executes, for they are called as they are, and others that only a certain caller gets to. Each is given the
// same share of the targets, and the less executed of two is chosen.
type leads []*lead

// lead is a member of Δ.
type lead struct {
	member int
	ops    []wire.Op // the nearest first
	led    map[wire.Op]int
	times  int // sequences that executed it
}

// newLeads returns what there is to choose from, nothing where it is one member.
func newLeads(m *Machine, nearest [][]wire.Op) (out leads) {
	for k, list := range nearest {
		l := &lead{member: k, led: map[wire.Op]int{}}
		for _, op := range list {
			if m.Has(op) && !op.Builtin() && !m.Ops[op].excluded && !m.Ops[op].Inner {
				l.ops = append(l.ops, op)
			}
		}
		if len(l.ops) > 0 {
			out = append(out, l)
		}
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// note books that a sequence which ends with an operation executed members.
func (list leads) note(members []int, last wire.Op) {
	for _, l := range list {
		for _, k := range members {
			if l.member == k {
				l.times++
				l.led[last]++
			}
		}
	}
}

// draw returns an operation that may lead to a member: of three, the one that is called least, or that did so
// most often.
func (list leads) draw(r *Rand, calls []int) wire.Op {
	l := list[r.Intn(len(list))]
	if o := list[r.Intn(len(list))]; o.times < l.times {
		l = o
	}
	near := func() wire.Op { return l.ops[min(r.Intn(len(l.ops)), r.Intn(len(l.ops)))] }
	return bestOfThree(r, calls, func(op wire.Op) int { return l.led[op] }, near)
}

// worthier returns one of two kept sequences. It prefers a sequence that may reach the change, then the one whose last
// operation was called less often. Without it, most picks would be whatever is easy to call.
func (g *generator) worthier(a, b int) int {
	p, q := g.kept[a], g.kept[b]
	if x, y := g.mayReach(p), g.mayReach(q); x != y {
		if x {
			return a
		}
		return b
	}
	if g.calls[p[len(p)-1].Op] <= g.calls[q[len(q)-1].Op] {
		return a
	}
	return b
}
