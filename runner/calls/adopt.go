package calls

import (
	"context"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// perAdoption is for how many rounds at least calls go on from what was adopted; a guess.
const perAdoption = 100

// Adopt runs sequences that something else has made on both versions, as if they were
// the search's own: what differs is sighted, and what takes new branches is made more of.
func (c *Search) Adopt(ctx context.Context, list []wire.Sequence) error {
	c.quiet = max(c.quiet, maxQuiet-perAdoption)
	for len(list) > 0 {
		n := min(len(list), perSeed)
		var payload []byte
		for _, p := range list[:n] {
			payload = p.Encode(payload)
		}
		list = list[n:]
		made, err := c.sides[1].batch(ctx, wire.FrameFollow, payload)
		if err := c.settle(ctx, 1, err); err != nil {
			return err
		}
		if err := c.follow(ctx, 0, made); err != nil {
			return err
		}
	}
	return nil
}
