package promote

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/aim"
	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/coverage"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/matching"
	"github.com/isodelta/isodelta/runner/reach"
	"github.com/isodelta/isodelta/runner/stage"
	"github.com/isodelta/isodelta/runner/version"
)

// Stage searches for inputs that take branches, and has calls compare what they do.
type Stage struct {
	Env      *stage.Env
	Matching *matching.Matching
	Builder  *build.Builder
	Calls    *reach.Stage
	Record   *coverage.Record
	// Equations are asked for goals that trying does not take; nil for not at all.
	Equations *aim.Equations

	states    map[branch]*state
	order     []goal // of the change, as searched for
	searchers map[searcherKey]searcher
}

// state is what became of a goal.
type state struct {
	state event.GoalState
	tried int
	why   string
}

// searcher searches in one package with the code of one version.
type searcher struct {
	*aim.Searcher
	why string // there is none
}

type searcherKey struct {
	side version.Side
	pkg  string
}

const (
	// most is how many executions a goal is given; a guess. What they do not reach within
	// that many takes them long, and there are other goals.
	most = 20_000
	// wanted is how many inputs are wanted that take a goal: as many as speak against a
	// difference, if none shows it.
	wanted = reach.ManyCalls
)

// Change searches for inputs that take the branches of the change that nothing took.
func (s *Stage) Change(ctx context.Context) error {
	goals := s.neverTaken()
	s.order = goals
	return s.search(ctx, goals, s.Env.Plan.Goals(s.Env.Now()))
}

// Forced searches for inputs that take the branches of forced findings.
func (s *Stage) Forced(ctx context.Context, findings []event.Finding) error {
	return s.search(ctx, s.ofForced(findings), s.Env.Plan.ForcedGoals(s.Env.Now()))
}

// search searches for goals, package by package and head before base, until a time.
func (s *Stage) search(ctx context.Context, goals []goal, until time.Time) error {
	if s.states == nil {
		s.states, s.searchers = map[branch]*state{}, map[searcherKey]searcher{}
	}
	for _, side := range []version.Side{version.Head, version.Base} {
		for _, p := range s.Calls.Packages {
			var list []goal
			for _, g := range goals {
				if g.side == side && s.packageFor(g) == p {
					list = append(list, g)
				}
			}
			if len(list) == 0 {
				continue
			}
			if err := s.searchIn(ctx, p, side, list, until); err != nil {
				return err
			}
		}
	}
	return nil
}

// packageFor is the package whose calls are to take a goal: its own, else the nearest to
// the change. It is nil where no calls are made.
func (s *Stage) packageFor(g goal) *reach.Package {
	for _, p := range s.Calls.Packages {
		if p.Path == g.Package && p.Search != nil {
			return p
		}
	}
	for _, p := range s.Calls.Packages {
		if p.Search != nil {
			return p
		}
	}
	return nil
}

// searchIn searches for goals of one version with the calls of one package.
func (s *Stage) searchIn(ctx context.Context, p *reach.Package, side version.Side, goals []goal, until time.Time) error {
	x, err := s.searcher(ctx, p, side, goals, until)
	if err != nil {
		return err
	}
	if x.Searcher == nil {
		for _, g := range goals {
			s.states[g.branch] = &state{state: event.GoalNotTried, why: x.why}
		}
		return nil
	}
	sctx, cancel := context.WithTimeout(ctx, s.Env.Until(until))
	defer cancel()
	taken := aim.Taken{}
	for i, g := range goals {
		s.Env.Progress("goals", fmt.Sprintf("%s:%d: %s", g.File, g.Line, g.String()), i, len(goals))
		if sctx.Err() != nil {
			s.states[g.branch] = &state{state: event.GoalNotTried, why: "the time for it was over"}
			continue
		}
		var later []aim.Goal
		for _, y := range goals[i+1:] {
			later = append(later, y.Goal)
		}
		tries, err := x.Search(sctx, g.Goal, later, taken)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case tries.Taken || taken[int(g.at)] != nil:
			s.states[g.branch] = &state{state: event.GoalTaken, tried: tries.Runs}
		case sctx.Err() != nil:
			s.states[g.branch] = &state{state: event.GoalNotFound, tried: tries.Runs, why: "the time was over"}
		case err != nil:
			s.states[g.branch] = &state{state: event.GoalNotTried, tried: tries.Runs, why: "the search failed: " + err.Error()}
		case tries.Infeasible:
			s.states[g.branch] = &state{state: event.GoalNotFound, tried: tries.Runs, why: "proved infeasible: by equations for every path through its function, no input takes it"}
		default:
			s.states[g.branch] = &state{state: event.GoalNotFound, tried: tries.Runs, why: tries.Why}
		}
	}
	return s.compare(ctx, p, sequences(goals, taken), until)
}

// sequences are those that take goals, in the order of the goals.
func sequences(goals []goal, taken aim.Taken) []wire.Sequence {
	var out []wire.Sequence
	seen := map[uint64]bool{}
	for _, g := range goals {
		for _, t := range taken[int(g.at)] {
			if h := t.Sequence.Hash(); !seen[h] {
				seen[h] = true
				out = append(out, t.Sequence)
			}
		}
	}
	return out
}

// compare runs sequences on both versions, and confirms what differs.
func (s *Stage) compare(ctx context.Context, p *reach.Package, list []wire.Sequence, until time.Time) error {
	if len(list) == 0 {
		return nil
	}
	return s.Calls.Adopt(ctx, p, list, until)
}

// searcher builds what searches in a package with the code of a version, unless that was
// done before.
func (s *Stage) searcher(ctx context.Context, p *reach.Package, side version.Side, goals []goal, until time.Time) (searcher, error) {
	key := searcherKey{side, p.Path}
	if x, ok := s.searchers[key]; ok {
		return x, nil
	}
	if took := p.Suite.Took[p.Path]; !s.Env.Plan.Unlimited() && took > s.Env.Until(until) {
		// One version takes about half as long as both. Not kept: later there may be more time.
		return searcher{why: fmt.Sprintf("building what searches would have taken most of the time for it: the tests took %.0f s", took.Seconds())}, nil
	}
	s.Env.Progress("goals", fmt.Sprintf("building %s once more, to see what conditions compare", p.Path), 0, 0)
	v := s.Matching.Versions[side]
	packages := s.Matching.Packages()
	packages[p.Path] = true
	for _, g := range goals {
		packages[g.Package] = true
	}
	program, err := s.Matching.Traced(side, packages)
	if err != nil {
		return searcher{}, err
	}
	bctx, cancel := context.WithTimeout(ctx, s.Env.Until(until))
	defer cancel()
	target, err := s.Builder.Traced(bctx, p.Suite, v, p.Path, program)
	var broken *execute.BuildError
	switch {
	case ctx.Err() != nil:
		return searcher{}, ctx.Err()
	case bctx.Err() != nil:
		return searcher{why: "what searches was not built in time"}, nil
	case errors.As(err, &broken):
		x := searcher{why: "what tells operands does not build here: " + build.Plain(broken.Error())}
		s.searchers[key] = x
		return x, nil
	case err != nil:
		return searcher{}, err
	}
	x := searcher{Searcher: &aim.Searcher{Env: s.Env, Version: v, Flow: s.flow(side), API: p.API, Binary: target, Most: most,
		Exclude: p.API.LeftOut(p.Roles), ExportedOnly: true, Witnesses: wanted, Equations: s.Equations}}
	s.searchers[key] = x
	return x, nil
}
