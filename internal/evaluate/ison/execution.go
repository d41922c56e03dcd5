package ison

import (
	"context"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/isodelta/isodelta/diff"
	"github.com/isodelta/isodelta/internal/evaluate/rig"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/negation"
	"github.com/isodelta/isodelta/runner/negation/explore"
	"github.com/isodelta/isodelta/runner/outcome"
)

const (
	repetitions = 5              // of baselines and confirmations
	unlimited   = int64(1) << 60 // fuel of a baseline
	recycle     = 512            // variants after which a process is replaced, as in the engine
)

// based is a test with all that it did without a mutant: with nothing negated,
// and under each negation set of depth 1. Every mutant is compared with it.
type based struct {
	name     string
	target   execute.Target
	plain    outcome.Result
	covered  outcome.Bits // branches of negatable conditions
	unstable map[int]bool // sites that vary by themselves
	seconds  float64
	limit    int64 // fuel of its variants
	variants []variant
	cut      int // variants that were not run
}

// variant is one negation set with its execution on base, without coverage.
type variant struct {
	branch outcome.Branch
	// both says that the test takes both branches of the condition, so that it
	// is on no list of the paper's.
	both   bool
	result outcome.Result
}

func (b *based) session(lab *execute.Lab) *execute.Session {
	s := lab.Session(b.target)
	s.Limit = 2*time.Second + time.Duration(20*b.seconds*float64(time.Second))
	return s
}

// foundation is the executions of base of all tests that can be used.
type foundation struct {
	tests    []*based // by work, quick ones first
	suite    outcome.Bits
	setAside []string // tests that cannot be used, with the reason
	variants int
	cut      int // variants of slow tests that the time did not allow
}

// maxLaying is how long the variants of one test may take on base.
const maxLaying = 30 * time.Second

// rigged runs the tests of an instrumented binary.
type rigged struct{ *rig.Rig }

// lay runs base: every test five times, then every variant.
func (r rigged) lay(ctx context.Context, lab *execute.Lab, both bool) (*foundation, error) {
	f := &foundation{suite: outcome.NewBits(2 * len(r.Program.Conditions))}
	all := make([]*based, len(r.Suite.Tests))
	reasons := make([]string, len(r.Suite.Tests))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(rig.Workers)
	for i, t := range r.Suite.Tests {
		if t.Reason != "" {
			reasons[i] = t.Reason
			continue
		}
		g.Go(func() (err error) {
			all[i] = &based{name: t.Name, target: r.Target(t.Name)}
			reasons[i], err = r.baseline(gctx, lab, all[i])
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for i, b := range all {
		if reasons[i] != "" {
			f.setAside = append(f.setAside, r.Suite.Tests[i].Name+": "+reasons[i])
			continue
		}
		f.tests = append(f.tests, b)
		f.suite.Union(b.covered)
	}
	slices.SortStableFunc(f.tests, func(a, b *based) int { return int(a.plain.Fuel - b.plain.Fuel) })
	g, gctx = errgroup.WithContext(ctx)
	g.SetLimit(rig.Workers)
	for _, b := range f.tests {
		g.Go(func() error { return r.runVariants(gctx, lab, b, f.suite, both) })
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for _, b := range f.tests {
		f.variants += len(b.variants)
		f.cut += b.cut
	}
	return f, nil
}

// baseline runs a test with nothing negated, four times in one process and
// once in another. The reason says why it cannot be used, "" if it can.
func (r rigged) baseline(ctx context.Context, lab *execute.Lab, b *based) (reason string, err error) {
	var runs []outcome.Result
	for _, times := range []int{repetitions - 1, 1} {
		s := lab.Session(b.target)
		s.Limit = 10 * time.Minute
		for range times {
			began := time.Now()
			x, err := s.Do(ctx, execute.Command{Fuel: unlimited})
			if err != nil {
				return "", err
			}
			if len(runs) > 0 { // the first includes the start
				b.seconds = max(b.seconds, time.Since(began).Seconds())
			}
			runs = append(runs, x)
			if x.Outcome == event.Died || x.Outcome == event.Hung {
				s.Close()
				return fmt.Sprintf("%s: %s", x.Outcome, x.Message), nil
			}
		}
		s.Close()
	}
	sites, moves := diff.Unstable(runs)
	b.plain = runs[0]
	switch {
	case moves:
		return "its outcome varies by itself", nil
	case b.plain.Outcome != event.Pass && b.plain.Outcome != event.Fail:
		return fmt.Sprintf("%s: %s", b.plain.Outcome, b.plain.Message), nil
	}
	b.unstable = map[int]bool{}
	for _, s := range sites {
		b.unstable[s] = true
	}
	b.covered = r.negatable(b.plain.Covered)
	b.limit = explore.FuelFor(b.plain.Fuel)
	return "", nil
}

// negatable keeps the branches of conditions that can be negated.
func (r rigged) negatable(covered outcome.Bits) outcome.Bits {
	out := outcome.NewBits(2 * len(r.Program.Conditions))
	for _, c := range r.Program.Conditions {
		for o := range 2 {
			if c.Negatable && covered.Has(2*c.Index+o) {
				out.Add(2*c.Index + o)
			}
		}
	}
	return out
}

// runVariants runs every negation set of depth 1 and, if asked for, also those
// conditions negated of which the test takes both branches.
func (r rigged) runVariants(ctx context.Context, lab *execute.Lab, b *based, suite outcome.Bits, both bool) error {
	open := negation.New(b.covered, suite, negation.Options{Depth: 1})
	for {
		set, ok := open.Next()
		if !ok {
			break
		}
		b.variants = append(b.variants, variant{branch: set.Branches[0]})
	}
	for _, c := range r.Program.Conditions {
		if both && b.covered.Has(2*c.Index) && b.covered.Has(2*c.Index+1) {
			b.variants = append(b.variants, variant{branch: outcome.Branch(2 * c.Index), both: true})
		}
	}
	s := b.session(lab)
	defer func() { s.Close() }()
	until := time.Now().Add(maxLaying)
	for i := range b.variants {
		v := &b.variants[i]
		if time.Now().After(until) {
			b.cut = len(b.variants) - i
			b.variants = b.variants[:i]
			break
		}
		if i%recycle == recycle-1 {
			s.Close()
		}
		x, err := s.Do(ctx, execute.Command{Negations: []int{v.branch.Condition()}, Fuel: b.limit})
		if err != nil {
			return err
		}
		x.Covered, x.Output = nil, ""
		v.result = x
	}
	return nil
}
