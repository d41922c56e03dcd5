package variation

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/isodelta/isodelta/diff"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/baseline"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/negation/explore"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/stage"
	"github.com/isodelta/isodelta/runner/version"
)

const (
	// turnSeconds is what a turn takes about; a guess.
	turnSeconds = 0.3
	// startSeconds is what starting a process takes, about; a guess.
	startSeconds = 0.03
	// leastTurn and mostTurn bound the variants of a turn.
	leastTurn = 4
	mostTurn  = 96
	// maxSites bounds the sites that are rendered for one difference.
	maxSites = 16
)

// turn runs some variations of a test on both versions, and returns how many.
func (s *Stage) turn(ctx context.Context, q *queue, until time.Time) (ran int, err error) {
	list := q.draw(q.atOnce())
	if len(list) == 0 {
		q.points = nil
		return 0, nil
	}
	q.open(s.Env, until)
	variants, err := s.run(ctx, q, list, until)
	if err != nil {
		return 0, err
	}
	if q.left.Load() && !q.fresh {
		q.startAfresh(list)
		return 0, nil
	}
	for i, v := range variants {
		if v.Test == nil {
			continue // the time was over
		}
		ran++
		if s.Saw != nil {
			s.Saw(v)
		}
		list[i].point.note(*q.plain[version.Base], v.Base)
		if !v.ran || !diff.Compare(v.Base, v.Head, q.test.Masked, v.Fuel).Any() {
			continue
		}
		v, d, err := s.again(ctx, q, v)
		if err != nil {
			return ran, err
		}
		if d.Any() {
			s.Differs(v, d)
		}
	}
	return ran, nil
}

// atOnce is how many variants make a turn.
func (q *queue) atOnce() int {
	seconds := max(q.test.Seconds, 0.001)
	if q.fresh {
		seconds += startSeconds
	}
	return min(max(int(turnSeconds/seconds), leastTurn), mostTurn)
}

// open sees to it that the test has processes, which no variant keeps for much longer than the stage may go on.
func (q *queue) open(env *stage.Env, until time.Time) {
	for _, side := range version.Sides {
		if q.processes[side] == nil {
			q.processes[side] = q.test.Session(env.Lab, side)
			q.processes[side].Once = q.test.Once || q.fresh
		}
		q.processes[side].Bound(env.Until(until) + time.Second)
	}
}

// startAfresh gives each variation processes of its own from now on, and takes back what was drawn.
func (q *queue) startAfresh(list []drawn) {
	q.fresh, q.plain = true, version.Both[*outcome.Result]{}
	q.close()
	for _, d := range list {
		d.point.tried, d.point.seen = 0, nil
	}
}

// note counts what a variation did on base.
func (p *point) note(plain, varied outcome.Result) {
	if sameRun(plain, varied) {
		p.deaf++
	} else {
		p.effect = true
	}
}

// run runs variations: base goes ahead, head follows with what may differ. A variant without a test was not run.
func (s *Stage) run(ctx context.Context, q *queue, list []drawn, until time.Time) ([]Variant, error) {
	fuel := explore.FuelFor(q.test.Fuel)
	variants := make([]Variant, len(list))
	todo := make(chan int, len(list))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(q.test.AtOnce())
	g.Go(func() error {
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
			r, err := q.processes[version.Base].Do(gctx, execute.Command{Varied: v.Command(), Fuel: fuel})
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
		for i := range todo {
			if err := q.begin(gctx, version.Head); err != nil {
				return err
			}
			r, err := q.processes[version.Head].Do(gctx, execute.Command{Varied: variants[i].Variation.Command(), Fuel: fuel})
			if err != nil {
				return err
			}
			variants[i].Head, variants[i].ran = Came(r), true
		}
		return q.finish(gctx, version.Head)
	})
	return variants, g.Wait()
}

// again runs a variant that differs twice more, and reports whether it differs each time and both versions do what they
// did before: it is cheaper than to confirm what varies by itself. The first time is left out, for it fills what is
// kept for later times, and these draw fewer random numbers.
func (s *Stage) again(ctx context.Context, q *queue, v Variant) (Variant, diff.Difference, error) {
	var runs version.Both[[]outcome.Result]
	sites := diff.Compare(v.Base, v.Head, q.test.Masked, v.Fuel).Sites
	for range 2 {
		for _, side := range version.Sides {
			r, err := q.processes[side].Do(ctx, execute.Command{Varied: v.Variation.Command(), Fuel: v.Fuel, Detail: true, Sites: sites[:min(len(sites), maxSites)]})
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
