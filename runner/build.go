package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/isodelta/isodelta/internal/pattern"
	"github.com/isodelta/isodelta/internal/regular"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/revision"
)

// suite is the tests of one version, built against both.
type suite struct {
	name  string // base or head
	own   *version
	other *version
	// drop holds test declarations that do not fit the other version.
	drop     map[string][]string
	bare     map[string][]string // declarations that go without observations
	text     *instrument.Suite
	tests    []*test
	packages []string // whose tests run, sorted
	built    map[string]bool
	// foreign maps own's files to other's, where they differ; past are those
	// of them that the go command reads from disk in spite of an overlay.
	foreign map[string]string
	past    []string
}

// test is one test with its two binaries.
type test struct {
	instrument.Test
	suite      *suite
	base, head execute.Target
	state      testState
	// pristine is a copy of the package's folder, for a test that writes to it.
	pristine string
}

func (t *test) target(v *version) execute.Target {
	at := t.head
	if v.side == "base" {
		at = t.base
	}
	at.Pristine = t.pristine
	return at
}

// atOnce is how many of the test's processes may run at a time.
func (t *test) atOnce() int {
	if t.pristine != "" {
		return 1
	}
	return 2
}

// build instruments and builds both suites against both versions.
func (c *comparison) build(ctx context.Context) error {
	start := time.Now()
	defer func() { c.sum.BuildSeconds = time.Since(start).Seconds() }()
	affected := c.affected()
	head := &suite{name: "head", own: c.head, other: c.base, packages: c.choose(c.head, affected)}
	base := &suite{name: "base", own: c.base, other: c.head, packages: c.choose(c.base, affected)}
	for _, s := range []*suite{head, base} {
		s.drop, s.bare = map[string][]string{}, map[string][]string{}
		if err := c.instrumentSuite(s); err != nil {
			return err
		}
		var err error
		if s.foreign, err = revision.Overlay(s.own.root, s.other.root); err != nil {
			return err
		}
		s.past = revision.PastOverlay(s.foreign)
	}
	c.keepEdited(base, head)
	c.suites = []*suite{head, base}
	total := len(head.packages) + len(base.packages)
	if total == 0 && !c.relationsOnly {
		if len(affected) > 0 || len(c.match.PruneBlockers) > 0 {
			return &NoTestsError{Patterns: c.patterns()}
		}
	}
	done := 0
	for _, s := range c.suites {
		if c.onlySuite != "" && c.onlySuite != s.name {
			continue
		}
		if err := c.buildSuite(ctx, s, func(pkg string) {
			c.progress("build", fmt.Sprintf("%s (%s's tests)", pkg, s.name), done, total)
			done++
		}); err != nil {
			return err
		}
	}
	c.progress("build", "done", total, total)
	return nil
}

func (c *comparison) instrumentSuite(s *suite) (err error) {
	s.text, err = instrument.Tests(s.own.tree, instrument.Config{Probe: c.probePath(), Bare: s.bare}, s.drop)
	return err
}

// keepEdited leaves in base's suite only the tests that differ from head's:
// the others are run already.
func (c *comparison) keepEdited(base, head *suite) {
	same := map[string]string{}
	for _, t := range head.text.Tests {
		same[t.Package+"."+t.Name] = t.Digest
	}
	c.baseTests = map[string]bool{}
	for _, t := range base.text.Tests {
		c.baseTests[t.Package+"."+t.Name] = true
	}
	testdata := c.changedTestdata()
	var kept []instrument.Test
	packages := map[string]bool{}
	for _, t := range base.text.Tests {
		if !slices.Contains(base.packages, t.Package) {
			continue
		}
		d, ok := same[t.Package+"."+t.Name]
		if ok && d == t.Digest && !testdata[filepath.ToSlash(filepath.Dir(t.File))] {
			continue
		}
		kept = append(kept, t)
		packages[t.Package] = true
	}
	base.text.Tests = kept
	// What has no tests is called from head's.
	base.packages = slices.DeleteFunc(base.packages, func(p string) bool { return !packages[p] })
}

