package runner

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/isodelta/isodelta/internal/scratch"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/budget"
	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/matching"
	"github.com/isodelta/isodelta/runner/reach"
	"github.com/isodelta/isodelta/runner/relation/check"
	"github.com/isodelta/isodelta/runner/relation/declare"
	"github.com/isodelta/isodelta/runner/revision"
	"github.com/isodelta/isodelta/runner/stage"
	"github.com/isodelta/isodelta/runner/version"
)

// run is both versions, matched and ready to be built: what a comparison, a check of
// relations and each replay begin with.
type run struct {
	opt       Options
	budget    time.Duration // for all modules together
	env       *stage.Env
	folder    *scratch.Folder
	revisions version.Both[revision.Version]
	mergeBase bool
	moduleDir string
	taking    []string // other modules of the repository that the change is in and that this one takes from their folders
	others    []string // folders of modules that are compared after this one, see following
	versions  version.Both[*build.Version]
	chain     *build.Toolchain
	matching  *matching.Matching
	surface   *reach.Surface   // nil where no calls are made
	registrar *check.Registrar // nil where no relations are checked
	builder   *build.Builder
	declared  declare.Compiled // in the configuration
	ahead     *build.Ahead
	unseeded  error // why there is no deterministic run time, nil where there is one
	phases    phases
	first     *first
	// endLoading cancels the context that both versions were loaded with; nil where it has no deadline.
	endLoading context.CancelFunc
}

// openRun lays both versions out, loads, matches and instruments them, and opens the
// laboratory. Where there is nothing to do (see idle), it stops after the matching.
// The run is to be closed.
func openRun(ctx context.Context, opt Options, sink event.Sink) (_ *run, err error) {
	r, err := newRun(opt, sink)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			r.close()
		}
	}()
	if err := r.phases.measure(r.env, "load", func() error { return r.prepare(ctx) }); err != nil {
		return nil, err
	}
	if r.idle() {
		return r, nil
	}
	r.listUnseeded()
	return r, r.openLab(ctx)
}

// newRun makes a run of which nothing is laid out yet.
func newRun(opt Options, sink event.Sink) (*run, error) {
	if opt.Repetitions < 1 {
		opt.Repetitions = 5
	}
	folder, err := scratch.Make(opt.Temp)
	if err != nil {
		return nil, err
	}
	plan := budget.Plan{Total: opt.Budget, Start: time.Now(), RelationsOnly: opt.relationsOnly}
	r := &run{opt: opt, budget: opt.Budget, folder: folder, chain: &build.Toolchain{Tmp: folder.Path()},
		first: &first{sink: &fitting{sink: sink}, now: time.Now},
		env:   &stage.Env{Plan: plan, Now: time.Now, Seed: opt.Seed, Repetitions: opt.Repetitions}}
	r.env.Sink = r.first
	return r, nil
}

func (r *run) close() {
	r.ahead.Stop()
	if r.endLoading != nil {
		r.endLoading()
	}
	r.folder.Close()
}

// tmp is the path of the run's own folder.
func (r *run) tmp() string { return r.folder.Path() }

func (r *run) module() string { return r.versions[version.Head].Tree.Module }

// idle reports whether the versions do not differ in executable code, and are not to
// be explored all the same.
func (r *run) idle() bool { return r.matching.Empty() && !r.opt.Unchanged }

// prepare does everything up to the matching, while there is time for it: see loadingEnds.
func (r *run) prepare(ctx context.Context) error {
	if r.opt.Budget <= 0 {
		return r.load(ctx)
	}
	// What compiles beside other stages has this context, too: it is cancelled when the run is closed.
	limited, cancel := context.WithDeadlineCause(ctx, r.loadingEnds(), errLoading)
	r.endLoading = cancel
	err := r.load(limited)
	if err != nil && ctx.Err() == nil && errors.Is(context.Cause(limited), errLoading) {
		return fmt.Errorf("nothing could be compared within the budget of %s: it ended while both versions were loaded. What was fetched and compiled until then is kept, so the next run gets further; "+
			"go mod download && go build ./... before a run takes it off the budget, or give it a longer one", r.opt.Budget)
	}
	return err
}

// errLoading is why a context ends when loading both versions has taken all the time there is.
var errLoading = errors.New("the budget ended")

// minLoading is what loading may take at least; a guess: less than that hardly loads anything where nothing is compiled yet.
const minLoading = 30 * time.Second

// loadingEnds is when loading has to end. A module after the first one has no more than its part of the budget.
func (r *run) loadingEnds() time.Time {
	at := r.env.Plan.Start.Add(minLoading)
	if end := r.env.Plan.Loading(); end.After(at) || r.opt.Module != "" {
		return end
	}
	return at
}

// load lays both versions out, loads and matches them.
func (r *run) load(ctx context.Context) error {
	if err := r.layOut(ctx); err != nil {
		return err
	}
	for _, side := range []version.Side{version.Head, version.Base} {
		err := r.chain.Find(ctx, r.versions[side].Module)
		var refused *build.EnvError
		if errors.As(err, &refused) {
			return r.versionError(side, err)
		}
		if err != nil {
			return err
		}
	}
	if err := r.checkGoLines(); err != nil {
		return err
	}
	if err := r.chain.Link(); err != nil {
		return err
	}
	if err := r.leaveWorkspace(ctx); err != nil {
		return err
	}
	if r.opt.Seeded {
		r.unseeded = r.chain.Seed()
	}
	for _, part := range []func(context.Context) error{r.loadTrees, r.compileDeclared, r.match} {
		// What is left takes seconds for code of tens of megabytes, and does not look at the time itself.
		if err := errors.Join(part(ctx), ctx.Err()); err != nil {
			return err
		}
	}
	return nil
}

