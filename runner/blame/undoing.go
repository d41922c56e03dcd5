package blame

import (
	"context"
	"slices"
	"strconv"

	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/version"
)

// An Undoing is the binary of a package that makes calls on head, in which one edit after the other can be
// undone. The edits are those of functions, and their parts, as in together.
type Undoing struct {
	stage     *Stage
	variation *build.Variation
	pkg       string
	target    execute.Target
	variants  []variant
}

// Undoing prepares the binary of a package; nil where it cannot be built beside others. It must not be called while
// packages are prepared for the builder.
func (s *Stage) Undoing(suite *build.Suite, pkg string) (*Undoing, error) {
	variation, err := s.Builder.Variation(suite, s.Builder.Versions[version.Head], pkg)
	if variation == nil || err != nil {
		return nil, err
	}
	u := &Undoing{stage: s, variation: variation, pkg: pkg}
	s.undoings = append(s.undoings, u)
	return u, nil
}

// Build builds the binary, without what does not build. There may be no edit left: see Targets. It may run beside
// everything else.
func (u *Undoing) Build(ctx context.Context) error {
	variants, err := u.stage.mended(func(c code) (err error) {
		u.target, err = u.variation.Build(ctx, c.files)
		return err
	})
	if err == nil {
		u.variants = variants
	}
	return err
}

// Package is the import path of the package that makes the calls.
func (u *Undoing) Package() string { return u.pkg }

// Targets are what runs calls on head as it is, and then with one edit undone, one for each. There is none where nothing
// could be built.
func (u *Undoing) Targets() []execute.Target {
	if len(u.variants) == 0 {
		return nil
	}
	targets := []execute.Target{u.target}
	for _, v := range u.variants {
		targets = append(targets, u.without(v))
	}
	return targets
}

func (u *Undoing) without(v variant) execute.Target {
	t := u.target
	t.Env = []string{variable + "=" + strconv.Itoa(v.number)}
	return t
}

// Concerned are the targets, by index, that undo an edit which calls ran that executed these changed functions.
func (u *Undoing) Concerned(changed []string) []int {
	var list []int
	for i, v := range u.variants {
		if u.stage.concerns(v.unit, changed) {
			list = append(list, i+1)
		}
	}
	return list
}

// Blame books that a finding does not show with each of these targets, and asks the edited tests about them. Nothing
// may be being built.
func (u *Undoing) Blame(ctx context.Context, finding string, targets []int) (err error) {
	s := u.stage
	s.asked[finding] = true
	for _, v := range u.variants {
		s.tried[v.at()] = s.tried[v.at()] || !v.late
	}
	for _, i := range targets {
		v := u.variants[i-1]
		by, known := s.expected[v.number]
		if !known && err == nil {
			if by, err = s.expectedBy(ctx, v); err == nil {
				s.expected[v.number] = by
			}
		}
		s.found[finding] = append(s.found[finding], verdict{v.unit, by})
	}
	return err
}

// expectedBy is an edited test that passes on head and fails without a variant, "" for none. It is looked for in all
// binaries in which edits can be undone.
func (s *Stage) expectedBy(ctx context.Context, v variant) (string, error) {
	for _, u := range s.undoings {
		if !slices.ContainsFunc(u.variants, func(o variant) bool { return o.number == v.number }) {
			continue
		}
		for _, e := range s.editedIn(u.pkg) {
			as := u.target
			as.Test = e.Name
			passes, err := s.passes(ctx, as, 1)
			if err != nil {
				return "", err
			}
			if !passes {
				continue
			}
			without := u.without(v)
			without.Test = e.Name
			if passes, err = s.passes(ctx, without, 1); err != nil {
				return "", err
			}
			if !passes {
				return e.Name, nil
			}
		}
	}
	return "", nil
}

// editedIn are the edited tests of a package that are run without an edit.
func (s *Stage) editedIn(pkg string) []Edited {
	list := slices.DeleteFunc(slices.Clone(s.Edited), func(e Edited) bool { return e.Package != pkg })
	return list[:min(len(list), maxEdited)]
}
