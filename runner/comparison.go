package runner

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/isodelta/isodelta/diff"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/baseline"
	"github.com/isodelta/isodelta/runner/blame"
	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/confirm"
	"github.com/isodelta/isodelta/runner/contrast"
	"github.com/isodelta/isodelta/runner/coverage"
	"github.com/isodelta/isodelta/runner/expectation"
	"github.com/isodelta/isodelta/runner/negation/explore"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/paste"
	"github.com/isodelta/isodelta/runner/promote"
	"github.com/isodelta/isodelta/runner/reach"
	"github.com/isodelta/isodelta/runner/relation/check"
	"github.com/isodelta/isodelta/runner/variation"
	"github.com/isodelta/isodelta/runner/version"
)

// comparison is a run with what its stages have found so far.
type comparison struct {
	*run
	suites    *build.Suites
	tests     baseline.Result
	alone     aloneTests
	queue     *confirm.Queue
	record    *coverage.Record
	calls     *reach.Stage   // nil where no calls are made
	promote   *promote.Stage // likewise
	relation  *check.Stage   // nil where no relations are checked
	explored  explore.Result
	varied    int          // executions of varied tests
	stopAhead func()       // ends what is built for promote
	ahead     *ahead       // what is built for tests to paste and to find what is to blame
	blames    *blame.Stage // nil before there is a difference
	// rest are findings of the queue: observed and forced ones.
	rest        []event.Finding
	shown       []paste.Shown // tests to paste
	interrupted bool
	edits       expectation.Edits
}

// Compare runs a whole comparison and emits its events. An error means that
// no comparison could be made; the events so far stand. When ctx ends early,
// what was found so far is confirmed, emitted and summed up as interrupted; so
// it is where the comparison lasts much longer than the budget. Compare then
// returns within seconds, also if a test found a way to hold it up.
func Compare(ctx context.Context, opt Options, sink event.Sink) (event.Summary, error) {
	return bounded(ctx, opt, sink, func(ctx context.Context, sink event.Sink) (event.Summary, error) {
		return compareModules(ctx, opt, sink)
	})
}

// compare compares one module, and emits its summary last. It returns the folders of other modules that the change is in and that are to
// be compared, too.
func compare(ctx context.Context, opt Options, sink event.Sink) (others []string, err error) {
	r, err := openRun(ctx, opt, sink)
	if err != nil {
		return nil, err
	}
	defer r.close()
	r.emitVersions()
	if err := r.listExcluded(); err != nil {
		return nil, err
	}
	r.listConstants()
	if r.idle() {
		r.sumUpIdle()
		return r.others, nil
	}
	var c *comparison
	// Whoever waits sees a first difference while the tests of other packages are built.
	r.builder.Nearest = func(ctx context.Context, built *build.Suites) error {
		c = r.compareWith(built)
		return r.phases.measure(r.env, event.PhaseCalls, func() error { return c.callFirst(ctx) })
	}
	suites, err := r.build(ctx, both)
	if err != nil && (c == nil || ctx.Err() == nil) {
		return nil, err
	}
	if c == nil { // nothing was built
		c = r.compareWith(suites)
	}
	c.explore(ctx)
	c.sumUp()
	return r.others, nil
}

// compareWith begins a comparison with what was built.
func (r *run) compareWith(suites *build.Suites) *comparison {
	c := &comparison{run: r, suites: suites, record: &coverage.Record{}, stopAhead: func() {}, ahead: &ahead{}}
	c.readEdits()
	c.queue = confirm.NewQueue(r.env, r.matching, suites, r.opt.PerCluster)
	if r.surface == nil {
		return c
	}
	c.calls = &reach.Stage{Env: r.env, Matching: r.matching, Builder: r.builder, Suites: suites, Surface: r.surface,
		MaxSequences: r.opt.MaxSequences, Named: version.Both[string]{describe(r.revisions[version.Base]), describe(r.revisions[version.Head])}}
	if !r.opt.relationsOnly && r.matching.Pairs != nil {
		c.promote = &promote.Stage{Env: r.env, Matching: r.matching, Builder: r.builder, Calls: c.calls, Record: c.record,
			Equations: r.opt.Solvers.equations(promoteLimit)}
	}
	if r.registrar != nil {
		c.relation = check.NewStage(r.registrar, c.calls)
		c.relation.First = r.opt.FirstSources
		c.relation.Method, c.relation.Cache, c.relation.GoVersion = r.opt.AutoMR, r.opt.Cache, r.chain.Go.GOVERSION
		c.relation.Solver = check.FindSolver()
	}
	return c
}

