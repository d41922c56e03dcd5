package reach

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/types"
	"path"
	"slices"
	"time"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/baseline"
	"github.com/isodelta/isodelta/runner/budget"
	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/matching"
	"github.com/isodelta/isodelta/runner/stage"
	"github.com/isodelta/isodelta/runner/version"
)

// Stage makes calls of our own.
type Stage struct {
	Env      *stage.Env
	Matching *matching.Matching
	Builder  *build.Builder
	Suites   *build.Suites
	Surface  *Surface
	Tests    []*baseline.Test // with the calls that they made
	// MaxSequences bounds the sequences of calls for each package; 0 is no limit.
	MaxSequences int
	// Confirmed is told the package of each finding, when it is confirmed; nil tells nobody.
	Confirmed func(pkg string)
	// Named is how the versions are called in tests to paste.
	Named version.Both[string]

	Packages []*Package // see Open
	Result
	specs map[string]Spec // by finding
	// branches that a finding's input takes.
	branches map[string]version.Both[[]int]
	// placesLeft counts differences of calls in place that there was no time to run
	// again.
	placesLeft int
	// usage tells what the module passes to its functions. It is nil before it is needed.
	usage   *surface.Usage
	numbers map[string]map[int64]bool // see surface.Renumbered
}

// Result is what calls came to so far.
type Result struct {
	Findings    []event.Finding
	Unconfirmed int // did not repeat
	Implausible int
	Unexported  int     // calls of unexported functions differ, and no exported one shows it
	Seconds     float64 // of making calls, examining left out
	Placed      int     // calls made in place, compared
}

// Package is one whose test binaries make calls.
type Package struct {
	Suite  *build.Suite
	Path   string
	API    *surface.API
	Search *calls.Search // nil before its processes have been started
	Roles  map[wire.Op]wire.Role
	away   int  // imports between it and the change
	seeded bool // the calls that tests made were run
	spent  bool // nothing new came for long, or it failed
	failed bool // calls ended early, which is listed
	own    bool // its processes run in copies of the package's folder, and may write there
	bare   bool // its processes run without the TestMain of the package
	held   bool // the same, and init functions that end the process end themselves alone
	found  []difference
}

// maxPackages bounds the packages in which calls are made.
const maxPackages = 6

// Open finds the packages with a binary that can make calls, the nearest to the
// change first; head's suite where there is one. When more binaries have been built, it
// may be called again.
func (s *Stage) Open() {
	if s.specs == nil {
		s.specs, s.branches = map[string]Spec{}, map[string]version.Both[[]int]{}
	}
	affected := s.Builder.Affected()
	seen := map[string]bool{}
	for _, p := range s.Packages {
		seen[p.Path] = true
	}
	for _, suite := range s.Suites.List {
		for _, pkg := range suite.Packages {
			if seen[pkg] || !suite.Built[pkg] || s.Surface.API(suite, pkg) == nil {
				continue
			}
			seen[pkg] = true
			s.Packages = append(s.Packages, &Package{Suite: suite, Path: pkg, API: s.Surface.API(suite, pkg), away: affected[pkg]})
		}
	}
	slices.SortStableFunc(s.Packages, func(a, b *Package) int { return cmp.Compare(a.away, b.away) })
	if len(s.Packages) > maxPackages {
		for _, p := range s.Packages[maxPackages:] {
			s.Env.Limit(event.Limit{Kind: event.LimitCalls, What: p.Path, Reason: fmt.Sprintf("no calls of our own: %d packages are nearer to the change", maxPackages)})
		}
		s.Packages = s.Packages[:maxPackages]
	}
}

// Run calls functions in all packages, and then in place. What differs stands in
// Findings, also where an error ends the stage.
func (s *Stage) Run(ctx context.Context) error {
	generated, inPlace := s.Env.Plan.Calls(s.Env.Now())
	// Calls in place come last: they need to know the targets, and what they
	// find is handed to the package that can make the call without the test.
	if err := s.callAll(ctx, s.Packages, generated); err != nil {
		return err
	}
	return s.placeAll(ctx, inPlace)
}

// minMore is what going on with calls has to have at least, a guess.
const minMore = time.Second

