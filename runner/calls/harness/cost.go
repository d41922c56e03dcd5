//go:build go1.21

package harness

import (
	"sort"
	"time"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// One operation of a package compares two texts, another one compiles a template or writes a whole project. Called
// equally often, the second one takes all the time, and a search makes hundreds of calls where it could make
// hundreds of thousands. So time is shared, not calls: a sequence that will take much longer than others do is
// made seldom. Where everything that reaches the change takes long, it is made as often as before.

const (
	cheapEnough = 100 * time.Microsecond // what takes less is never left out
	seldom      = 10                     // of a thousand costly sequences are made nevertheless
	insistence  = 40                     // sequences that are made in place of one that costs too much
)

// affordable is the next sequence that is worth what it takes, nil if there is no idea.
func (g *generator) affordable() wire.Sequence {
	var p wire.Sequence
	for i := 0; i < insistence; i++ {
		if p = g.next(); p == nil || g.affords(p) {
			break
		}
	}
	return p
}

// affords reports whether a sequence is to be run, going by what it will take: as seldom as it takes longer than the
// cheap ones.
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

// mayReach reports whether a sequence calls what is changed, or what may call that.
func (g *generator) mayReach(p wire.Sequence) bool {
	for _, s := range p {
		if !s.Op.Builtin() && g.m.Ops[s.Op].Role >= wire.Caller {
			return true
		}
	}
	return false
}

// cheap tells what sequences take that cost little, of those made of late.
type cheap struct {
	costs [32]float64 // of the last ones, one after the other and from the beginning again
	noted int
	value float64
}

// note takes in what a sequence will cost. It returns what a quarter of those noted of late are below.
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
