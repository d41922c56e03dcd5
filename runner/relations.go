package runner

import (
	"context"
	"strings"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/relation/check"
)

// Relations checks the metamorphic relations of all exported functions of the
// packages of opt, changed or not, and nothing else: those of one version if
// both revisions are the same. It emits events as Compare does. Tests are not
// run; the packages need not have any.
func Relations(ctx context.Context, opt Options, sink event.Sink) ([]check.Held, event.Summary, error) {
	opt.Unchanged, opt.NoCalls, opt.NoRelations, opt.relationsOnly = true, false, false, true
	r, err := openRun(ctx, opt, sink)
	if err != nil {
		return nil, event.Summary{}, err
	}
	defer r.close()
	r.emitVersions()
	suites, err := r.build(ctx, both)
	if err != nil {
		return nil, event.Summary{}, err
	}
	c := r.compareWith(suites)
	err = c.phases.measure(c.env, event.PhaseRelations, func() error { return c.relateAll(ctx) })
	if err == nil {
		err = c.phases.measure(c.env, event.PhaseRelations, func() error { return c.judge(ctx) })
	}
	if err == nil {
		err = c.phases.measure(c.env, event.PhaseTests, func() error { return c.paste(ctx) })
	}
	if err != nil {
		c.interrupted = true
		c.env.Limit(event.Limit{Kind: event.LimitInfrastructure, What: "relations", Reason: err.Error()})
	}
	sum := c.sumUp() // it leaves out what cannot be told
	return c.relation.Held, sum, nil
}

// relateAll makes some calls in each package, and then checks its relations.
func (c *comparison) relateAll(ctx context.Context) error {
	c.calls.Open()
	if len(c.calls.Packages) == 0 {
		c.env.Limit(event.Limit{Kind: event.LimitRelations, What: strings.Join(c.builder.Patterns(), " "), Reason: "there is no function that can be called"})
	}
	if err := c.calls.WarmUp(ctx); err != nil {
		return err
	}
	return c.relation.Run(ctx)
}
