package build

import (
	"bytes"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/isodelta/isodelta/internal/regular"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/revision"
	"github.com/isodelta/isodelta/runner/version"
)

// Suite is the tests of one version, built against both.
type Suite struct {
	Side     version.Side // whose tests these are
	Own      *Version
	Other    *Version
	Packages []string // whose tests run, nearest to the change first
	Tests    []*Test  // that can run
	Text     *instrument.Suite
	// Dropped holds test declarations that do not fit the other version, by file.
	Dropped map[string][]string
	Built   map[string]bool          // packages
	Took    map[string]time.Duration // to build a package against both versions
	bare    map[string][]string      // declarations that go without observations
	// foreign maps own's files to other's, where they differ; past are those
	// of them that the go command reads from disk in spite of an overlay.
	foreign map[string]string
	past    []string
}

// Test is one test with its two binaries.
type Test struct {
	instrument.Test
	Suite   *Suite
	Targets version.Both[execute.Target]
	// Pristine is a copy of the package's folder, for a test that writes to it.
	Pristine string
	// Bare says that the test runs without the TestMain of its package.
	Bare bool
	// Once says that the test passes only the first time that a process runs it. Each run has a process of its own.
	Once bool
}

// Target returns how the test runs on a version.
func (t *Test) Target(side version.Side) execute.Target {
	at := t.Targets[side]
	at.Pristine, at.Bare, at.Once = t.Pristine, t.Bare, t.Once
	return at
}

// AtOnce returns how many of the test's processes may run at a time.
func (t *Test) AtOnce() int {
	if t.Pristine != "" {
		return 1
	}
	return 2
}

// Dir returns the directory of a package in the suite's tree.
func (s *Suite) Dir(pkg string) string {
	if dir := s.Own.PackageDir(pkg); dir != "" {
		return dir
	}
	return s.Own.Module
}

// SiteText returns the source text of an observation, "?" without one.
func (s *Suite) SiteText(site int) string {
	for _, x := range s.Text.Sites {
		if x.ID == site {
			return x.Text
		}
	}
	return "?"
}

// PackageOf returns the import path of the package that a test file belongs to.
func (s *Suite) PackageOf(file string) string {
	dir := ""
	if i := strings.LastIndexByte(file, '/'); i >= 0 {
		dir = file[:i]
	}
	for _, p := range s.Own.Tree.Packages {
		if s.Own.Tree.Rel(p.Dir) == dir || dir == "" && p.Dir == s.Own.Root {
			return p.Path
		}
	}
	return ""
}

// Suites are what was built: head's tests first, then those of base's that the
// change edits or removes.
type Suites struct {
	List []*Suite
	// Known is how many tests the chosen packages have, whether they run or not; an
	// edited one counts in either suite.
	Known int
	// Changes are the files that the versions do not have in common.
	Changes []revision.Change
	// Data are the folders of packages, slash-separated, whose testdata the change edits.
	Data map[string]bool
	// base are the digests of the tests of base's whole suite, by package and name.
	base map[string]string
}

// NewSuites makes suites of head's and base's, while base's is still whole.
func NewSuites(head, base *Suite) *Suites {
	s := &Suites{List: []*Suite{head, base}, base: map[string]string{}}
	for _, t := range base.Text.Tests {
		s.base[key(t)] = t.Digest
	}
	return s
}

// chosen counts the tests of the packages that are built.
func (s *Suite) chosen() int {
	n := 0
	for _, t := range s.Text.Tests {
		if slices.Contains(s.Packages, t.Package) {
			n++
		}
	}
	return n
}

// Tests returns all tests that can run, in order.
func (s *Suites) Tests() []*Test {
	var out []*Test
	for _, suite := range s.List {
		out = append(out, suite.Tests...)
	}
	return out
}

// IsNew reports whether a test of head's suite has no like on base.
func (s *Suites) IsNew(t *Test) bool {
	_, ok := s.base[key(t.Test)]
	return !ok
}

// Edits reports whether the change adds a test of head's suite, or edits it.
func (s *Suites) Edits(t *Test) bool { return s.base[key(t.Test)] != t.Digest }

// DataEdited reports whether the change edits testdata of a test's package, which each
// suite has as its own version has it.
func (s *Suites) DataEdited(t *Test) bool { return s.Data[folderOf(t.Test)] }

func folderOf(t instrument.Test) string { return filepath.ToSlash(filepath.Dir(t.File)) }

// InBase reports whether base's suite has a test of the same name that runs: one that
// the change edits or removes.
func (s *Suites) InBase(t *Test) bool {
	for _, suite := range s.List {
		if suite.Side == version.Base && slices.ContainsFunc(suite.Tests, func(o *Test) bool { return key(o.Test) == key(t.Test) }) {
			return true
		}
	}
	return false
}

