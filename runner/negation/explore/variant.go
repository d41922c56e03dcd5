package explore

import (
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/negation"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/version"
)

// FuelFor is the work a variant may do: 20 times the baseline's and 200,000
// more, but not over 2 million, unless the baseline itself needs that much. A
// higher cap would let a negated recursion overflow the stack.
func FuelFor(baseline int64) int64 {
	const floor, ceiling = 200_000, 2_000_000
	return min(20*baseline+floor, max(ceiling, 2*baseline+floor))
}

// runSets runs sets of one test: base goes ahead, head follows with those that
// may differ. It returns how many were run before the budget ended.
func (s *Stage) runSets(ctx context.Context, q *queue, sets []negation.Set, out *Result) (int, error) {
	fuel := FuelFor(q.test.Fuel)
	variants := make([]Variant, len(sets))
	mine := make([]bool, len(sets))
	for i, set := range sets {
		mine[i] = s.mine(q.test, set)
		variants[i] = Variant{Test: q.test, Set: set, Fuel: fuel}
	}
	todo := make(chan int, len(sets)) // head may have to wait until base is through
	s.open(q)
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(q.test.AtOnce())
	ran := 0
	g.Go(func() error {
		defer close(todo)
		if q.test.AtOnce() == 1 { // head may not even start
			defer q.processes[version.Base].Close()
		}
		for i := range variants {
			if s.Env.Past(s.until) || s.MaxVariants > 0 && out.Variants+i >= s.MaxVariants {
				return nil
			}
			if mine[i] {
				r, err := q.processes[version.Base].do(gctx, execute.Command{Negations: s.Space.Negated(version.Base, sets[i].Branches), Fuel: fuel})
				if err != nil {
					return err
				}
				variants[i].Base = r
				if s.mustRunHead(r) {
					select {
					case todo <- i:
					case <-gctx.Done():
						return gctx.Err()
					}
				}
			}
			ran = i + 1
		}
		return nil
	})
	g.Go(func() error {
		for i := range todo {
			r, err := q.processes[version.Head].do(gctx, execute.Command{Negations: s.Space.Negated(version.Head, sets[i].Branches), Fuel: fuel})
			if err != nil {
				return err
			}
			variants[i].Head = &r
		}
		return nil
	})
	if err := g.Wait(); err != nil {
		return ran, err
	}
	for i := range ran {
		if mine[i] {
			s.account(q, variants[i], out)
		}
	}
	if s.Each == nil {
		return ran, nil
	}
	return ran, s.Each(ctx)
}

// mustRunHead reports whether head has to run too: the lossless pruning. If base
// executed nothing of Δ under a negation set, head executes the same code and does
// the same.
func (s *Stage) mustRunHead(base outcome.Result) bool {
	switch base.Outcome {
	case event.Hung:
		return false // what the watchdog ends is no evidence, whatever head does
	case event.Died, event.Exhausted:
		return true // what was entered is not known, or cut short
	}
	return !s.Space.Quiet(base)
}
