package runner

import (
	"context"
	"errors"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/version"
)

// aloneTests counts tests that ran on their own version alone.
type aloneTests struct {
	ran  int
	more int // tests among them that run on one version only, as a whole
}

// observeAlone runs the tests that do not fit the other version on their own one, in a part of the time that is left. They
// tell how thoroughly it is tested: a new function and its tests have nothing to be compared with.
func (c *comparison) observeAlone(ctx context.Context) error {
	if c.opt.relationsOnly {
		return nil
	}
	until := c.env.Plan.Alone(c.env.Now())
	for _, s := range c.suites.List {
		list, err := c.builder.Alone(s)
		if err != nil {
			return err
		}
		for _, a := range list {
			limited, cancel := context.WithTimeout(ctx, c.env.Until(until))
			err := a.Build(limited)
			cancel()
			var broken *execute.BuildError
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case errors.As(err, &broken):
				c.env.Limit(event.Limit{Kind: event.LimitNotBuilt, Suite: s.Side.String(), What: a.Package, Reason: "its tests that fit this version alone: " + build.Plain(broken.Error())})
				continue
			case errors.Is(err, context.DeadlineExceeded):
				c.env.Limit(event.Limit{Kind: event.LimitBudget, Suite: s.Side.String(), What: a.Package, Reason: "the part of the time for tests that fit one version alone ended before these were built"})
				continue
			case err != nil:
				return err
			}
			if err := c.runAlone(ctx, a); err != nil {
				return err
			}
		}
	}
	return nil
}

// runAlone runs each test once, until the time is over.
func (c *comparison) runAlone(ctx context.Context, a *build.Alone) error {
	stage := c.baselines()
	until := c.env.Plan.Alone(c.env.Now())
	for _, t := range a.Tests {
		left := c.env.Until(until)
		if left == 0 {
			return nil
		}
		c.env.Progress("baseline", t.Name+" ("+t.Suite.Side.String()+" alone)", 0, len(a.Tests))
		x, err := stage.Alone(ctx, t, left)
		if err != nil {
			return err
		}
		if x.Outcome != event.Pass && x.Outcome != event.Fail {
			continue
		}
		c.record.SawAlone(t, x)
		if t.Suite.Side == version.Head {
			c.tests.Covered = outcome.Join(c.tests.Covered, x.Covered)
		}
		c.alone.ran++
		if !t.Fits() {
			c.alone.more++
		}
	}
	return nil
}
