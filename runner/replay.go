package runner

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/isodelta/isodelta/diff"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/baseline"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/confirm"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/negation/explore"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/paste"
	"github.com/isodelta/isodelta/runner/reach"
	"github.com/isodelta/isodelta/runner/variation"
	"github.com/isodelta/isodelta/runner/version"
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
	opt.VaryTests = f.Varied != nil
	r, err := openRun(ctx, opt, sink)
	if err != nil {
		return Replayed{}, err
	}
	defer r.close()
	if err := r.hasPackage(f.Package); err != nil {
		return Replayed{}, fmt.Errorf("finding %s: %w", f.ID, err)
	}
	if r.matching.Empty() {
		return Replayed{}, fmt.Errorf("finding %s: the two versions no longer differ in executable code", f.ID)
	}
	suites, err := r.build(ctx, func(side version.Side) bool { return f.Suite == "" || f.Suite == side.String() })
	if err != nil {
		return Replayed{}, err
	}
	c := r.compareWith(suites)
	if f.Rung == event.Reached && f.Program != "" {
		return c.replaySequence(ctx, f)
	}
	t, err := c.findTest(f)
	if err != nil {
		return Replayed{}, err
	}
	branches, err := c.findBranches(f)
	if err != nil {
		return Replayed{}, err
	}
	stage := c.baselines()
	results, err := stage.Observe(ctx, t)
	if err != nil {
		return Replayed{}, err
	}
	stage.Judge(t, results, &event.Baseline{})
	if f.Rung == event.Reached {
		return c.replayPlaced(ctx, t, f)
	}
	var varied *variation.Variation
	if f.Varied != nil {
		v, ok := variation.Find(t, *f.Varied)
		if !ok {
			return Replayed{}, fmt.Errorf("finding %s: %s has no %s at %s any more", f.ID, f.Test, f.Varied.Was, event.Position(f.Varied.File, f.Varied.Line))
		}
		varied = &v
	}
	return c.replayTest(ctx, t, branches, varied)
}

func (c *comparison) findTest(f event.Finding) (*baseline.Test, error) {
	for _, t := range c.suites.Tests() {
		if t.Suite.Side.String() == f.Suite && t.Package == f.Package && t.Source == f.Test {
			return &baseline.Test{Test: t}, nil
		}
	}
	return nil, fmt.Errorf("finding %s: no test %s in %s's suite of %s", f.ID, f.Test, f.Suite, f.Package)
}

func (c *comparison) findBranches(f event.Finding) ([]outcome.Branch, error) {
	var out []outcome.Branch
	for _, n := range f.Negations {
		pair, ok := c.matching.Find(n.ID)
		if !ok {
			return nil, fmt.Errorf("finding %s: the condition %s is not there, or not matched, any more", f.ID, n.ID)
		}
		out = append(out, outcome.Of(pair, n.Taken))
	}
	return out, nil
}

