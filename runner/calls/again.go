package calls

import (
	"context"
	"fmt"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Again runs a recorded sequence in fresh processes: what differs first, and in
// how many of the repetitions it was the same on each version.
func (c *Campaign) Again(ctx context.Context, p wire.Sequence, repetitions int) (d Difference, same int, err error) {
	at, ok, err := c.spot(ctx, p)
	if err != nil || !ok {
		return d, 0, err
	}
	for range repetitions {
		now, ok, err := c.once(ctx, at, p)
		if err != nil {
			return d, same, err
		}
		if same == 0 {
			d = now
		}
		if ok && now.Base == d.Base && now.Head == d.Head {
			same++
		}
	}
	return d, same, nil
}

// Try runs a sequence from elsewhere alone, and confirms and shrinks it if it
// differs at a spot that is not known yet.
func (c *Campaign) Try(ctx context.Context, p wire.Sequence, repetitions int, more func() bool) (Examination, error) {
	var out Examination
	at, ok, err := c.spot(ctx, p)
	if err != nil || !ok {
		return out, gone(err)
	}
	if st := c.spots[at]; st != nil && st.settled {
		out.Known = true
		return out, nil
	}
	c.sight(at, Sighting{Sequence: p, Step: len(p) - 1})
	st := c.spots[at]
	d, v, err := c.examineSpot(ctx, at, st, repetitions, more)
	if err != nil {
		return out, err
	}
	switch v {
	case confirmed:
		st.settled = true
		c.perOp[c.culprit(d.Sequence)]++
		out.Found = append(out.Found, d)
	case implausible:
		out.Implausible++
	default:
		out.Unconfirmed++
	}
	return out, nil
}

// spot finds where a sequence differs.
func (c *Campaign) spot(ctx context.Context, p wire.Sequence) (Spot, bool, error) {
	b, err := c.bench(ctx, Spot{})
	if err != nil {
		return Spot{}, false, err
	}
	defer b.close()
	var ran [2][]wire.Executed
	var errs [2]error
	both(func(i int) { ran[i], errs[i] = b.sides[i].batch(ctx, wire.FrameFollow, p.Encode(nil)) })
	for i, err := range errs {
		if err != nil {
			return Spot{}, false, err
		}
		if len(ran[i]) != 1 || ran[i][0].Invalid {
			return Spot{}, false, fmt.Errorf("the recorded sequence cannot be run any more")
		}
	}
	var at Spot
	found := false
	differences(p, ran[0][0].Trace(), ran[1][0].Trace(), c.culprit(p), func(s Spot, _ Sighting) {
		if !found {
			at, found = s, true
		}
	})
	return at, found, nil
}
