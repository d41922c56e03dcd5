package build

import (
	"context"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/version"
)

// Alone are tests of a package that do not fit the other version, such as those of a function that only one version has.
// They are built with their own version alone: there is nothing to compare them with, and they tell how thoroughly that
// version is tested.
type Alone struct {
	Package string
	Tests   []*Test // with a target for their own version
	build   func(context.Context) error
}

// Build builds them. The error is an execute.BuildError where they do not build.
func (a *Alone) Build(ctx context.Context) error { return a.build(ctx) }

// Alone prepares the tests of a suite that were dropped as a whole or in part, by package.
func (b *Builder) Alone(s *Suite) ([]*Alone, error) {
	dropped := s.droppedTests()
	if len(dropped) == 0 {
		return nil, nil
	}
	whole := *s
	var err error
	if whole.Text, err = instrument.Tests(s.Own.Tree, instrument.Config{Bare: s.bare}, nil); err != nil {
		return nil, err
	}
	as := code{Version: s.Own, program: s.Own.Program, way: "-alone", uncalled: true}
	var out []*Alone
	for _, pkg := range s.Packages {
		a := &Alone{Package: pkg}
		target := execute.Target{Binary: b.binary(&whole, as, pkg), Dir: s.Dir(pkg), Size: b.Size(&whole, s.Own)}
		for _, t := range whole.Text.Tests {
			if t.Package != pkg || !dropped[key(t)] || t.Reason != "" || b.Skip != nil && b.Skip.MatchString(t.Source) {
				continue
			}
			target.Test = t.Name
			a.Tests = append(a.Tests, &Test{Test: t, Suite: s, Targets: onlyOn(s.Side, target)})
		}
		if len(a.Tests) == 0 || !s.Built[pkg] {
			continue
		}
		if a.build, err = b.prepareBinary(&whole, as, pkg); err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	return out, nil
}

// droppedTests returns the tests that were dropped, or lost a row or a subtest, by package and name.
func (s *Suite) droppedTests() map[string]bool {
	out := map[string]bool{}
	for file, names := range s.Dropped {
		for _, name := range names {
			name, _, _ = strings.Cut(name, ": ")
			out[s.PackageOf(file)+"."+name] = true
		}
	}
	return out
}

// onlyOn returns a target of one version.
func onlyOn(side version.Side, t execute.Target) (out version.Both[execute.Target]) {
	out[side] = t
	return out
}

// Fits reports whether the test, or a part of it, runs against both versions.
func (t *Test) Fits() bool {
	return slices.ContainsFunc(t.Suite.Tests, func(o *Test) bool { return key(o.Test) == key(t.Test) })
}
