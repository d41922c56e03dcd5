package promote

import (
	"cmp"
	"slices"

	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/aim"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/matching"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/version"
)

// branch is one branch of one version.
type branch struct {
	side version.Side
	at   outcome.Branch // as package probe numbers it
}

// goal is a branch that an input is wanted for.
type goal struct {
	branch
	aim.Goal
}

// rank orders goals; the least come first.
type rank struct {
	aside   bool // not in a function of Δ, but on the way to one
	hidden  bool // nothing next to it was executed
	matched bool // the other version has it, too
}

func (r rank) compare(o rank) int {
	return cmp.Or(falseFirst(r.hidden, o.hidden), falseFirst(r.aside, o.aside), falseFirst(r.matched, o.matched))
}

func falseFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// maxGoals bounds the branches of the change that inputs are searched for; a guess.
const maxGoals = 40

// neverTaken returns the branches of Δ, and those that lead to it, that nothing took. Of
// those that both versions have it returns head's.
func (s *Stage) neverTaken() []goal {
	type ranked struct {
		goal
		rank
	}
	var all []ranked
	for _, side := range []version.Side{version.Head, version.Base} {
		v := s.Matching.Versions[side]
		taken := s.taken(side)
		paired := map[int]bool{}
		for _, p := range s.Matching.Pairs {
			paired[p.At[side]] = true
		}
		add := func(b outcome.Branch, r rank) {
			if taken[int(b)] == 0 && !(r.matched && side == version.Base) {
				all = append(all, ranked{goal{branch{side, b}, aim.At(v.Tree, v.Program, b)}, r})
			}
		}
		within := s.changedLines(side)
		toward, _ := s.flow(side).Ahead(isomorph.Goal{Functions: s.changedFunctions(side)})
		for _, c := range v.Program.Conditions {
			changed := within(c.File, c.Line)
			for k, value := range []bool{false, true} {
				b := outcome.Of(c.Index, value)
				ways, leads := toward.Outcomes[c.Place]
				if changed || leads && ways[k] >= 0 && ways[1-k] < 0 {
					add(b, rank{aside: !changed, hidden: taken[int(b.Sibling())] == 0, matched: paired[c.Index]})
				}
			}
		}
		for _, a := range v.Program.Arms {
			// An arm is paired with none, but head's stands for both.
			if side == version.Head && within(a.File, a.Line) {
				add(outcome.Arm(len(v.Program.Conditions), a.Index), rank{matched: true})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return a.rank.compare(b.rank) })
	var out []goal
	for _, x := range all[:min(len(all), maxGoals)] {
		out = append(out, x.goal)
	}
	return out
}

// taken counts the tests and calls that took each branch of a version.
func (s *Stage) taken(side version.Side) map[int]int {
	out := map[int]int{}
	for b, n := range s.Record.Tests(side) {
		out[b] += n
	}
	for b, n := range s.Calls.Taken(side) {
		out[b] += n
	}
	return out
}

// flow is a version's control flow.
func (s *Stage) flow(side version.Side) *isomorph.Program {
	if side == version.Base {
		return s.Matching.Base
	}
	return s.Matching.Head
}

// changedFunctions are where a version declares the functions of Δ.
func (s *Stage) changedFunctions(side version.Side) map[load.Place]bool {
	out := map[load.Place]bool{}
	for _, f := range s.Matching.Changed {
		if span := matching.Span(f, side); span != nil {
			out[span.Place] = true
		}
	}
	return out
}

// changedLines tells the lines of functions of Δ.
func (s *Stage) changedLines(side version.Side) func(file string, line int) bool {
	spans := map[string][]*isomorph.Span{}
	for _, f := range s.Matching.Changed {
		if span := matching.Span(f, side); span != nil {
			spans[span.File] = append(spans[span.File], span)
		}
	}
	return func(file string, line int) bool {
		return slices.ContainsFunc(spans[file], func(x *isomorph.Span) bool { return x.Line <= line && line <= x.EndLine })
	}
}

// ofForced returns the branches that forced findings negate and that few calls take.
func (s *Stage) ofForced(findings []event.Finding) []goal {
	var out []goal
	seen := map[branch]bool{}
	for _, f := range findings {
		if f.Rung != event.Forced || f.Intended {
			continue
		}
		for _, n := range f.Negations {
			pair, ok := s.Matching.Find(n.ID)
			if !ok || n.Inverted {
				continue
			}
			x := branch{version.Head, s.Matching.On(version.Head, outcome.Of(pair, n.Taken))}
			if st := s.states[x]; seen[x] || st != nil && st.state == event.GoalNotFound || s.Calls.Taken(x.side)[int(x.at)] > wanted {
				continue
			}
			seen[x] = true
			v := s.Matching.Versions[x.side]
			out = append(out, goal{x, aim.At(v.Tree, v.Program, x.at)})
		}
	}
	return out
}
