package build

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/probe"
	"github.com/isodelta/isodelta/runner/revision"
	"github.com/isodelta/isodelta/runner/stage"
	"github.com/isodelta/isodelta/runner/version"
)

// Builder builds the tests of both suites against both versions.
type Builder struct {
	Env      *stage.Env
	Versions version.Both[*Version] // instrumented
	Chain    *Toolchain
	Tags     []string       // build tags
	Asked    []string       // patterns of packages whose tests run; none means ./...
	Exclude  []string       // patterns of packages whose tests do not run
	Skip     *regexp.Regexp // tests left out, nil for none
	// Changed are the packages of Δ; Entries is how many functions it has.
	Changed map[string]bool
	Entries int
	// Everything says that packages are built which link nothing of Δ.
	Everything bool
	// Lacking are the exported fields of a version's structs that the other's do not have.
	Lacking version.Both[[]string]
	// Calls is nil where no calls of our own are made.
	Calls Caller
	// Ahead is what is compiled in advance, nil for nothing.
	Ahead *Ahead
	// Nearest is called once, as soon as the tests of the first package are built that is
	// nearest to the change, while others are not; nil for nobody.
	Nearest func(context.Context, *Suites) error
	// NoTests says that no tests run: packages without any are built as well, and it is no
	// mistake if there is nothing to build.
	// Vary has tests ask what is in the place of their literals and statements.
	Vary    bool
	NoTests bool
	// Cache is a folder in which test binaries are kept for the next run, "" for none.
	Cache string

	altered atomic.Int64 // counts what Altered has built
}

// Caller adds to the test binaries of a package what makes calls of our own.
type Caller interface {
	// Callable reports whether calls can be made in a package that may have no
	// tests.
	Callable(p *load.Package) bool
	// Prepare finds out what can be called in a package.
	Prepare(s *Suite, pkg string)
	// Overlay writes files below gen, and returns what they stand in for in the
	// suite's tree.
	Overlay(s *Suite, v *Version, pkg, gen string) (map[string]string, error)
	// Mend drops what the compiler complains about, and reports whether
	// another build may help. broken is nil for a version that was built.
	Mend(s *Suite, pkg string, broken version.Both[*execute.BuildError]) bool
}

// NoTestsError says that there is nothing to run.
type NoTestsError struct {
	Patterns []string
	// Apart says that no package that was asked for links anything of the change.
	Apart bool
	// Broken are packages that were asked for and build in neither version.
	Broken []load.Broken
}

func (e *NoTestsError) Error() string {
	if len(e.Broken) > 0 {
		b := e.Broken[0]
		return fmt.Sprintf("%s builds in neither version, and nothing else in %v uses what changed, so there is nothing to compare; the compiler says of it: %s", b.Path, e.Patterns, b.Messages[0])
	}
	if e.Apart {
		return fmt.Sprintf("nothing in %v uses what changed, so there is nothing to compare; name packages that do with --packages", e.Patterns)
	}
	return fmt.Sprintf("no tests in %v: isodelta compares what tests do; name packages that have some with --packages", e.Patterns)
}

