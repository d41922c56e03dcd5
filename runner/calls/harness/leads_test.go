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
