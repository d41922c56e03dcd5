package calls

import (
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/probe"
)

// A loop that does not end takes all the rounds that a call may make. Where it adds to a text each time, the last of them take
// so long that a second goes by, and a search gets nowhere if every tenth input of a parser leads there. Such
// operations may make fewer rounds, on both versions. What one of them needs more for is found out when it is confirmed.

// fewRoundsOfCall is how many rounds of loops and calls a call of such an operation may make.
const fewRoundsOfCall = 15_000

// shortenEndless shortens the last operation of a slow sequence that did not come to an end.
func (c *Search) shortenEndless(p wire.Sequence, versions ...[]wire.StepTrace) {
	for _, steps := range versions {
		if n := len(steps); n > 0 && n <= len(p) && steps[n-1].Ending == probe.Exhausted {
			c.shorten(p[n-1].Op)
		}
	}
}

// shorten lets calls of an operation make fewer rounds, in processes that replace those that run now.
func (c *Search) shorten(op wire.Op) {
	if op.Builtin() || c.setup.Short[op] > 0 {
		return
	}
	c.setup.Short[op] = fewRoundsOfCall
	c.outdated = true
}
