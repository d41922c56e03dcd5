package runner

import (
	"context"
	"sync"
	"time"

	"github.com/isodelta/isodelta/internal/scratch"
	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/revision"
)

// comparison is one run of the engine.
type comparison struct {
	opt     Options
	sink    event.Sink
	started time.Time
	folder  *scratch.Folder
	tmp     string // its path

	repo      *revision.Repository
	rng       revision.Range
	moduleDir string
	base      *version
	head      *version

	match   *isomorph.Result
	pairs   []pair
	changed []string // Δ by entry number
	prune   pruning
	reach   struct{ base, head *isomorph.Reach } // see reaches

	hooks     *calls.Hooks          // nil where no calls are made
	apis      map[string]*calls.API // by suite and package, see apiKey
	calls     callBook
	relations relationBook
	// relationsOnly: relations of all functions are checked, and nothing else.
	relationsOnly bool
	solver        string // path of an SMT solver, "" for none
	// baselineUntil is when the baseline has to end; zero for no limit.
	baselineUntil time.Time
	// reserve is kept of the budget for confirming and for the tests to paste.
	reserve time.Duration

	lab     *execute.Lab
	goenv   goEnv
	seeding seeding
	suites  []*suite
	// onlySuite names the one suite to build, for a replay; "" for both.
	onlySuite string
	// baseTests are the tests of base's whole suite, by package and name.
	baseTests map[string]bool

	covered  outcome.Bits // of head's branches, by the suites as they are
	explored outcome.Bits // of head's branches, by variants
	linked   outcome.Bits // of head's branches, in the binaries that ran
	// suiteCovered are the branches of pairs that any test covers.
	suiteCovered outcome.Bits
	traces       traces // of the functions to draw
	adequacy     suiteAdequacy
	raw          rawDifferences
	findings     []event.Finding
	sum          event.Summary
}

// Compare runs a whole comparison and emits its events. An error means that
// no comparison could be made; the events so far stand. When ctx ends early,
// what was found so far is confirmed, emitted and summed up as interrupted; so
// it is where the comparison lasts much longer than the budget. Compare then
// returns within seconds, also if a test found a way to hold it up.
func Compare(ctx context.Context, opt Options, sink event.Sink) (event.Summary, error) {
	return bounded(ctx, opt, sink, func(ctx context.Context, sink event.Sink) (event.Summary, error) {
		return compare(ctx, opt, sink)
	})
}

func compare(ctx context.Context, opt Options, sink event.Sink) (event.Summary, error) {
	c, err := open(opt, sink)
	if err != nil {
		return event.Summary{}, err
	}
	defer c.close()
	if err := c.prepare(ctx); err != nil {
		return event.Summary{}, err
	}
	if !c.nothingToDo() {
		c.seed()
		if err := c.openLab(ctx); err != nil {
			return event.Summary{}, err
		}
	}
	c.emitConfig()
	c.sink.Emit(c.versionsEvent())
	c.sink.Emit(c.matchEvent())
	if c.nothingToDo() {
		c.sum.Verdict = "no-executable-change"
		return c.summary(), nil
	}
	if err := c.build(ctx); err != nil {
		return event.Summary{}, err
	}
	c.explore(ctx)
	return c.summary(), nil
}

func open(opt Options, sink event.Sink) (*comparison, error) {
	folder, err := scratch.Make(opt.Temp)
	if err != nil {
		return nil, err
	}
	if opt.Repetitions < 1 {
		opt.Repetitions = 5
	}
	return &comparison{opt: opt, sink: &fitting{sink: sink}, started: time.Now(), folder: folder, tmp: folder.Path(), raw: newRawDifferences(),
		apis: map[string]*calls.API{}, sum: event.Summary{Type: "summary"}}, nil
}

// fitting keeps what is emitted to what a stream may hold. What is too much is left
// out; the counts of the summary stay.
type fitting struct {
	mu      sync.Mutex
	counter event.Counter
	sink    event.Sink
}

func (s *fitting) Emit(e event.Event) {
	s.mu.Lock()
	err := s.counter.Add(e)
	s.mu.Unlock()
	if err == nil {
		s.sink.Emit(event.Fit(e))
	}
}

func (c *comparison) close() { c.folder.Close() }

// prepare does everything up to the matching.
func (c *comparison) prepare(ctx context.Context) error {
	if err := c.layOut(ctx); err != nil {
		return err
	}
	if err := c.findGo(ctx); err != nil {
		return err
	}
	if err := c.loadTrees(ctx); err != nil {
		return err
	}
	if err := c.compileDeclared(ctx); err != nil {
		return err
	}
	c.findSolver()
	return c.matchTrees()
}

func (c *comparison) progress(phase, text string, done, total int) {
	c.sink.Emit(event.Progress{Type: "progress", Phase: phase, Text: text, Done: done, Total: total})
}

func (c *comparison) limit(l event.Limit) {
	l.Type = "limit"
	c.sink.Emit(l)
}

// deadline says when exploring has to end.
func (c *comparison) deadline() (time.Time, bool) {
	if c.opt.Budget <= 0 {
		return time.Time{}, false
	}
	return c.started.Add(c.opt.Budget - c.reserve), true
}

func (c *comparison) outOfTime() bool {
	d, ok := c.deadline()
	return ok && time.Now().After(d)
}

// baselineLeft is how long the baseline may still go on.
func (c *comparison) baselineLeft() time.Duration {
	if c.baselineUntil.IsZero() {
		return c.timeLeft()
	}
	return max(time.Until(c.baselineUntil), 0)
}

// timeLeft is how long the budget still lasts; at least a moment.
func (c *comparison) timeLeft() time.Duration {
	d, ok := c.deadline()
	if !ok {
		return 24 * time.Hour
	}
	return max(time.Until(d), 10*time.Millisecond)
}
