package harness

import (
	"encoding/json"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/probe"
)

// aimed registers one function and searches for an input that takes a branch of it.
func aimed(t *testing.T, fn any, ahead map[int][2]int, goal, most int) (wire.Aimed, wire.Sequence) {
	t.Helper()
	old := registry
	registry = newRegistry()
	defer func() { registry = old }()
	Func(Operation{Name: "F", Expr: "F", Exported: true, Hook: -1, Role: wire.Changed}, fn)
	registry.seal()
	s := &server{m: NewMachine(registry)}
	s.g = newGenerator(s.m, NewPlain(), 1)
	q, err := json.Marshal(wire.Aim{Goals: []int{goal}, Ahead: ahead, Ops: []wire.Op{wire.OpAt(0)}, Most: most, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	var a wire.Aimed
	var taken []wire.Taken
	for !a.Done {
		s.buf = s.buf[:0]
		s.aim(q)
		a = wire.Aimed{}
		if err := json.Unmarshal(s.buf, &a); err != nil {
			t.Fatal(err)
		}
		taken = append(taken, a.Taken...)
		q = []byte(`{"More":true}`)
	}
	if a.Failed != "" {
		t.Fatal(a.Failed)
	}
	a.Taken = taken
	if len(taken) == 0 {
		return a, nil
	}
	p, _, err := wire.Decode(taken[0].Sequence)
	if err != nil {
		t.Fatal(err)
	}
	return a, p
}

func TestAimSolves(t *testing.T) {
	fee := func(km, code int) {
		if probe.D(0, probe.OI(probe.Equal, km*3+code, 70007)) && probe.D(1, probe.OI(probe.Greater, code, 41)) {
			return
		}
	}
	a, p := aimed(t, fee, map[int][2]int{0: {-1, 1}, 1: {-1, 0}}, 3, 2000)
	t.Logf("%d executions, %v, nearest %+v", a.Runs, p, a.Nearest)
	if p == nil {
		t.Error("not found")
	}
}