// Build instruments the tests of both suites and builds them against both
// versions; only those of one suite, where only says so. Packages whose tests do
// not build are listed and left out. The error is a NoTestsError where the change
// touches packages and none of them has tests or can be called.
func (b *Builder) Build(ctx context.Context, only func(version.Side) bool) (*Suites, error) {
	affected := b.Affected()
	suite := func(side version.Side) *Suite {
		own := b.Versions[side]
		return &Suite{Side: side, Own: own, Other: b.Versions[side.Other()], Packages: b.choose(own, affected),
			Dropped: map[string][]string{}, bare: map[string][]string{}, Built: map[string]bool{}, Took: map[string]time.Duration{}}
	}
	head, base := suite(version.Head), suite(version.Base)
	for _, s := range []*Suite{head, base} {
		if err := b.instrument(s); err != nil {
			return nil, err
		}
		b.listUnfit(s)
		var err error
		if s.foreign, err = revision.Overlay(s.Own.Root, s.Other.Root); err != nil {
			return nil, err
		}
		s.past = revision.PastOverlay(s.foreign)
		b.keepTestOnly(s)
	}
	for _, s := range []*Suite{head, base} {
		for _, v := range b.Versions {
			if err := b.Size(s, v).Check(); err != nil {
				return nil, fmt.Errorf("%s: %w", v.Side, err)
			}
		}
	}
	all := NewSuites(head, base)
	var err error
	if all.Changes, err = revision.Changes(b.Versions[version.Base].Root, b.Versions[version.Head].Root); err != nil {
		b.Env.Limit(event.Limit{Kind: event.LimitInfrastructure, What: "files that differ", Reason: err.Error()})
	}
	all.Data = b.changedTestdata(all.Changes)
	keepEdited(base, head, all.Data)
	for _, s := range all.List {
		if only(s.Side) {
			all.Known += s.chosen()
		}
	}
	total := len(head.Packages) + len(base.Packages)
	if total == 0 && len(affected) > 0 && !b.NoTests {
		return nil, &NoTestsError{Patterns: b.Patterns(), Apart: !b.asksFor(affected), Broken: b.askedForBroken()}
	}
	b.Env.Progress("build", "compiling what both versions import", 0, total)
	done, nearest := 0, b.Nearest
	for _, s := range all.List {
		if !only(s.Side) {
			continue
		}
		if err := b.buildSuite(ctx, s, func(pkg string) {
			b.Env.Progress("build", fmt.Sprintf("%s (%s's tests)", pkg, s.Side), done, total)
			done++
		}, func() error {
			if nearest == nil {
				return nil
			}
			defer func() { nearest = nil }()
			return nearest(ctx, all)
		}); err != nil {
			return nil, err
		}
	}
	linked{b.Cache}.prune(maxLinked)
	b.Env.Progress("build", "done", total, total)
	return all, nil
}

// listUnfit lists the packages of a suite that are built without some of their test files.
func (b *Builder) listUnfit(s *Suite) {
	for _, pkg := range s.Packages {
		if p := s.Own.find(pkg); p != nil && len(p.Unfit) > 0 {
			b.Env.Limit(event.Limit{Kind: event.LimitNotBuilt, Suite: s.Side.String(), What: pkg,
				Reason: fmt.Sprintf("%d of its test files do not build, so they are left out, and no test to paste is shown, which would not build beside them: %s", len(p.Unfit), p.Reason)})
		}
	}
}

func (b *Builder) instrument(s *Suite) (err error) {
	s.Text, err = instrument.Tests(s.Own.Tree, instrument.Config{Bare: s.bare, Vary: b.Vary}, s.Dropped)
	return err
}

// instrumentAgain instruments what was not dropped in the meantime.
func (b *Builder) instrumentAgain(s *Suite) error {
	had := map[string]bool{}
	for _, t := range s.Text.Tests {
		had[key(t)] = true
	}
	if err := b.instrument(s); err != nil {
		return err
	}
	// A base suite has been cut down before; keep to what was left.
	s.Text.Tests = slices.DeleteFunc(s.Text.Tests, func(t instrument.Test) bool { return !had[key(t)] })
	return nil
}

