//go:build go1.21

package wire

import (
	"math"
	"time"
)

// Costs are what calls of operations take, in nanoseconds of processor time, learnt from the sequences that hold
// them. Operations that were not called yet are not in it.
type Costs map[Op]float64

// costGain is how much one sequence tells of operations whose costs are known.
const costGain = 0.3

// Expected is what a sequence will take, in nanoseconds; operations that are not known cost nothing.
func (c Costs) Expected(p Sequence) (sum float64) {
	for _, s := range p {
		sum += c[s.Op]
	}
	return sum
}

// Learn takes in how long a sequence took. What the operations known by then do not explain is what new ones
// cost; where there are no new ones each costs more from then on, or less, by the same factor, so that those which
// stand in cheap sequences, too, are not blamed for long.
func (c Costs) Learn(p Sequence, took time.Duration) {
	actual := float64(max(took, time.Microsecond))
	known, unknown := c.Expected(p), 0.0
	for _, s := range p {
		if c[s.Op] == 0 {
			unknown++
		}
	}
	factor := math.Pow(min(max(actual/known, 0.1), 10), costGain)
	for i, s := range p {
		switch {
		case calledBefore(p, i):
		case unknown == 0:
			c[s.Op] *= factor
		case c[s.Op] == 0:
			c[s.Op] = max(actual-known, float64(time.Microsecond)) / unknown
		}
	}
}

// calledBefore reports whether an earlier step calls the operation of step i.
func calledBefore(p Sequence, i int) bool {
	for _, s := range p[:i] {
		if s.Op == p[i].Op {
			return true
		}
	}
	return false
}