// More goes on making calls in the time that is left over.
func (s *Stage) More(ctx context.Context) error {
	list := slices.DeleteFunc(slices.Clone(s.Packages), func(p *Package) bool { return p.spent || p.Search == nil })
	now := s.Env.Now()
	if s.Env.Plan.Unlimited() || len(list) == 0 || s.Env.Plan.Left(now) < minMore {
		return nil
	}
	return s.callAll(ctx, list, s.Env.Plan.MoreCalls(now))
}

// minSlice is what calls in one package have to have at least, a guess: starting
// the processes takes a good part of it.
const minSlice = 300 * time.Millisecond

func (s *Stage) callAll(ctx context.Context, list []*Package, until time.Time) error {
	list = slices.DeleteFunc(slices.Clone(list), func(p *Package) bool { return p.failed })
	for i, p := range list {
		weights := 0
		for _, q := range list[i:] {
			weights += q.weight()
		}
		slice := until.Sub(s.Env.Now()) * time.Duration(p.weight()) / time.Duration(weights)
		if !s.Env.Plan.Unlimited() && slice < minSlice {
			s.Env.Limit(event.Limit{Kind: event.LimitBudget, What: p.Path, Reason: "the budget ended before its functions were called"})
			continue
		}
		if err := s.ended(ctx, p, s.call(ctx, p, s.Env.Now().Add(slice))); err != nil {
			return err
		}
	}
	return nil
}

// ended takes in how calls in a package ended. Only the end of ctx is an error; the
// others are about this package, and listed.
func (s *Stage) ended(ctx context.Context, p *Package, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		p.spent, p.failed = true, true
		s.Env.Limit(event.Limit{Kind: event.LimitCalls, What: p.Path, Reason: event.CallsEnded + err.Error()})
	}
	return nil
}

func (p *Package) weight() int { return max(1, 4-2*p.away) }

// maxRounds bounds the rounds in one package.
const maxRounds = 5000

// call makes calls in one package until its time is over.
func (s *Stage) call(ctx context.Context, p *Package, until time.Time) error {
	begin := s.Env.Now()
	if err := s.Start(ctx, p); err != nil {
		return err
	}
	defer p.Search.Close()
	// The first difference is confirmed soon, for those who wait; the others when
	// there is a choice of what to tell them by.
	glance, glanced := s.Env.Plan.Glance(until, begin), len(s.Findings) > 0
	examine, examined, lost := s.Env.Plan.Examine(until, begin), false, false
	for range maxRounds {
		if s.MaxSequences > 0 && p.Search.Sequences >= s.MaxSequences || s.Env.Past(until) {
			break
		}
		s.Env.Progress("reach", fmt.Sprintf("%s: %d sequences on both versions", path.Base(p.Path), p.Search.Sequences), 0, 0)
		var look func(ctx context.Context, repetitions int, more func() bool) (calls.Examination, error)
		switch {
		case !examined && s.over(p, budget.ExamineShare, examine):
			look, examined, glanced = p.Search.Examine, true, true
		case !glanced && s.over(p, budget.GlanceShare, glance) && p.Search.Pending():
			look, glanced = p.Search.Glance, true
		}
		more, err := p.Search.Round(ctx)
		if err != nil {
			return errors.Join(err, s.Examine(ctx, p, until))
		}
		if !more {
			p.spent = true
			break
		}
		if look == nil && !examined && !lost && p.Search.Lost() {
			lost = true
			p.Search.Close()
			s.widen(p)
			if err := p.Search.Open(ctx); err != nil {
				return err
			}
		}
		if look != nil {
			s.Seconds += s.Env.Now().Sub(begin).Seconds()
			end := s.Env.Plan.FirstExamination(until, s.Env.Now())
			x, err := look(ctx, s.Env.Repetitions, s.before(p, end))
			if s.take(p, x); err != nil {
				return err
			}
			p.Search.Close()
			if examined {
				s.widen(p)
			}
			if err := p.Search.Open(ctx); err != nil {
				return err
			}
			begin = s.Env.Now()
		}
	}
	s.Seconds += s.Env.Now().Sub(begin).Seconds()
	if err := s.Examine(ctx, p, until); err != nil {
		return err
	}
	x, err := p.Search.ExamineWays(ctx, s.Env.Repetitions, s.timeFor(p, until))
	s.take(p, x)
	return err
}