// buildSuite builds every package of a suite against both versions. What does
// not build is dropped: declarations first, then the package; all is listed. report is
// told of each package before, built after it was built.
func (b *Builder) buildSuite(ctx context.Context, s *Suite, report func(string), built func() error) error {
	bctx, cancel := context.WithTimeout(ctx, b.Env.Until(b.Env.Plan.Building()))
	defer cancel()
	first, cancelFirst := bctx, context.CancelFunc(func() {})
	if s.Side == version.Head { // the first suite of a run
		first, cancelFirst = context.WithTimeout(ctx, b.Env.Until(b.Env.Plan.FirstBuilding()))
	}
	defer cancelFirst()
	if err := b.Ahead.Wait(first); err != nil && ctx.Err() != nil {
		return err
	}
	for i, pkg := range s.Packages {
		bctx := bctx
		if i == 0 {
			bctx = first
		}
		report(pkg)
		if !b.Env.Plan.MayBuild(i == 0, b.Env.Now()) {
			b.Env.Limit(event.Limit{Kind: event.LimitBudget, Suite: s.Side.String(), What: pkg, Reason: "half of the budget was gone before its tests were built"})
			continue
		}
		begin := b.Env.Now()
		ok, err := b.buildPackage(bctx, s, pkg)
		s.Took[pkg] = b.Env.Now().Sub(begin)
		switch {
		case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
			b.Env.Limit(event.Limit{Kind: event.LimitBudget, Suite: s.Side.String(), What: pkg, Reason: "its tests were not built within the part of the budget that building may take; what was compiled until then is kept, so the next run gets further"})
			continue
		case err != nil:
			return err
		}
		s.Built[pkg] = ok
		if ok {
			if err := built(); err != nil {
				return err
			}
		}
	}
	for _, t := range s.Text.Tests {
		if !s.Built[t.Package] {
			continue
		}
		if t.Reason != "" {
			b.Env.Limit(event.Limit{Kind: event.LimitSetAside, Suite: s.Side.String(), What: t.Name, Reason: t.Reason})
			continue
		}
		if b.Skip != nil && b.Skip.MatchString(t.Source) {
			b.Env.Limit(event.Limit{Kind: event.LimitSetAside, Suite: s.Side.String(), What: t.Name, Reason: "left out by configuration"})
			continue
		}
		dir := s.Own.Dir(filepath.Dir(t.File))
		x := &Test{Test: t, Suite: s}
		for side, v := range b.Versions {
			x.Targets[side] = execute.Target{Binary: b.Binary(s, v, t.Package), Dir: dir, Test: t.Name, Size: b.Size(s, v)}
		}
		s.Tests = append(s.Tests, x)
	}
	slices.SortStableFunc(s.Tests, func(a, b *Test) int {
		return cmp.Compare(slices.Index(s.Packages, a.Package), slices.Index(s.Packages, b.Package))
	})
	return nil
}

const maxRounds = 24 // of dropping declarations

func (b *Builder) buildPackage(ctx context.Context, s *Suite, pkg string) (bool, error) {
	// Preparing cannot be cut off, and it takes seconds in large packages.
	if err := ctx.Err(); err != nil {
		return false, err
	}
	if b.Calls != nil {
		b.Calls.Prepare(s, pkg)
	}
	if err := b.fit(s, pkg); err != nil {
		return false, err
	}
	for range maxRounds {
		var broken version.Both[*execute.BuildError] // own first
		g, gctx := errgroup.WithContext(ctx)
		// One after the other where the tree itself is changed for the second, and
		// where that one finds much compiled.
		if len(s.past) > 0 || b.shared(pkg) > maxAtOnce {
			g.SetLimit(1)
		}
		for i, v := range []*Version{s.Own, s.Other} {
			g.Go(func() error {
				err := b.buildBinary(gctx, s, ordinary(v), pkg)
				if errors.As(err, &broken[i]) {
					return nil
				}
				return err
			})
		}
		if err := g.Wait(); err != nil {
			return false, err
		}
		own, other := broken[0], broken[1]
		if b.Calls != nil && b.Calls.Mend(s, pkg, broken) {
			continue
		}
		switch {
		case own == nil && other == nil:
			return true, nil
		case own != nil && !b.dropFailing(s, own):
			b.Env.Limit(event.Limit{Kind: event.LimitNotBuilt, Suite: s.Side.String(), What: pkg, Reason: "its own version: " + b.complaint(s, own)})
			return false, nil
		case other != nil && !b.dropFailing(s, other):
			b.Env.Limit(event.Limit{Kind: event.LimitNotBuilt, Suite: s.Side.String(), What: pkg, Reason: "against " + s.Other.Side.String() + ": " + b.complaint(s, other)})
			return false, nil
		}
		if err := b.instrumentAgain(s); err != nil {
			return false, err
		}
	}
	b.Env.Limit(event.Limit{Kind: event.LimitNotBuilt, Suite: s.Side.String(), What: pkg,
		Reason: fmt.Sprintf("still does not build after declarations were dropped %d times", maxRounds)})
	return false, nil
}

