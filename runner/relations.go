package runner

import (
	"context"
	"strings"
	"time"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/relation"
)

// A Held relation is one that was checked, as Go.
type Held struct {
	relation.Relation
	State   event.RelationState
	Subject *relation.Subject
}

// Relations checks the metamorphic relations of all exported functions of the
// packages of opt, changed or not, and nothing else: those of one version if
// both revisions are the same. It emits events as Compare does. Tests are not
// run; the packages need not have any.
func Relations(ctx context.Context, opt Options, sink event.Sink) ([]Held, event.Summary, error) {
	opt.Unchanged, opt.NoCalls, opt.NoRelations = true, false, false
	c, err := open(opt, sink)
	if err != nil {
		return nil, event.Summary{}, err
	}
	defer c.close()
	c.relationsOnly = true
	if err := c.prepare(ctx); err != nil {
		return nil, event.Summary{}, err
	}
	c.seed()
	if err := c.openLab(ctx); err != nil {
		return nil, event.Summary{}, err
	}
	c.emitConfig()
	c.sink.Emit(c.versionsEvent())
	c.sink.Emit(c.matchEvent())
	if err := c.build(ctx); err != nil {
		return nil, event.Summary{}, err
	}
	err = c.relateAll(ctx)
	if err == nil {
		err = c.writeTests(ctx)
	}
	if err != nil {
		c.sum.Interrupted = true
		c.limit(event.Limit{Kind: "infrastructure", What: "relations", Reason: err.Error()})
	}
	return c.relations.held, c.summary(), nil
}

// warmUp are the rounds of calls by which source inputs come to be, before
// relations are checked without a comparison.
const warmUp = 8

// relateAll makes some calls in each package, and then checks its relations.
func (c *comparison) relateAll(ctx context.Context) error {
	c.calls.callers, c.calls.specs = c.callers(), map[string]callSpec{}
	c.calls.branches = map[string][2][]int{}
	if len(c.calls.callers) == 0 {
		c.limit(event.Limit{Kind: "relations", What: strings.Join(c.patterns(), " "), Reason: "there is no function that can be called"})
	}
	for _, p := range c.calls.callers {
		if err := c.openCaller(ctx, p); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			c.limit(event.Limit{Kind: "calls", What: p.pkg, Reason: "no relations were checked: " + err.Error()})
			continue
		}
		begin := time.Now()
		for range warmUp {
			if more, err := p.campaign.Round(ctx); err != nil || !more {
				break
			}
		}
		c.calls.seconds += time.Since(begin).Seconds()
		p.campaign.Close()
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return c.relate(ctx)
}
