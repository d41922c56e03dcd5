package baseline

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/version"
)

// MaxIteration is wall clock for one execution: go test's own default.
const MaxIteration = 10 * time.Minute

// Observe runs a test on both versions, as often as it takes to know what varies.
// One that fails on its own version is tried again with leave to write to its
// package's folder, which tests may do and variants, by default, may not. If that
// mends it, the test keeps the leave, and a fresh folder for each process. One whose
// process ends before it begins is then tried without the TestMain of its package. A test that passes only the first
// time that a process runs it has a process for each run (attempt).
func (s *Stage) Observe(ctx context.Context, t *Test) (version.Both[[]outcome.Result], error) {
	return s.observe(ctx, t, MaxIteration)
}

// observe is Observe with a limit for one execution.
func (s *Stage) observe(ctx context.Context, t *Test, limit time.Duration) (version.Both[[]outcome.Result], error) {
	results, err := s.attempt(ctx, t, limit)
	if err != nil || s.Folder == "" || passed(t, results) || hung(results) {
		return results, err
	}
	if t.Pristine, err = execute.Pristine(s.Folder, t.Targets[version.Head].Dir); err != nil {
		return results, err
	}
	again, err := s.attempt(ctx, t, limit)
	if err != nil || passed(t, again) {
		return again, err
	}
	t.Pristine = ""
	if !t.Suite.Text.TestMain[t.Package] || results[t.Suite.Side][0].Outcome != event.Died {
		return results, nil
	}
	t.Bare = true
	if again, err = s.attempt(ctx, t, limit); err != nil || passed(t, again) {
		s.limit(t, event.Limit{Kind: event.LimitTestMain,
			Reason: "ran without it, since its process ends with it: " + results[t.Suite.Side][0].Message})
		return again, err
	}
	t.Bare = false
	return results, nil
}

// attempt runs a test on both versions. Some tests pass only the first time that a process runs them: a suite of ginkgo
// refuses more than one run, and a name that can be registered once is taken after the first. Each run of such a test
// has a process of its own.
func (s *Stage) attempt(ctx context.Context, t *Test, limit time.Duration) (version.Both[[]outcome.Result], error) {
	results, err := s.repeat(ctx, t, limit)
	if err != nil || t.Once || passed(t, results) || hung(results) {
		return results, err
	}
	if t.Once, err = s.passesFirst(ctx, t, t.Suite.Side); err != nil || !t.Once {
		return results, err
	}
	again, err := s.repeat(ctx, t, limit)
	if err != nil || passed(t, again) {
		return again, err
	}
	t.Once = false
	return results, nil
}

// passesFirst reports whether a test passes on a version in a process that runs it once, as go test does.
func (s *Stage) passesFirst(ctx context.Context, t *Test, side version.Side) (bool, error) {
	process := s.Env.Lab.Session(t.Target(side))
	defer process.Close()
	process.Once = true
	process.Within(min(MaxIteration, s.iteration()))
	r, err := process.Do(ctx, execute.Command{Fuel: MaxFuel})
	return err == nil && r.Outcome == event.Pass, err
}

// passed reports whether the test passes on its own version.
func passed(t *Test, results version.Both[[]outcome.Result]) bool {
	return results[t.Suite.Side][0].Outcome == event.Pass
}

// repeat runs a test on both versions at once.
func (s *Stage) repeat(ctx context.Context, t *Test, limit time.Duration) (results version.Both[[]outcome.Result], err error) {
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(t.AtOnce())
	var seconds version.Both[float64]
	for _, side := range version.Sides {
		g.Go(func() (err error) {
			results[side], seconds[side], err = s.repeatOn(gctx, t, side, limit)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return version.Both[[]outcome.Result]{}, err
	}
	t.Seconds = max(seconds[version.Base], seconds[version.Head])
	t.Again, err = s.failsAgain(ctx, t, results)
	return results, err
}

// repeatOn runs the repetitions on one version: all but one in one process,
// the last in another. Two are enough for a test that executes nothing of the
// change, since it cannot differ, and fewer than asked for have to do for a
// slow one: what it shows is confirmed in fresh processes anyway. A test that
// would take too large a part of the time is Hung, which is no evidence.
func (s *Stage) repeatOn(ctx context.Context, t *Test, side version.Side, limit time.Duration) (runs []outcome.Result, seconds float64, err error) {
	n := s.Env.Repetitions
	spent := 0.0
	target := t.Target(side)
	for part, times := range []int{max(1, n-1), n - max(1, n-1)} {
		process := s.Env.Lab.Session(target)
		for range times {
			process.Within(min(limit, s.iteration()))
			begin := time.Now()
			r, err := process.Do(ctx, execute.Command{Fuel: MaxFuel})
			if err != nil {
				process.Close()
				return nil, 0, err
			}
			seconds = time.Since(begin).Seconds()
			spent += seconds
			runs = append(runs, r)
			if !s.again(r, len(runs), spent+seconds) {
				s.record(ctx, t, side, process, r)
				process.Close()
				return runs, seconds, nil
			}
		}
		if part == 0 {
			s.record(ctx, t, side, process, runs[len(runs)-1])
		}
		process.Close()
	}
	return runs, seconds, nil
}

// failsAgain says of a test that passes on one version alone why that is no difference, if it passes on the other
// one, too, where a process executes it once, as go test does: what it left there the first time made it
// fail. It is "" for others.
func (s *Stage) failsAgain(ctx context.Context, t *Test, results version.Both[[]outcome.Result]) (string, error) {
	base, head := results[version.Base][0].Outcome, results[version.Head][0].Outcome
	side := version.Head
	switch {
	case base == event.Fail && head == event.Pass:
		side = version.Base
	case base != event.Pass || head != event.Fail:
		return "", nil
	}
	if passes, err := s.passesFirst(ctx, t, side); err != nil || !passes {
		return "", err
	}
	return fmt.Sprintf("it passes on %s if it is executed once, and fails when it is executed again in the same process", side), nil
}

// iteration is how long one execution may take.
func (s *Stage) iteration() time.Duration {
	if s.until.IsZero() {
		return MaxIteration
	}
	return s.Env.Plan.Iteration(s.until, s.Env.Now())
}

// again reports whether one more repetition is worth its time.
func (s *Stage) again(last outcome.Result, done int, spent float64) bool {
	switch {
	case last.Outcome == event.Died, last.Outcome == event.Hung:
		return false
	case done >= 2 && s.Space.Quiet(last):
		return false
	}
	return spent < s.Env.Plan.Repeating().Seconds()
}

// record hands the session on where the test may run once more on its own version.
func (s *Stage) record(ctx context.Context, t *Test, side version.Side, process *execute.Session, last outcome.Result) {
	if s.Record != nil && side == t.Suite.Side && (last.Outcome == event.Pass || last.Outcome == event.Fail) {
		s.Record(ctx, t, process)
	}
}
