package calls

import (
	"context"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Shrinking takes hundreds of runs, and what differs by itself differs in each of them: a duration, a count
// that earlier calls have raised, what a process is given at its start. So it is looked into first.

// worthShrinking reports whether what a witness shows is the same when it runs some times in a row on a bench, and
// in a fresh pair; or else, for a call may leave something behind, whether it is the same in fresh pairs.
func (c *Search) worthShrinking(ctx context.Context, b *bench, at Discrepancy, w rankedWitness, more func() bool) (bool, error) {
	p := w.Sequence[:w.Step+1]
	steady, err := b.steady(ctx, at, p)
	if _, dead := ended(err); dead {
		return true, b.renew()
	}
	if err != nil {
		return false, err
	}
	first, ok, err := c.once(ctx, at, p, 0)
	if err != nil {
		return false, err
	}
	if ok && steady && first.Base == w.base && first.Head == w.head {
		return true, nil
	}
	const twice = 2
	if ok {
		next, ok, err := c.once(ctx, at, p, 1)
		return ok && first.Base == next.Base && first.Head == next.Head, err
	}
	if len(p) <= maxTwice {
		_, ok, err = c.repeat(ctx, at, p.Append(p), twice, more)
	}
	return ok, err
}

// steady runs a sequence some times in a row, and reports whether each version always shows the same at the spot
// of a discrepancy.
func (b *pair) steady(ctx context.Context, at Discrepancy, p wire.Sequence) (bool, error) {
	ran, err := b.execute(ctx, []wire.Sequence{p, p, p})
	if err != nil {
		return false, err
	}
	var runs [][2]wire.Trace
	for k := range min(len(ran[0]), len(ran[1])) {
		if ran[0][k].Invalid || ran[1][k].Invalid {
			return false, nil
		}
		runs = append(runs, [2]wire.Trace{ran[0][k].Trace(), ran[1][k].Trace()})
	}
	return alwaysAlike(at, p, runs), nil
}

// alwaysAlike reports whether runs of a sequence on both versions differ at the spot of a discrepancy, and each
// version shows the same there each time.
func alwaysAlike(at Discrepancy, p wire.Sequence, runs [][2]wire.Trace) bool {
	for _, run := range runs {
		where, differs := locate(at, p, run[0], run[1])
		if !differs {
			return false
		}
		for i := range run {
			if shownIn(run[i], where) != shownIn(runs[0][i], where) {
				return false
			}
		}
	}
	return len(runs) > 0
}

// shownIn is the digest of what a trace has at a place; 0 for how a call ended.
func shownIn(t wire.Trace, at wire.Place) uint32 {
	switch {
	case at.Kind == wire.AtAfter && at.Index < len(t.After):
		return t.After[at.Index].Visible
	case at.Kind == wire.AtComponent && at.Step < len(t.Steps) && at.Index < len(t.Steps[at.Step].Components):
		return t.Steps[at.Step].Components[at.Index].Visible
	}
	return 0
}
