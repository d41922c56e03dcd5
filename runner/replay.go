package runner

import (
	"context"
	"encoding/hex"
	"fmt"
	"strconv"

	"github.com/isodelta/isodelta/diff"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/negation"
	"github.com/isodelta/isodelta/runner/outcome"
)

// Replayed is one finding, run again.
type Replayed struct {
	Finding   event.Finding // as it is now
	Confirmed bool          // the same difference in every repetition
	Times     int           // repetitions, in fresh processes on each version
	// SameBase and SameHead are how many repetitions gave what the first did.
	SameBase, SameHead int
	Sites              []ReplayedSite
}

// ReplayedSite is an observation that differs, with its first differing value.
type ReplayedSite struct {
	Text, File string
	Line       int
	Base, Head string
}

// Replay runs one recorded finding again: the trees are laid out and the
// finding's package is built anew, then the test runs in fresh processes.
// opt.Revisions must be the ones that the finding was made with.
func Replay(ctx context.Context, opt Options, f event.Finding, sink event.Sink) (Replayed, error) {
	opt.Packages, opt.Exclude, opt.SkipTests = []string{f.Package}, nil, nil
	opt.Budget = 0
	c, err := open(opt, sink)
	if err != nil {
		return Replayed{}, err
	}
	defer c.close()
	if err := c.prepare(ctx); err != nil {
		return Replayed{}, err
	}
	if err := c.hasPackage(f.Package); err != nil {
		return Replayed{}, fmt.Errorf("finding %s: %w", f.ID, err)
	}
	if c.match.Empty() {
		return Replayed{}, fmt.Errorf("finding %s: the two versions no longer differ in executable code", f.ID)
	}
	c.seed()
	if err := c.openLab(ctx); err != nil {
		return Replayed{}, err
	}
	c.onlySuite = f.Suite
	if err := c.build(ctx); err != nil {
		return Replayed{}, err
	}
	if f.Rung == event.Reached && f.Program != "" {
		return c.replayProgram(ctx, f)
	}
	t, err := c.findTest(f)
	if err != nil {
		return Replayed{}, err
	}
	set, err := c.findSet(f)
	if err != nil {
		return Replayed{}, err
	}
	base, head, err := c.repeat(ctx, t)
	if err == nil && !passed(t.suite, base, head) {
		base, head, err = c.repeatWriting(ctx, t, base, head)
	}
	if err != nil {
		return Replayed{}, err
	}
	c.judge(t, base, head, &event.Baseline{})
	if f.Rung == event.Reached {
		return c.replayPlaced(ctx, t, f)
	}
	return c.replay(ctx, t, set)
}

// hasPackage refuses a package that neither version has.
func (c *comparison) hasPackage(pkg string) error {
	if c.base.packageDir(pkg) == "" && c.head.packageDir(pkg) == "" {
		return &PackageError{pkg, c.head.tree.Module}
	}
	return nil
}

func (c *comparison) findTest(f event.Finding) (*test, error) {
	for _, s := range c.suites {
		for _, t := range s.tests {
			if s.name == f.Suite && t.Package == f.Package && t.Source == f.Test {
				return t, nil
			}
		}
	}
	return nil, fmt.Errorf("finding %s: no test %s in %s's suite of %s", f.ID, f.Test, f.Suite, f.Package)
}

func (c *comparison) findSet(f event.Finding) (negation.Set, error) {
	var set negation.Set
	for _, n := range f.Negations {
		found := false
		for i, p := range c.pairs {
			if c.head.program.Conditions[p.head].ID == n.ID {
				b := outcome.Branch(2 * i)
				if n.Taken {
					b++
				}
				set.Branches = append(set.Branches, b)
				found = true
				break
			}
		}
		if !found {
			return set, fmt.Errorf("finding %s: the condition %s is not there, or not matched, any more", f.ID, n.ID)
		}
	}
	return set, nil
}