// changedTestdata holds the package directories whose testdata the change
// touches, and says so.
func (c *comparison) changedTestdata() map[string]bool {
	out := map[string]bool{}
	changes, err := revision.Changes(c.base.root, c.head.root)
	if err != nil {
		return out
	}
	for _, ch := range changes {
		if !ch.Testdata {
			continue
		}
		dir, _, _ := strings.Cut("/"+ch.Path, "/testdata/")
		dir = strings.TrimPrefix(dir, "/")
		if dir == "" {
			dir = "."
		}
		if !out[dir] {
			c.limit(event.Limit{Kind: "testdata", What: dir + "/testdata",
				Reason: "the change touches files that tests read at run time; each suite reads its own"})
		}
		out[dir] = true
	}
	return out
}

// affected holds the packages whose test binaries link something of Δ, each
// with the number of imports between: 0 for the changed packages themselves.
// With blockers that is all of them, those that link nothing of Δ last.
func (c *comparison) affected() map[string]int {
	changed := map[string]bool{}
	for _, f := range c.match.Changed {
		changed[f.Package] = true
	}
	everything := c.opt.Unchanged || len(c.match.PruneBlockers) > 0
	out := map[string]int{}
	for _, v := range []*version{c.base, c.head} {
		away := v.distances(changed)
		for _, p := range v.tree.Packages {
			d, ok := away[p.Path]
			for path := range p.TestImports() {
				if n, linked := away[path]; linked && (!ok || n+1 < d) {
					d, ok = n+1, true
				}
			}
			if !ok && everything {
				d, ok = math.MaxInt, true
			}
			if before, had := out[p.Path]; ok && (!had || d < before) {
				out[p.Path] = d
			}
		}
	}
	return out
}

// distances gives, for each package whose code imports a changed one, the
// number of imports between.
func (v *version) distances(changed map[string]bool) map[string]int {
	away := map[string]int{}
	for path := range changed {
		away[path] = 0
	}
	for moved := true; moved; {
		moved = false
		for _, p := range v.tree.Packages {
			if p.Code == nil {
				continue
			}
			for path := range p.Code.Imports {
				n, ok := away[path]
				if d, had := away[p.Path]; ok && (!had || n+1 < d) {
					away[p.Path], moved = n+1, true
				}
			}
		}
	}
	return away
}

func (c *comparison) patterns() []string {
	if len(c.opt.Packages) == 0 {
		return []string{"./..."}
	}
	return c.opt.Packages
}

// choose lists the packages with tests that are asked for and affected, the
// nearest to the change first.
func (c *comparison) choose(v *version, affected map[string]int) []string {
	var out []string
	for _, p := range v.tree.Packages {
		if d, ok := affected[p.Path]; !ok || p.Test == nil && p.XTest == nil && (d > 0 || !c.callable(p)) {
			continue
		}
		if pattern.Any(c.patterns(), v.tree.Module, p.Path) && !pattern.Any(c.opt.Exclude, v.tree.Module, p.Path) {
			out = append(out, p.Path)
		}
	}
	slices.SortFunc(out, func(a, b string) int {
		return cmp.Or(cmp.Compare(affected[a], affected[b]), cmp.Compare(a, b))
	})
	return out
}

// buildSuite builds every package of a suite against both versions. What does
// not build is dropped: declarations first, then the package; all is listed.
func (c *comparison) buildSuite(ctx context.Context, s *suite, report func(string)) error {
	built := map[string]bool{}
	s.built = built
	for i, pkg := range s.packages {
		report(pkg)
		if i > 0 && c.opt.Budget > 0 && time.Since(c.started) > c.opt.Budget/2 {
			c.limit(event.Limit{Kind: "budget", Suite: s.name, What: pkg, Reason: "half of the budget was gone before its tests were built"})
			continue
		}
		ok, err := c.buildPackage(ctx, s, pkg)
		if err != nil {
			return err
		}
		built[pkg] = ok
	}
	for _, t := range s.text.Tests {
		if !built[t.Package] {
			continue
		}
		if t.Reason != "" {
			c.limit(event.Limit{Kind: "set-aside", Suite: s.name, What: t.Name, Reason: t.Reason})
			continue
		}
		if c.opt.SkipTests != nil && c.opt.SkipTests.MatchString(t.Source) {
			c.limit(event.Limit{Kind: "set-aside", Suite: s.name, What: t.Name, Reason: "left out by configuration"})
			continue
		}
		dir := s.own.dir(filepath.Dir(t.File))
		s.tests = append(s.tests, &test{Test: t, suite: s,
			base: execute.Target{Binary: c.binary(s, c.base, t.Package), Dir: dir, Test: t.Name},
			head: execute.Target{Binary: c.binary(s, c.head, t.Package), Dir: dir, Test: t.Name}})
	}
	slices.SortStableFunc(s.tests, func(a, b *test) int {
		return cmp.Compare(slices.Index(s.packages, a.Package), slices.Index(s.packages, b.Package))
	})
	return nil
}

