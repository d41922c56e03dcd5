package trust

import (
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/isodelta/isodelta/diff/acceptance"
	"github.com/isodelta/isodelta/diff/policy"
	"github.com/isodelta/isodelta/report/event"
)

// Rules are what a comparison is judged by.
type Rules struct {
	Policy policy.Policy
	Accept []acceptance.Entry
	// Proposed are acceptances of head that do not count, and Changes what head's
	// configuration says otherwise than base's.
	Proposed []acceptance.Entry
	Changes  []event.SettingChange
}

// File is a configuration file of a commit. The zero value is of one that has none.
type File struct {
	Name string
	Text []byte
}

// Settings says how rules are read.
type Settings struct {
	// Parse reads the configuration files of both versions. Head's can make the
	// rules stricter, and one that cannot be read does nothing; an error is of
	// base's. The command line knows the format.
	Parse func(base, head File) (Rules, error)
	// Files are the names under which the file is looked for, slash-separated and
	// relative to the repository, the first that is there being the one.
	Files []string
	// FailOn is the workflow's own policy, which takes the place of the file's
	// with all its exceptions; nil for none.
	FailOn []string
}

// SettingsError says that base's configuration file is not valid.
type SettingsError struct {
	Commit string
	Err    error
}

func (e *SettingsError) Error() string {
	return fmt.Sprintf("the settings of commit %.10s cannot be used: %v", e.Commit, e.Err)
}

func (e *SettingsError) Unwrap() error { return e.Err }

// maxRules is how large the file may be, in bytes.
const maxRules = 1 << 20

// Files lists where a configuration file is looked for: the one that the workflow
// names, else the file of that name in the folder of the comparison and in those
// above it.
func Files(named, folder, name string) []string {
	folder = path.Clean("/" + folder)[1:]
	if named != "" {
		return []string{path.Join(folder, named)}
	}
	files := []string{path.Join(folder, name)}
	for ; folder != "" && folder != "."; files = append(files, path.Join(folder, name)) {
		folder = path.Dir(folder)
	}
	return files
}

// rules reads those of a commit, and what head changes of them; head is "" where it
// is not known.
func (g *Guard) rules(ctx context.Context, commit, head string) (Rules, error) {
	base, err := g.file(ctx, commit)
	if err != nil {
		return Rules{}, err
	}
	after := base
	if head != "" {
		if after, err = g.file(ctx, head); err != nil {
			return Rules{}, err
		}
	}
	r, err := g.Settings.Parse(base, after)
	if err != nil {
		return Rules{}, &SettingsError{commit, err}
	}
	for i := range r.Accept {
		r.Accept[i].Earlier = true // on base already, so maybe about an earlier change
	}
	if g.Settings.FailOn != nil {
		r.Policy = policy.Policy{FailOn: g.Settings.FailOn}
	}
	return r, nil
}

// file finds the configuration file of a commit.
func (g *Guard) file(ctx context.Context, commit string) (File, error) {
	for _, name := range g.Settings.Files {
		text, err := g.GitHub.File(ctx, commit, name, maxRules)
		if err != nil {
			return File{}, err
		}
		if text != nil {
			return File{name, text}, nil
		}
	}
	return File{}, nil
}

// disown takes out of a stream what it says that people decided.
func disown(s *event.Stream) {
	s.Findings = slices.Clone(s.Findings)
	for i := range s.Findings {
		s.Findings[i].Accepted, s.Findings[i].Proposed = nil, nil
	}
	s.Relations = slices.Clone(s.Relations)
	for i := range s.Relations {
		s.Relations[i].Accepted, s.Relations[i].Proposed = nil, nil
	}
	s.Limits = slices.DeleteFunc(slices.Clone(s.Limits), func(l event.Limit) bool { return l.Kind == event.LimitStaleAcceptance })
	s.Config.FailOn, s.Config.Policy = nil, nil
	s.Config.SettingsFile, s.Config.Changes = "", nil
}
