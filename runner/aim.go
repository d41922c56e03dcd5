package runner

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/aim"
	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/revision"
	"github.com/isodelta/isodelta/runner/version"
)

// Aim searches for inputs that take the branches on lines of the working tree, whose files
// are named as seen from opt.Dir, and returns what became of each. Nothing is compared:
// the working tree is the only version, and it is not touched. sink is told how it goes
// on. The error is an *aim.LineError or *aim.FileError where a line is to blame.
func Aim(ctx context.Context, opt Options, lines []aim.Line, sink event.Sink) ([]aim.Found, error) {
	r, err := newRun(opt, sink)
	if err != nil {
		return nil, err
	}
	defer r.close()
	for i := range lines {
		if lines[i].File, err = r.openSingle(ctx, lines[i].File); err != nil {
			return nil, err
		}
	}
	v := r.versions[version.Head]
	if err := v.Instrument(instrument.Config{Generated: true}); err != nil {
		return nil, r.versionError(v.Side, err)
	}
	var goals [][]aim.Goal
	for _, l := range lines {
		list, err := aim.Goals(v.Tree, v.Program, l)
		if err != nil {
			return nil, err
		}
		goals = append(goals, list)
	}
	if err := r.openLab(ctx); err != nil {
		return nil, err
	}
	most := opt.MaxSequences
	if most == 0 {
		most = aim.DefaultMost
	}
	s := &aim.Stage{Env: r.env, Single: build.Single{Chain: r.chain, Version: v, Tags: opt.Tags}, Most: most,
		Equations: opt.Solvers.equations(equationsLimit)}
	var out []aim.Found
	opened := ""
	for _, list := range goals {
		if pkg := list[0].Package; pkg != opened {
			r.env.Progress("build", pkg, 0, 1)
			if err := s.Open(ctx, pkg); err != nil {
				return out, err
			}
			opened = pkg
		}
		found, err := s.Run(ctx, list)
		out = append(out, found...)
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// openSingle lays the working tree out and loads it. It returns a file, named as seen
// from the folder that the user stands in, relative to the tree.
//
// All files are of one module: the first one's.
func (r *run) openSingle(ctx context.Context, file string) (string, error) {
	repo, err := revision.Open(r.opt.Dir, r.opt.Objects...)
	if err != nil {
		return "", err
	}
	worktree, err := repo.WorkingTree()
	if err != nil {
		return "", err
	}
	rel, err := inRepository(repo, r.opt.Dir, file)
	if err != nil {
		return "", err
	}
	if r.versions[version.Head] != nil {
		return rel, nil
	}
	v := &build.Version{Side: version.Head, Root: filepath.Join(r.tmp(), version.Head.String())}
	r.revisions, r.versions = version.Both[revision.Version]{worktree, worktree}, version.Both[*build.Version]{v, v}
	r.env.Progress("revision", "copying the working tree", 0, 0)
	if _, err := repo.Materialise(ctx, worktree, v.Root); err != nil {
		return "", err
	}
	modules, err := revision.Modules(v.Root)
	if err != nil {
		return "", err
	}
	m, ok := revision.ModuleFor(modules, filepath.ToSlash(filepath.Dir(rel)))
	if !ok {
		return "", &aim.FileError{File: file}
	}
	v.Module = v.Dir(m.Dir)
	if err := r.chain.Find(ctx, v.Module); err != nil {
		return "", r.versionError(v.Side, err)
	}
	if err := r.chain.Link(); err != nil {
		return "", err
	}
	if r.opt.Seeded {
		r.unseeded = r.chain.Seed()
	}
	r.env.Progress("load", "type-checking the working tree", 0, 0)
	v.Tree, err = load.Load(ctx, load.Options{Root: v.Root, Dir: v.Module, Tags: r.opt.Tags, Env: r.chain.Env()})
	if err != nil {
		return "", r.versionError(v.Side, err)
	}
	return rel, nil
}

// inRepository returns a file relative to the top of the repository.
func inRepository(repo *revision.Repository, dir, file string) (string, error) {
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	abs, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	root := repo.Root()
	if real, err := filepath.EvalSymlinks(filepath.Dir(abs)); err == nil {
		abs = filepath.Join(real, filepath.Base(abs))
	}
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	rel, err := filepath.Rel(root, abs)
	if err != nil || slices.Contains(strings.Split(filepath.ToSlash(rel), "/"), "..") {
		return "", &aim.FileError{File: file}
	}
	return filepath.ToSlash(rel), nil
}