const maxRounds = 24 // of dropping declarations

func (c *comparison) buildPackage(ctx context.Context, s *suite, pkg string) (bool, error) {
	c.api(s, pkg) // before both versions ask for it at once
	for range maxRounds {
		var broken [2]*execute.BuildError
		g, gctx := errgroup.WithContext(ctx)
		if len(s.past) > 0 {
			g.SetLimit(1) // the tree itself is changed for the other version
		}
		for i, v := range []*version{s.own, s.other} {
			g.Go(func() error {
				err := c.buildBinary(gctx, s, v, pkg)
				if errors.As(err, &broken[i]) {
					return nil
				}
				return err
			})
		}
		if err := g.Wait(); err != nil {
			return false, err
		}
		own, other := broken[0], broken[1]
		if c.mendCalls(s, pkg, broken[:]) {
			continue
		}
		switch {
		case own == nil && other == nil:
			return true, nil
		case own != nil && !c.dropFailing(s, own):
			c.limit(event.Limit{Kind: "not-built", Suite: s.name, What: pkg, Reason: "its own version: " + c.plain(own.Error())})
			return false, nil
		case other != nil && !c.dropFailing(s, other):
			c.limit(event.Limit{Kind: "not-built", Suite: s.name, What: pkg, Reason: "against " + s.other.side + ": " + c.plain(other.Error())})
			return false, nil
		}
		tests := s.text.Tests
		if err := c.instrumentSuite(s); err != nil {
			return false, err
		}
		// A base suite has been cut down before; keep to what was left.
		s.text.Tests = intersect(s.text.Tests, tests)
	}
	c.limit(event.Limit{Kind: "not-built", Suite: s.name, What: pkg,
		Reason: fmt.Sprintf("still does not build after declarations were dropped %d times", maxRounds)})
	return false, nil
}

func intersect(now, before []instrument.Test) []instrument.Test {
	had := map[string]bool{}
	for _, t := range before {
		had[t.Package+"."+t.Name] = true
	}
	return slices.DeleteFunc(now, func(t instrument.Test) bool { return !had[t.Package+"."+t.Name] })
}

// dropFailing mends what the compiler complains about in test declarations:
// the first time a declaration goes without observations (a call whose result
// is not used need not have one on the other version), the second time it is
// dropped, and listed. false if there is nothing to mend.
func (c *comparison) dropFailing(s *suite, e *execute.BuildError) bool {
	dropped := false
	bared := map[string]bool{} // in this round
	for _, at := range e.At {
		rel := c.original(s, at.File)
		name, ok := instrument.DeclAt(s.own.tree, rel, at.Line)
		if !ok || slices.Contains(s.drop[rel], name) {
			continue
		}
		dropped = true
		if !slices.Contains(s.bare[rel], name) {
			s.bare[rel] = append(s.bare[rel], name)
			bared[rel+name] = true
			continue
		}
		if bared[rel+name] {
			continue
		}
		s.drop[rel] = append(s.drop[rel], name)
		c.limit(event.Limit{Kind: "dropped-test", Suite: s.name, What: rel + ": " + name,
			Reason: "does not build against " + s.other.side + ": " + at.Message})
	}
	return dropped
}

