package baseline

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"time"

	"github.com/isodelta/isodelta/diff"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/stage"
	"github.com/isodelta/isodelta/runner/version"
)

// Stage runs baselines.
type Stage struct {
	Env    *stage.Env
	Suites *build.Suites
	Space  Space
	// Folder is where copies of packages' folders are kept for tests that write
	// to theirs; "" for nowhere, then no test may.
	Folder string
	// Each is given each test that ran, before the next one runs; nil for nobody.
	Each func(context.Context, Seen) error
	// Record is given the session of a test on its own version after an
	// execution that passed or failed, and may let it run once more; nil for
	// nobody.
	Record func(context.Context, *Test, *execute.Session)

	until   time.Time     // when all have to end; zero for no limit
	losable time.Duration // for finding out which tests are slow, in each suite
}

// Space is what both versions have in common: see package matching.
type Space interface {
	// Quiet reports whether an execution is proved to be the same on both
	// versions.
	Quiet(outcome.Result) bool
	// Project turns branches of a version into those of pairs.
	Project(version.Side, outcome.Bits) outcome.Bits
}

// Seen is what the executions of one test did.
type Seen struct {
	Test    *Test
	Results version.Both[[]outcome.Result]
	// Differs says that Difference holds one: between the first executions, with
	// nothing negated.
	Differs    bool
	Difference diff.Difference
}

// Result of a baseline.
type Result struct {
	Tests    []*Test // all that were built, also those that did not run
	Ran      int
	Unstable int          // whose outcome varies
	Covered  outcome.Bits // of head's branches, by tests in their binaries
	Linked   outcome.Bits // of head's branches, in the binaries that ran
}

// Run runs the baseline of every test, suite by suite, and emits what each
// package's was like. The result holds what was seen until an error came up.
func (s *Stage) Run(ctx context.Context) (Result, error) {
	n := s.Suites.List[0].Own.Branches()
	out := Result{Covered: outcome.NewBits(n), Linked: outcome.NewBits(n)}
	begin := s.Env.Now()
	s.until = s.Env.Plan.Baseline(begin)
	if !s.Env.Plan.Unlimited() {
		s.losable = s.until.Sub(begin) / waitingPart
	}
	for _, suite := range s.Suites.List {
		for _, t := range suite.Tests {
			out.Tests = append(out.Tests, &Test{Test: t})
		}
	}
	for _, suite := range s.Suites.List {
		if err := s.suite(ctx, suite, &out); err != nil {
			return out, err
		}
	}
	return out, nil
}

// suite runs the tests of one suite.
func (s *Stage) suite(ctx context.Context, suite *build.Suite, out *Result) error {
	events := map[string]*event.Baseline{}
	covered := map[string]outcome.Bits{}
	for _, pkg := range suite.Packages {
		events[pkg] = &event.Baseline{Type: "baseline", Suite: suite.Side.String(), Package: pkg}
		covered[pkg] = outcome.NewBits(len(out.Covered) * 8)
	}
	hurried, done := 0, 0
	turns := newTurns(slices.DeleteFunc(slices.Clone(out.Tests), func(t *Test) bool { return t.Suite != suite }), s.losable)
	for t, mayWait := turns.next(); t != nil; t, mayWait = turns.next() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.Env.Progress("baseline", fmt.Sprintf("%s (%s's tests)", t.Name, suite.Side), done, len(suite.Tests))
		if s.over() {
			s.limit(t, event.Limit{Kind: event.LimitBudget, Reason: "the time for baselines was over before its turn"})
			done++
			continue
		}
		limit, begin := MaxIteration, s.Env.Now()
		if mayWait {
			limit = quickIteration
		}
		results, err := s.observe(ctx, t, limit)
		if err != nil {
			return err
		}
		if mayWait && hung(results) {
			turns.wait(t, s.Env.Now().Sub(begin))
			continue
		}
		done++
		events[t.Package].Tests++
		out.Ran++
		seen, err := s.seen(ctx, t, results, events[t.Package], out)
		if err != nil {
			return err
		}
		base, head := seen.Results[version.Base], seen.Results[version.Head]
		if t.Reaches && min(len(base), len(head)) < s.Env.Repetitions {
			hurried++
		}
		if len(head) > 0 && len(head[0].Covered) == len(covered[t.Package]) {
			covered[t.Package].Union(head[0].Covered)
		}
	}
	if hurried > 0 {
		s.Env.Limit(event.Limit{Kind: event.LimitRepetitions, Suite: suite.Side.String(), What: fmt.Sprintf("%d tests", hurried),
			Reason: fmt.Sprintf("ran fewer than %d times in the baseline, because they are slow for the budget or died", s.Env.Repetitions)})
	}
	for _, pkg := range suite.Packages {
		if events[pkg].Tests > 0 { // else its limits say why
			s.emit(suite, events[pkg], covered[pkg], out)
		}
	}
	s.Env.Progress("baseline", "done", len(suite.Tests), len(suite.Tests))
	return nil
}

// hung reports whether a test was ended on one of the versions.
func hung(results version.Both[[]outcome.Result]) bool {
	return results[version.Base][0].Outcome == event.Hung || results[version.Head][0].Outcome == event.Hung
}

// seen judges what a test did and hands it on; results are empty for one that took too
// long.
func (s *Stage) seen(ctx context.Context, t *Test, results version.Both[[]outcome.Result], e *event.Baseline, out *Result) (Seen, error) {
	if !s.Env.Plan.Unlimited() && hung(results) {
		s.limit(t, event.Limit{Kind: event.LimitBudget, Reason: "took too large a part of the time that was left for baselines"})
		return Seen{Test: t}, nil
	}
	seen := Seen{Test: t, Results: results}
	seen.Difference, seen.Differs = s.Judge(t, results, e)
	if t.Varies {
		out.Unstable++
	}
	if s.Each == nil {
		return seen, nil
	}
	return seen, s.Each(ctx, seen)
}

// over reports whether the time for baselines is over.
func (s *Stage) over() bool {
	return s.Env.Past(s.Env.Plan.Exploring()) || !s.until.IsZero() && s.Env.Until(s.until) == 0
}

// limit emits a limit of a test.
func (s *Stage) limit(t *Test, l event.Limit) {
	l.Suite, l.What = t.Suite.Side.String(), t.Name
	s.Env.Limit(l)
}

// emit emits one package's baseline.
func (s *Stage) emit(suite *build.Suite, e *event.Baseline, covered outcome.Bits, out *Result) {
	linked := s.head(suite).Linked(e.Package)
	out.Linked.Union(linked)
	e.Branches, e.Covered = linked.Count(), covered.Count()
	out.Covered.Union(covered)
	for file, names := range suite.Dropped {
		if suite.PackageOf(file) != e.Package {
			continue
		}
		for _, n := range names {
			e.Dropped = append(e.Dropped, file+": "+n)
		}
	}
	sort.Strings(e.Dropped)
	s.Env.Sink.Emit(*e)
}

func (s *Stage) head(suite *build.Suite) *build.Version {
	if suite.Side == version.Head {
		return suite.Own
	}
	return suite.Other
}
