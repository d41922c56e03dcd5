//go:build go1.21

package harness

import (
	"reflect"
	"time"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// What serves until its context is over, or until a channel is closed, is of no use to anybody who waits for it
// and never ends it. So some contexts are over after a while, and some channels are closed then. Those that have
// waited for ever are given nothing else.

// waiting is how many of a hundred contexts and channels come to their end while a call waits for it.
const waiting = 15

// ClosedAfter is when a channel is closed that is open to begin with.
const ClosedAfter = 20 * time.Millisecond

// ChannelRoom is how many values a channel takes that the code sends to, and nobody receives from.
const ChannelRoom = 256

// usualTimeout and maxTimeout are in milliseconds, and there is none shorter. In calls of our own that time passes at
// once; tests to paste wait so long.
const (
	usualTimeout = 20
	maxTimeout   = 100
)

// TimeoutOf is the time after which a context is over, of what a literal says in milliseconds.
func TimeoutOf(n int64) time.Duration {
	return time.Duration(max(usualTimeout, min(n, maxTimeout))) * time.Millisecond
}

// timeout is a context that is over after a while.
func timeout(r *Rand) wire.Lit {
	n := int64(usualTimeout)
	if r.Chance(10) {
		n = maxTimeout
	}
	return wire.Lit{Form: wire.Special, S: wire.SpecialTimeout, E: []wire.Lit{{Form: wire.Int, N: n}}}
}

// wait gives operations that have waited for ever contexts and channels that come to their end.
func (g *generator) wait(p wire.Sequence) {
	for _, s := range p {
		if s.Op.Builtin() || !g.m.Ops[s.Op].waiting {
			continue
		}
		for k, t := range g.m.Ops[s.Op].In {
			if k >= len(s.Args) {
				break
			}
			switch l := &s.Args[k]; {
			case l.Form == wire.Special && l.S == wire.SpecialContext:
				*l = timeout(g.r)
			case l.Form == wire.Zero && t.Kind() == reflect.Chan && t.ChanDir()&reflect.RecvDir != 0:
				*l = wire.Lit{Form: wire.Special, S: wire.SpecialLateChan}
			}
		}
	}
}

// stopWaiting ends what the last sequence may have left waiting.
func (m *Machine) stopWaiting() {
	for _, f := range m.endings {
		f()
	}
	m.endings = m.endings[:0]
}
