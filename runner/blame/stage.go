package blame

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/isodelta/isodelta/internal/regular"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/revision"
	"github.com/isodelta/isodelta/runner/stage"
	"github.com/isodelta/isodelta/runner/version"
)

// A Test passes on base and fails on head.
type Test struct {
	ID      string // of the finding that it shows
	Package string
	Name    string   // of the test function
	File    string   // its base name
	Text    []byte   // of the file
	Changed []string // the changed functions that ran; empty where that is not known
}

// An Edited test is one that the change edits or adds, and that passes on head.
// It fails on base.
type Edited struct{ Package, Name string }

// Stage looks for what is to blame.
type Stage struct {
	Env     *stage.Env
	Builder *build.Builder
	Changed []event.ChangedItem // functions, where they stand on head
	Edited  []Edited

	files []fileEdits
	found map[string][]verdict // by finding
	asked map[string]bool      // findings whose calls were made without each edit of a function, see Undoing
	tried map[place]bool       // the declarations that these edits are of

	undoings []*Undoing
	expected map[int]string // edited tests that fail without a variant, by number; "" for none
}

const (
	// maxBuilds bounds the units that have binaries of their own.
	maxBuilds = 24
	// beside is how many units are built at the same time.
	beside = 2
	// maxFile bounds a file that units are looked for in, in bytes.
	maxFile = 4 << 20
	// maxEdited bounds the edited tests that are run without a unit.
	maxEdited = 4
	// maxRun bounds one run of a test.
	maxRun = 5 * time.Second
	// runs is how often a test must pass without a unit: its own verdict was the same ten times.
	runs = 2
)

// New makes a stage for the files of a change.
func New(env *stage.Env, builder *build.Builder, changed []event.ChangedItem, changes []revision.Change) *Stage {
	s := &Stage{Env: env, Builder: builder, Changed: changed, found: map[string][]verdict{}, asked: map[string]bool{}, tried: map[place]bool{}, expected: map[int]string{}}
	for _, c := range changes {
		if !isCodeFile(c) {
			continue
		}
		edits, err := s.read(c)
		if err != nil {
			continue // a file that is too long, or that this version of Go does not parse
		}
		s.files = append(s.files, edits)
	}
	return s
}

// Run looks for the edits without which tests pass, of findings of which no edit is known. When ctx ends it returns
// with what is known.
func (s *Stage) Run(ctx context.Context, tests []Test) error {
	open := slices.DeleteFunc(slices.Clone(tests), func(t Test) bool { return len(s.found[t.ID]) > 0 })
	w := &work{Stage: s, tests: open, left: maxBuilds}
	if len(open) == 0 {
		return nil
	}
	rest, err := w.together(ctx)
	if err == nil {
		err = w.try(ctx, rest)
	}
	if err == nil {
		err = w.try(ctx, w.finer(rest))
	}
	if ctx.Err() != nil {
		err = nil
	}
	return err
}

func (s *Stage) read(c revision.Change) (fileEdits, error) {
	name := cmp.Or(c.OldPath, c.Path)
	base, err := regular.ReadFile(s.Builder.Versions[version.Base].Dir(name), maxFile)
	if err != nil {
		return fileEdits{}, err
	}
	head, err := regular.ReadFile(s.Builder.Versions[version.Head].Dir(c.Path), maxFile)
	if err != nil {
		return fileEdits{}, err
	}
	return unitsOf(c, string(base), string(head))
}

// work is one search.
type work struct {
	*Stage
	tests []Test
	left  int // units that may be tried
}

// verdict is a unit to blame.
type verdict struct {
	unit
	expectedBy string // an edited test that fails without the unit
}

// ordered are the units of declarations, those first that most tests ran.
func (w *work) ordered() []unit {
	var units []unit
	for _, f := range w.files {
		units = append(units, f.units...)
	}
	slices.SortStableFunc(units, func(a, b unit) int { return cmp.Compare(len(w.concerned(b)), len(w.concerned(a))) })
	return units
}