// complaint is the first thing that the compiler says, in one line.
func (b *Builder) complaint(s *Suite, e *execute.BuildError) string {
	if len(e.At) == 0 {
		return strings.ReplaceAll(Plain(e.Error()), "\n\t", " ")
	}
	at := e.At[0]
	file := b.original(s, at.File)
	if _, inModule, ok := strings.Cut(filepath.ToSlash(at.File), "/pkg/mod/"); ok {
		file = inModule
	}
	text := fmt.Sprintf("%s:%d: %s", Plain(file), at.Line, at.Message)
	if more := len(e.At) - 1; more > 0 {
		text += fmt.Sprintf(", and %d more", more)
	}
	return text
}

// maxAtOnce bounds the unchanged packages that are compiled twice, once by each of two
// go commands at the same time; a guess. With more of them one go command keeps two
// cores busy by itself, and the second finds them compiled.
const maxAtOnce = 3

// shared counts the packages that the tests of one import and that are the same on both
// versions.
func (b *Builder) shared(pkg string) int {
	n := 0
	for path := range b.Versions[version.Head].imported(pkg) {
		if !b.Changed[path] {
			n++
		}
	}
	return n
}

// dropFailing mends what the compiler complains about in test declarations:
// the first time a declaration goes without observations (a call whose result
// is not used need not have one on the other version), the second time it is
// dropped, or one of its rows or subtests, and listed. It reports whether there was something to mend.
func (b *Builder) dropFailing(s *Suite, e *execute.BuildError) bool {
	dropped := false
	mended := map[string]bool{} // in this round
	for _, at := range e.At {
		rel := b.original(s, at.File)
		if !filepath.IsLocal(filepath.FromSlash(rel)) {
			continue // another module's
		}
		name, ok := instrument.DeclAt(s.Own.Tree, rel, at.Line)
		if !ok || slices.Contains(s.Dropped[rel], name) {
			continue
		}
		dropped = true
		if !slices.Contains(s.bare[rel], name) {
			s.bare[rel] = append(s.bare[rel], name)
			mended[rel+name] = true
			continue
		}
		if mended[rel+name] {
			continue
		}
		part := s.smallest(rel, name, at.Line, mended)
		if mended[rel+part] {
			continue
		}
		if part != name { // it may have been the part alone
			s.bare[rel] = slices.DeleteFunc(s.bare[rel], func(d string) bool { return d == name })
		}
		mended[rel+part] = true
		s.Dropped[rel] = append(s.Dropped[rel], part)
		b.Env.Limit(event.Limit{Kind: event.LimitDroppedTest, Suite: s.Side.String(), What: rel + ": " + part,
			Reason: "does not build against " + s.Other.Side.String() + ": " + at.Message})
	}
	return dropped
}

// smallest returns what to drop of a declaration that an error stands in: the row or the subtest of the
// line, else the declaration; that also where it would lose most of them, or where an error stays.
func (s *Suite) smallest(rel, name string, line int, mended map[string]bool) string {
	part, of, ok := instrument.PartAt(s.Own.Tree, rel, line)
	if !ok || slices.Contains(s.Dropped[rel], part) && !mended[rel+part] {
		return name
	}
	lost := 1
	for _, d := range s.Dropped[rel] {
		if strings.HasPrefix(d, name+": ") && d != part {
			lost++
		}
	}
	if lost*2 > of {
		return name
	}
	return part
}

