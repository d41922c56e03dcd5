package calls

import (
	"time"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Calls take some time themselves, and what measures how long something took goes by the real clock. A wait that
// is a nanosecond too short is long enough where the machine is slow. Shrinking therefore changes waits to
// whole milliseconds only: a sequence that hangs on less differs at one time and not at another.

// waitsPlainly reports whether each wait of q is one of p, too, or takes whole milliseconds. waits tells
// the operation that waits from others.
func waitsPlainly(waits func(wire.Op) bool, q, p wire.Sequence) bool {
	known := map[int64]bool{}
	for _, s := range p {
		if waits(s.Op) {
			known[s.Args[0].N] = true
		}
	}
	for _, s := range q {
		if waits(s.Op) && !known[s.Args[0].N] && s.Args[0].N%int64(time.Millisecond) != 0 {
			return false
		}
	}
	return true
}

// waits reports whether an operation lets time pass.
func (c *Search) waits(op wire.Op) bool { return c.API.Op(op).Waits() }
