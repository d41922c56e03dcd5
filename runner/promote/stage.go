package promote

import (
	"context"
	"fmt"
	"time"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/aim"
	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/coverage"
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
	// Equations are asked for what trying does not take; nil for not at all.
	Equations *aim.Equations

	states   map[branch]*state
	order    []goal // of the change, as searched for
	tracings map[tracingKey]*tracing
}

// state is what became of a goal.
type state struct {
	state event.GoalState
	tried int
	why   string
}

const (
	// most is how many executions a goal is given at most; a guess. What they do not reach within
	// that many takes them long, and there are other goals.
	most = 20_000
	// perSequence is how many there are for each sequence of calls, where these are bounded: who
	// wants few calls wants no long search; a guess.
	perSequence = 4
	// leastPerGoal is the least time that a goal is given; a guess: starting the process
	// takes a part of it.
	leastPerGoal = 300 * time.Millisecond
	// wanted is how many inputs are wanted that take a goal: as many as speak against a
	// difference, if none shows it.
	wanted = reach.ManyCalls
)

// executions is how many a goal is given.
func (s *Stage) executions() int {
	if n := s.Calls.MaxSequences; n > 0 {
		return min(most, perSequence*n)
	}
	return most
}

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
	s.open()
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

func (s *Stage) open() {
	if s.states == nil {
		s.states, s.tracings = map[branch]*state{}, map[tracingKey]*tracing{}
	}
}

// packageFor is the package whose calls are to take a goal: its own, else the nearest to
// the change. It is nil where no calls are made.
func (s *Stage) packageFor(g goal) *reach.Package {
	for _, p := range s.Calls.Packages {
		if p.Path == g.Package {
			return p
		}
	}
	if len(s.Calls.Packages) > 0 {
		return s.Calls.Packages[0]
	}
	return nil
}

// searchIn searches for goals of one version with the calls of one package.
func (s *Stage) searchIn(ctx context.Context, p *reach.Package, side version.Side, goals []goal, until time.Time) error {
	x, why, err := s.searcher(ctx, p, side, goals, until)
	if err != nil {
		return err
	}
	if x == nil {
		for _, g := range goals {
			s.states[g.branch] = &state{state: event.GoalNotTried, why: why}
		}
		return nil
	}
	if err := x.Keep(ctx, p.Roles); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for _, g := range goals {
			s.states[g.branch] = &state{state: event.GoalNotTried, why: "the search did not begin: " + err.Error()}
		}
		return nil
	}
	defer x.Close()
	taken := aim.Taken{}
	for i, g := range goals {
		s.Env.Progress("goals", fmt.Sprintf("%s:%d: %s", g.File, g.Line, g.String()), i, len(goals))
		left := s.Env.Until(until)
		if left == 0 {
			s.states[g.branch] = &state{state: event.GoalNotTried, why: "the time for it was over"}
			continue
		}
		var later []aim.Goal
		for _, y := range goals[i+1:] {
			later = append(later, y.Goal)
		}
		// A goal may take twice its part of the time: others are taken on the way, or soon.
		x.Until = s.Env.Now().Add(max(2*left/time.Duration(len(goals)-i), leastPerGoal))
		tries, err := x.Search(ctx, g.Goal, later, taken)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case tries.Infeasible:
			s.states[g.branch] = &state{state: event.GoalInfeasible, tried: tries.Runs}
		case tries.Taken || taken[int(g.at)] != nil:
			s.states[g.branch] = &state{state: event.GoalTaken, tried: tries.Runs}
		case err != nil:
			s.states[g.branch] = &state{state: event.GoalNotTried, tried: tries.Runs, why: "the search failed: " + err.Error()}
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
