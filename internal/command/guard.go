package command

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/isodelta/isodelta/diff/acceptance"
	"github.com/isodelta/isodelta/internal/config"
	"github.com/isodelta/isodelta/internal/mistake"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/revision"
)

// guarded are the settings that count where head is not trusted.
type guarded struct {
	config.Protected
	file string // as the report names it
}

// settle puts what the settings say about differences into a stream, and what
// head changes of the settings.
func (g guarded) settle(s *event.Stream, now time.Time) {
	s.Config.SettingsFile, s.Config.Changes = "", g.Changes
	if len(g.Changes) > 0 {
		s.Config.SettingsFile = g.file
	}
	acceptance.Apply(s, g.Accept, now)
	acceptance.Propose(s, g.Proposed, now)
}

// guarded reads the settings of both versions, and joins them so that head's
// cannot make anything greener. A file outside of the repository is the
// workflow's own, and counts as it is.
func (f *flags) guarded(base, head revision.Version, objects ...string) (guarded, error) {
	repo, err := revision.Open(f.dir, objects...)
	if err != nil {
		return guarded{}, err
	}
	name, inside, err := f.namedFile(repo)
	if err != nil {
		return guarded{}, err
	}
	g := guarded{}
	if f.configFile != "" && !inside {
		g.Config, err = config.LoadFile(f.configFile)
	} else {
		g, err = f.joined(repo, base, head, name)
	}
	if err != nil {
		return guarded{}, err
	}
	if g.Config, err = f.settings.Apply(g.Config); err != nil {
		return guarded{}, usageError{err}
	}
	g.Override(f.settings)
	return g, nil
}

// joined reads the file of that name in both versions, or the nearest one where
// the name is "".
func (f *flags) joined(repo *revision.Repository, base, head revision.Version, name string) (guarded, error) {
	before, beforeErr := readSettings(repo, base, name)
	after, err := readSettings(repo, head, name)
	if err != nil {
		return guarded{}, err
	}
	if name != "" && before.File == "" && after.File == "" && beforeErr == nil {
		return guarded{}, fmt.Errorf("neither base nor head has the file %s: a file that a workflow makes by itself has to lie outside of the checkout, for what lies in it may be the pull request's: %w", name, fs.ErrNotExist)
	}
	var wrong *mistake.Mistake
	var changes []event.SettingChange
	switch {
	case errors.As(beforeErr, &wrong):
		before = config.Strictest()
		before.File = after.File
		changes = []event.SettingChange{{Key: "file", Base: "cannot be read, so the strictest settings count", Head: after.File, Counts: event.CountsBase}}
	case beforeErr != nil:
		return guarded{}, fmt.Errorf("the settings of base cannot be read: %w", beforeErr)
	}
	g := guarded{Protected: config.Protect(before, after, f.acceptFrom == acceptFromHead), file: before.File}
	if g.file == "" {
		g.file = after.File
	}
	g.Changes = append(changes, g.Changes...)
	if g.File != "" {
		g.File = filepath.Join(repo.Root(), filepath.FromSlash(g.File))
	}
	return g, nil
}

// readSettings reads the settings of a version: the file of that name, or the
// nearest one. Without one they are the defaults.
func readSettings(repo *revision.Repository, v revision.Version, name string) (config.Config, error) {
	read := config.Folder(repo.Root())
	if !v.Worktree {
		read = func(name string) ([]byte, error) {
			data, err := repo.File(v.Commit, name, config.MaxSize+1)
			if errors.Is(err, revision.ErrNotRegular) {
				err = config.NotRegular(name)
			}
			return data, err
		}
	}
	var data []byte
	var err error
	if name == "" {
		name, data, err = config.Find(read, repo.Prefix())
	} else if data, err = read(name); errors.Is(err, fs.ErrNotExist) {
		name, err = "", nil
	}
	if err != nil || name == "" {
		return config.Default(), err
	}
	return config.Parse(name, data)
}

// namedFile is the file that --config names, relative to the top of the
// repository. It is inside if its name or the folder that it leads to is: a link
// in a pull request does not take a file out.
func (f *flags) namedFile(repo *revision.Repository) (name string, inside bool, err error) {
	if f.configFile == "" {
		return "", false, nil
	}
	file, err := filepath.Abs(f.configFile)
	if err != nil {
		return "", false, err
	}
	dir, err := filepath.Abs(f.dir)
	if err != nil {
		return "", false, err
	}
	if rel, err := filepath.Rel(dir, file); err == nil {
		if name := filepath.Join(filepath.FromSlash(repo.Prefix()), rel); filepath.IsLocal(name) {
			return filepath.ToSlash(name), true, nil
		}
	}
	if folder, err := filepath.EvalSymlinks(filepath.Dir(file)); err == nil {
		file = filepath.Join(folder, filepath.Base(file))
	}
	rel, err := filepath.Rel(repo.Root(), file)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false, nil
	}
	return filepath.ToSlash(rel), true, nil
}

// Whose entries of accept count.
const (
	acceptFromBase = "base"
	acceptFromHead = "head"
)

// setAcceptFrom takes the value of --accept-from.
func (f *flags) setAcceptFrom(s string) error {
	if s != acceptFromBase && s != acceptFromHead {
		return fmt.Errorf("want %s or %s", acceptFromBase, acceptFromHead)
	}
	f.acceptFrom = s
	return nil
}
