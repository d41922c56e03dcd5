package calls

import (
	"testing"

	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/probe"
)

// An operation of which a slow call does not end may make fewer rounds in the next processes, on both versions. One
// that comes to its end, or is no operation of the module's, may not.
func TestShortenEndless(t *testing.T) {
	t.Parallel()
	c := NewSearch(nil, execute.Target{}, execute.Target{}, &surface.API{}, surface.Literals{}, nil, 1)
	const first, second = wire.Builtins, wire.Builtins + 1
	p := wire.Sequence{{Op: first}, {Op: second}}
	c.shortenEndless(p, []wire.StepTrace{{}, {Ending: probe.Returned}}, []wire.StepTrace{{}, {Ending: probe.Panicked}})
	c.shortenEndless(wire.Sequence{{Op: wire.OpLet}}, []wire.StepTrace{{Ending: probe.Exhausted}})
	if len(c.setup.Short) != 0 || c.outdated {
		t.Fatalf("shortened: %v", c.setup.Short)
	}
	c.shortenEndless(p, []wire.StepTrace{{}, {Ending: probe.Returned}}, []wire.StepTrace{{Ending: probe.Exhausted}})
	if c.setup.Short[first] != fewRoundsOfCall || len(c.setup.Short) != 1 || !c.outdated {
		t.Errorf("shortened: %v, others needed: %t", c.setup.Short, c.outdated)
	}
}

// An operation that ends processes is called on where no other one that is still called leads to a member of Δ.
func TestOnlyWay(t *testing.T) {
	t.Parallel()
	const caller, other, taker, changed = wire.Builtins, wire.Builtins + 1, wire.Builtins + 2, wire.Builtins + 3
	roles := map[wire.Op]wire.Role{caller: wire.Caller, other: wire.Caller, taker: wire.Consumer, changed: wire.Changed}
	for name, test := range map[string]struct {
		exclude []wire.Op
		leads   [][]wire.Op
		op      wire.Op
		want    bool
	}{
		"another caller":                {exclude: []wire.Op{changed}, op: caller, want: false},
		"the changed one is called":     {exclude: []wire.Op{other}, op: caller, want: false},
		"none other":                    {exclude: []wire.Op{other, changed}, op: caller, want: true},
		"one that leads nowhere":        {exclude: []wire.Op{caller, other, changed}, op: taker, want: false},
		"of one member":                 {exclude: []wire.Op{changed}, leads: [][]wire.Op{{caller, other}, {caller, changed}}, op: caller, want: true},
		"each member has another way":   {leads: [][]wire.Op{{caller, other}, {caller, changed}}, op: caller, want: false},
		"what leads to none of several": {exclude: []wire.Op{other, changed}, leads: [][]wire.Op{{other}, {changed}}, op: caller, want: false},
	} {
		c := NewSearch(nil, execute.Target{}, execute.Target{}, &surface.API{}, surface.Literals{}, roles, 1)
		c.sides[0], c.Leads = &side{setup: &wire.Setup{Exclude: test.exclude}}, test.leads
		if got := c.onlyWay(test.op); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
