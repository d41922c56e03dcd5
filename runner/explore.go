package runner

import (
	"context"
	"fmt"
	"hash/fnv"
	"sort"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/isodelta/isodelta/diff"
	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/negation"
	"github.com/isodelta/isodelta/runner/outcome"
)

// explore runs the baselines, then the negation rounds. Errors of the lab end
// it, are listed, and leave what was found.
func (c *comparison) explore(ctx context.Context) {
	err := c.observe(ctx)
	if err == nil {
		err = c.makeCalls(ctx)
	}
	if err == nil {
		err = c.relate(ctx)
	}
	if err == nil {
		err = c.negate(ctx)
	}
	if err == nil {
		err = c.makeMoreCalls(ctx)
	}
	if err == nil {
		err = c.writeTests(ctx)
	}
	c.bookTargets()
	switch {
	case ctx.Err() != nil:
		c.sum.Interrupted = true
		c.limit(event.Limit{Kind: "interrupted", What: "comparison", Reason: endedBy(ctx) + "; what was confirmed by then is reported"})
	case err != nil:
		c.sum.Interrupted = true
		c.limit(event.Limit{Kind: "infrastructure", What: "comparison", Reason: err.Error()})
	}
}

// baselineShare is the part of what is left of the budget, in percent, that the
// baseline may take: what it shows is worth most, but a slow suite must not
// leave the calls without time.
const baselineShare = 40