// replayTest runs a test again, with branches negated, something varied, or as it is.
func (c *comparison) replayTest(ctx context.Context, t *baseline.Test, branches []outcome.Branch, varied *variation.Variation) (Replayed, error) {
	d := confirm.Difference{Test: t, Branches: branches, Varied: varied, Fuel: baseline.MaxFuel}
	command := execute.Command{}
	if varied != nil {
		command.Varied = varied.Command()
	}
	if len(branches) > 0 || varied != nil {
		d.Fuel = explore.FuelFor(t.Fuel)
	}
	var seen version.Both[outcome.Result]
	for _, side := range version.Sides {
		s := t.Session(c.env.Lab, side)
		var err error
		command.Negations, command.Fuel = c.matching.Negated(side, branches), d.Fuel
		seen[side], err = s.Do(ctx, command)
		s.Close()
		if err != nil {
			return Replayed{}, err
		}
		if varied != nil {
			seen[side] = variation.Came(seen[side])
		}
	}
	d.Base, d.Head = seen[version.Base], seen[version.Head]
	d.Diff = diff.Compare(d.Base, d.Head, d.Masked, d.Fuel)
	again, ok, err := c.queue.Rerun(ctx, d)
	if err != nil {
		return Replayed{}, err
	}
	base, head := again.Results[version.Base], again.Results[version.Head]
	out := Replayed{Confirmed: ok, Times: c.opt.Repetitions, Finding: c.queue.Finding(d, again),
		SameBase: alike(base), SameHead: alike(head)}
	for _, site := range again.Final.Sites {
		x := diff.Explain(diff.Difference{Sites: []int{site}}, base[0], head[0])
		for _, s := range t.Suite.Text.Sites {
			if s.ID == site {
				out.Sites = append(out.Sites, ReplayedSite{Text: s.Text, File: s.File, Line: s.Line, Base: x.Base, Head: x.Head})
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

// replaySequence runs a reached finding's calls again.
func (c *comparison) replaySequence(ctx context.Context, f event.Finding) (Replayed, error) {
	b, err := hex.DecodeString(f.Program)
	if err != nil {
		return Replayed{}, fmt.Errorf("finding %s: its program is damaged: %w", f.ID, err)
	}
	sequence, rest, err := wire.Decode(b)
	if err != nil || len(rest) > 0 {
		return Replayed{}, fmt.Errorf("finding %s: its program is damaged", f.ID)
	}
	if c.calls != nil {
		c.calls.Open()
		for _, p := range c.calls.Packages {
			if p.Path == f.Package {
				again, err := c.calls.Repeat(ctx, p, sequence)
				return c.repeated(f, again, err)
			}
		}
	}
	return Replayed{}, fmt.Errorf("finding %s: no calls can be made in %s: its tests do not build", f.ID, f.Package)
}

// replayPlaced lets the finding's test run again, with the call at the entry
// that the finding names.
func (c *comparison) replayPlaced(ctx context.Context, t *baseline.Test, f event.Finding) (Replayed, error) {
	if c.calls == nil {
		return Replayed{}, fmt.Errorf("finding %s: no calls are made", f.ID)
	}
	c.calls.Open()
	again, err := c.calls.RepeatPlaced(ctx, t, f)
	return c.repeated(f, again, err)
}

// repeated makes a Replayed of a reached finding that was run again.
func (c *comparison) repeated(f event.Finding, again reach.Repeated, err error) (Replayed, error) {
	if err != nil {
		return Replayed{}, fmt.Errorf("finding %s: %w", f.ID, err)
	}
	if again.Changed != nil {
		f.Base, f.Head, f.Changed = again.Base, again.Head, again.Changed
	}
	return Replayed{Finding: f, Times: c.opt.Repetitions, Confirmed: again.Confirmed,
		SameBase: again.Same[version.Base], SameHead: again.Same[version.Head]}, nil
}

// ErrNoTest says that no Go test is recorded for a relation.
var ErrNoTest = errors.New("no Go test is recorded")

// A Rerun says how often a test passed, or a relation held for a group of calls, in fresh
// processes of each version.
type Rerun struct {
	Times      int
	Base, Head int // passed, or held
}

// ReplayGroup runs the group of calls again that shows a relation to be broken, as the
// relation's program has it. Only relations that test binaries are built with have one.
func ReplayGroup(ctx context.Context, opt Options, e event.Relation, sink event.Sink) (Rerun, error) {
	b, err := hex.DecodeString(e.Program)
	if err != nil {
		return Rerun{}, fmt.Errorf("relation %s: its program is damaged: %w", e.ID, err)
	}
	sequence, rest, err := wire.Decode(b)
	if err != nil || len(rest) > 0 || len(sequence) == 0 {
		return Rerun{}, fmt.Errorf("relation %s: its program is damaged", e.ID)
	}
	opt.Packages, opt.Exclude, opt.SkipTests, opt.Budget = []string{e.Package}, nil, nil, 0
	opt.Shard, opt.Shards = 0, 0
	r, err := openRun(ctx, opt, sink)
	if err != nil {
		return Rerun{}, err
	}
	defer r.close()
	if err := r.hasPackage(e.Package); err != nil {
		return Rerun{}, fmt.Errorf("relation %s: %w", e.ID, err)
	}
	if r.idle() || r.registrar == nil {
		return Rerun{}, fmt.Errorf("relation %s: no relations are checked between the two versions", e.ID)
	}
	suites, err := r.build(ctx, both)
	if err != nil {
		return Rerun{}, err
	}
	c := r.compareWith(suites)
	c.calls.Open()
	for _, p := range c.calls.Packages {
		if p.Path != e.Package || !slices.ContainsFunc(p.API.Relations, func(x surface.Registered) bool { return x.ID == e.ID }) {
			continue
		}
		if err := c.calls.Start(ctx, p); err != nil {
			return Rerun{}, err
		}
		defer p.Search.Close()
		held, err := p.Search.GroupAgain(ctx, e.ID, sequence, c.opt.Repetitions)
		return Rerun{Times: c.opt.Repetitions, Base: held[version.Base], Head: held[version.Head]}, err
	}
	return Rerun{}, fmt.Errorf("relation %s: it is none of the relations of %s that are tried", e.ID, e.Package)
}

// ReplayRelation runs the Go test of a broken relation again on both versions. The
// test is code: r must come from where isodelta itself wrote it.
func ReplayRelation(ctx context.Context, opt Options, e event.Relation, sink event.Sink) (Rerun, error) {
	if e.GoTest == "" {
		return Rerun{}, ErrNoTest
	}
	opt.Unchanged = true
	r, err := openRun(ctx, opt, sink)
	if err != nil {
		return Rerun{}, err
	}
	defer r.close()
	if err := r.hasPackage(e.Package); err != nil {
		return Rerun{}, fmt.Errorf("relation %s: %w", e.ID, err)
	}
	stage := &paste.Stage{Env: r.env, Builder: r.builder}
	passed, err := stage.Times(ctx, paste.Test{ID: e.ID, Package: e.Package, Name: calls.TestName(e.Function, e.ID),
		File: calls.TestFile(e.ID), Text: []byte(e.GoTest)}, r.opt.Repetitions)
	return Rerun{Times: r.opt.Repetitions, Base: passed[version.Base], Head: passed[version.Head]}, err
}
