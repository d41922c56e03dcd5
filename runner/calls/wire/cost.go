//go:build go1.21

package wire

import (
	"math"
	"time"
)

// Costs holds what a call of each operation costs, in nanoseconds of processor time. It is learnt from whole sequences.
// Operations that were not called yet are absent.
type Costs map[Op]float64

// costGain is the exponent by which one sequence corrects known costs: 0 for not at all, 1 for fully.
const costGain = 0.3

// Expected returns what a sequence will take, in nanoseconds. Absent operations cost nothing.
func (c Costs) Expected(p Sequence) (sum float64) {
	for _, s := range p {
		sum += c[s.Op]
	}
	return sum
}

// Learn adds how long a sequence took. New operations share the time that the known ones do not explain. If there are no
// new ones, all costs are corrected by the same factor. Operations that also occur in cheap sequences recover soon.
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