// explore runs the stages in their order. An error ends them, is listed, and leaves
// what was found.
func (c *comparison) explore(ctx context.Context) {
	defer func() { c.stopAhead() }()
	defer c.ahead.stop()
	var err error
	for _, stage := range []struct {
		name string
		run  func(context.Context) error
	}{
		{event.PhaseBaseline, c.observe},
		{event.PhaseCalls, c.call},
		{event.PhaseBaseline, c.observeAlone},
		{event.PhaseGoals, c.aim},
		{event.PhaseCalls, c.tellApart},
		{event.PhaseVariation, c.vary},
		{event.PhaseRelations, c.relate},
		{event.PhaseNegation, c.negate},
		{event.PhaseConfirm, c.confirmRest},
		{event.PhaseGoals, c.promoteForced},
		{event.PhaseCalls, c.callMore},
		{event.PhaseRelations, c.judge},
		{event.PhaseBlame, c.undo},
		{event.PhaseTests, c.paste},
		{event.PhaseBlame, c.blame},
	} {
		if err == nil {
			err = c.phases.measure(c.env, stage.name, func() error { return stage.run(ctx) })
		}
	}
	c.noteEnd(ctx, err)
}

// noteEnd lists why the stages ended early, if they did.
func (c *comparison) noteEnd(ctx context.Context, err error) {
	switch {
	case ctx.Err() != nil:
		c.interrupted = true
		c.env.Limit(event.Limit{Kind: event.LimitInterrupted, What: "comparison", Reason: endedBy(ctx) + "; what was confirmed by then is reported"})
	case err != nil:
		c.interrupted = true
		c.env.Limit(event.Limit{Kind: event.LimitInfrastructure, What: "comparison", Reason: err.Error()})
	}
}

// pristine returns the folder for copies of packages' folders, see execute.Pristine.
func (c *comparison) pristine() string { return filepath.Join(c.tmp(), "pristine") }

// baselines makes the stage that runs tests as they are.
func (c *comparison) baselines() *baseline.Stage {
	return &baseline.Stage{Env: c.env, Suites: c.suites, Space: c.matching, Folder: c.pristine()}
}

// observe runs the tests as they are, those nearest to the change first, and confirms
// what differs at once.
func (c *comparison) observe(ctx context.Context) error {
	for _, s := range c.suites.List {
		c.matching.Order(s.Tests, c.suites.Edits)
	}
	stage := c.baselines()
	if c.surface != nil {
		stage.Record = c.surface.Record
	}
	stage.Each = func(ctx context.Context, seen baseline.Seen) error {
		c.record.SawTest(seen, c.suites)
		if seen.Differs {
			c.queue.Add(confirm.Difference{Test: seen.Test, Diff: seen.Difference,
				Base: seen.Results[version.Base][0], Head: seen.Results[version.Head][0]})
		}
		return c.confirm(ctx)
	}
	var err error
	c.tests, err = stage.Run(ctx)
	return err
}

// confirm confirms what waits in the queue.
func (c *comparison) confirm(ctx context.Context) error {
	found, err := c.queue.Run(ctx)
	c.rest = append(c.rest, found...)
	return err
}

// callFirst makes a few calls of our own, before the tests run and most are built.
func (c *comparison) callFirst(ctx context.Context) error {
	if c.calls == nil {
		return nil
	}
	c.calls.Open()
	c.calls.Confirmed = c.buildAhead(ctx)
	return c.calls.First(ctx)
}

// call makes calls of our own.
func (c *comparison) call(ctx context.Context) error {
	if c.calls == nil {
		return nil
	}
	c.calls.Open()
	c.calls.Confirmed = c.buildAhead(ctx)
	c.calls.Tests = c.tests.Tests
	if c.promote != nil {
		stop, err := c.promote.Ahead(ctx)
		c.stopAhead = stop
		if err != nil {
			return err
		}
	}
	err := c.calls.Run(ctx)
	c.env.Plan.Found = c.calls.HasTests()
	if err == nil && c.ahead.ready() {
		err = c.undo(ctx)
	}
	return err
}

