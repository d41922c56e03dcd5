package calls

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/probe"
)

const (
	maxWitnesses = 16
	perShape     = 3 // witnesses that make the same calls
)

// Discrepancy is where two versions differ, a component of an operation, and which members
// of Δ ran. Once it is known, further differences there are not looked into.
type Discrepancy struct {
	spot
	Ran uint32 // digest of them, see ranOn
}

// spot is a discrepancy, whatever ran.
type spot struct {
	Op        wire.Op
	Component int  // of StepTrace.Components; -1 for how the call ended
	After     bool // an earlier result, looked at after the operation
	Fails     failing
	Base      probe.Ending
	Head      probe.Ending
}

// failing tells which version of a call gave an error where the other gave none. What is a
// change for the better in the one direction is none in the other.
type failing uint8

const (
	alikeFailing failing = iota // both or neither
	baseFails
	headFails
)

// failingOf compares a step of both versions.
func failingOf(base, head wire.StepTrace) failing {
	switch {
	case base.Failed == head.Failed:
		return alikeFailing
	case base.Failed:
		return baseFails
	}
	return headFails
}

// ranOn is what Discrepancy.Ran is for what ran on base and on head: parted if that is not
// the same.
func ranOn(base, head uint32) uint32 {
	if base != head {
		return parted
	}
	return base
}

// parted stands for members of Δ that run on one version alone: what sent the versions
// different ways ran before, and is known by what it shows otherwise.
const parted = 0

// Witness is one sequence on which the versions differ at a discrepancy.
type Witness struct {
	Sequence wire.Sequence
	Step     int
	At       int       // of Trace.After, for After
	Hung     bool      // the process had to be ended
	ways     [2]uint32 // see wire.Trace.Way
	apart    apartness // how it must not become one that a known difference explains
	again    bool      // it differed only where it had been made before
}

type discrepancyState struct {
	witnesses []Witness
	count     int
	looked    int // at so many witnesses has been looked
	settled   bool
	weak      bool // a weak difference is known
	nilGiven  bool // the calls of the one that is known are given nil
	forgotten bool // witnesses were dropped that nobody had looked at
	byWay     map[[2]uint32]bool
	others    []Witness // of other ways, see ExamineWays
	sampled   []Witness // some of all, see sample
	examples  []Witness // those of sampled that may be examples
	stride    int       // of how many witnesses one is sampled
}

// differ books what differs in a sequence.
func (c *Search) differ(p wire.Sequence, b, h wire.Trace) {
	if !differences(p, b, h, c.culprit(p), c.observe) {
		c.hint(p, b, h)
	}
}

// differences returns the first step at which two versions differ, component by
// component, or else what differs after all steps, to observe: once something
// differs, what follows may only be a consequence. It reports whether anything
// does.
func differences(p wire.Sequence, b, h wire.Trace, culprit wire.Op, observe func(Discrepancy, Witness)) bool {
	ran, ways := ranOn(b.Ran, h.Ran), [2]uint32{b.Way, h.Way}
	for k := range min(len(b.Steps), len(h.Steps)) {
		bs, hs := b.Steps[k], h.Steps[k]
		if bs.Ending != hs.Ending {
			observe(Discrepancy{spot{Op: p[k].Op, Component: -1, Base: bs.Ending, Head: hs.Ending}, ran}, Witness{Sequence: p, Step: k, ways: ways})
			return true
		}
		any := false
		for i := range min(len(bs.Components), len(hs.Components)) {
			if bs.Components[i].Visible != hs.Components[i].Visible {
				any = true
				observe(Discrepancy{spot{Op: p[k].Op, Component: i, Fails: failingOf(bs, hs)}, ran}, Witness{Sequence: p, Step: k, ways: ways})
			}
		}
		if any {
			return true
		}
	}
	for i := range min(len(b.After), len(h.After)) {
		if b.After[i].Visible != h.After[i].Visible {
			observe(Discrepancy{spot{Op: culprit, After: true}, ran}, Witness{Sequence: p, Step: len(p) - 1, At: i, ways: ways})
			return true
		}
	}
	return false
}

// calls names the operations of a sequence, in order.
func calls(p wire.Sequence) string {
	var b []byte
	for _, s := range p {
		b = append(strconv.AppendInt(b, int64(s.Op), 10), ' ')
	}
	return string(b)
}

// stateOf returns what is known of a discrepancy, from now on also of a new one.
func (c *Search) stateOf(at Discrepancy) *discrepancyState {
	st := c.discrepancies[at]
	if st == nil {
		st = &discrepancyState{}
		c.discrepancies[at] = st
		c.order = append(c.order, at)
	}
	return st
}

// observe books a witness of a discrepancy.
func (c *Search) observe(at Discrepancy, s Witness) {
	if c.API.Op(at.Op).Seam {
		c.told.take(s.Sequence[:s.Step+1])
		return
	}
	st := c.stateOf(at)
	st.count++
	st.noteWay(s)
	st.sample(s)
	if st.settled {
		return
	}
	alike := calls(s.Sequence[:s.Step+1])
	n := 0
	for _, o := range st.witnesses {
		if calls(o.Sequence[:o.Step+1]) == alike {
			n++
		}
	}
	if n >= perShape {
		return // others of the same shape are there; different ones may tell more
	}
	st.witnesses = append(st.witnesses, s)
	slices.SortStableFunc(st.witnesses, func(a, b Witness) int {
		return cmp.Or(cmp.Compare(a.Step, b.Step), cmp.Compare(len(a.Sequence.Encode(nil)), len(b.Sequence.Encode(nil))))
	})
	if len(st.witnesses) > maxWitnesses {
		st.witnesses = st.witnesses[:maxWitnesses]
	}
}
