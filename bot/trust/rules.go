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
}

// Settings says how rules are read.
type Settings struct {
	// Parse reads a configuration file; no text at all gives the defaults. The
	// command line knows the format.
	Parse func(name string, text []byte) (Rules, error)
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

// mostRules is how large the file may be, in bytes.
const mostRules = 1 << 20

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

// rules reads those of a commit.
func (g *Guard) rules(ctx context.Context, commit string) (Rules, error) {
	name, text := "", []byte(nil)
	for _, file := range g.Settings.Files {
		found, err := g.GitHub.File(ctx, commit, file, mostRules)
		if err != nil {
			return Rules{}, err
		}
		if found != nil {
			name, text = file, found
			break
		}
	}
	r, err := g.Settings.Parse(name, text)
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

// disown takes out of a stream what it says that people decided.
func disown(s *event.Stream) {
	s.Findings = slices.Clone(s.Findings)
	for i := range s.Findings {
		s.Findings[i].Accepted = nil
	}
	s.Limits = slices.DeleteFunc(slices.Clone(s.Limits), func(l event.Limit) bool { return l.Kind == acceptance.LimitKind })
	s.Config.FailOn, s.Config.Policy = nil, nil
}