// compileDeclared type-checks the relations and categories that the configuration
// declares.
func (r *run) compileDeclared(ctx context.Context) (err error) {
	if r.opt.NoRelations {
		return nil
	}
	r.declared, err = declare.Compile(ctx, r.opt.ConfigFile, r.opt.Relations, r.opt.Categories,
		r.versions[version.Base].Tree, r.versions[version.Head].Tree)
	for _, l := range r.declared.Limits {
		r.env.Limit(event.Limit{Kind: event.LimitRelations, What: "declared relations", Reason: l})
	}
	return err
}

// match matches both versions, instruments their code, and pairs their conditions.
func (r *run) match(ctx context.Context) (err error) {
	r.env.Progress("match", "matching control-flow graphs", 0, 0)
	how := matching.Options{Strict: r.opt.Strict, NoPrune: r.opt.NoPrune || r.opt.Unchanged}
	if r.matching, err = matching.Of(ctx, r.versions, how); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r.builder = &build.Builder{Env: r.env, Versions: r.versions, Chain: r.chain, Tags: r.opt.Tags, Cache: r.opt.Cache, Ahead: r.ahead,
		Asked: r.opt.Packages, Vary: r.opt.VaryTests, Exclude: r.opt.Exclude, Skip: r.opt.SkipTests,
		Changed: r.matching.Packages(), Entries: len(r.matching.Names),
		Everything: r.opt.Unchanged || len(r.matching.PruneBlockers) > 0, NoTests: r.opt.relationsOnly}
	if r.idle() {
		return nil
	}
	r.env.Plan.Upgrade = r.matching.OnlyDependencies && len(r.matching.Changed) > 0
	for side, v := range r.versions {
		r.builder.Lacking[side] = load.Lacking(v.Tree, r.versions[v.Side.Other()].Tree)
	}
	r.fetchVendored(ctx)
	r.prepareCalls()
	for _, v := range r.versions {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := r.instrument(v.Side); err != nil {
			return r.versionError(v.Side, err)
		}
	}
	r.matching.Pair(how)
	return nil
}

// prepareCalls prepares calls of our own, and the relations of what is called. Each shard
// checks the relations of its share of the functions.
func (r *run) prepareCalls() {
	if r.opt.NoCalls || r.undirected() {
		return
	}
	r.surface = reach.NewSurface(r.env, r.matching)
	r.surface.GOROOT, r.surface.Folder, r.surface.Everything = r.chain.Go.GOROOT, r.tmp(), r.opt.relationsOnly
	r.builder.Calls = r.surface
	if r.opt.NoRelations {
		return
	}
	r.registrar = &check.Registrar{Env: r.env, Matching: r.matching, Surface: r.surface, Declared: r.declared, Tests: r.versions[version.Base].Tree, Everything: r.opt.relationsOnly,
		Share: check.Share{Shard: r.opt.Shard, Shards: r.opt.Shards}}
	r.surface.Register = r.registrar.Register
}

func (r *run) instrument(side version.Side) error {
	var hooks map[load.Place]int
	if r.surface != nil {
		hooks = r.surface.Hooks.At[side]
	}
	if err := r.matching.Instrument(side, r.opt.Generated, hooks); err != nil {
		return err
	}
	for _, s := range r.versions[side].Program.Skipped {
		r.env.Limit(event.Limit{Kind: event.LimitNotNegated, What: side.String() + ":" + s.File, Reason: s.Reason})
	}
	return nil
}

// emitVersions emits what is known of the run before anything is built.
func (r *run) emitVersions() {
	r.env.Sink.Emit(r.configEvent())
	r.env.Sink.Emit(r.versionsEvent())
	r.env.Sink.Emit(r.matching.Event())
	r.listDependencies()
	r.builder.ListUnmatched()
}

// build builds the tests of both suites, or of one.
func (r *run) build(ctx context.Context, only func(version.Side) bool) (suites *build.Suites, err error) {
	err = r.phases.measure(r.env, "build", func() error {
		suites, err = r.builder.Build(ctx, only)
		return err
	})
	return suites, err
}

// both reports whether a suite is built where both are: always.
func both(version.Side) bool { return true }

// hasPackage refuses a package that neither version has.
func (r *run) hasPackage(pkg string) error {
	for _, v := range r.versions {
		if v.PackageDir(pkg) != "" {
			return nil
		}
	}
	return &PackageError{pkg, r.module()}
}

// fitting keeps what is emitted to what a stream may hold. What is too much is left
// out; the counts of the summary stay.
type fitting struct {
	mu      sync.Mutex
	counter event.Counter
	sink    event.Sink
}

func (s *fitting) Emit(e event.Event) {
	s.mu.Lock()
	err := s.counter.Add(e)
	s.mu.Unlock()
	if err == nil {
		s.sink.Emit(event.Fit(e))
	}
}