// aim searches for inputs that take branches of the change.
func (c *comparison) aim(ctx context.Context) error {
	if c.promote == nil {
		return nil
	}
	return c.promote.Change(ctx)
}

// promoteForced searches for inputs that take the branches of forced findings.
func (c *comparison) promoteForced(ctx context.Context) error {
	if c.promote == nil {
		return nil
	}
	return c.promote.Forced(ctx, c.rest)
}

// callMore goes on making calls in the time that is left over.
func (c *comparison) callMore(ctx context.Context) error {
	if c.calls == nil {
		return nil
	}
	return c.calls.More(ctx)
}

// tellApart learns which inputs show the differences that calls show.
func (c *comparison) tellApart(ctx context.Context) error {
	if c.calls == nil || c.opt.relationsOnly || c.matching.Pairs == nil {
		return nil
	}
	stage := &contrast.Stage{Env: c.env, Matching: c.matching, Calls: c.calls}
	return stage.Run(ctx, c.calls.Findings, c.env.Plan.TellingApart(c.env.Now()))
}

// relate checks metamorphic relations.
func (c *comparison) relate(ctx context.Context) error {
	if c.relation == nil {
		return nil
	}
	return c.relation.Run(ctx)
}

// judge judges relations on the inputs of all findings.
func (c *comparison) judge(ctx context.Context) error {
	if c.relation == nil || len(c.calls.Findings) == 0 {
		return nil
	}
	return c.relation.Judge(ctx, c.calls.Findings)
}

// vary runs tests with one of their literals or statements varied, and confirms what differs.
func (c *comparison) vary(ctx context.Context) error {
	if !c.opt.VaryTests || c.undirected() || c.opt.relationsOnly {
		return nil
	}
	stage := &variation.Stage{Env: c.env, Quiet: c.matching.Quiet, Literals: c.literals, Shard: c.opt.Shard, Shards: c.opt.Shards,
		Saw: func(v variation.Variant) { c.record.SawVaried(v.Base.Entered, v.Head.Entered) },
		Differs: func(v variation.Variant, d diff.Difference) {
			c.queue.Add(confirm.Difference{Test: v.Test, Varied: &v.Variation, Diff: d, Base: v.Base, Head: v.Head, Fuel: v.Fuel, Kind: v.Kind})
		}}
	var err error
	c.varied, err = stage.Run(ctx, c.tests.Tests, c.env.Plan.Variation(c.env.Now()))
	if err != nil {
		return err
	}
	return c.confirm(ctx)
}

// literals are what calls in a package are made of; nothing where none are made there.
func (c *comparison) literals(pkg string) surface.Literals {
	if c.calls != nil {
		for _, p := range c.calls.Packages {
			if p.Path == pkg {
				return p.API.Literals
			}
		}
	}
	return surface.Literals{}
}

// negate runs the tests with branches negated, and confirms what differs.
func (c *comparison) negate(ctx context.Context) error {
	if c.undirected() {
		return nil
	}
	covered := explore.Covered(c.tests.Tests, c.matching.Count())
	c.queue.Universal = func(b outcome.Branch) bool { return !covered.Has(int(b)) }
	stage := &explore.Stage{Env: c.env, Space: c.matching, Branches: c.versions[version.Head].Branches(),
		Depth: c.opt.Depth, Universal: c.opt.Universal, Both: c.opt.BothBranches, MaxVariants: c.opt.MaxVariants, Shard: c.opt.Shard, Shards: c.opt.Shards,
		Saw: c.record.SawVariant, Each: c.confirm,
		Differs: func(v explore.Variant, d diff.Difference) {
			c.queue.Add(confirm.Difference{Test: v.Test, Branches: v.Set.Branches, Diff: d, Base: v.Base, Head: *v.Head, Fuel: v.Fuel})
		}}
	var err error
	c.explored, err = stage.Run(ctx, c.tests.Tests)
	if err != nil {
		return err
	}
	return c.confirm(ctx)
}

// confirmRest confirms differences that were like findings that stand already, in half
// of the time that is left.
func (c *comparison) confirmRest(ctx context.Context) error {
	now := c.env.Now()
	found, err := c.queue.Rest(ctx, now.Add(c.env.Plan.Left(now)/2))
	c.rest = append(c.rest, found...)
	return err
}