// finer are the parts of those of the units that are to blame.
func (w *work) finer(units []unit) []unit {
	var parts []unit
	for _, u := range units {
		blamed := func(t Test) bool {
			return slices.ContainsFunc(w.found[t.ID], func(v verdict) bool { return v.at() == u.at() })
		}
		if slices.ContainsFunc(w.tests, blamed) {
			parts = append(parts, u.parts()...)
		}
	}
	return parts
}

// concerned are the tests that run a unit, as far as that is known.
func (w *work) concerned(u unit) []Test {
	return slices.DeleteFunc(slices.Clone(w.tests), func(t Test) bool { return !w.concerns(u, t.Changed) })
}

// concerns reports whether a unit may be part of what ran, by the changed functions that did. Those of no known function, and a
// unit that is no function, may be of anything.
func (s *Stage) concerns(u unit, changed []string) bool {
	var names []string
	for _, c := range s.Changed {
		if c.File == u.file && (lines{c.Line, max(c.EndLine, c.Line)}).meets(u.declared) {
			names = append(names, c.Function)
		}
	}
	ran := func(name string) bool { return slices.Contains(changed, name) }
	return len(names) == 0 || len(changed) == 0 || slices.ContainsFunc(names, ran)
}

// try tries units in binaries of their own, two at a time.
func (w *work) try(ctx context.Context, units []unit) error {
	units = units[:min(len(units), w.left)]
	w.left -= len(units)
	results := make([]map[string]verdict, len(units))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(beside)
	for i, u := range units {
		g.Go(func() (err error) {
			results[i], err = w.alone(ctx, u)
			return err
		})
	}
	err := g.Wait()
	for _, found := range results {
		w.keep(found)
	}
	return err
}

// keep keeps what a unit is to blame for.
func (w *work) keep(found map[string]verdict) {
	for id, v := range found {
		w.found[id] = append(w.found[id], v)
	}
}

// alone tries a unit with the tests of each package that run it.
func (w *work) alone(ctx context.Context, u unit) (map[string]verdict, error) {
	found := map[string]verdict{}
	for pkg, tests := range byPackage(w.concerned(u)) {
		binary, err := w.build(ctx, u, pkg, tests)
		var broken *execute.BuildError
		if errors.As(err, &broken) {
			continue
		}
		if err != nil {
			return found, err
		}
		blamed, err := w.blame(ctx, u, w.target(binary, pkg), tests)
		if err != nil {
			return found, err
		}
		maps.Copy(found, blamed)
	}
	return found, nil
}

// target is a test binary of a package of head.
func (w *work) target(binary, pkg string) execute.Target {
	return execute.Target{Binary: binary, Dir: w.Builder.Versions[version.Head].PackageDir(pkg)}
}

// byPackage yields the packages of tests in their order, each with its tests.
func byPackage(tests []Test) iter.Seq2[string, []Test] {
	return func(yield func(string, []Test) bool) {
		of := map[string][]Test{}
		for _, t := range tests {
			of[t.Package] = append(of[t.Package], t)
		}
		for _, pkg := range slices.Sorted(maps.Keys(of)) {
			if !yield(pkg, of[pkg]) {
				return
			}
		}
	}
}

// blame runs tests of one package in a binary that is without a unit, and returns the verdict for those that pass.
func (w *work) blame(ctx context.Context, u unit, target execute.Target, tests []Test) (map[string]verdict, error) {
	found := map[string]verdict{}
	for _, t := range tests {
		target.Test = t.Name
		passes, err := w.passes(ctx, target, runs)
		if err != nil {
			return nil, err
		}
		if passes {
			found[t.ID] = verdict{unit: u}
		}
	}
	if len(found) == 0 {
		return found, nil
	}
	for _, e := range w.editedIn(tests[0].Package) {
		target.Test = e.Name
		passes, err := w.passes(ctx, target, 1)
		if err != nil {
			return nil, err
		}
		if !passes {
			for id := range found {
				found[id] = verdict{u, e.Name}
			}
			break
		}
	}
	return found, nil
}

