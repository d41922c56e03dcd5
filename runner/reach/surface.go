package reach

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/baseline"
	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/matching"
	"github.com/isodelta/isodelta/runner/stage"
	"github.com/isodelta/isodelta/runner/version"
)

// Surface is what can be called in each package; it implements build.Caller.
type Surface struct {
	Env      *stage.Env
	Matching *matching.Matching
	Hooks    *surface.Hooks
	GOROOT   string // of the go command that builds
	Folder   string // where builds are generated
	// Everything says that each exported function of a package is wanted,
	// whatever changed.
	Everything bool
	// Register is given what can be called in a package, and adds relations to
	// it; nil for nobody.
	Register func(*surface.API)

	apis   map[string]*surface.API // by suite and package; nil where none can be made
	change *surface.Change         // nil before it is asked for
}

// NewSurface numbers the functions whose calls are watched: exported ones, which
// tests call, and those of Δ.
func NewSurface(env *stage.Env, m *matching.Matching) *Surface {
	changed := map[string]bool{}
	for _, name := range m.Names {
		changed[name] = true
	}
	hooks := surface.NewHooks(m.Versions[version.Base].Tree, m.Versions[version.Head].Tree, func(name string) bool { return changed[name] })
	return &Surface{Env: env, Matching: m, Hooks: hooks, apis: map[string]*surface.API{}}
}

// Callable reports whether calls of our own can be made in a package that may
// have no tests of its own.
func (s *Surface) Callable(p *load.Package) bool {
	return p.Code != nil && s.Matching.Versions[version.Base].Has(p.Path) && s.Matching.Versions[version.Head].Has(p.Path)
}

func apiKey(suite *build.Suite, pkg string) string { return suite.Side.String() + " " + pkg }

// Prepare finds out what calls in a package can name.
func (s *Surface) Prepare(suite *build.Suite, pkg string) { s.API(suite, pkg) }

// API returns what calls in a package can name; nil where none can be made. The first
// call for a package must not be made by several goroutines at once.
func (s *Surface) API(suite *build.Suite, pkg string) *surface.API {
	key := apiKey(suite, pkg)
	a, ok := s.apis[key]
	if !ok {
		base, head := s.Matching.Versions[version.Base].Tree, s.Matching.Versions[version.Head].Tree
		var err error
		if a, err = surface.NewAPI(base, head, suite.Own.Tree, pkg, s.Hooks, s.Matching.Seams...); err != nil {
			a = nil // a package of one version only has nothing to compare
		} else {
			change := s.changed()
			a.MarkChangedCallers(base, head, change)
			a.AddLiterals(surface.CollectLiterals(base, head, pkg, change, s.Matching.OutsideOf(pkg)))
			if s.Register != nil {
				s.Register(a)
			}
		}
		s.apis[key] = a
	}
	return a
}

// changed returns where the change lies. It is found out once, since all test files are looked at.
func (s *Surface) changed() surface.Change {
	if s.change == nil {
		of := s.Matching.Versions
		s.change = &surface.Change{Packages: s.Matching.Packages(), Tests: surface.EditedTests(of[version.Base].Tree, of[version.Head].Tree)}
		for _, side := range version.Sides {
			s.change.Functions[side] = s.Matching.Declared(side)
		}
	}
	return *s.change
}

// Overlay adds the harness, and for the package under test the file that tells it
// what can be called.
func (s *Surface) Overlay(suite *build.Suite, v *build.Version, pkg, gen string) (map[string]string, error) {
	a := s.API(suite, pkg)
	if a == nil {
		return nil, nil
	}
	replace, err := harness.Overlay(s.GOROOT, filepath.Join(gen, "harness"))
	if err != nil {
		return nil, err
	}
	file := filepath.Join(gen, "calls", filepath.FromSlash(pkg), surface.FileName)
	if err := build.WriteIfNew(file, a.File()); err != nil {
		return nil, err
	}
	replace[filepath.Join(suite.Dir(pkg), surface.FileName)] = file
	return replace, nil
}

// Mend drops what does not compile in the file that registers calls, and reports
// whether another build may help.
func (s *Surface) Mend(suite *build.Suite, pkg string, broken version.Both[*execute.BuildError]) bool {
	a := s.API(suite, pkg)
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
	if !whole || slices.ContainsFunc(complaints, s.inHarness) {
		s.apis[apiKey(suite, pkg)] = nil
		s.Env.Limit(event.Limit{Kind: event.LimitCalls, Suite: suite.Side.String(), What: pkg,
			Reason: event.CallsNotBuilt + build.Plain(complaints[0].Message)})
		return true
	}
	return mended
}

// inHarness reports whether a compiler's complaint is about what makes the calls.
func (s *Surface) inHarness(at execute.Position) bool {
	rel, err := filepath.Rel(filepath.Join(s.Folder, "gen"), at.File)
	if err != nil {
		return false
	}
	parts := strings.Split(filepath.ToSlash(rel), "/")
	return len(parts) > 2 && parts[1] == "harness"
}

// maxRecorded bounds the calls recorded from one test.
const maxRecorded = 300

// Record runs a test once more on its own version, and keeps the calls that it makes:
// they lead to states that types alone do not.
func (s *Surface) Record(ctx context.Context, t *baseline.Test, process *execute.Session) {
	if s.API(t.Suite, t.Package) == nil {
		return
	}
	process.Limit = min(process.Limit, 2*time.Second+time.Duration(10*t.Seconds*float64(time.Second)))
	r, err := process.Do(ctx, execute.Command{Fuel: baseline.MaxFuel, Watch: wire.ModeRecord, Seed: uint64(s.Env.Seed), Most: maxRecorded})
	if err == nil {
		t.Recorded = r.Extra
	}
}
