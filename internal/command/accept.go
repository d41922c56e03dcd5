package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/isodelta/isodelta/diff/acceptance"
	"github.com/isodelta/isodelta/internal/config"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/revision"
)

// accept writes an acceptance into .isodelta.yml.
func accept(_ context.Context, args []string, streams Streams) (int, error) {
	f := newFlags("isodelta accept")
	from, reason, by, expires := "", "", "", ""
	f.set.StringVar(&from, "from", "", "")
	f.set.StringVar(&reason, "reason", "", "")
	f.set.StringVar(&by, "by", "", "")
	f.set.StringVar(&expires, "expires", "", "")
	ids, err := f.parse(args)
	if err != nil {
		return 0, err
	}
	if len(ids) != 1 {
		return 0, usageError{errors.New("want one identifier: isodelta accept ID --reason TEXT")}
	}
	entry, err := newEntry(reason, by, expires, time.Now())
	if err != nil {
		return 0, usageError{err}
	}
	recorded, err := recall(f.dir, from)
	if err != nil {
		return 0, err
	}
	about := ""
	if about, entry.ID, err = recorded.acceptable(ids[0]); err != nil {
		return 0, err
	}
	if err := acceptance.CheckCounts(entry.ID); err != nil {
		return 0, usageError{fmt.Errorf("the stream is not one that can be accepted from, run isodelta again: %w", err)}
	}
	file, err := f.settingsFile()
	if err != nil {
		return 0, err
	}
	changed, err := addAcceptance(file, entry)
	if err != nil {
		return 0, err
	}
	done := "accepted in " + file
	if !changed {
		done = "is accepted so in " + file + " already"
	}
	fmt.Fprintf(streams.Out, "%s %s\n", about, done)
	return exitOK, nil
}

// acceptable finds what an identifier names, a finding or a broken relation, in words, and
// the cause that an entry about it holds.
func (r record) acceptable(id string) (about, cause string, err error) {
	if e, ok := r.relation(id); ok {
		if e.State != event.Broken {
			return "", "", usageError{fmt.Errorf("the relation %s is %s: only broken ones can be accepted", plainText(e.ID), e.State)}
		}
		return fmt.Sprintf("%s (%s is broken, of %s)", plainText(e.ID), plainText(e.Relation), plainText(e.Function)), e.Cause, nil
	}
	f, err := r.finding(id)
	if err != nil {
		return "", "", err
	}
	if f.Intended {
		return "", "", usageError{fmt.Errorf("%s is intended: the change edits what is expected, so there is nothing to accept", f.Cluster)}
	}
	return fmt.Sprintf("%s (%s in %s)", f.Cluster, f.Kind, strings.Join(f.Changed, ", ")), f.Cause, nil
}

func newEntry(reason, by, expires string, now time.Time) (acceptance.Entry, error) {
	e := acceptance.Entry{Reason: strings.TrimSpace(reason), By: strings.TrimSpace(by), From: acceptance.FromConfig}
	if err := acceptance.CheckText(e.Reason); err != nil {
		return e, fmt.Errorf("--reason: %w", err)
	}
	if e.By != "" {
		if err := acceptance.CheckText(e.By); err != nil {
			return e, fmt.Errorf("--by: %w", err)
		}
	}
	if expires == "" {
		return e, nil
	}
	var err error
	if e.Expires, err = acceptance.ParseDate(expires, now); err != nil {
		return e, fmt.Errorf("--expires: %w", err)
	}
	if today := now.Format(time.DateOnly); e.Expires.Format(time.DateOnly) < today {
		return e, fmt.Errorf("--expires %s: that day is over", expires)
	}
	return e, nil
}

// settingsFile is the file whose settings count, or the one to make.
func (f *flags) settingsFile() (string, error) {
	if f.configFile != "" {
		return f.configFile, nil
	}
	conf, err := f.config()
	if err != nil || conf.File != "" {
		return conf.File, err
	}
	repo, err := revision.Open(f.dir)
	if err != nil {
		return "", err
	}
	if repo.Root() == "" {
		return "", usageError{fmt.Errorf("%s has no working tree to write %s into; name a file with --config", f.dir, config.FileName)}
	}
	return filepath.Join(repo.Root(), config.FileName), nil
}

// addAcceptance edits the file, and reports whether that changed it.
func addAcceptance(file string, e acceptance.Entry) (changed bool, err error) {
	before, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(file); err == nil {
		mode = info.Mode().Perm()
	}
	after, err := config.AddAcceptance(file, before, e)
	if err != nil || string(after) == string(before) {
		return false, err
	}
	// A link stays one: what it leads to is replaced.
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	return true, replaceFile(file, after, mode)
}

// replaceFile writes beside the file and renames, so that a failure leaves what
// was there.
func replaceFile(file string, data []byte, mode fs.FileMode) error {
	t, err := os.CreateTemp(filepath.Dir(file), ".isodelta-*")
	if err != nil {
		return err
	}
	defer os.Remove(t.Name())
	_, err = t.Write(data)
	if err := errors.Join(err, t.Chmod(mode), t.Close()); err != nil {
		return err
	}
	return os.Rename(t.Name(), file)
}

// acceptances are the entries of the settings. Those that base has too may be
// about earlier changes.
func acceptances(dir string, conf config.Config, s *event.Stream) []acceptance.Entry {
	earlier := map[string]bool{}
	for _, e := range settingsOnBase(dir, conf, s).Accept {
		earlier[e.ID] = true
	}
	entries := make([]acceptance.Entry, len(conf.Accept))
	for i, e := range conf.Accept {
		e.Earlier = earlier[e.ID]
		entries[i] = e
	}
	return entries
}

// settingsOnBase reads the same file in the version that is compared with;
// nothing where it is not there, or cannot be read.
func settingsOnBase(dir string, conf config.Config, s *event.Stream) config.Config {
	if len(conf.Accept) == 0 || len(s.Versions) == 0 {
		return config.Config{}
	}
	repo, err := revision.Open(dir)
	if err != nil || repo.Root() == "" {
		return config.Config{}
	}
	file, err := filepath.Abs(conf.File)
	if err != nil {
		return config.Config{}
	}
	name, err := filepath.Rel(repo.Root(), file)
	if err != nil || !filepath.IsLocal(name) {
		return config.Config{}
	}
	data, err := repo.File(s.Versions[0].Base.Commit, filepath.ToSlash(name), config.MaxSize+1)
	if err != nil {
		return config.Config{}
	}
	base, err := config.Parse(name, data)
	if err != nil {
		return config.Config{}
	}
	return base
}
