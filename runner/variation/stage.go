package variation

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/isodelta/isodelta/diff"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/baseline"
	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/negation/explore"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/stage"
	"github.com/isodelta/isodelta/runner/version"
)

// Stage varies tests.
type Stage struct {
	Env *stage.Env
	// Quiet reports whether an execution is proved to be the same on both versions.
	Quiet func(outcome.Result) bool
	// Literals are what the code of a package and the change contain.
	Literals func(pkg string) surface.Literals
	// Differs is given each difference.
	Differs func(Variant, diff.Difference)
}

// Result is what varying came to.
type Result struct {
	Tests    int // that were varied
	Variants int
	Differed int
}

const (
	// slowest is how long a test may take, in seconds.
	slowest = 0.5
	// turnSeconds is what a turn takes about; a guess.
	turnSeconds = 0.3
	// startSeconds is what starting a process takes, about; a guess.
	startSeconds = 0.03
	// leastTurn and mostTurn bound the variants of a turn.
	leastTurn = 4
	mostTurn  = 96
	// deaf is after how many variations without any effect a point is dropped.
	deaf = 2
	// maxValues bounds the values for one point.
	maxValues = 200
)

// Run varies tests until a time, or until no variation is left.
func (s *Stage) Run(ctx context.Context, tests []*baseline.Test, until time.Time) (Result, error) {
	var out Result
	queues := s.queues(tests)
	out.Tests = len(queues)
	defer func() {
		for _, q := range queues {
			q.close()
		}
	}()
	for len(queues) > 0 {
		left := queues[:0:0]
		for _, q := range queues {
			if s.Env.Past(until) {
				return out, nil
			}
			s.Env.Progress("vary", q.test.Name, out.Variants, 0)
			if err := s.turn(ctx, q, until, &out); err != nil {
				return out, err
			}
			if len(queues) > maxKept {
				q.close()
			}
			if len(q.points) > 0 {
				left = append(left, q)
			} else {
				q.close()
			}
		}
		queues = left
	}
	return out, nil
}

// maxSites bounds the sites that are rendered for one difference.
const maxSites = 16

// maxKept is how many tests keep their processes from one turn to the next.
const maxKept = 24

// queues are the tests that execute Δ and have points, quick ones first.
func (s *Stage) queues(tests []*baseline.Test) []*queue {
	var out []*queue
	known := map[string]*words{}
	for _, t := range tests {
		if !t.Usable || !t.Reaches || t.Seconds > slowest {
			continue
		}
		points := pointsOf(t)
		if len(points) == 0 {
			continue
		}
		key := t.Suite.Side.String() + " " + t.Package
		if known[key] == nil {
			known[key] = newWords(t.Suite.Text.Points, t.Package, s.Literals(t.Package))
		}
		r := harness.NewRand(uint64(s.Env.Seed) + 1)
		q := &queue{test: t, words: known[key], rand: r}
		for _, p := range points {
			q.points = append(q.points, &point{Point: p})
		}
		for i := len(q.points) - 1; i > 0; i-- {
			k := r.Intn(i + 1)
			q.points[i], q.points[k] = q.points[k], q.points[i]
		}
		out = append(out, q)
	}
	slices.SortStableFunc(out, func(a, b *queue) int { return cmp.Compare(a.test.Fuel, b.test.Fuel) })
	return out
}

// pointsOf are the points in a test and in what it uses.
func pointsOf(t *baseline.Test) []instrument.Point {
	var out []instrument.Point
	for _, p := range t.Suite.Text.Points {
		if p.Package == t.Package && (p.Test == t.Source && p.File == t.File || slices.Contains(t.Uses, p.File+":"+p.Test)) {
			out = append(out, p)
		}
	}
	return out
}

// queue is a test with what is left to vary.
type queue struct {
	test      *baseline.Test
	words     *words
	rand      *harness.Rand
	points    []*point
	next      int
	processes version.Both[*execute.Session]
	plain     version.Both[*outcome.Result] // with nothing varied
	// fresh says that the test keeps what a variation leaves behind, so that each has processes of its own.
	fresh bool
	left  atomic.Bool // something was left behind
}