// Twin returns the test of the other suite that has the same name; false if there is
// none.
func (s *Suites) Twin(t *Test) (instrument.Test, bool) {
	for _, suite := range s.List {
		if suite == t.Suite {
			continue
		}
		for _, o := range suite.Text.Tests {
			if key(o) == key(t.Test) {
				return o, true
			}
		}
	}
	return instrument.Test{}, false
}

func key(t instrument.Test) string { return t.Package + "." + t.Name }

// keepEdited leaves in base's suite only the tests that differ from head's, and those
// whose folder has changed testdata. The others run in head's suite already.
func keepEdited(base, head *Suite, testdata map[string]bool) {
	same := map[string]string{}
	for _, t := range head.Text.Tests {
		same[key(t)] = t.Digest
	}
	var kept []instrument.Test
	packages := map[string]bool{}
	for _, t := range base.Text.Tests {
		if !slices.Contains(base.Packages, t.Package) {
			continue
		}
		d, ok := same[key(t)]
		if ok && d == t.Digest && !testdata[folderOf(t)] {
			continue
		}
		kept = append(kept, t)
		packages[t.Package] = true
	}
	base.Text.Tests = kept
	// What has no tests is called from head's.
	base.Packages = slices.DeleteFunc(base.Packages, func(p string) bool { return !packages[p] })
}

// changedTestdata returns the package directories whose testdata the change touches,
// and lists them as limits.
func (b *Builder) changedTestdata(changes []revision.Change) map[string]bool {
	out := map[string]bool{}
	for _, ch := range changes {
		if dir, ok := b.readsData(ch); ok && !out[dir] {
			b.Env.Limit(event.Limit{Kind: event.LimitTestdata, What: ch.Path,
				Reason: "the change touches a file that tests name; each suite reads its own"})
			out[dir] = true
		}
		if !ch.Testdata {
			continue
		}
		dir, _, _ := strings.Cut("/"+ch.Path, "/testdata/")
		dir = strings.TrimPrefix(dir, "/")
		if dir == "" {
			dir = "."
		}
		if !out[dir] {
			b.Env.Limit(event.Limit{Kind: event.LimitTestdata, What: dir + "/testdata",
				Reason: "the change touches files that tests read at run time; each suite reads its own"})
		}
		out[dir] = true
	}
	return out
}

// exchange puts the other version's files into the suite's tree where an
// overlay does not help. The function that it returns takes that back.
func (s *Suite) exchange() (restore func() error, err error) {
	var undo []func() error
	restore = func() error {
		var errs []error
		for _, f := range undo {
			errs = append(errs, f())
		}
		return errors.Join(errs...)
	}
	for _, file := range s.past {
		own, err := regular.ReadFile(file, maxSource)
		switch {
		case os.IsNotExist(err):
			undo = append(undo, func() error { return os.Remove(file) })
		case err != nil:
			return restore, err
		default:
			undo = append(undo, func() error { return os.WriteFile(file, own, 0o644) })
		}
		if s.foreign[file] == "" {
			err = os.Remove(file)
		} else {
			var other []byte
			if other, err = regular.ReadFile(s.foreign[file], maxSource); err == nil {
				err = WriteIfNew(file, other)
			}
		}
		if err != nil {
			return restore, errors.Join(err, restore())
		}
	}
	return restore, nil
}

// maxSource bounds a source file, in bytes, that is read when tests have run:
// a test may have had leave to write to the folder.
const maxSource = 64 << 20

// readsData returns the folder of the tests that name a changed file in quotes, where that
// is one beside them or below that the go command does not read; false for no such tests.
func (b *Builder) readsData(ch revision.Change) (string, bool) {
	switch name := path.Base(ch.Path); {
	case ch.Testdata, ch.Test, path.Ext(name) == ".go", name == "go.mod", name == "go.sum", name == "go.work":
		return "", false
	}
	root := b.Versions[version.Head].Root
	for dir := path.Dir(ch.Path); ; dir = path.Dir(dir) {
		if files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(dir), "*_test.go")); err == nil && len(files) > 0 {
			named := strings.TrimPrefix(ch.Path, dir+"/")
			return dir, slices.ContainsFunc(files, func(file string) bool {
				text, err := regular.ReadFile(file, maxSource)
				return err == nil && (bytes.Contains(text, []byte(`"`+named+`"`)) || bytes.Contains(text, []byte("`"+named+"`")))
			})
		}
		if dir == "." {
			return "", false
		}
	}
}