// widen adds functions that were left out because others seemed to lead to the change.
func (s *Stage) widen(p *Package) {
	p.Search.Widen(s.executed(p), !slices.ContainsFunc(s.Classify(s.Findings), func(f event.Finding) bool { return !f.Small() }))
}

// executed tells which functions of Δ calls in a package have executed by the time its processes were closed.
func (s *Stage) executed(p *Package) func(function string) bool {
	var members []int
	for k, n := range p.Search.Entered {
		if n > 0 {
			members = append(members, k)
		}
	}
	names := s.Matching.Entered(members)
	return func(function string) bool { return slices.Contains(names, function) }
}

// over reports whether so many percent of what calls in a package may take are over:
// of the sequences where they are bounded, for a busy machine must not change what is
// found; else of the time, which is over at a given one.
func (s *Stage) over(p *Package, percent int, at time.Time) bool {
	if s.MaxSequences > 0 {
		return p.Search.Sequences*100 >= s.MaxSequences*percent
	}
	return s.Env.Past(at)
}

// warmUp are the rounds of calls by which source inputs come to be, before
// relations are checked without a comparison.
const warmUp = 8

// WarmUp makes some calls in each package, so that there are inputs for relations.
func (s *Stage) WarmUp(ctx context.Context) error {
	for _, p := range s.Packages {
		if err := s.Start(ctx, p); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			s.Env.Limit(event.Limit{Kind: event.LimitCalls, What: p.Path, Reason: "no relations were checked: " + err.Error()})
			continue
		}
		begin := s.Env.Now()
		for range warmUp {
			if more, err := p.Search.Round(ctx); err != nil || !more {
				break
			}
		}
		s.Seconds += s.Env.Now().Sub(begin).Seconds()
		p.Search.Close()
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// Start prepares calls in a package: starts the processes, which Search.Close
// ends, and runs what the tests called, once they ran.
func (s *Stage) Start(ctx context.Context, p *Package) error {
	if p.Search == nil {
		s.prepare(p)
	}
	err := p.Search.Open(ctx)
	if err != nil && ctx.Err() == nil && p.Search.ByOp == nil {
		err = s.openOtherwise(ctx, p, err)
	}
	if err != nil || p.seeded || len(s.Tests) == 0 {
		return err
	}
	p.seeded = true
	return p.Search.Seed(ctx, s.recipes(p.API))
}

// openOtherwise starts the processes of a package where they end before any call: with leave to write to a copy of
// the package's folder, as init functions and a TestMain of tests may want to, else without the TestMain, and else
// with init functions that end the process left there.
// It is given why they ended, and returns why none of this helps.
func (s *Stage) openOtherwise(ctx context.Context, p *Package, ended error) error {
	open := func(what *bool) bool {
		p.Search.Close()
		*what = true
		s.search(p)
		if err := p.Search.Open(ctx); err != nil {
			*what = false
			return false
		}
		return true
	}
	if ok, err := execute.Copyable(p.Suite.Dir(p.Path)); err == nil && ok && !p.own && open(&p.own) {
		s.Env.Limit(event.Limit{Kind: event.LimitCalls, What: p.Path,
			Reason: "calls of our own were made in a copy of its folder, where they may write, since their process ends without that: " + ended.Error()})
		return nil
	}
	if ctx.Err() == nil && !p.bare && p.Suite.Text.TestMain[p.Path] && open(&p.bare) {
		s.Env.Limit(event.Limit{Kind: event.LimitTestMain, What: p.Path,
			Reason: "calls of our own were made without it, since their process ends with it: " + ended.Error()})
		return nil
	}
	if ctx.Err() == nil && !p.held && open(&p.held) {
		s.Env.Limit(event.Limit{Kind: event.LimitCalls, What: p.Path,
			Reason: "calls of our own were made though an init function did not get to its end, since their process ends in it: " + ended.Error()})
		return nil
	}
	return ended
}

// prepare makes the search for differences in a package.
func (s *Stage) prepare(p *Package) {
	p.Roles = s.Surface.Roles(p.API)
	if p.API.Cut {
		s.Env.Limit(event.Limit{Kind: event.LimitCalls, What: p.Path, Reason: fmt.Sprintf("it offers more than %d functions; the rest is not called", surface.MaxOps)})
	}
	s.search(p)
}

// search makes the search with the processes that a package's calls run in.
func (s *Stage) search(p *Package) {
	target := func(side version.Side) execute.Target {
		v := s.Matching.Versions[side]
		return execute.Target{Binary: s.Builder.Binary(p.Suite, v, p.Path), Dir: p.Suite.Dir(p.Path), Size: s.Builder.Size(p.Suite, v), Bare: p.bare, Held: p.held, Own: p.own}
	}
	p.Search = calls.NewSearch(s.Env.Lab, target(version.Base), target(version.Head), p.API, p.API.Literals, p.Roles, uint64(s.Env.Seed))
	for _, side := range version.Sides {
		p.Search.Near[side] = s.Matching.Near(side)
	}
	p.Search.Leads = s.Surface.Leads(p.API, p.Roles)
	p.Search.Prefer(s.Surface.Faces(p.API))
	p.Search.Repeatable = s.MaxSequences > 0
	p.Search.Several = s.Matching.OnlyDependencies
	p.Search.TakesNil = func(f *types.Func, k int) bool {
		usage, _ := s.used()
		given, _ := usage.Nil(f, k)
		return given || usage.ProvidesFor(f, k)
	}
}

// recipes returns the calls that tests made, and may have made by helpers of theirs, as sequences with holes.
func (s *Stage) recipes(api *surface.API) []wire.Sequence {
	out := slices.Clone(api.Driven())
	for _, t := range s.Tests {
		if len(t.Recorded) > 0 {
			out = append(out, api.Recipes(t.Recorded, t.Package == api.Package)...)
		}
	}
	return out
}

// Examine confirms what was sighted and makes findings of it, after a stage that
// ends at a time.
func (s *Stage) Examine(ctx context.Context, p *Package, until time.Time) error {
	x, err := p.Search.Examine(ctx, s.Env.Repetitions, s.timeFor(p, until))
	s.take(p, x)
	return err
}

// Time reports whether there is time to confirm what was seen in a stage that ends
// at a time.
func (s *Stage) Time(until time.Time) func() bool {
	end := s.Env.Plan.Confirming(until)
	return func() bool { return !s.Env.Past(end) }
}

// timeFor is Time for what calls in a package showed.
func (s *Stage) timeFor(p *Package, until time.Time) func() bool {
	return s.before(p, s.Env.Plan.Confirming(until))
}

// before reports whether there is time to confirm what calls in a package showed, before a time. Where its processes
// take long before they begin, as with initialisers that start programs, so does each confirmation, and the last one
// has to begin earlier.
func (s *Stage) before(p *Package, end time.Time) func() bool {
	const usual = time.Second
	long := max(0, p.Search.Starting()-usual)
	end = end.Add(-time.Duration(s.Env.Repetitions+1) * long)
	return func() bool { return !s.Env.Past(end) }
}

// take takes in what an examination found.
func (s *Stage) take(p *Package, x calls.Examination) {
	s.Unconfirmed += x.Unconfirmed
	s.Implausible += x.Implausible
	s.Unexported += x.Unexported
	for _, d := range x.Found {
		f := s.finding(p, d)
		if slices.ContainsFunc(s.Findings, func(g event.Finding) bool { return g.ID == f.ID }) {
			continue // the error beside a value, which was found by itself as well
		}
		s.Env.Found(f)
		if s.Confirmed != nil {
			s.Confirmed(p.Path)
		}
		s.Findings = append(s.Findings, f)
		s.specs[f.ID] = s.spec(p, f, d)
		p.found = append(p.found, difference{f.ID, f.Changed, d})
		s.branches[f.ID] = version.Both[[]int](d.Branches)
	}
}

// enteredAnywhere counts the sequences of all packages that executed a function of Δ.
func (s *Stage) enteredAnywhere(name string) int {
	n := 0
	for _, p := range s.Packages {
		n += s.entered(p, name)
	}
	return n
}

// entered counts the sequences that executed a function of Δ.
func (s *Stage) entered(p *Package, name string) int {
	k := s.Matching.Number(name)
	if k < 0 || p.Search == nil || k >= len(p.Search.Entered) {
		return 0
	}
	return p.Search.Entered[k]
}
