package calls

import (
	"context"
	"errors"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/probe"
)

// A call that the run time ends one version's process for, and that the other version returns
// from, or panics in, which can be recovered from, is a difference: a deadlock, a stack that overflows, an unlocked mutex that is unlocked,
// a panic on a goroutine. The run time's own verdict is the evidence, never a time-out.

const (
	shrinkBudgetDied = 40 // each costs a process where it is smaller
	perDeath         = 4  // witnesses tried before a death is given up
	// manyDeaths of an operation, and it is not called any more: each costs a process and what
	// others of a batch showed.
	manyDeaths = 12
	// maxTriedHangs are the hangs that are tried alone: where the run time has no word on one,
	// it has to be ended once more.
	maxTriedHangs = 3
)

// died reports whether a discrepancy is that one version's process ends.
func died(at Discrepancy) bool { return at.Base == probe.Died || at.Head == probe.Died }

// deathOf is the discrepancy of a call for which version i's process ends.
func deathOf(op wire.Op, i int) Discrepancy {
	at := Discrepancy{spot: spot{Op: op, Component: -1, Base: probe.Died, Head: probe.Returned}}
	if i == 1 {
		at.Base, at.Head = at.Head, at.Base
	}
	return at
}

// deathInstead is the discrepancy of a call that does not come to an end on one version, where
// with wire.MuchFuel the process ends before the fuel does: a recursion without end.
func deathInstead(at Discrepancy) Discrepancy {
	i := 0
	if at.Head == probe.Exhausted {
		i = 1
	}
	return deathOf(at.Op, i)
}

// observeDeath books that version i's process ended, where the run time blames the code for it.
// One that had to be ended may have waited for what only an earlier sequence keeps from being a
// deadlock, a timer or a goroutine that it left behind: alone, the run time may have a word on it.
func (c *Search) observeDeath(i int, e *execute.EndedError, p wire.Sequence) {
	if op, ok := killer(e, p); ok {
		if at, others := c.starter(e, p, op); others {
			c.fatal[at]++ // the sequence under way has nothing to do with it, unless it starts the goroutine, too
			if !slices.ContainsFunc(p[:e.Step], is(at)) {
				return
			}
		} else {
			c.fatal[op]++
		}
		c.observe(deathOf(op, i), Witness{Sequence: p[:e.Step+1], Step: e.Step})
		return
	}
	if e.Outcome != event.Hung || e.Step < 0 || e.Step >= len(p) || p[e.Step].Op.Builtin() || c.hangs >= maxTriedHangs {
		return
	}
	if at := deathOf(p[e.Step].Op, i); c.discrepancies[at] == nil {
		c.observe(at, Witness{Sequence: p[:e.Step+1], Step: e.Step, Hung: true})
	}
}

// starter returns the operation that is to blame where a goroutine panics which the operation under way does not start:
// one of the sequence, or else one that an earlier sequence called. others reports whether there is one.
func (c *Search) starter(e *execute.EndedError, p wire.Sequence, under wire.Op) (at wire.Op, others bool) {
	if e.Creator == "" {
		return under, false
	}
	var all []wire.Op
	for n, o := range c.API.All() {
		if o.Starts(e.Creator) {
			all = append(all, n)
		}
	}
	if len(all) == 0 || slices.Contains(all, under) {
		return under, false
	}
	for _, n := range all {
		if slices.ContainsFunc(p, is(n)) {
			return n, true
		}
	}
	return all[0], true
}

// is returns what reports whether a step calls an operation.
func is(op wire.Op) func(wire.Step) bool {
	return func(s wire.Step) bool { return s.Op == op }
}

// killer returns the operation of a sequence that a process ended in the midst of, if the run
// time blames the code for it.
func killer(e *execute.EndedError, p wire.Sequence) (wire.Op, bool) {
	if e.Verdict == "" || e.Outcome != event.Died || e.Step < 0 || e.Step >= len(p) || p[e.Step].Op.Builtin() {
		return 0, false
	}
	return p[e.Step].Op, true
}