// point is a variation point with what was tried for it.
type point struct {
	instrument.Point
	tried  int
	deaf   int
	effect bool
	seen   map[string]bool
}

// spent reports whether nothing is to be tried at a point any more.
func (p *point) spent() bool {
	if n := most(p.Point); n > 0 && p.tried >= n {
		return true
	}
	return p.tried >= maxValues || !p.effect && p.deaf >= deaf
}

func (q *queue) close() {
	for side, p := range q.processes {
		if p != nil {
			p.Close()
		}
		q.processes[side] = nil
	}
}

// draw gives the next variations: a point after the other, each with its next value.
func (q *queue) draw(n int) []drawn {
	var out []drawn
	for idle := 0; len(out) < n && len(q.points) > 0 && idle < 2*len(q.points); {
		q.next %= len(q.points)
		p := q.points[q.next]
		if p.spent() {
			q.points = slices.Delete(q.points, q.next, q.next+1)
			continue
		}
		q.next++
		v := q.words.value(q.rand, p.Point, p.tried)
		p.tried++
		if p.seen[v] || v == p.Value && p.Kind != instrument.PointStatement {
			idle++
			continue
		}
		if p.seen == nil {
			p.seen = map[string]bool{}
		}
		p.seen[v], idle = true, 0
		out = append(out, drawn{p, v})
	}
	return out
}

// drawn is a value for a point.
type drawn struct {
	point *point
	value string
}

// turn runs some variations of a test: base goes ahead, head follows with what may differ.
func (s *Stage) turn(ctx context.Context, q *queue, until time.Time, out *Result) error {
	seconds := max(q.test.Seconds, 0.001)
	if q.fresh {
		seconds += startSeconds
	}
	n := min(max(int(turnSeconds/seconds), leastTurn), mostTurn)
	list := q.draw(n)
	if len(list) == 0 {
		q.points = nil
		return nil
	}
	fuel := explore.FuelFor(q.test.Fuel)
	for _, side := range version.Sides {
		if q.processes[side] == nil {
			q.processes[side] = q.test.Session(s.Env.Lab, side)
			q.processes[side].Cold = q.fresh
		}
		q.processes[side].Bound(s.Env.Until(until) + time.Second)
	}
	variants := make([]Variant, len(list))
	heads := make([]bool, len(list))
	todo := make(chan int, len(list))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(q.test.AtOnce())
	g.Go(func() (err error) {
		defer close(todo)
		if q.test.AtOnce() == 1 { // head may not even start
			defer q.processes[version.Base].Close()
		}
		if err := q.begin(gctx, version.Base); err != nil {
			return err
		}
		for i, d := range list {
			if s.Env.Past(until) {
				return nil
			}
			v := Variation{d.point.Point, d.value}
			r, err := q.run(gctx, version.Base, execute.Command{Varied: v.Command(), Fuel: fuel})
			if err != nil {
				return err
			}
			variants[i] = Variant{Test: q.test, Variation: v, Fuel: fuel, Base: Came(r)}
			if tells(r.Outcome) && !s.Quiet(r) {
				todo <- i
			}
		}
		return q.finish(gctx, version.Base)
	})
	g.Go(func() error {
		if q.test.AtOnce() > 1 {
			if err := q.begin(gctx, version.Head); err != nil {
				return err
			}
		}
		for i := range todo {
			if err := q.begin(gctx, version.Head); err != nil {
				return err
			}
			r, err := q.run(gctx, version.Head, execute.Command{Varied: variants[i].Variation.Command(), Fuel: fuel})
			if err != nil {
				return err
			}
			variants[i].Head, heads[i] = Came(r), true
		}
		return q.finish(gctx, version.Head)
	})
	if err := g.Wait(); err != nil {
		return err
	}
	if q.left.Load() && !q.fresh {
		q.fresh, q.plain = true, version.Both[*outcome.Result]{}
		q.close()
		for _, d := range list { // again
			d.point.tried, d.point.seen = 0, nil
		}
		return nil
	}
	for i, v := range variants {
		if v.Test == nil {
			continue
		}
		out.Variants++
		p := list[i].point
		if sameRun(*q.plain[version.Base], v.Base) {
			p.deaf++
		} else {
			p.effect = true
		}
		if !heads[i] || !diff.Compare(v.Base, v.Head, q.test.Masked, fuel).Any() {
			continue
		}
		v, d, err := s.again(ctx, q, v)
		if err != nil {
			return err
		}
		if d.Any() {
			out.Differed++
			s.Differs(v, d)
		}
	}
	return nil
}

