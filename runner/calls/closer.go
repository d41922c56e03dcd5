package calls

import (
	"context"
	"strconv"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// A closer is a value whose hidden state differs: something visible may, if
// more is asked of it.
type closer struct {
	sequence        wire.Sequence
	step, component int
}

const (
	maxCloser = 2000 // values that are looked at closer
	perCloser = 80
)

// hint notes the first component whose hidden state alone differs.
func (c *Search) hint(p wire.Sequence, b, h wire.Trace) {
	for k := range min(len(b.Steps), len(h.Steps)) {
		for i := range min(len(b.Steps[k].Components), len(h.Steps[k].Components)) {
			bc, hc := b.Steps[k].Components[i], h.Steps[k].Components[i]
			if bc.Visible != hc.Visible {
				return
			}
			if bc.Hidden == hc.Hidden {
				continue
			}
			key := calls(p[:k+1]) + strconv.Itoa(i)
			if c.closer[key] < 2 && len(c.closer) < maxCloser {
				c.closer[key]++
				c.closers = append(c.closers, closer{p, k, i})
			}
			return
		}
	}
}

// lookCloser asks more of values whose hidden state differs.
func (c *Search) lookCloser(ctx context.Context) error {
	for n := 0; n < 4 && len(c.closers) > 0; n++ {
		x := c.closers[0]
		c.closers = c.closers[1:]
		lead := n % 2
		question := wire.Sweep{Count: perCloser, Step: x.step, Component: x.component, Sequence: x.sequence}
		made, err := c.sides[lead].batch(ctx, wire.FrameSweep, question.Encode())
		if err := c.settle(ctx, lead, err); err != nil {
			return err
		}
		if err := c.follow(ctx, 1-lead, made); err != nil {
			return err
		}
	}
	return nil
}
