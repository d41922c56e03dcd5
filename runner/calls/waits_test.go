package calls

import (
	"testing"
	"time"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// A wait that was shrunk by a nanosecond would differ in one run and not in the next.
func TestWaitsPlainly(t *testing.T) {
	t.Parallel()
	const sleep, other = wire.Builtins, wire.Builtins + 1
	step := func(op wire.Op, d time.Duration) wire.Step {
		return wire.Step{Op: op, Args: []wire.Lit{{Form: wire.Int, N: int64(d)}}}
	}
	p := wire.Sequence{step(other, time.Hour), step(sleep, time.Hour+1)}
	for name, test := range map[string]struct {
		q    wire.Sequence
		want bool
	}{
		"as it was":                {p, true},
		"without a wait":           {p[:1], true},
		"a whole time":             {wire.Sequence{p[0], step(sleep, time.Hour)}, true},
		"a nanosecond less":        {wire.Sequence{p[0], step(sleep, time.Hour-1)}, false},
		"what is given may be odd": {wire.Sequence{step(other, time.Hour-1), p[1]}, true},
	} {
		if got := waitsPlainly(func(op wire.Op) bool { return op == sleep }, test.q, p); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