// findings returns all findings so far: observed, reached and forced ones.
func (c *comparison) findings() []event.Finding {
	var out []event.Finding
	for _, rung := range []event.Rung{event.Observed, event.Reached, event.Forced} {
		list := c.rest
		if rung == event.Reached {
			list = nil
			if c.calls != nil {
				list = c.calls.Classify(c.calls.Through(c.calls.Findings))
			}
		}
		for _, f := range list {
			if f.Rung == rung {
				out = append(out, f)
			}
		}
	}
	return c.withoutRepeats(c.edits.Mark(confirm.Unsettle(out)))
}

// withoutRepeats leaves out what varied tests show of a cause that something else shows, too: that has the plainer
// evidence.
func (c *comparison) withoutRepeats(findings []event.Finding) []event.Finding {
	if !slices.ContainsFunc(findings, func(f event.Finding) bool { return f.Varied != nil }) {
		return findings
	}
	repeats := map[string]bool{}
	known := map[string]bool{} // clusters
	grouped := c.matching.Group(findings)
	for _, f := range grouped {
		known[f.Cluster] = known[f.Cluster] || f.Varied == nil && f.Rung != event.Forced
	}
	for _, f := range grouped {
		repeats[f.ID] = f.Varied != nil && known[f.Cluster]
	}
	return slices.DeleteFunc(findings, func(f event.Finding) bool { return repeats[f.ID] })
}

// readEdits reads what the change says that it expects, while nothing of head has run that
// could write there. Where that cannot be read nothing is marked, and that is listed.
func (c *comparison) readEdits() {
	var err error
	if c.edits, err = expectation.Read(c.versions[version.Base].Root, c.versions[version.Head].Root, c.suites.Changes); err != nil {
		c.env.Limit(event.Limit{Kind: event.LimitInfrastructure, What: "expectations", Reason: err.Error()})
	}
}

// addTest puts a test to paste into its finding.
func addTest(findings []event.Finding, t paste.Shown) {
	for i := range findings {
		if f := &findings[i]; f.ID == t.ID {
			f.GoTest, f.GoTestFile = string(t.Text), t.Path
		}
	}
}

// maxVaried bounds the tests to paste that are written of varied tests.
const maxVaried = 4

// variedTests writes tests to paste for findings of varied tests, one of a cluster.
func (c *comparison) variedTests(grouped []event.Finding) []paste.Test {
	var out []paste.Test
	done := map[string]bool{}
	for _, f := range grouped {
		of, ok := c.queue.Tests[f.ID]
		if !ok || f.Rung != event.Observed || !f.Open() || done[f.Cluster] || len(out) == maxVaried {
			continue
		}
		of.Name, of.Suffix = calls.TestName(f.Test, f.ID), f.ID
		of.Says = "is " + f.Test + variation.Says(*f.Varied) + "."
		if of.Site != nil {
			of.Says += "\n// What it looks at is to be what " + describe(c.revisions[version.Base]) + " gives."
		}
		text, err := of.Write()
		if err != nil {
			continue
		}
		done[f.Cluster] = true
		out = append(out, paste.Test{ID: f.ID, Package: f.Package, Name: of.Name, File: calls.TestFile(f.ID), Text: text})
	}
	return out
}

// paste tries tests to paste. Those that show what their finding or relation says are
// put into it.
func (c *comparison) paste(ctx context.Context) error {
	grouped := c.matching.Group(c.findings())
	tests := c.variedTests(grouped)
	if c.calls != nil {
		tests = append(c.calls.GoTests(grouped), tests...)
	}
	if c.relation != nil {
		tests = append(tests, c.relation.GoTests()...)
	}
	if len(tests) == 0 {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, c.env.Until(c.env.Plan.End()))
	c.ahead.wait(limited)
	cancel()
	stage := &paste.Stage{Env: c.env, Builder: c.builder, Folder: c.pristine()}
	shown, late, err := stage.Try(ctx, tests)
	if late > 0 {
		c.env.Limit(event.Limit{Kind: event.LimitBudget, What: "tests to paste", Reason: fmt.Sprintf("%d were written, and there was no time to try them", late)})
	}
	for _, t := range shown {
		if c.calls != nil {
			addTest(c.calls.Findings, t)
		}
		addTest(c.rest, t)
		if c.relation != nil {
			c.relation.Show(t.ID, string(t.Text), t.Path)
		}
	}
	c.shown = shown
	return err
}