// original is the file, relative to the tree, that a generated one stands for:
// the compiler names what an overlay puts in its place.
func (c *comparison) original(s *suite, file string) string {
	for _, v := range []*version{c.base, c.head} {
		for _, kind := range []string{"tests", "code"} {
			dir := filepath.Join(c.tmp, "gen", s.name+"-"+v.side, kind) + string(filepath.Separator)
			if rel, ok := strings.CutPrefix(file, dir); ok {
				return filepath.ToSlash(rel)
			}
		}
	}
	return s.own.tree.Rel(file)
}

// plain takes the names of generated folders out of a compiler's words.
func (*comparison) plain(s string) string {
	return generated.ReplaceAllString(s, "")
}

var generated = regexp.MustCompile(`\S*/gen/(head|base)-(head|base)/(tests|code)/`)

func (c *comparison) binary(s *suite, v *version, pkg string) string {
	name := strings.NewReplacer("/", "_", "\\", "_").Replace(pkg)
	return filepath.Join(c.tmp, "bin", s.name+"-"+v.side, name+".test")
}

// buildBinary builds the tests of a package of suite s with the code of v.
func (c *comparison) buildBinary(ctx context.Context, s *suite, v *version, pkg string) error {
	overlay, err := c.writeOverlay(s, v, pkg)
	if err != nil {
		return err
	}
	out := c.binary(s, v, pkg)
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	b := execute.Build{Dir: s.own.module, Package: pkg, Out: out, Overlay: overlay,
		Tags: c.opt.Tags, Env: c.buildEnv(), Module: v.tree.Module}
	if s.text.NeedsLang || v.program.NeedsLang {
		b.Language = "go1.21"
	}
	if v == s.own || len(s.past) == 0 {
		return execute.Test(ctx, b)
	}
	restore, err := s.exchange()
	if err != nil {
		return err
	}
	return errors.Join(execute.Test(ctx, b), restore())
}

// exchange puts the other version's files into the suite's tree where an
// overlay does not help; the function it gives takes that back.
func (s *suite) exchange() (restore func() error, err error) {
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
				err = writeIfNew(file, other)
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

// writeOverlay puts together what stands in for the files of suite s: the
// other version's files where they differ, the instrumented code of v, the
// instrumented tests of s, the probe, and the seeded run time.
func (c *comparison) writeOverlay(s *suite, v *version, pkg string) (string, error) {
	replace := map[string]string{}
	if v != s.own {
		maps.Copy(replace, s.foreign)
	}
	gen := filepath.Join(c.tmp, "gen", s.name+"-"+v.side)
	put := func(kind string, files map[string][]byte) error {
		for rel, content := range files {
			file := filepath.Join(gen, kind, filepath.FromSlash(rel))
			if err := writeIfNew(file, content); err != nil {
				return err
			}
			replace[s.own.dir(rel)] = file
		}
		return nil
	}
	if err := put("code", v.program.Files); err != nil {
		return "", err
	}
	if err := put("tests", s.text.Files); err != nil {
		return "", err
	}
	dir := filepath.Join(gen, "probe")
	names, err := execute.WriteProbe(dir, execute.ProbeSize{
		Conditions: len(v.program.Conditions), Arms: len(v.program.Arms), Entries: len(c.changed),
		Sites: len(s.text.Sites) + 1, Module: v.tree.Module, Seeded: c.seeding.patch != nil && c.seeding.patch.Seedable,
	})
	if err != nil {
		return "", err
	}
	for _, name := range names {
		replace[filepath.Join(s.own.module, "isodeltaprobe", name)] = filepath.Join(dir, name)
	}
	if err := c.overlayCalls(s, v, pkg, gen, replace); err != nil {
		return "", err
	}
	if c.seeding.patch != nil {
		for at, by := range c.seeding.patch.Replace {
			replace[at] = by
		}
	}
	file := filepath.Join(gen, "overlay.json")
	return file, execute.WriteOverlay(file, replace)
}

func writeIfNew(file string, content []byte) error {
	if old, err := os.ReadFile(file); err == nil && string(old) == string(content) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, content, 0o644)
}
