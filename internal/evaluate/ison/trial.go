package ison

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/isodelta/isodelta/diff"
	"github.com/isodelta/isodelta/internal/evaluate/mutant"
	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/baseline"
	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/confirm"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/negation"
	"github.com/isodelta/isodelta/runner/negation/explore"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/version"
)

// trial is one mutant as head, against the foundation as base. The engine's stages
// run it.
type trial struct {
	*faulty
	ground *foundation
	lab    *execute.Lab
	space  *space
	suites *build.Suites
	found  detection

	list list // of the variants that ran last
	// sound are differences that the engine reports, once they are confirmed,
	// doubtful ones those that it only counts (diff.Plausible).
	sound, doubtful *confirm.Queue
}

// list is where a negation set stands for a test, against this mutant.
type list int

const (
	universalList list = iota // no test takes the branch
	uniqueList                // this test does not
	bothList                  // this test takes both branches of the condition
)

func listOf(s negation.Set) list {
	switch {
	case s.Both:
		return bothList
	case s.Universal:
		return universalList
	}
	return uniqueList
}

func newTrial(f *faulty, ground *foundation, m mutant.Mutant, matched map[int]isomorph.Kind, lab *execute.Lab) *trial {
	common := f.unchanged()
	for i := range f.Program.Conditions {
		if kind, ok := matched[i]; ok && common.matched[i] != "" {
			common.matched[i] = kind
		} else {
			delete(common.matched, i)
		}
	}
	common.changed, common.quiet = m.Function, f.quiet(m)
	t := &trial{faulty: f, ground: ground, lab: lab, space: common, suites: f.suites(fmt.Sprintf("%s=%04d", mutant.Variable, m.ID))}
	t.found.Unmatched = len(f.unchanged().matched) - len(common.matched)
	t.sound = confirm.NewQueue(environment(lab, 0), common, t.suites, 1)
	t.doubtful = confirm.NewQueue(environment(lab, 0), common, t.suites, 1)
	return t
}

// quiet says which executions of base are those of the mutant, too: those that do
// not execute the mutated function.
func (f *faulty) quiet(m mutant.Mutant) func(outcome.Result) bool {
	k, marked := f.entry[m.ID]
	return func(base outcome.Result) bool { return marked && !m.Initial && !base.Entered.Has(k) }
}

// run looks for the mutant: with nothing negated, then by the universal list, then
// by the unique one. It ends with the first confirmed difference that the engine
// would report; until then it also takes those that are differences in output, as
// the paper counts them, but not plausible.
func (t *trial) run(ctx context.Context, limit time.Duration, both bool) error {
	tests, err := t.observe(ctx)
	if err != nil {
		return err
	}
	t.space.rank = t.byList(explore.Covered(tests, t.space.Count()))
	st := &explore.Stage{Env: environment(t.lab, limit), Space: t.space, Branches: t.branches(), Depth: 1, Both: both,
		Start: t.start, Saw: t.saw, Differs: t.differs, Each: t.confirm}
	done, err := st.Run(ctx, tests)
	t.found.Pruned, t.found.Cut = done.Pruned, done.Skipped > 0
	if errors.Is(err, errReported) {
		return nil
	}
	return err
}

// observe runs the baseline of the tests that execute the mutated function. Of the
// others, what base does is what the mutant does.
func (t *trial) observe(ctx context.Context) ([]*baseline.Test, error) {
	suite := t.suites.List[0]
	own := map[string]*build.Test{}
	for _, x := range suite.Tests {
		own[x.Name] = x
	}
	suite.Tests = nil
	var tests []*baseline.Test
	for _, b := range t.ground.tests {
		if !t.space.quiet(t.ground.first[b.Name]) {
			suite.Tests = append(suite.Tests, own[b.Name])
			continue
		}
		x := &baseline.Test{Test: own[b.Name], State: b.State}
		x.Reaches, x.Covered = false, t.space.Project(version.Base, b.Covered)
		tests = append(tests, x)
	}
	st := &baseline.Stage{Env: environment(t.lab, 0), Suites: t.suites, Space: t.space, Each: t.observed}
	done, err := st.Run(ctx)
	return append(done.Tests, tests...), err
}

// observed takes a difference with nothing negated, until one is confirmed.
func (t *trial) observed(ctx context.Context, seen baseline.Seen) error {
	if !seen.Differs || t.found.Observed {
		return nil
	}
	t.sound.Add(confirm.Difference{Test: seen.Test, Diff: seen.Difference,
		Base: seen.Results[version.Base][0], Head: seen.Results[version.Head][0]})
	found, err := t.sound.Run(ctx)
	t.found.Observed = len(found) > 0
	return err
}

// byList ranks branches so that the unique list comes after the universal one, whose
// detections are counted apart, and in each what is in the mutated function first.
func (t *trial) byList(covered outcome.Bits) func(outcome.Branch) int {
	return func(b outcome.Branch) int {
		rank := 0
		if t.Program.Conditions[b.Condition()].Function != t.space.changed {
			rank = 1
		}
		if covered.Has(int(b)) {
			rank += 2
		}
		return rank
	}
}

func (t *trial) start(x *baseline.Test, side version.Side) explore.Process {
	process := x.Session(t.lab, side)
	if side == version.Base {
		return remembered{process, t.ground.variants[x.Name]}
	}
	return process
}

// saw books a variant. Those that differ wait for their confirmation as doubtful
// ones, unless the mutant is detected by this list already.
func (t *trial) saw(v explore.Variant) {
	t.list = listOf(v.Set)
	if v.Head != nil {
		t.found.Ran++
	}
	if t.found.by(t.list) {
		return
	}
	if d := v.Difference(); d.Any() && !diff.Plausible(v.Base, *v.Head, t.space.Strict(v.Set.Branches)) {
		t.doubtful.Add(difference(v, d))
	}
}

// differs is given what the engine would report.
func (t *trial) differs(v explore.Variant, d diff.Difference) { t.sound.Add(difference(v, d)) }

func difference(v explore.Variant, d diff.Difference) confirm.Difference {
	return confirm.Difference{Test: v.Test, Branches: v.Set.Branches, Diff: d, Base: v.Base, Head: *v.Head, Fuel: v.Fuel}
}

// errReported ends the exploration: the engine would report the mutant.
var errReported = errors.New("reported")

// confirm runs differences again that came up by one list.
func (t *trial) confirm(ctx context.Context) error {
	found, err := t.sound.Run(ctx)
	if err != nil {
		return err
	}
	if len(found) > 0 {
		t.found.detect(t.list)
		t.found.report(t.list)
		t.found.By = by(found[0])
		return errReported
	}
	if t.found.by(t.list) {
		return nil
	}
	found, err = t.doubtful.Run(ctx)
	if len(found) > 0 {
		t.found.detect(t.list)
	}
	return err
}

func by(f event.Finding) string { return fmt.Sprintf("%s, negated %q", f.Test, f.Negations[0].ID) }
