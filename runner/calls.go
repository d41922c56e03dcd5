package runner

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/outcome"
)

// newHooks numbers the functions whose calls are watched: exported ones, which
// tests call, and those of Δ.
func (c *comparison) newHooks() *calls.Hooks {
	if c.opt.NoCalls {
		return nil
	}
	changed := map[string]bool{}
	for _, f := range c.match.Changed {
		changed[f.Name] = true
	}
	return calls.NewHooks(c.base.tree, c.head.tree, func(name string) bool { return changed[name] })
}

func (c *comparison) hooksOf(v *version) map[instrument.Key]int {
	switch {
	case c.hooks == nil:
		return nil
	case v == c.base:
		return c.hooks.Base
	}
	return c.hooks.Head
}

// callable reports whether calls of our own can be made in a package that may
// have no tests of its own.
func (c *comparison) callable(p *load.Package) bool {
	return c.hooks != nil && p.Code != nil && c.base.has(p.Path) && c.head.has(p.Path)
}

func (v *version) has(path string) bool {
	for _, p := range v.tree.Packages {
		if p.Path == path && p.Code != nil {
			return true
		}
	}
	return false
}

func apiKey(s *suite, pkg string) string { return s.name + " " + pkg }

// api is what calls in a package can name; nil where none can be made.
func (c *comparison) api(s *suite, pkg string) *calls.API {
	if c.hooks == nil {
		return nil
	}
	key := apiKey(s, pkg)
	a, ok := c.apis[key]
	if !ok {
		var err error
		if a, err = calls.NewAPI(c.base.tree, c.head.tree, s.own.tree, pkg, c.probePath(), c.hooks); err != nil {
			a = nil // a package of one version only has nothing to compare
		} else {
			a.AddLiterals(calls.CollectLiterals(c.base.tree, c.head.tree, pkg))
			c.registerRelations(a)
		}
		c.apis[key] = a
	}
	return a
}

// overlayCalls adds the harness, and for the package under test the file that
// tells it what can be called.
func (c *comparison) overlayCalls(s *suite, v *version, pkg, gen string, replace map[string]string) error {
	a := c.api(s, pkg)
	if a == nil {
		return nil
	}
	dir := filepath.Join(gen, "harness")
	names, err := execute.WriteHarness(dir, v.tree.Module)
	if err != nil {
		return err
	}
	for _, name := range names {
		replace[filepath.Join(s.own.module, "isodeltaprobe", "harness", name)] = filepath.Join(dir, name)
	}
	file := filepath.Join(gen, "calls", filepath.FromSlash(pkg), calls.FileName)
	if err := writeIfNew(file, a.File()); err != nil {
		return err
	}
	replace[filepath.Join(s.dirOf(pkg), calls.FileName)] = file
	return nil
}

// dirOf is the directory of a package in the suite's tree.
func (s *suite) dirOf(pkg string) string {
	for _, p := range s.own.tree.Packages {
		if p.Path == pkg {
			return p.Dir
		}
	}
	return s.own.module
}

// mendCalls drops what does not compile in the file that registers calls;
// false if the compiler complains of something else.
func (c *comparison) mendCalls(s *suite, pkg string, broken []*execute.BuildError) bool {
	a := c.api(s, pkg)
	if a == nil {
		return false
	}
	var complaints []execute.Position // of both versions: they have the same file
	for _, e := range broken {
		if e != nil {
			complaints = append(complaints, e.At...)
		}
	}
	mended, whole := a.Mend(complaints)
	if !whole || slices.ContainsFunc(complaints, c.inHarness) {
		c.apis[apiKey(s, pkg)] = nil
		c.limit(event.Limit{Kind: "calls", Suite: s.name, What: pkg, Reason: "no calls of our own: what makes them does not build here: " + c.plain(complaints[0].Message)})
		return true
	}
	return mended
}

// inHarness reports whether a compiler's complaint is about what makes the calls.
func (c *comparison) inHarness(at execute.Position) bool {
	rel, err := filepath.Rel(filepath.Join(c.tmp, "gen"), at.File)
	if err != nil {
		return false
	}
	parts := strings.Split(filepath.ToSlash(rel), "/")
	return len(parts) > 2 && parts[1] == "harness"
}

// maxRecorded bounds the calls recorded from one test.
const maxRecorded = 300

// record lets a test run once more on its own version, and keeps the calls that
// it makes: they lead to states that types alone do not.
func (c *comparison) record(ctx context.Context, t *test, v *version, s *execute.Session, last outcome.Result) {
	if v != t.suite.own || c.api(t.suite, t.Package) == nil || last.Outcome != event.Pass && last.Outcome != event.Fail {
		return
	}
	s.Limit = min(s.Limit, 2*time.Second+time.Duration(10*t.state.seconds*float64(time.Second)))
	r, err := s.Do(ctx, execute.Command{Fuel: maxBaselineFuel, Watch: "record", Seed: uint64(c.opt.Seed), Most: maxRecorded})
	if err == nil {
		t.state.recorded = r.Extra
	}
}
