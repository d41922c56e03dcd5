package runner

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/execute"
)

// ErrNoTest says that no Go test is recorded for a relation.
var ErrNoTest = errors.New("no Go test is recorded")

// A Rerun says how often a test passed in fresh processes of each version.
type Rerun struct {
	Times      int
	Base, Head int // passed
}

// ReplayRelation runs the Go test of a broken relation again on both versions. The
// test is code: r must come from where isodelta itself wrote it.
func ReplayRelation(ctx context.Context, opt Options, r event.Relation, sink event.Sink) (Rerun, error) {
	if r.GoTest == "" {
		return Rerun{}, ErrNoTest
	}
	c, err := open(opt, sink)
	if err != nil {
		return Rerun{}, err
	}
	defer c.close()
	c.opt.Unchanged = true
	if err := c.prepare(ctx); err != nil {
		return Rerun{}, err
	}
	if err := c.hasPackage(r.Package); err != nil {
		return Rerun{}, fmt.Errorf("relation %s: %w", r.ID, err)
	}
	c.seed()
	if err := c.openLab(ctx); err != nil {
		return Rerun{}, err
	}
	name := calls.TestName(r.Function, r.ID)
	bin, err := c.buildPlain(ctx, r.Package, map[string]pasted{r.ID: {text: []byte(r.GoTest), name: name}})
	if err != nil {
		return Rerun{}, err
	}
	out := Rerun{Times: c.opt.Repetitions}
	for range out.Times {
		for i, v := range []*version{c.base, c.head} {
			passed, _, err := c.lab.RunTest(ctx, execute.Target{Binary: bin[v.side], Dir: v.packageDir(r.Package), Test: name}, 20*time.Second)
			if err != nil {
				return out, err
			}
			switch {
			case passed && i == 0:
				out.Base++
			case passed:
				out.Head++
			}
		}
	}
	return out, nil
}