// mortals are two processes, one of each version. The call under test may end one of them, which
// is then replaced.
type mortals struct {
	c      *Search
	mayDie int // which version
	sides  [2]*side
}

// mortals prepares them; no process is started yet. fuel is what each call may use, 0 for the
// usual.
func (c *Search) mortals(at Discrepancy, fuel int64) *mortals {
	m := &mortals{c: c}
	if at.Head == probe.Died {
		m.mayDie = 1
	}
	for i, t := range []execute.Target{c.Base, c.Head} {
		m.sides[i] = newSide(c.Lab, t, &wire.Setup{Seed: c.setup.Seed, Fuel: fuel})
		m.sides[i].patient = true
	}
	return m
}

func (m *mortals) close() {
	for _, s := range m.sides {
		s.close()
	}
}

func (m *mortals) open(ctx context.Context) error {
	var g errgroup.Group
	for _, s := range m.sides {
		g.Go(func() error { return s.open(ctx, nil) })
	}
	return g.Wait()
}

// verdict runs a sequence on both versions. It returns the run time's verdict where the last call
// ends the process of the version that may die, and not that of the other, where the calls before it return;
// else "".
func (m *mortals) verdict(ctx context.Context, p wire.Sequence) (string, error) {
	if err := m.open(ctx); err != nil {
		return "", ignoreEnded(err)
	}
	var ran [2][]wire.Executed
	var errs [2]error
	both(func(i int) { ran[i], errs[i] = m.sides[i].batch(ctx, wire.FrameFollow, p.Encode(nil)) })
	for _, err := range errs {
		if ignoreEnded(err) != nil {
			return "", err
		}
	}
	return verdictOf(m.mayDie, p, ran, errs), nil
}

// verdictOf is what a process that ended in a sequence's last call, from which the other version
// returns, or in which it panics, ended with; "" where that is not so.
func verdictOf(mayDie int, p wire.Sequence, ran [2][]wire.Executed, errs [2]error) string {
	e, dead := ended(errs[mayDie])
	if !dead || errs[1-mayDie] != nil || len(ran[1-mayDie]) != 1 || ran[1-mayDie][0].Invalid {
		return ""
	}
	steps := ran[1-mayDie][0].Trace().Steps
	if len(steps) != len(p) || steps[len(p)-1].Ending != probe.Returned && steps[len(p)-1].Ending != probe.Panicked {
		return ""
	}
	if _, ok := killer(e, p); !ok || e.Step != len(p)-1 || string(e.Note) != string(p.Encode(nil)) {
		return ""
	}
	return e.Verdict
}

// examineDeath confirms the simplest witness of a death that repeats. fuel is what each call may
// use, 0 for the usual.
func (c *Search) examineDeath(ctx context.Context, at Discrepancy, list []Witness, fuel int64, repetitions int, more func() bool) (Difference, examination, error) {
	for _, w := range list[:min(len(list), perDeath)] {
		if !more() {
			return Difference{}, late, nil
		}
		p, err := c.shrinkDeath(ctx, at, w, fuel, more)
		if err != nil || p == nil {
			if err != nil {
				return Difference{}, unconfirmed, err
			}
			continue
		}
		d, ok, err := repeatedly(repetitions, inTime(more, func(int) (Difference, bool, error) { return c.onceDeath(ctx, at, p, fuel) }))
		if errors.Is(err, errLate) {
			return d, slow, nil
		}
		if err != nil || ok {
			return d, confirmed, err
		}
	}
	return Difference{}, alike, nil
}