func (c *comparison) replay(ctx context.Context, t *test, set negation.Set) (Replayed, error) {
	d := rawDifference{test: t, set: set}
	if len(set.Branches) > 0 {
		d.limit = FuelFor(t.state.fuel)
	}
	for i, v := range []*version{c.base, c.head} {
		s := c.session(t, v)
		r, err := s.Do(ctx, execute.Command{Negations: c.indices(set, v), Fuel: d.limitOr(maxBaselineFuel)})
		s.Close()
		if err != nil {
			return Replayed{}, err
		}
		if i == 0 {
			d.base = r
		} else {
			d.head = r
		}
	}
	d.difference = diff.Compare(d.base, d.head, c.maskOf(d), d.limitOr(maxBaselineFuel))
	conf, ok, err := c.rerun(ctx, d)
	if err != nil {
		return Replayed{}, err
	}
	out := Replayed{Confirmed: ok, Times: c.opt.Repetitions, Finding: c.finding(d, conf),
		SameBase: alike(conf.base), SameHead: alike(conf.head)}
	for _, site := range conf.final.Sites {
		_, _, b, h := diff.Explain(diff.Difference{Sites: []int{site}}, conf.base[0], conf.head[0])
		for _, s := range t.suite.text.Sites {
			if s.ID == site {
				out.Sites = append(out.Sites, ReplayedSite{Text: s.Text, File: s.File, Line: s.Line, Base: b, Head: h})
			}
		}
	}
	return out, nil
}

// alike counts the executions that are like the first.
func alike(runs []outcome.Result) int {
	n := 0
	for _, r := range runs {
		if sites, moved := diff.Unstable([]outcome.Result{runs[0], r}); len(sites) == 0 && !moved {
			n++
		}
	}
	return n
}

// replayProgram runs a reached finding's calls again.
func (c *comparison) replayProgram(ctx context.Context, f event.Finding) (Replayed, error) {
	b, err := hex.DecodeString(f.Program)
	if err != nil {
		return Replayed{}, fmt.Errorf("finding %s: its program is damaged: %w", f.ID, err)
	}
	p, rest, err := harness.Decode(b)
	if err != nil || len(rest) > 0 {
		return Replayed{}, fmt.Errorf("finding %s: its program is damaged", f.ID)
	}
	for _, at := range c.callers() {
		if at.pkg != f.Package {
			continue
		}
		if err := c.openCaller(ctx, at); err != nil {
			return Replayed{}, err
		}
		defer at.campaign.Close()
		d, same, err := at.campaign.Again(ctx, p, c.opt.Repetitions)
		if err != nil {
			return Replayed{}, fmt.Errorf("finding %s: %w", f.ID, err)
		}
		out := Replayed{Finding: f, Times: c.opt.Repetitions, SameBase: same, SameHead: same, Confirmed: same == c.opt.Repetitions}
		if same > 0 {
			out.Finding.Base, out.Finding.Head = shown(d.Base), shown(d.Head)
			out.Finding.Changed = c.changedOf(d)
		}
		return out, nil
	}
	return Replayed{}, fmt.Errorf("finding %s: no calls can be made in %s: its tests do not build", f.ID, f.Package)
}

// replayPlaced lets the finding's test run again, with the call at the entry
// that the finding names.
func (c *comparison) replayPlaced(ctx context.Context, t *test, f event.Finding) (Replayed, error) {
	key, err := strconv.ParseUint(f.Entry, 16, 64)
	if err != nil {
		return Replayed{}, fmt.Errorf("finding %s: %q is no entry", f.ID, f.Entry)
	}
	c.calls.callers = c.callers()
	for _, p := range c.calls.callers {
		p.roles = c.rolesOf(c.api(p.suite, p.pkg))
	}
	targets, ban := c.placeTargets()
	op := targets[c.hooks.Number(f.Function)]
	d := placed{test: t, ban: ban, InPlaceDifference: calls.InPlaceDifference{Hook: c.hooks.Number(f.Function), Key: key}}
	out := Replayed{Finding: f, Times: c.opt.Repetitions}
	for range c.opt.Repetitions {
		now, ok, err := c.explainPlaced(ctx, d)
		if err != nil {
			return Replayed{}, err
		}
		if !ok {
			continue
		}
		component := -1
		for i := range now[0].Output {
			if op.ComponentName(i) == f.Component {
				component = i
			}
		}
		base, head := c.placedResult(now[0], component), c.placedResult(now[1], component)
		if base == f.Base {
			out.SameBase++
		}
		if head == f.Head {
			out.SameHead++
		}
	}
	out.Confirmed = out.SameBase == out.Times && out.SameHead == out.Times
	return out, nil
}
