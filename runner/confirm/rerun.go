package confirm

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/isodelta/isodelta/diff"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/baseline"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/variation"
	"github.com/isodelta/isodelta/runner/version"
)

// maxSites bounds the sites that are rendered for one difference.
const maxSites = 32

// Again is what the repeated executions of one difference showed.
type Again struct {
	Results version.Both[[]outcome.Result] // under the negation set
	Final   diff.Difference                // without what varies
	// Passed says which versions passed the test each time, whatever Results make of a varied one.
	Passed version.Both[bool]
}

// Rerun runs a difference again, in as many fresh processes on both versions as
// there are repetitions, and reports whether it was the same each time.
func (q *Queue) Rerun(ctx context.Context, d Difference) (again Again, ok bool, err error) {
	again.Passed = version.Both[bool]{true, true}
	for i := range q.Env.Repetitions {
		plain, negated, err := q.once(ctx, d, i == 0)
		if err != nil {
			return again, false, err
		}
		for side, r := range negated {
			again.Passed[side] = again.Passed[side] && r.Outcome == event.Pass && !r.Skipped
			if d.Varied != nil {
				r = variation.Came(r)
				negated[side] = r
			}
			again.Results[side] = append(again.Results[side], r)
		}
		if !d.asItIs() && diff.Compare(plain[version.Base], plain[version.Head], d.Test.Masked, baseline.MaxFuel).Any() ||
			!diff.Compare(negated[version.Base], negated[version.Head], d.Masked, d.fuel()).Any() {
			return again, false, nil // no need to go on
		}
	}
	moving := map[int]bool{}
	for _, runs := range again.Results {
		sites, varies := diff.Unstable(runs)
		if varies {
			return again, false, nil
		}
		for _, s := range sites {
			moving[s] = true
		}
	}
	again.Final = diff.Compare(again.Results[version.Base][0], again.Results[version.Head][0],
		func(site int) bool { return d.Masked(site) || moving[site] }, d.fuel())
	return again, again.Final.Any(), nil
}

// once runs a difference in a fresh process of each version: with nothing negated and varied,
// unless that is the difference, and as it was seen.
func (q *Queue) once(ctx context.Context, d Difference, output bool) (plain, negated version.Both[outcome.Result], err error) {
	sites := d.Diff.Sites[:min(len(d.Diff.Sites), maxSites)]
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(d.Test.AtOnce())
	for _, side := range version.Sides {
		g.Go(func() (err error) {
			s := q.session(d, side)
			defer s.Close()
			if !d.asItIs() {
				if plain[side], err = s.Do(gctx, execute.Command{Fuel: baseline.MaxFuel}); err != nil {
					return err
				}
			}
			command := execute.Command{Negations: q.Space.Negated(side, d.Branches), Fuel: d.fuel(), Detail: true, Sites: sites}
			if d.Varied != nil {
				command.Varied = d.Varied.Command()
			}
			negated[side], err = s.Do(gctx, command)
			if err == nil && negated[side].Outcome == event.Fail && output {
				negated[side].Output = s.Finish()
			}
			return err
		})
	}
	err = g.Wait()
	return plain, negated, err
}

// session starts the test on a version. With nothing negated, rendering takes longer
// than running. No process goes on for long after all has to be confirmed.
func (q *Queue) session(d Difference, side version.Side) *execute.Session {
	s := d.Test.Session(q.Env.Lab, side)
	s.Once = s.Once || d.Varied != nil
	if d.asItIs() {
		s.Limit = 10*time.Second + time.Duration(20*d.Test.Seconds*float64(time.Second))
	}
	s.Limit = min(s.Limit, q.Env.Until(q.Env.Plan.LastConfirmation())+time.Second)
	return s
}
