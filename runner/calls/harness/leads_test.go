package harness

import (
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// What executes one of two members hardly ever gets most of the turns.
func TestTheLessExecutedMemberIsLedTo(t *testing.T) {
	first, second := &lead{member: 0, ops: []wire.Op{20}, led: map[wire.Op]int{}}, &lead{member: 3, ops: []wire.Op{21, 22}, led: map[wire.Op]int{}}
	list := leads{first, second}
	list.note([]int{0, 7}, 20)
	if first.times != 1 || first.led[20] != 1 || second.times != 0 {
		t.Errorf("%+v %+v", first, second)
	}
	r, calls := NewRand(1), make([]int, 30)
	drawn := map[wire.Op]int{}
	for range 1000 {
		op := list.draw(r, calls)
		calls[op]++
		drawn[op]++
	}
	if n := drawn[21] + drawn[22]; n < 650 || n > 850 || drawn[21] < drawn[22] || drawn[22] < 100 {
		t.Errorf("%v", drawn)
	}
}

// Nothing is chosen by members where operations lead to one of them only.
func TestLeadsOfOneMember(t *testing.T) {
	m := NewMachine(&Registry{Ops: make([]Operation, wire.Builtins+2)})
	m.Ops[wire.Builtins+1].excluded = true
	if got := newLeads(m, [][]wire.Op{{wire.Builtins}, nil, {wire.Builtins + 1}}); got != nil {
		t.Errorf("%v", got)
	}
	if got := newLeads(m, [][]wire.Op{{wire.Builtins}, nil, {wire.Builtins}}); len(got) != 2 || got[1].member != 2 {
		t.Errorf("%v", got)
	}
}

// A sequence that may reach the change is preferred to one that does not. If both may, the rarer one is preferred.
func TestWorthier(t *testing.T) {
	const aside, caller, other = wire.Builtins, wire.Builtins + 1, wire.Builtins + 2
	m := NewMachine(&Registry{Ops: make([]Operation, wire.Builtins+3)})
	m.Ops[caller].Role, m.Ops[other].Role = wire.Caller, wire.Changed
	g := newGenerator(m, NewPlain(), 1)
	g.calls[caller], g.calls[other] = 50, 20
	g.kept = []wire.Sequence{{{Op: aside}}, {{Op: aside}, {Op: caller}}, {{Op: other}}}
	for _, of := range [][3]int{{0, 1, 1}, {1, 0, 1}, {1, 2, 2}, {2, 1, 2}, {0, 2, 2}} {
		if got := g.worthier(of[0], of[1]); got != of[2] {
			t.Errorf("of %d and %d, %d", of[0], of[1], got)
		}
	}
}
