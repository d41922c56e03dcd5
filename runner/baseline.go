package runner

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/isodelta/isodelta/diff"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/outcome"
)

// testState is what the baseline found out about a test.
type testState struct {
	usable   bool // stable on both versions, with the same outcome: negation may go on
	reaches  bool // executes something of Δ on base or on head
	fuel     int64
	seconds  float64      // of one iteration, the slower version's
	covered  outcome.Bits // branches of pairs, on base or on head
	unstable map[int]bool // sites that vary by themselves
	known    map[int]bool // sites that differ already with nothing negated
	outcome  [2]event.Outcome
	recorded []byte // calls that the test made, see package harness
}

// masked reports whether a site is left out of comparisons of variants.
func (s *testState) masked(site int) bool { return s.unstable[site] || s.known[site] }

const (
	maxBaselineFuel = int64(1) << 60
	slowTest        = 2.0 // seconds; the watchdog's patience does not grow beyond it
)

// runBaseline runs every test of a suite on both versions, emits what it was
// like, and collects the observed differences.
func (c *comparison) runBaseline(ctx context.Context, s *suite) error {
	perPackage := map[string]*event.Baseline{}
	covered := map[string]outcome.Bits{}
	for _, pkg := range s.packages {
		perPackage[pkg] = &event.Baseline{Type: "baseline", Suite: s.name, Package: pkg}
		covered[pkg] = outcome.NewBits(len(c.covered) * 8)
	}
	hurried := 0
	for i, t := range s.tests {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		c.progress("baseline", fmt.Sprintf("%s (%s's tests)", t.Name, s.name), i, len(s.tests))
		e := perPackage[t.Package]
		if c.outOfTime() || c.baselineLeft() == 0 {
			c.limit(event.Limit{Kind: "budget", Suite: s.name, What: t.Name, Reason: "the time for baselines was over before its turn"})
			continue
		}
		e.Tests++
		c.sum.Tests++
		base, head, err := c.repeat(ctx, t)
		if err == nil && !passed(t.suite, base, head) {
			base, head, err = c.repeatWriting(ctx, t, base, head)
		}
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return err
		}
		if c.opt.Budget > 0 && (base[0].Outcome == event.Hung || head[0].Outcome == event.Hung) {
			c.limit(event.Limit{Kind: "budget", Suite: s.name, What: t.Name, Reason: "took too large a part of the time that was left for baselines"})
			continue
		}
		c.traces.sawBaseline(base, head)
		c.sawAdequacy(t, base, head)
		c.judge(t, base, head, e)
		if err := c.confirmNew(ctx); err != nil {
			return err
		}
		if t.state.reaches && min(len(base), len(head)) < c.opt.Repetitions {
			hurried++
		}
		if len(head) > 0 && len(head[0].Covered) == len(covered[t.Package]) {
			covered[t.Package].Union(head[0].Covered)
		}
	}
	if hurried > 0 {
		c.limit(event.Limit{Kind: "repetitions", Suite: s.name, What: fmt.Sprintf("%d tests", hurried),
			Reason: fmt.Sprintf("ran fewer than %d times in the baseline, because they are slow for the budget or died", c.opt.Repetitions)})
	}
	for _, pkg := range s.packages {
		e := perPackage[pkg]
		if e.Tests == 0 {
			continue // its limits say why
		}
		linked := c.linkedBranches(c.head, pkg)
		c.linked.Union(linked)
		e.Branches, e.Covered = linked.Count(), covered[pkg].Count()
		c.covered.Union(covered[pkg])
		for file, names := range s.drop {
			if c.packageOf(s, file) != pkg {
				continue
			}
			for _, n := range names {
				e.Dropped = append(e.Dropped, file+": "+n)
			}
		}
		sort.Strings(e.Dropped)
		c.sink.Emit(*e)
	}
	c.progress("baseline", "done", len(s.tests), len(s.tests))
	return nil
}

