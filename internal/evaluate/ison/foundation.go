package ison

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/isodelta/isodelta/internal/evaluate/rig"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/baseline"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/negation/explore"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/version"
)

// foundation is what base does: every test as it is, and under each negation set of
// depth 1. It is base for every mutant.
type foundation struct {
	tests    []*baseline.Test // that can be used, by work, quick ones first
	first    map[string]outcome.Result
	variants map[string]map[int]explore.Variant // by test, and condition that is negated
	setAside []string                           // tests that cannot be used, with the reason
	count    int                                // of variants
	cut      int                                // variants of slow tests that the time did not allow
}

// maxLaying is how long the variants of one test may take on base.
const maxLaying = 30 * time.Second

// lay runs base against itself: the baseline, then what the engine would explore.
// both says that conditions are inverted that a test takes both ways.
func (r rigged) lay(ctx context.Context, lab *execute.Lab, both bool) (*foundation, error) {
	f := &foundation{first: map[string]outcome.Result{}, variants: map[string]map[int]explore.Variant{}}
	if err := r.observe(ctx, lab, f); err != nil {
		return nil, err
	}
	common := r.unchanged()
	common.quiet = func(outcome.Result) bool { return true } // what head does is known
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(rig.Workers)
	results := make([]explore.Result, len(f.tests))
	for i, t := range f.tests {
		known := map[int]explore.Variant{}
		f.variants[t.Name] = known
		g.Go(func() (err error) {
			st := &explore.Stage{Env: environment(lab, maxLaying), Space: common, Branches: r.branches(), Depth: 1, Both: both,
				Saw: func(v explore.Variant) { known[v.Set.Branches[0].Condition()] = v }}
			results[i], err = st.Run(gctx, []*baseline.Test{t})
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for _, x := range results {
		f.count += x.Variants
		f.cut += x.Skipped
	}
	return f, nil
}

// observe runs the baseline of base.
func (r rigged) observe(ctx context.Context, lab *execute.Lab, f *foundation) error {
	st := &baseline.Stage{Env: environment(lab, 0), Suites: r.suites(), Space: r.unchanged(),
		Each: func(_ context.Context, seen baseline.Seen) error {
			f.first[seen.Test.Name] = seen.Results[version.Base][0]
			return nil
		}}
	done, err := st.Run(ctx)
	if err != nil {
		return err
	}
	for _, t := range r.Suite.Tests {
		if t.Reason != "" {
			f.setAside = append(f.setAside, t.Name+": "+t.Reason)
		}
	}
	for _, t := range done.Tests {
		switch x := f.first[t.Name]; {
		case t.Usable:
			f.tests = append(f.tests, t)
		case t.Varies:
			f.setAside = append(f.setAside, t.Name+": its outcome varies by itself")
		default:
			f.setAside = append(f.setAside, fmt.Sprintf("%s: %s: %s", t.Name, x.Outcome, x.Message))
		}
	}
	slices.SortStableFunc(f.tests, func(a, b *baseline.Test) int { return cmp.Compare(a.Fuel, b.Fuel) })
	return nil
}

// remembered is base's process of a test: what base has done once, it need not do
// for every mutant.
type remembered struct {
	explore.Process
	known map[int]explore.Variant // by the condition that is negated
}

// Do gives what is known, or runs. An execution that had enough fuel is the same
// with more.
func (p remembered) Do(ctx context.Context, c execute.Command) (outcome.Result, error) {
	if len(c.Negations) == 1 {
		v, ok := p.known[c.Negations[0]]
		if ok && (c.Fuel == v.Fuel || c.Fuel > v.Fuel && v.Base.Outcome != event.Exhausted) {
			return v.Base, nil
		}
	}
	return p.Process.Do(ctx, c)
}
