package calls

import (
	"context"
	"errors"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// errRefused says that a process does not run a sequence.
var errRefused = errors.New("the recorded sequence cannot be run any more")

// Again runs a recorded sequence in fresh processes: what differs first, and in
// how many of the repetitions it was the same on each version.
func (c *Search) Again(ctx context.Context, p wire.Sequence, repetitions int) (d Difference, same int, err error) {
	b := c.newBench(ctx, Discrepancy{})
	defer b.close()
	at, ok, err := c.discrepancy(ctx, b, p)
	if err != nil || !ok {
		return d, 0, err
	}
	for n := range repetitions {
		now, ok, err := c.once(ctx, at, p, n)
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
// differs at a discrepancy that is not known yet.
func (c *Search) Try(ctx context.Context, p wire.Sequence, repetitions int, more func() bool) (Examination, error) {
	var out Examination
	b := c.newBench(ctx, Discrepancy{})
	defer b.close()
	at, ok, err := c.discrepancy(ctx, b, p)
	if errors.Is(err, errRefused) {
		out.Unconfirmed++ // what a test built cannot be built of literals
		return out, nil
	}
	if err != nil || !ok {
		return out, ignoreEnded(err)
	}
	if st := c.discrepancies[at]; st != nil && st.settled {
		out.Known = true
		return out, nil
	}
	c.observe(at, Witness{Sequence: p, Step: len(p) - 1})
	st := c.discrepancies[at]
	d, v, err := c.examineOne(ctx, b, at, st, repetitions, more)
	if err != nil {
		return out, err
	}
	switch v {
	case confirmed:
		st.settled = true
		taken, err := c.take(ctx, at, d, repetitions, &out)
		if err != nil {
			return out, err
		}
		out.Known = !taken
	case implausible:
		out.Implausible++
	case late, slow, alike: // it stays where Left counts it
	default:
		out.Unconfirmed++
	}
	return out, nil
}

// discrepancy finds where a sequence differs, on a bench that nothing has run on.
func (c *Search) discrepancy(ctx context.Context, b *bench, p wire.Sequence) (Discrepancy, bool, error) {
	if _, err := b.started(); err != nil {
		return Discrepancy{}, false, err
	}
	var ran [2][]wire.Executed
	var errs [2]error
	both(func(i int) { ran[i], errs[i] = b.sides[i].batch(ctx, wire.FrameFollow, p.Encode(nil)) })
	for i := range errs {
		if verdictOf(i, p, ran, errs) != "" {
			return deathOf(p[len(p)-1].Op, i), true, nil
		}
	}
	for i, err := range errs {
		if err != nil {
			return Discrepancy{}, false, err
		}
		if len(ran[i]) != 1 || ran[i][0].Invalid {
			return Discrepancy{}, false, errRefused
		}
	}
	var at Discrepancy
	found := false
	differences(p, ran[0][0].Trace(), ran[1][0].Trace(), c.culprit(p), func(s Discrepancy, _ Witness) {
		if !found {
			at, found = s, true
		}
	})
	return at, found, nil
}