// repeat runs a test on both versions at once: four times in one process and
// once more in another, so that what differs between processes shows too.
func (c *comparison) repeat(ctx context.Context, t *test) (base, head []outcome.Result, err error) {
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(t.atOnce())
	results := [2][]outcome.Result{}
	seconds := [2]float64{}
	for i, v := range []*version{c.base, c.head} {
		g.Go(func() (err error) {
			results[i], seconds[i], err = c.repeatOn(gctx, t, v)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, nil, err
	}
	t.state.seconds = max(seconds[0], seconds[1])
	return results[0], results[1], nil
}

// passed reports whether the test passes on its own version.
func passed(s *suite, base, head []outcome.Result) bool {
	if s.name == "base" {
		return base[0].Outcome == event.Pass
	}
	return head[0].Outcome == event.Pass
}

// repeatWriting tries a test that fails on its own version again with leave to
// write to its package's folder, which tests may do and variants, by default,
// may not. If that mends it, the test keeps the leave, and a fresh folder for
// each process.
func (c *comparison) repeatWriting(ctx context.Context, t *test, base, head []outcome.Result) (b, h []outcome.Result, err error) {
	pristine := filepath.Join(c.tmp, "pristine", t.suite.name, filepath.FromSlash(t.Package))
	if _, err := os.Stat(pristine); err != nil {
		if err := os.CopyFS(pristine, os.DirFS(t.head.Dir)); err != nil {
			return nil, nil, fmt.Errorf("copy %s: %w", t.head.Dir, err)
		}
	}
	t.pristine = pristine
	b, h, err = c.repeat(ctx, t)
	if err == nil && !passed(t.suite, b, h) {
		t.pristine = ""
		return base, head, nil
	}
	return b, h, err
}

const (
	baselineLimit = 10 * time.Minute // wall clock for one iteration: go test's own default
	// perTest: one iteration may take this part of what is left for baselines,
	// and a second.
	perTest = 8
)

// repeatOn runs the repetitions on one version: all but one in one process,
// the last in another. Two are enough for a test that executes nothing of the
// change, since it cannot differ, and fewer than asked for have to do for a
// slow one: what it shows is confirmed in fresh processes anyway. A test that
// would take too large a part of the time is Hung, which is no evidence.
func (c *comparison) repeatOn(ctx context.Context, t *test, v *version) (runs []outcome.Result, seconds float64, err error) {
	n := c.opt.Repetitions
	spent := 0.0
	target := t.target(v)
	for part, times := range []int{max(1, n-1), n - max(1, n-1)} {
		s := c.lab.Session(target)
		for range times {
			s.Limit = min(baselineLimit, c.baselineLeft()/perTest+time.Second)
			s.Startup = min(s.Startup, s.Limit)
			begin := time.Now()
			r, err := s.Do(ctx, execute.Command{Fuel: maxBaselineFuel})
			if err != nil {
				s.Close()
				return nil, 0, err
			}
			seconds = time.Since(begin).Seconds()
			spent += seconds
			runs = append(runs, r)
			if !c.repeatAgain(r, len(runs), spent+seconds) {
				c.record(ctx, t, v, s, r)
				s.Close()
				return runs, seconds, nil
			}
		}
		if part == 0 {
			c.record(ctx, t, v, s, runs[len(runs)-1])
		}
		s.Close()
	}
	return runs, seconds, nil
}

// repeatAgain reports whether one more repetition is worth its time.
func (c *comparison) repeatAgain(last outcome.Result, done int, spent float64) bool {
	switch {
	case last.Outcome == event.Died, last.Outcome == event.Hung:
		return false
	case done >= 2 && c.prune.dynamic && last.Entered.Empty():
		return false
	}
	return c.opt.Budget <= 0 || spent < max(0.5, c.opt.Budget.Seconds()/60)
}

// judge decides what a test is good for, and keeps an observed difference.
func (c *comparison) judge(t *test, base, head []outcome.Result, e *event.Baseline) {
	st := &t.state
	st.unstable, st.known = map[int]bool{}, map[int]bool{}
	baseSites, baseMoves := diff.Unstable(base)
	headSites, headMoves := diff.Unstable(head)
	b, h := base[0], head[0]
	st.outcome = [2]event.Outcome{b.Outcome, h.Outcome}
	if baseMoves || headMoves {
		c.sum.UnstableTests++
		reason := fmt.Sprintf("its outcome varies by itself: %s on base, %s on head", outcomes(base), outcomes(head))
		e.Unstable = append(e.Unstable, t.Name+": "+reason)
		c.limit(event.Limit{Kind: "unstable", Suite: t.suite.name, What: t.Name, Reason: reason})
		return
	}
	for _, sites := range [][]int{baseSites, headSites} {
		for _, site := range sites {
			if !st.unstable[site] {
				e.Unstable = append(e.Unstable, fmt.Sprintf("%s#%s: varies by itself", t.Name, t.suite.siteText(site)))
			}
			st.unstable[site] = true
		}
	}
	if b.Outcome == event.Pass && h.Outcome == event.Pass {
		e.Passing++
	} else {
		e.Failing++
		c.limit(event.Limit{Kind: "failing", Suite: t.suite.name, What: t.Name,
			Reason: fmt.Sprintf("%s on base, %s on head with nothing negated", say(b), say(h))})
	}
	st.fuel = max(b.Fuel, h.Fuel)
	st.reaches = !b.Entered.Empty() || !h.Entered.Empty()
	if !st.reaches {
		e.NotReaching++
	}
	d := diff.Compare(b, h, st.masked, maxBaselineFuel)
	for _, site := range d.Sites {
		st.known[site] = true
	}
	if d.Any() {
		c.raw.add(rawDifference{test: t, difference: d, base: b, head: h})
	}
	runs := b.Outcome == h.Outcome && (b.Outcome == event.Pass || b.Outcome == event.Fail)
	if !runs {
		return
	}
	st.usable = true
	st.covered = c.project(c.base, b.Covered)
	st.covered.Union(c.project(c.head, h.Covered))
}

func say(r outcome.Result) string {
	if r.Message != "" {
		return string(r.Outcome) + " (" + r.Message + ")"
	}
	return string(r.Outcome)
}

func outcomes(runs []outcome.Result) string {
	s := ""
	for i, r := range runs {
		if i > 0 {
			s += " "
		}
		s += string(r.Outcome)
	}
	return s
}

func (s *suite) siteText(site int) string {
	for _, x := range s.text.Sites {
		if x.ID == site {
			return x.Text
		}
	}
	return "?"
}
