package harness

import (
	"testing"
	"time"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Two operations reach the change, and one takes a thousand times as long as the other. The cheap one gets its share of
// the time. If all of them take long, all are run.
func TestCostlySequencesAreSeldom(t *testing.T) {
	const cheap, dear, aside = wire.Builtins, wire.Builtins + 1, wire.Builtins + 2
	m := NewMachine(&Registry{Ops: make([]Operation, wire.Builtins+4)})
	m.Ops[cheap].Role, m.Ops[dear].Role = wire.Changed, wire.Caller
	run := func(ops ...wire.Op) map[wire.Op]int {
		g := newGenerator(m, NewPlain(), 1)
		g.costs = wire.Costs{cheap: float64(200 * time.Microsecond), dear: float64(200 * time.Millisecond), aside: float64(30 * time.Millisecond)}
		n := map[wire.Op]int{}
		for i := range 3000 {
			if op := ops[i%len(ops)]; g.affords(wire.Sequence{{Op: op}}) {
				n[op]++
			}
		}
		return n
	}
	if n := run(cheap, dear, dear); n[cheap] < 800 || n[dear] > 100 || n[dear] == 0 {
		t.Errorf("%v", n)
	}
	if n := run(dear); n[dear] != 3000 {
		t.Errorf("%v", n)
	}
	if n := run(aside, dear, dear, dear); n[dear] < 2000 || n[aside] < 700 {
		t.Errorf("what reaches the change gives way to what does not: %v", n)
	}
	if n := run(aside+1, dear); n[aside+1] != 1500 {
		t.Errorf("what was never called costs nothing that is known: %v", n)
	}
}
