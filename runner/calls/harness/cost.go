//go:build go1.21

package harness

import (
	"sort"
	"time"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// One operation of a package may compare two texts, while another one writes a whole project. If both are called
// equally often, the second one takes all the time. So time is shared, not calls: a sequence that is expected to take
// much longer than others is seldom run. Sequences that may reach the change are compared with each other only.

const (
	cheapEnough = 100 * time.Microsecond // sequences that take less are always run
	seldom      = 10                     // costly sequences in a thousand that are run all the same
	insistence  = 40                     // max sequences to make until one is affordable
)

// affordable returns the next sequence that is worth its time, or nil.
func (g *generator) affordable() wire.Sequence {
	var p wire.Sequence
	for i := 0; i < insistence; i++ {
		if p = g.next(); p == nil || g.affords(p) {
			break
		}
	}
	return p
}

// affords reports whether to run a sequence, given its expected cost. One that costs ten times as much as the cheap ones
// is run one time in ten.
func (g *generator) affords(p wire.Sequence) bool {
	expected := g.costs.Expected(p)
	if expected == 0 {
		return true
	}
	cheap := g.cheap[0].note(expected)
	if g.mayReach(p) {
		cheap = g.cheap[1].note(expected)
	}
	allowed := max(cheap, float64(cheapEnough))
	return expected <= allowed || float64(g.r.Intn(1000)) < max(1000*allowed/expected, seldom)
}

// mayReach reports whether a sequence calls a changed function, or one that may call a changed function.
func (g *generator) mayReach(p wire.Sequence) bool {
	for _, s := range p {
		if !s.Op.Builtin() && g.m.Ops[s.Op].Role >= wire.Caller {
			return true
		}
	}
	return false
}

// cheap keeps the costs of recent sequences.
type cheap struct {
	costs [32]float64 // of the last ones, one after the other and from the beginning again
	noted int
	value float64
}

// note adds the cost of a sequence and returns the lower quartile of the recent ones.
func (c *cheap) note(cost float64) float64 {
	c.costs[c.noted%len(c.costs)] = cost
	c.noted++
	if c.noted < len(c.costs) || c.noted%8 == 0 {
		sorted := c.costs
		n := min(c.noted, len(sorted))
		sort.Float64s(sorted[:n])
		c.value = sorted[n/4]
	}
	return c.value
}