// shrinkDeath makes a witness smaller while the run time's verdict stays the same. It returns nil
// if the witness itself gets no verdict.
func (c *Search) shrinkDeath(ctx context.Context, at Discrepancy, w Witness, fuel int64, more func() bool) (wire.Sequence, error) {
	m := c.mortals(at, fuel)
	defer m.close()
	for _, s := range m.sides {
		s.patient = !w.Hung // a deadlock is told at once, and where the other version waits as well there is none
	}
	p := w.Sequence
	verdict, err := m.verdict(ctx, p)
	if err != nil || verdict == "" {
		return nil, err
	}
	p, err = Shrink(ctx, p, shrinkBudgetDied, func(ctx context.Context, list []wire.Sequence) ([]bool, error) {
		out := make([]bool, len(list))
		for i, q := range list {
			if !more() {
				return out, errEnough
			}
			if q[len(q)-1].Op != at.Op || c.nilGiven(q) {
				continue
			}
			now, err := m.verdict(ctx, q)
			if err != nil {
				return out, err
			}
			if out[i] = now == verdict; out[i] {
				break // the others are larger
			}
		}
		return out, nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return p, err
}

// onceDeath runs a sequence alone in fresh processes and tells of the death that it leads to.
func (c *Search) onceDeath(ctx context.Context, at Discrepancy, p wire.Sequence, fuel int64) (Difference, bool, error) {
	m := c.mortals(at, fuel)
	defer m.close()
	verdict, err := m.verdict(ctx, p)
	if err != nil || verdict == "" {
		return Difference{}, false, err
	}
	last := len(p) - 1
	place := wire.Place{Kind: wire.AtEnding, Step: last}
	lives := 1 - m.mayDie
	a, err := m.sides[lives].explain(ctx, p, &place)
	if err != nil {
		return Difference{}, false, ignoreEnded(err)
	}
	var shown [2]Shown
	v, ok := shownAt(a, place, &shown[lives])
	if !ok || c.gotNil(p, a, last) {
		return Difference{}, false, nil
	}
	shown[m.mayDie] = Shown{Ending: probe.Died, Message: verdict}
	var views [2]wire.Views
	views[lives], views[m.mayDie] = a.Views, wire.Views{Ending: probe.Died, Message: verdict}
	o := c.API.Op(at.Op)
	d := Difference{Op: c.Ops[at.Op], Exported: o.Exported, Sequence: p, Place: place, errorAt: -1,
		Base: shown[0], Head: shown[1], Code: a.Code, BaseViews: views[0], HeadViews: views[1], NoCode: a.NoCode, Entered: a.Entered}
	d.Branches[lives] = a.Branches
	d.describe(v, v)
	return d, true, nil
}

// leastBatch is what batches shrink to while processes hang: of a large one, hardly ever would
// the other version run much.
const leastBatch = 10

// batchSize is how many sequences each version makes next: fewer after a batch of which a part was lost,
// since a process hung, and more again after one that was not.
func (c *Search) batchSize() uint64 {
	switch {
	case c.size == 0:
		c.size = perBatch
	case c.lostBatch:
		c.size = max(leastBatch, c.size/2)
	default:
		c.size = min(perBatch, c.size*2)
	}
	return uint64(c.size)
}

// retries of a batch whose process ended.
const retries = 4

// without takes in what version i ran of what the other made, or how its process ended: then the
// sequence that it ended with is left out, and the process that replaces it runs those behind what was answered.
func (c *Search) without(ctx context.Context, i int, ran, made []wire.Executed, err error) (r, m []wire.Executed, _ error) {
	for range retries {
		n := min(len(ran), len(made))
		r, m, made = append(r, ran[:n]...), append(m, made[:n]...), made[n:]
		e, dead := ended(err)
		if !dead {
			return r, m, err
		}
		if err := c.settle(ctx, i, err); err != nil {
			return nil, nil, err
		}
		at := slices.IndexFunc(made, func(x wire.Executed) bool { return string(x.Sequence) == string(e.Note) })
		if at < 0 || e.Outcome != event.Died {
			c.lostBatch = true
			return r, m, nil
		}
		made = slices.Delete(slices.Clone(made), at, at+1)
		ran, err = c.sides[i].batch(ctx, wire.FrameFollow, sequences(made))
	}
	n := min(len(ran), len(made))
	r, m = append(r, ran[:n]...), append(m, made[:n]...)
	if _, dead := ended(err); dead {
		c.lostBatch = true
		return r, m, c.settle(ctx, i, err)
	}
	return r, m, err
}
