package explore

import (
	"context"
	"time"

	"github.com/isodelta/isodelta/runner/baseline"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/version"
)

// Process runs a test under negation sets, one after the other; an execute.Session
// is one.
type Process interface {
	// Bound is how long a variant may take from here on, if not less.
	Bound(time.Duration)
	Do(context.Context, execute.Command) (outcome.Result, error)
	Close() // the next command starts another
}

const (
	// recycle is after how many variants a process is replaced: what a variant
	// leaves behind in globals shall not live for ever.
	recycle = 512
	// maxKept is how many tests keep their two processes from one round to the next: a
	// round is a few variants of each test, and to start a process takes longer than
	// they do. Idle, the two have 5 MB of memory of their own on spf13/pflag, more with
	// larger programs; the number is a guess.
	maxKept = 32
	// slack is what a variant gets at least, a guess: less would end sound ones.
	slack = 2 * time.Second
)

// counted is a process that is replaced after some variants.
type counted struct {
	Process
	ran int
}

func (c *counted) do(ctx context.Context, command execute.Command) (outcome.Result, error) {
	if c.ran > 0 && c.ran%recycle == 0 {
		c.Close()
	}
	c.ran++
	return c.Do(ctx, command)
}

// open sees to it that a test has processes. No variant goes on for much longer than the stage may:
// what comes behind it needs its time.
func (s *Stage) open(q *queue) {
	for _, side := range version.Sides {
		if q.processes[side] == nil {
			q.processes[side] = &counted{Process: s.start(q.test, side)}
		}
		q.processes[side].Bound(s.Env.Until(s.until) + slack)
	}
}

func (s *Stage) start(t *baseline.Test, side version.Side) Process {
	if s.Start != nil {
		return s.Start(t, side)
	}
	return t.Session(s.Env.Lab, side)
}

// keep closes a test's processes after a round, unless they are wanted again and
// there is room for them. It returns how many tests keep theirs then.
func (q *queue) keep(kept int) int {
	if q.kept {
		kept--
	}
	q.kept = !q.done() && q.test.AtOnce() > 1 && kept < maxKept
	if !q.kept {
		q.close()
		return kept
	}
	return kept + 1
}

// close ends the test's processes, if there are any.
func (q *queue) close() {
	for side, p := range q.processes {
		if p != nil {
			p.Close()
		}
		q.processes[side] = nil
	}
}