// build builds the tests of a package with head's code but for a unit; where that does not work, with
// what only base has as well.
func (w *work) build(ctx context.Context, u unit, pkg string, tests []Test) (string, error) {
	files := map[string][]byte{}
	for _, t := range tests {
		files[filepath.Join(w.Builder.Versions[version.Head].PackageDir(pkg), t.File)] = t.Text
	}
	var err error
	for _, restore := range []bool{false, true} {
		changed, ok := w.without(u, restore)
		if !ok {
			break
		}
		for name, text := range changed {
			files[name] = text
		}
		var binary string
		binary, err = w.Builder.Altered(ctx, version.Head, pkg, files)
		var broken *execute.BuildError
		if !errors.As(err, &broken) {
			return binary, err
		}
	}
	return "", cmp.Or(err, error(&execute.BuildError{Package: pkg, Output: "it does not parse"}))
}

// without returns head's files but for a unit, by their paths. restore adds what only base has in the
// files of the same folder; it reports false where there is no such thing, and where a file does not parse.
func (s *Stage) without(u unit, restore bool) (map[string][]byte, bool) {
	out := map[string][]byte{}
	differs := !restore
	for _, f := range s.files {
		var hunks []revision.Hunk
		if f.change.Path == u.file {
			hunks = append(hunks, u.hunks...)
		}
		if restore && filepath.Dir(f.change.Path) == filepath.Dir(u.file) && len(f.gone) > 0 {
			hunks, differs = append(hunks, f.gone...), true
		}
		if len(hunks) == 0 {
			continue
		}
		text, err := fitImports(f.without(hunks), f.text(), s.nameOf)
		if err != nil {
			return nil, false
		}
		out[s.Builder.Versions[version.Head].Dir(f.change.Path)] = []byte(text)
	}
	return out, differs
}

// nameOf is the name of a package that a version imports, by its path; the end of the path where neither does.
func (s *Stage) nameOf(imported string) string {
	for _, v := range s.Builder.Versions {
		for _, p := range v.Tree.Packages {
			if p.Code == nil {
				continue
			}
			if q := p.Code.Imports[imported]; q != nil && q.Name != "" {
				return q.Name
			}
		}
	}
	return path.Base(imported)
}

// passes runs a test until it does not pass. One that cannot be run does not.
func (s *Stage) passes(ctx context.Context, target execute.Target, times int) (bool, error) {
	for range times {
		ok, _, err := s.Env.Lab.RunTest(ctx, target, maxRun)
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		if err != nil || !ok {
			return false, nil
		}
	}
	return true, nil
}

// digest is the same for units of the same text, indentation aside.
func (s *Stage) digest(u unit) string {
	h := sha256.New()
	for _, f := range s.files {
		if f.change.Path != u.file {
			continue
		}
		for _, hunk := range u.hunks {
			fmt.Fprintf(h, "%d %d\n", hunk.BaseLines, hunk.HeadLines)
			for _, line := range slices.Concat(cut(f.base, hunk.BaseLine, hunk.BaseLines), cut(f.head, hunk.HeadLine, hunk.HeadLines)) {
				fmt.Fprintln(h, strings.TrimSpace(line))
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// Edits returns the edits that are to blame, by finding, as far as they are known: the parts of a declaration instead
// of it, where one of them is to blame.
func (s *Stage) Edits() map[string][]event.Edit {
	out := map[string][]event.Edit{}
	for id, list := range s.found {
		for _, v := range list {
			finer := func(x verdict) bool {
				return x.at() == v.at() && len(x.hunks) < len(v.hunks)
			}
			if len(out[id]) == event.MaxEdits || slices.ContainsFunc(list, finer) {
				continue
			}
			out[id] = append(out[id], event.Edit{File: v.file, Line: max(v.from, 1), EndLine: v.to, Digest: s.digest(v.unit), Alike: s.alike(v.unit), ExpectedBy: v.expectedBy})
		}
	}
	return out
}