func (c *comparison) observe(ctx context.Context) error {
	if c.opt.Budget > 0 {
		c.baselineUntil = time.Now().Add(c.timeLeft() * baselineShare / 100)
	}
	for _, s := range c.suites {
		c.orderTests(s)
	}
	for _, s := range c.suites {
		if err := c.runBaseline(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// orderTests puts the tests that may execute the change, as far as the call
// graph tells, in front of the others: should the time be too short for all,
// those are wanted.
func (c *comparison) orderTests(s *suite) {
	base, head := c.reaches()
	may := map[*test]bool{}
	for _, t := range s.tests {
		may[t] = base.Function(t.Package, t.Source) || head.Function(t.Package, t.Source)
	}
	sort.SliceStable(s.tests, func(i, j int) bool { return may[s.tests[i]] && !may[s.tests[j]] })
}

// queue is a test with what is left to explore.
type queue struct {
	test    *test
	open    *negation.Exploration
	pending []negation.Set
}

// A round is a level of urgency: the sets of one depth, rank and list, of all
// tests.
type round struct{ depth, rank, list int }

func roundOf(s negation.Set) round {
	r := round{depth: len(s.Branches), rank: s.Rank}
	if !s.Universal {
		r.list = 1
	}
	return r
}

func (r round) before(o round) bool {
	if r.depth != o.depth {
		return r.depth < o.depth
	}
	if r.rank != o.rank {
		return r.rank < o.rank
	}
	return r.list < o.list
}

// negate explores round by round: within one, tests that execute the change
// come first, quicker ones before slower.
func (c *comparison) negate(ctx context.Context) error {
	c.suiteCovered = outcome.NewBits(2 * len(c.pairs))
	var queues []*queue
	for _, s := range c.suites {
		for _, t := range s.tests {
			if t.state.usable {
				c.suiteCovered.Union(t.state.covered)
			}
		}
	}
	for _, s := range c.suites {
		for _, t := range s.tests {
			if !t.state.usable {
				continue
			}
			e := negation.New(t.state.covered, c.suiteCovered, negation.Options{
				Depth: c.opt.Depth, Universal: c.opt.Universal,
				Rank: func(b outcome.Branch) int { return c.rank(b, t) },
			})
			queues = append(queues, &queue{test: t, open: e})
		}
	}
	sort.SliceStable(queues, func(i, j int) bool {
		a, b := queues[i].test.state, queues[j].test.state
		if a.reaches != b.reaches {
			return a.reaches
		}
		return a.fuel < b.fuel
	})
	done := 0
	for {
		r, waiting, ok := c.nextRound(queues)
		if !ok {
			break
		}
		for _, q := range queues {
			sets := q.take(r)
			if len(sets) == 0 {
				continue
			}
			c.progress("explore", q.test.Name, done, done+waiting)
			ran, err := c.runSets(ctx, q, sets)
			done += ran
			if err != nil {
				return err
			}
			if ran < len(sets) { // budget
				c.sum.Skipped += len(sets) - ran
			}
		}
	}
	for _, q := range queues {
		c.sum.Pruned += q.open.LeftOut
	}
	if c.sum.Skipped > 0 {
		c.limit(event.Limit{Kind: "budget", What: "negation",
			Reason: fmt.Sprintf("%d (test, negation set) pairs were left when the budget ended", c.sum.Skipped)})
	}
	return c.confirmNew(ctx)
}

// nextRound is the most urgent round that any queue has, and how much waits.
func (c *comparison) nextRound(queues []*queue) (best round, waiting int, ok bool) {
	for _, q := range queues {
		q.refill()
		waiting += len(q.pending)
		if len(q.pending) == 0 {
			continue
		}
		if r := roundOf(q.pending[0]); !ok || r.before(best) {
			best, ok = r, true
		}
	}
	return best, waiting, ok
}

func (q *queue) refill() {
	for {
		s, ok := q.open.Next()
		if !ok {
			break
		}
		q.pending = append(q.pending, s)
	}
	sort.SliceStable(q.pending, func(i, j int) bool { return roundOf(q.pending[i]).before(roundOf(q.pending[j])) })
}

func (q *queue) take(r round) []negation.Set {
	n := 0
	for n < len(q.pending) && roundOf(q.pending[n]) == r {
		n++
	}
	sets := q.pending[:n]
	q.pending = q.pending[n:]
	return sets
}

// variantResult is what one negation set did; head is nil where it was not run.
type variantResult struct {
	base outcome.Result
	head *outcome.Result
}

// recycle is after how many variants a process is replaced: what a variant
// leaves behind in globals shall not live for ever.
const recycle = 512

// runSets runs sets of one test: base goes ahead, head follows with those that
// may differ. It gives how many were run before the budget ended.
func (c *comparison) runSets(ctx context.Context, q *queue, sets []negation.Set) (int, error) {
	t := q.test
	limit := FuelFor(t.state.fuel)
	results := make([]variantResult, len(sets))
	mine := make([]bool, len(sets))
	for i, s := range sets {
		mine[i] = c.inShard(t, s)
	}
	todo := make(chan int, len(sets)) // head may have to wait until base is through
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(t.atOnce())
	ran := 0
	g.Go(func() error {
		defer close(todo)
		s := c.session(t, c.base)
		defer func() { s.Close() }()
		for i, set := range sets {
			if c.outOfTime() || c.opt.MaxVariants > 0 && c.sum.Variants+i >= c.opt.MaxVariants {
				return nil
			}
			if mine[i] {
				if i > 0 && i%recycle == 0 {
					s.Close()
				}
				r, err := s.Do(gctx, execute.Command{Negations: c.indices(set, c.base), Fuel: limit})
				if err != nil {
					return err
				}
				results[i].base = r
				if c.mustRunHead(r) {
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
		s := c.session(t, c.head)
		defer func() { s.Close() }()
		n := 0
		for i := range todo {
			if n++; n%recycle == 0 {
				s.Close()
			}
			r, err := s.Do(gctx, execute.Command{Negations: c.indices(sets[i], c.head), Fuel: limit})
			if err != nil {
				return err
			}
			results[i].head = &r
		}
		return nil
	})
	if err := g.Wait(); err != nil {
		return ran, err
	}
	for i := range ran {
		if mine[i] {
			c.account(q, sets[i], results[i], limit)
		}
	}
	return ran, c.confirmNew(ctx)
}

func (c *comparison) session(t *test, v *version) *execute.Session {
	s := c.lab.Session(t.target(v))
	s.Limit = 2*time.Second + time.Duration(20*min(t.state.seconds, slowTest)*float64(time.Second))
	return s
}

// FuelFor is the work a variant may do: 20 times the baseline's and 200,000
// more, but not over 2 million, unless the baseline itself needs that much. A
// higher cap would let a negated recursion overflow the stack.
func FuelFor(baseline int64) int64 {
	const floor, most = 200_000, 2_000_000
	return min(20*baseline+floor, max(most, 2*baseline+floor))
}

// mustRunHead is the lossless pruning: if base executed nothing of Δ under a
// negation set, head executes the same code and does the same.
func (c *comparison) mustRunHead(base outcome.Result) bool {
	switch base.Outcome {
	case event.Hung:
		return false // what the watchdog ends is no evidence, whatever head does
	case event.Died, event.Exhausted:
		return true // what was entered is not known, or cut short
	}
	return !c.prune.dynamic || !base.Entered.Empty()
}

// inShard reports whether this shard runs a set. It depends on names alone.
func (c *comparison) inShard(t *test, s negation.Set) bool {
	if c.opt.Shards < 2 {
		return true
	}
	h := fnv.New32a()
	h.Write([]byte(t.suite.name + "\x00" + t.Package + "\x00" + t.Name))
	// Larger sets go where their first branch went, which found them.
	h.Write([]byte(c.head.program.Conditions[c.pairs[s.Branches[0].Condition()].head].ID))
	return int(h.Sum32()%uint32(c.opt.Shards)) == c.opt.Shard-1
}

func (c *comparison) indices(s negation.Set, v *version) []int {
	out := make([]int, len(s.Branches))
	for i, b := range s.Branches {
		p := c.pairs[b.Condition()]
		out[i] = p.base
		if v == c.head {
			out[i] = p.head
		}
	}
	return out
}

// account books one variant.
func (c *comparison) account(q *queue, s negation.Set, r variantResult, limit int64) {
	c.sum.Variants++
	covered := c.project(c.base, r.base.Covered)
	worst := r.base.Outcome
	if r.head != nil {
		covered.Union(c.project(c.head, r.head.Covered))
		c.markExplored(r.head.Covered)
		if r.head.Outcome == event.Died || r.head.Outcome == event.Hung || r.head.Outcome == event.Exhausted {
			worst = r.head.Outcome
		}
	} else {
		if r.base.Outcome != event.Hung {
			c.sum.Pruned++
		}
		c.markExploredPairs(covered)
	}
	switch worst {
	case event.Died:
		c.sum.Died++
	case event.Hung:
		c.sum.Hung++
	case event.Exhausted:
		c.sum.Exhausted++
	}
	c.traces.sawVariant(s, r.base, r.head)
	q.open.Ran(s, covered)
	if r.head == nil {
		return
	}
	d := diff.Compare(r.base, *r.head, q.test.state.masked, limit)
	switch {
	case d.Any() && !diff.Plausible(r.base, *r.head, c.strict(s)):
		c.sum.Implausible++
	case d.Any():
		c.raw.add(rawDifference{test: q.test, set: s, difference: d, base: r.base, head: *r.head, limit: limit})
	case d.Hidden:
		c.sum.HiddenHints++
	}
}

// strict reports whether every condition of a set is matched strictly.
func (c *comparison) strict(s negation.Set) bool {
	for _, b := range s.Branches {
		if c.pairs[b.Condition()].kind != isomorph.Strict {
			return false
		}
	}
	return true
}

func (c *comparison) markExplored(covered outcome.Bits) {
	if len(covered) == len(c.explored) {
		c.explored.Union(covered)
	}
}

// markExploredPairs books what base covered for head, which does the same.
func (c *comparison) markExploredPairs(covered outcome.Bits) {
	for _, i := range covered.Members() {
		b := outcome.Branch(i)
		at := 2 * c.pairs[b.Condition()].head
		if b.Value() {
			at++
		}
		c.explored.Add(at)
	}
}

// linkedBranches are the branches of a version in a package and what it
// imports.
func (c *comparison) linkedBranches(v *version, pkg string) outcome.Bits {
	p, in := v.program, importClosure(v, pkg)
	set := outcome.NewBits(2*len(p.Conditions) + len(p.Arms))
	for _, x := range p.Conditions {
		if in[x.Package] {
			set.Add(2 * x.Index)
			set.Add(2*x.Index + 1)
		}
	}
	for _, a := range p.Arms {
		if in[a.Package] {
			set.Add(2*len(p.Conditions) + a.Index)
		}
	}
	return set
}

func importClosure(v *version, pkg string) map[string]bool {
	byPath := map[string]*load.Package{}
	for _, p := range v.tree.Packages {
		byPath[p.Path] = p
	}
	in := map[string]bool{}
	var visit func(path string)
	visit = func(path string) {
		p := byPath[path]
		if in[path] || p == nil {
			return
		}
		in[path] = true
		if path == pkg {
			for path := range p.TestImports() {
				visit(path)
			}
		} else if p.Code != nil {
			for path := range p.Code.Imports {
				visit(path)
			}
		}
	}
	visit(pkg)
	return in
}

// packageOf is the import path of the package that a test file belongs to.
func (c *comparison) packageOf(s *suite, file string) string {
	dir := ""
	if i := strings.LastIndexByte(file, '/'); i >= 0 {
		dir = file[:i]
	}
	for _, p := range s.own.tree.Packages {
		if s.own.tree.Rel(p.Dir) == dir || dir == "" && p.Dir == s.own.root {
			return p.Path
		}
	}
	return ""
}
