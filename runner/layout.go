package runner

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/isodelta/isodelta/internal/pattern"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/gomod"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/revision"
	"github.com/isodelta/isodelta/runner/version"
)

// layOut resolves the revisions and writes both trees.
func (r *run) layOut(ctx context.Context) error {
	r.env.Progress("revision", "resolving revisions", 0, 0)
	repo, err := revision.Open(r.opt.Dir, r.opt.Objects...)
	if err != nil {
		return err
	}
	rng, err := repo.Resolve(ctx, r.opt.Revisions)
	if err != nil {
		return err
	}
	r.revisions, r.mergeBase = version.Both[revision.Version]{rng.Base, rng.Head}, rng.MergeBase
	for _, side := range version.Sides {
		// Each in a folder of its own: code that reads ".." must not find what the run keeps beside them.
		r.versions[side] = &build.Version{Side: side, Root: filepath.Join(r.tmp(), side.String(), unnamedTree)}
	}
	r.env.Progress("revision", fmt.Sprintf("laying out %s and %s", describe(rng.Base), describe(rng.Head)), 0, 0)
	// A repository does one thing at a time; a second one lets both versions be
	// written at once.
	second, err := revision.Open(r.opt.Dir, r.opt.Objects...)
	if err != nil {
		return err
	}
	g, gctx := errgroup.WithContext(ctx)
	from := version.Both[*revision.Repository]{repo, second}
	for side, v := range r.versions {
		g.Go(func() error {
			notes, err := from[side].Materialise(gctx, r.revisions[v.Side], v.Root)
			for _, n := range notes {
				r.env.Limit(event.Limit{Kind: event.LimitCheckout, What: v.Side.String(), Reason: n})
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	if err := nameTrees(r.versions); err != nil {
		return err
	}
	return r.findModule(ctx, repo.Prefix(), repo.Origin())
}

// findModule takes the module to compare, see chooseModule. A repository from before
// modules gets one.
func (r *run) findModule(ctx context.Context, prefix, origin string) error {
	base, head := r.versions[version.Base], r.versions[version.Head]
	if err := r.makeModules(ctx, origin); err != nil {
		return err
	}
	modules, err := revision.Modules(head.Root)
	if err != nil {
		return err
	}
	var touched map[string]int
	if len(modules) > 1 || prefix == "." {
		if touched, err = r.touched(modules); err != nil {
			return err
		}
	}
	m, ok := r.chooseModule(modules, prefix, touched)
	if !ok {
		return &VersionError{Side: version.Head, What: r.revisions[version.Head].Asked,
			Err: fmt.Errorf("no go.mod in %s or above it: run isodelta in a folder of a Go module", prefix)}
	}
	others, part, err := r.following(modules, m, prefix, touched)
	if err != nil {
		return err
	}
	r.others = others
	switch {
	case len(r.others) > 0:
		r.env.Limit(event.Limit{Kind: event.LimitModule, What: m.Path, Reason: severalModules(len(modules), m, r.others, touched)})
		r.shareBudget(part)
	case len(modules) > 1 && r.opt.Module == "":
		r.env.Limit(event.Limit{Kind: event.LimitModule, What: m.Path, Reason: otherModules(modules, m, prefix, r.opt.Packages, touched)})
	}
	if touched[m.Dir] == 0 {
		r.taking = r.taken(m, touched)
	}
	r.moduleDir = m.Dir
	head.Module, base.Module = head.Dir(m.Dir), base.Dir(m.Dir)
	r.opt.Packages = withinModule(r.opt.Packages, prefix, m.Dir, head.Module)
	r.opt.Exclude = withinModule(r.opt.Exclude, prefix, m.Dir, head.Module)
	if _, err := os.Stat(filepath.Join(base.Module, "go.mod")); err != nil {
		return &VersionError{Side: version.Base, What: r.revisions[version.Base].Asked,
			Err: fmt.Errorf("%s/go.mod does not exist: the module is new on head, so there is nothing to compare it with", m.Dir)}
	}
	if r.opt.Loaded == nil { // who asks for the trees wants to know that the path is another
		if err := r.renameModule(m); err != nil {
			return err
		}
	}
	return nil
}

// renameModule gives base's module the path that head's has. Packages, functions and types
// are the same ones where their paths are.
func (r *run) renameModule(head revision.Module) error {
	base := r.versions[version.Base]
	modules, err := revision.Modules(base.Root)
	if err != nil {
		return err
	}
	for _, m := range modules {
		if m.Dir != head.Dir || m.Path == head.Path || m.Err != nil || head.Err != nil {
			continue
		}
		r.env.Limit(event.Limit{Kind: event.LimitCommits, What: "base",
			Reason: "module " + m.Path + " was given the path that it has on head, " + head.Path + ", also where it imports packages of its own"})
		if err := gomod.Rename(base.Module, m.Path, head.Path); err != nil {
			return r.versionError(version.Base, err)
		}
	}
	return nil
}

// makeModules gives each version that has Go files and no go.mod at all the other's, or
// both of them a new one.
func (r *run) makeModules(ctx context.Context, origin string) error {
	var without version.Both[bool]
	for side, v := range r.versions {
		modules, err := revision.Modules(v.Root)
		if err != nil {
			return err
		}
		without[side] = len(modules) == 0
		if without[side] && !gomod.HasGo(v.Root) {
			return nil
		}
	}
	base, head := r.versions[version.Base], r.versions[version.Head]
	switch without {
	case version.Both[bool]{}:
		return nil
	case version.Both[bool]{true, true}:
		p := gomod.Path(head.Root, origin)
		r.env.Progress("revision", "no go.mod: making one for module "+p, 0, 0)
		if err := gomod.Make(ctx, head.Root, p, r.chain.Env()); err != nil {
			return r.versionError(version.Head, err)
		}
		if err := gomod.Copy(ctx, head.Root, base.Root, r.chain.Env()); err != nil {
			return r.versionError(version.Base, err)
		}
		r.env.Limit(event.Limit{Kind: event.LimitModule, What: p,
			Reason: "the repository has no go.mod: both versions were given one, with the latest versions of what they import"})
		return nil
	}
	from, to := head, base
	if without[version.Head] {
		from, to = base, head
	}
	if _, err := os.Stat(filepath.Join(from.Root, "go.mod")); err != nil {
		return nil
	}
	r.env.Limit(event.Limit{Kind: event.LimitModule, What: to.Side.String(),
		Reason: fmt.Sprintf("%s has no go.mod: it was given that of %s", to.Side, from.Side)})
	if err := gomod.Copy(ctx, from.Root, to.Root, r.chain.Env()); err != nil {
		return r.versionError(to.Side, err)
	}
	return nil
}

// loadTrees type-checks both versions.
func (r *run) loadTrees(ctx context.Context) error {
	r.env.Progress("load", "type-checking base and head", 0, 0)
	var listed version.Both[*load.Listing]
	var added version.Both[bool] // to go.sum
	whole := ctx                 // that of listing ends with it, and compiling goes on
	begin := r.env.Now()
	differing, err := r.differing()
	if err != nil {
		return err
	}
	patterns := r.patterns(differing)
	if err := r.onBoth(ctx, func(ctx context.Context, v *build.Version) (err error) {
		opt := load.Options{Root: v.Root, Dir: v.Module, Patterns: patterns[v.Side], Tags: r.opt.Tags, Env: r.chain.Env(), Partly: true}
		if v.Side == version.Head {
			opt.Listed = func(outside load.Outside) { r.compileAhead(whole, differing, outside) }
		}
		listed[v.Side], err = load.List(ctx, opt)
		if opt.Patterns != nil && (err != nil || listed[v.Side].Complains()) && ctx.Err() == nil {
			opt.Patterns = nil // what all of it is may be no better, and is what the user knows
			listed[v.Side], err = load.List(ctx, opt)
		}
		if !load.LacksSums(listed[v.Side], err) {
			return err
		}
		added[v.Side] = true
		if gomod.AddSums(ctx, v.Module, r.chain.Env()) != nil && ctx.Err() != nil {
			return ctx.Err()
		}
		opt.Listed = nil
		listed[v.Side], err = load.List(ctx, opt)
		return err
	}); err != nil {
		return err
	}
	if took := r.env.Now().Sub(begin); r.opt.Budget > 0 && took > max(r.opt.Budget/listingShare, usualListing) {
		r.env.Limit(event.Limit{Kind: event.LimitModule, What: "what is imported",
			Reason: fmt.Sprintf("listing packages took %.0f s of the budget, most likely to fetch modules: go mod download before a run gives it that time", took.Seconds())})
	}
	for _, side := range version.Sides {
		if added[side] {
			r.env.Limit(event.Limit{Kind: event.LimitModule, What: side.String(),
				Reason: "go.sum lacks entries that the go command wants for ./...: they were added in the copy that was compared; go mod tidy adds them"})
		}
	}
	wanted := r.reachable(listed, differing)
	if err := r.onBoth(ctx, func(ctx context.Context, v *build.Version) (err error) {
		v.Tree, err = listed[v.Side].Load(ctx, wanted)
		return err
	}); err != nil {
		return err
	}
	r.goWithout(ctx)
	if err := r.leaveOutBroken(); err != nil || r.opt.Loaded == nil {
		return err
	}
	return r.opt.Loaded(r.versions[version.Base].Tree, r.versions[version.Head].Tree)
}

// onBoth does something for both versions at once.
func (r *run) onBoth(ctx context.Context, do func(context.Context, *build.Version) error) error {
	g, gctx := errgroup.WithContext(ctx)
	for _, v := range r.versions {
		g.Go(func() error {
			err := do(gctx, v)
			if err != nil && gctx.Err() == nil {
				return r.versionError(v.Side, err)
			}
			return err
		})
	}
	return g.Wait()
}

// whole reports whether all packages are wanted, whatever the change can reach.
func (r *run) whole() bool {
	return r.opt.Unchanged || r.opt.relationsOnly || r.opt.Loaded != nil || len(r.opt.Relations)+len(r.opt.Categories) > 0
}

// differing are the files that differ, slash-separated and relative to the trees, sorted.
func (r *run) differing() ([]string, error) {
	head, base := r.versions[version.Head], r.versions[version.Base]
	overlay, err := revision.Overlay(head.Root, base.Root)
	if err != nil {
		return nil, err
	}
	var out []string
	for file := range overlay {
		rel, err := filepath.Rel(head.Root, file)
		if err != nil {
			return nil, err
		}
		out = append(out, filepath.ToSlash(rel))
	}
	slices.Sort(out)
	return out, nil
}

// asked reports of a package of a module whether it is asked for; nil where nothing is asked for. A replay has what the run
// had, and takes its time.
func (r *run) asked(module string) func(path string) bool {
	if len(r.opt.Packages) == 0 || r.opt.Budget <= 0 {
		return nil
	}
	return func(path string) bool { return pattern.Any(r.opt.Packages, module, path) }
}

// patterns returns what is to be listed of each version, nil for all of it: of a large module what the change may reach.
func (r *run) patterns(differing []string) version.Both[[]string] {
	if r.whole() {
		return version.Both[[]string]{}
	}
	head, base := r.versions[version.Head], r.versions[version.Base]
	o := load.ReadOutline([2]string{base.Root, head.Root}, [2]string{base.Module, head.Module}, r.opt.Tags)
	if o == nil {
		return version.Both[[]string]{}
	}
	return o.Patterns(differing, r.asked(o.Module()))
}

// reachable returns the packages that the change can reach, by import path; nil where all
// are wanted: they are few, or somebody asked for what has nothing to do with the change.
func (r *run) reachable(listed version.Both[*load.Listing], differing []string) map[string]bool {
	if r.whole() {
		return nil
	}
	asked, besides := r.asked(listed[version.Head].Module()), ""
	if asked != nil {
		besides = ", nor what the packages asked for do not need"
	}
	wanted := load.Reachable(listed[version.Base], listed[version.Head], differing, asked)
	if wanted != nil {
		r.env.Limit(event.Limit{Kind: event.LimitNotNegated, What: "packages without the change",
			Reason: fmt.Sprintf("the change can reach %d packages, tests included; the others were not loaded%s", len(wanted), besides)})
	}
	return wanted
}

// compileAhead begins to compile what the tests of folders with other files on head, and of packages that import
// a module whose version changes, link from outside the module. Which packages' tests are built is known only after the
// matching; these are likely to come first.
func (r *run) compileAhead(ctx context.Context, differing []string, outside load.Outside) {
	base, head := r.versions[version.Base], r.versions[version.Head]
	concern := load.Concern{Dirs: map[string]bool{}, Modules: gomod.Upgraded(base.Module, head.Module), Asked: func(module, path string) bool {
		asked := r.asked(module)
		return asked == nil || asked(path)
	}}
	for _, file := range differing {
		concern.Dirs[filepath.Dir(filepath.Join(head.Root, filepath.FromSlash(file)))] = true
	}
	if packages := outside(concern); len(packages) > 0 {
		r.ahead = r.chain.CompileAhead(ctx, head.Module, r.opt.Tags, packages, r.opt.Budget/seededShare)
	}
}

// Listing packages that takes longer than listingShare of the budget, and than usualListing, is told: it is a second or
// two where nothing is to be fetched. Both are guesses.
const (
	listingShare = 6
	usualListing = 5 * time.Second
)

// seededShare says that compiling for the deterministic run time may take a quarter of the
// budget, where everything is compiled without it.
const seededShare = 4

// goWithout goes without the deterministic run time where compiling for it takes too long.
func (r *run) goWithout(ctx context.Context) {
	size := r.ahead.Extra(ctx)
	if size == 0 {
		return
	}
	r.chain.Patch = nil
	r.unseeded = fmt.Errorf("for it, %.1f MB of source that this module imports would have to be compiled again, which takes more than a quarter of the budget; a run with more time does that, and what it compiles is kept",
		float64(size)/1e6)
}

// versionError returns the error of a version that cannot be used.
func (r *run) versionError(side version.Side, err error) error {
	return &VersionError{Side: side, What: describe(r.revisions[side]), Err: err}
}

func describe(v revision.Version) string {
	if v.Worktree {
		return "the working tree"
	}
	short := v.Commit
	if len(short) > 10 {
		short = short[:10]
	}
	if v.Asked == "" || strings.HasPrefix(v.Commit, v.Asked) {
		return short
	}
	return v.Asked + " (" + short + ")"
}

func (r *run) versionsEvent() event.Versions {
	side := func(side version.Side) event.Side {
		v := r.revisions[side]
		return event.Side{Asked: v.Asked, Commit: v.Commit, Worktree: v.Worktree, Subject: v.Subject}
	}
	return event.Versions{Type: "versions", Base: side(version.Base), Head: side(version.Head),
		MergeBase: r.mergeBase, ModuleDir: r.moduleDir, Module: r.module()}
}