// original returns the file that a generated one stands in for, relative to the tree:
// the compiler names generated files.
func (b *Builder) original(s *Suite, file string) string {
	for _, v := range b.Versions {
		for _, kind := range []string{"tests", "code"} {
			dir := filepath.Join(b.Chain.Tmp, "gen", s.Side.String()+"-"+v.Side.String(), kind) + string(filepath.Separator)
			if rel, ok := strings.CutPrefix(file, dir); ok {
				return filepath.ToSlash(rel)
			}
		}
	}
	return s.Own.Tree.Rel(file)
}

// Plain takes the names of generated folders out of a compiler's words.
func Plain(s string) string {
	return generated().ReplaceAllString(s, "")
}

var generated = lazyregexp.New(`\S*/gen/(head|base)-(head|base)/(tests|code)/`)

// Binary returns the path of a package's test binary: the tests of a suite with the code
// of a version.
func (b *Builder) Binary(s *Suite, v *Version, pkg string) string {
	return b.binary(s, ordinary(v), pkg)
}

func (b *Builder) binary(s *Suite, v code, pkg string) string {
	name := strings.NewReplacer("/", "_", "\\", "_").Replace(pkg)
	return filepath.Join(b.Chain.Tmp, "bin", v.with(s), name+".test")
}

// Size returns how much of the probe's tables the tests of a suite use, with the
// code of a version.
func (b *Builder) Size(s *Suite, v *Version) probe.Size {
	return probe.Size{Conditions: len(v.Program.Conditions), Arms: len(v.Program.Arms), Entries: b.Entries,
		Sites: len(s.Text.Sites) + 1, Module: v.Tree.Module, Lacking: b.Lacking[v.Side]}
}

// buildBinary builds the tests of a package of suite s with the code of v.
func (b *Builder) buildBinary(ctx context.Context, s *Suite, v code, pkg string) error {
	run, err := b.prepareBinary(s, v, pkg)
	if err != nil {
		return err
	}
	return run(ctx)
}

// prepareBinary writes what a binary is built of, and returns what builds it. That may
// run beside other things where the suite's tree is not changed for it (see buildAt).
func (b *Builder) prepareBinary(s *Suite, v code, pkg string) (func(context.Context) error, error) {
	overlay, err := b.writeOverlay(s, v, pkg)
	if err != nil {
		return nil, err
	}
	out := b.binary(s, v, pkg)
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return nil, err
	}
	job := b.job(s, v, pkg, out)
	job.Overlay = overlay
	kept := linked{b.Cache}
	at := kept.file(v.Tree.Module, pkg, v.with(s))
	return func(ctx context.Context) error {
		kept.restore(at, out)
		if err := b.buildAt(ctx, s, v.Version, job); err != nil {
			return err
		}
		kept.keep(out, at)
		return nil
	}, nil
}

// largeProgram is how many conditions a module has at least for its code to be compiled without
// inlining. That halves the time of the compiler, which inlines a count at each condition, and the
// code takes longer then: a guess at where the first is worth more within a minute.
const largeProgram = 1000

// large reports whether one version is so large. Both are compiled in the same way.
func (b *Builder) large() bool {
	return slices.ContainsFunc(b.Versions[:], func(v *Version) bool { return len(v.Program.Conditions) >= largeProgram })
}

// buildAt runs the go command in the suite's tree, as the other version's tests need it.
func (b *Builder) buildAt(ctx context.Context, s *Suite, v *Version, job execute.Build) error {
	if v == s.Own || len(s.past) == 0 {
		return execute.Test(ctx, job)
	}
	restore, err := s.exchange()
	if err != nil {
		return err
	}
	err = execute.Test(ctx, job)
	if broken := restore(); broken != nil {
		// The tree holds the other version's files now: nothing else may count.
		return fmt.Errorf("put the files of %s back: %w", s.Side, broken)
	}
	return err
}
