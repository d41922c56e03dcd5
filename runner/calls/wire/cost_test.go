package wire_test

import (
	"testing"
	"time"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// An operation in every sequence is not taken for expensive if only one of its neighbours is.
func TestCostsAreTheirOperations(t *testing.T) {
	const cheap, dear, common = wire.Builtins, wire.Builtins + 1, wire.Builtins + 2
	c := wire.Costs{}
	for range 100 {
		c.Learn(wire.Sequence{{Op: common}, {Op: dear}}, 20*time.Millisecond)
		c.Learn(wire.Sequence{{Op: common}, {Op: common}, {Op: cheap}}, 30*time.Microsecond)
	}
	for _, of := range []struct {
		p         wire.Sequence
		low, high time.Duration
	}{
		{wire.Sequence{{Op: dear}}, 10 * time.Millisecond, 25 * time.Millisecond},
		{wire.Sequence{{Op: common}, {Op: cheap}}, 3 * time.Microsecond, 60 * time.Microsecond},
		{wire.Sequence{{Op: wire.Builtins + 3}}, 0, 0},
	} {
		if got := time.Duration(c.Expected(of.p)); got < of.low || got > of.high {
			t.Errorf("%v costs %s, which is not between %s and %s", of.p, got, of.low, of.high)
		}
	}
}

// A sequence with one new operation tells what that one costs.
func TestNewOperationsCostWhatTheOthersDoNot(t *testing.T) {
	c := wire.Costs{wire.Builtins: float64(time.Millisecond)}
	c.Learn(wire.Sequence{{Op: wire.Builtins}, {Op: wire.Builtins + 1}}, 5*time.Millisecond)
	if got := time.Duration(c[wire.Builtins+1]); got != 4*time.Millisecond {
		t.Errorf("%s", got)
	}
	if got := time.Duration(c[wire.Builtins]); got != time.Millisecond {
		t.Errorf("%s", got)
	}
}
