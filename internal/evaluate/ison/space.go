package ison

import (
	"maps"
	"slices"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/rig"
	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/budget"
	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/stage"
	"github.com/isodelta/isodelta/runner/version"
)

// repetitions of baselines and confirmations, the engine's own.
const repetitions = 5

// rigged is an instrumented binary that is base and head at once: an environment
// variable makes head of it.
type rigged struct{ *rig.Rig }

// suites are the binary's tests that can run, on both versions. head is added to
// head's environment.
func (r rigged) suites(head ...string) *build.Suites {
	index := map[load.Place]int{}
	for _, c := range r.Program.Conditions {
		if c.Negatable {
			index[c.Place] = c.Index
		}
	}
	var versions version.Both[*build.Version]
	for _, side := range version.Sides {
		versions[side] = &build.Version{Side: side, Root: r.Tree.Root, Module: r.Tree.Dir, Tree: r.Tree, Program: r.Program, Index: index}
	}
	s := &build.Suite{Side: version.Head, Own: versions[version.Head], Other: versions[version.Base],
		Packages: []string{r.Tree.Packages[0].Path}, Text: r.Suite}
	for _, t := range r.Suite.Tests {
		if t.Reason != "" {
			continue
		}
		x := &build.Test{Test: t, Suite: s, Targets: version.Both[execute.Target]{r.Target(t.Name), r.Target(t.Name)}}
		x.Targets[version.Head].Env = head
		s.Tests = append(s.Tests, x)
	}
	return &build.Suites{List: []*build.Suite{s}}
}

// branches is how many the binary has.
func (r rigged) branches() int { return 2*len(r.Program.Conditions) + len(r.Program.Arms) }

// environment is what stages of the engine are given. They may go on for some time
// from now; 0 is no limit.
func environment(lab *execute.Lab, limit time.Duration) *stage.Env {
	return &stage.Env{Sink: silence{}, Lab: lab, Plan: budget.Plan{Total: limit, Start: time.Now()}, Now: time.Now, Seed: 1, Repetitions: repetitions}
}

// silence hears the events of stages, which are about one mutant of hundreds.
type silence struct{}

// Emit does nothing.
func (silence) Emit(event.Event) {}

// space is what base and head have in common where both are one binary: a pair is a
// condition of it, with the condition's number.
type space struct {
	program *instrument.Program
	matched map[int]isomorph.Kind     // conditions that may be negated
	quiet   func(outcome.Result) bool // an execution is the same on both
	rank    func(outcome.Branch) int
	changed string // function that holds what makes head another version
}

// unchanged is the space of a binary and itself, in which every condition can be
// negated.
func (r rigged) unchanged() *space {
	s := &space{program: r.Program, matched: map[int]isomorph.Kind{}, quiet: func(outcome.Result) bool { return false },
		rank: func(outcome.Branch) int { return 0 }}
	for _, c := range r.Program.Conditions {
		if c.Negatable {
			s.matched[c.Index] = isomorph.Strict
		}
	}
	return s
}

// Count is how many pairs have a number.
func (s *space) Count() int { return len(s.program.Conditions) }

// Identifier names a pair's condition.
func (s *space) Identifier(pair int) string { return s.program.Conditions[pair].ID }

// Negated are the conditions that branches negate.
func (s *space) Negated(_ version.Side, branches []outcome.Branch) []int {
	out := make([]int, len(branches))
	for i, b := range branches {
		out[i] = b.Condition()
	}
	return out
}

// On is the branch itself.
func (s *space) On(_ version.Side, b outcome.Branch) outcome.Branch { return b }

// Project keeps the branches of conditions that may be negated.
func (s *space) Project(_ version.Side, covered outcome.Bits) outcome.Bits {
	out := outcome.NewBits(2 * s.Count())
	for _, i := range slices.Sorted(maps.Keys(s.matched)) {
		for _, b := range []outcome.Branch{outcome.Of(i, false), outcome.Of(i, true)} {
			if covered.Has(int(b)) {
				out.Add(int(b))
			}
		}
	}
	return out
}

// Strict reports whether all branches are of conditions matched strictly.
func (s *space) Strict(branches []outcome.Branch) bool {
	return !slices.ContainsFunc(branches, func(b outcome.Branch) bool { return s.matched[b.Condition()] != isomorph.Strict })
}

// Rank orders branches, for all tests alike.
func (s *space) Rank(b outcome.Branch, _ *build.Test, _ bool) int { return s.rank(b) }

// Quiet reports whether an execution is the same on both versions.
func (s *space) Quiet(r outcome.Result) bool { return s.quiet(r) }

// Aside reports whether something around the code is another one, which it never is.
func (s *space) Aside(outcome.Result) bool { return false }

// Negation tells of a negated branch.
func (s *space) Negation(b outcome.Branch) event.Negation {
	c := s.program.Conditions[b.Condition()]
	return event.Negation{ID: c.ID, Text: c.Text, Function: c.Function, File: c.File, Line: c.Line,
		Match: string(s.matched[c.Index]), Taken: b.Value()}
}

// Entered names the one function that differs.
func (s *space) Entered([]int) []string { return []string{s.changed} }

// Where is not known better than by the function.
func (s *space) Where([]string) (function, file string, line int) { return s.changed, "", 0 }