// again runs a variant that differs twice more, and reports whether it differs each time and both versions do what they
// did before: it is cheaper than to confirm what varies by itself. The first time is left out, for it fills what is
// kept for later times, and these draw fewer random numbers.
func (s *Stage) again(ctx context.Context, q *queue, v Variant) (Variant, diff.Difference, error) {
	var runs version.Both[[]outcome.Result]
	sites := diff.Compare(v.Base, v.Head, q.test.Masked, v.Fuel).Sites
	for range 2 {
		for _, side := range version.Sides {
			r, err := q.run(ctx, side, execute.Command{Varied: v.Variation.Command(), Fuel: v.Fuel, Detail: true, Sites: sites[:min(len(sites), maxSites)]})
			if err != nil {
				return v, diff.Difference{}, err
			}
			runs[side] = append(runs[side], Came(r))
			if q.test.AtOnce() == 1 {
				q.processes[side].Close()
			}
		}
		last := len(runs[version.Base]) - 1
		v.Base, v.Head = runs[version.Base][last], runs[version.Head][last]
		d := diff.Compare(v.Base, v.Head, q.test.Masked, v.Fuel)
		if !d.Any() {
			return v, d, nil
		}
		sites = d.Sites
	}
	moving := map[int]bool{}
	for _, list := range runs {
		sites, moved := diff.Unstable(list)
		if moved {
			return v, diff.Difference{}, nil
		}
		for _, site := range sites {
			moving[site] = true
		}
	}
	d := diff.Compare(v.Base, v.Head, func(site int) bool { return q.test.Masked(site) || moving[site] }, v.Fuel)
	v.Kind = diff.Explain(d, v.Base, v.Head).Kind
	return v, d, nil
}

// begin has a test run with nothing varied, unless it has before.
func (q *queue) begin(ctx context.Context, side version.Side) error {
	if q.plain[side] != nil {
		return nil
	}
	r, err := q.processes[side].Do(ctx, execute.Command{Fuel: baseline.MaxFuel})
	q.plain[side] = &r
	return err
}

// run runs one variation on a version.
func (q *queue) run(ctx context.Context, side version.Side, c execute.Command) (outcome.Result, error) {
	if q.fresh {
		q.processes[side].Close()
	}
	return q.processes[side].Do(ctx, c)
}

// finish notes whether a test does something else after its variations than before, with nothing varied.
func (q *queue) finish(ctx context.Context, side version.Side) error {
	if q.fresh || q.plain[side] == nil {
		return nil
	}
	r, err := q.processes[side].Do(ctx, execute.Command{Fuel: baseline.MaxFuel})
	if err != nil {
		return err
	}
	plain := *q.plain[side]
	if r.Outcome != plain.Outcome || diff.Compare(plain, r, q.test.Masked, baseline.MaxFuel).Any() {
		q.left.Store(true)
	}
	return nil
}

// tells reports whether a variant that ends so on base says anything: what dies, hangs or does not end is no input
// for which somebody relies on base.
func tells(o event.Outcome) bool {
	return o != event.Hung && o != event.Died && o != event.Exhausted
}

// sameRun reports whether a variation has no effect on what is executed and seen.
func sameRun(plain, varied outcome.Result) bool {
	plain = Came(plain)
	return plain.Outcome == varied.Outcome && plain.Fuel == varied.Fuel && !diff.Compare(plain, varied, nil, baseline.MaxFuel).Any()
}
