package runner

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/revision"
)

// version is one side of the comparison.
type version struct {
	side    string // base or head
	root    string // of its tree
	module  string // directory of the module, absolute
	tree    *load.Tree
	program *instrument.Program
	index   map[instrument.Key]int // of negatable conditions
}

// dir is the directory of a package in the tree.
func (v *version) dir(rel string) string { return filepath.Join(v.root, filepath.FromSlash(rel)) }

// layOut resolves the revisions and writes both trees.
func (c *comparison) layOut(ctx context.Context) error {
	c.progress("revision", "resolving revisions", 0, 0)
	repo, err := revision.Open(c.opt.Dir, c.opt.Objects...)
	if err != nil {
		return err
	}
	c.repo = repo
	if c.rng, err = repo.Resolve(ctx, c.opt.Revisions); err != nil {
		return err
	}
	c.base = &version{side: "base", root: filepath.Join(c.tmp, "base")}
	c.head = &version{side: "head", root: filepath.Join(c.tmp, "head")}
	c.progress("revision", fmt.Sprintf("laying out %s and %s", describe(c.rng.Base), describe(c.rng.Head)), 0, 0)
	// A repository does one thing at a time; a second one lets both versions be
	// written at once.
	second, err := revision.Open(c.opt.Dir, c.opt.Objects...)
	if err != nil {
		return err
	}
	g, gctx := errgroup.WithContext(ctx)
	for _, s := range []struct {
		from *revision.Repository
		v    *version
		at   revision.Version
	}{{repo, c.base, c.rng.Base}, {second, c.head, c.rng.Head}} {
		g.Go(func() error {
			notes, err := s.from.Materialise(gctx, s.at, s.v.root)
			for _, n := range notes {
				c.limit(event.Limit{Kind: "checkout", What: s.v.side, Reason: n})
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return c.findModule()
}

// findModule takes the module that holds the folder the user stands in.
func (c *comparison) findModule() error {
	modules, err := revision.Modules(c.head.root)
	if err != nil {
		return err
	}
	m, ok := revision.ModuleFor(modules, c.repo.Prefix())
	if !ok {
		return &VersionError{Side: "head", What: c.rng.Head.Asked,
			Err: fmt.Errorf("no go.mod in %s or above it: run isodelta in a folder of a Go module", c.repo.Prefix())}
	}
	c.moduleDir = m.Dir
	c.head.module, c.base.module = c.head.dir(m.Dir), c.base.dir(m.Dir)
	if _, err := os.Stat(filepath.Join(c.base.module, "go.mod")); err != nil {
		return &VersionError{Side: "base", What: c.rng.Base.Asked,
			Err: fmt.Errorf("%s/go.mod does not exist: the module is new on head, so there is nothing to compare it with", m.Dir)}
	}
	if n := len(modules); n > 1 {
		c.limit(event.Limit{Kind: "module", What: m.Path,
			Reason: fmt.Sprintf("the repository holds %d modules; this comparison is of the one in %s, run isodelta in another module's folder for that one", n, m.Dir)})
	}
	return nil
}

// loadTrees type-checks both versions.
func (c *comparison) loadTrees(ctx context.Context) error {
	c.progress("load", "type-checking base and head", 0, 0)
	g, gctx := errgroup.WithContext(ctx)
	for _, v := range []*version{c.base, c.head} {
		g.Go(func() (err error) {
			v.tree, err = load.Load(gctx, load.Options{
				Root: v.root, Dir: v.module, Tags: c.opt.Tags, Env: c.buildEnv(),
			})
			if err != nil && gctx.Err() == nil {
				return &VersionError{Side: v.side, What: c.asked(v), Err: err}
			}
			return err
		})
	}
	if err := g.Wait(); err != nil || c.opt.Loaded == nil {
		return err
	}
	return c.opt.Loaded(c.base.tree, c.head.tree)
}

func (c *comparison) asked(v *version) string {
	if v == c.base {
		return describe(c.rng.Base)
	}
	return describe(c.rng.Head)
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

func (c *comparison) versionsEvent() event.Versions {
	side := func(v revision.Version) event.Side {
		return event.Side{Asked: v.Asked, Commit: v.Commit, Worktree: v.Worktree, Subject: v.Subject}
	}
	e := event.Versions{Type: "versions", Base: side(c.rng.Base), Head: side(c.rng.Head),
		MergeBase: c.rng.MergeBase, ModuleDir: c.moduleDir}
	if c.head.tree != nil {
		e.Module = c.head.tree.Module
	}
	return e
}
