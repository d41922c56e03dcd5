package runner

import (
	"context"
	"errors"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/execute"
)

// callSpec is what a test to paste for a finding is made of.
type callSpec struct {
	spec calls.TestSpec
	pkg  string
	// none says why no test can be written.
	none string
}

func (c *comparison) testSpec(p *caller, f event.Finding, d calls.Difference) callSpec {
	api := c.api(p.suite, p.pkg)
	return callSpec{pkg: p.pkg, none: d.NoCode, spec: calls.TestSpec{
		ID: f.ID, Function: d.Op, Package: p.pkg, Name: api.Name,
		Base: describe(c.rng.Base), Head: describe(c.rng.Head), Place: d.Place,
		Code: d.Code, BaseViews: d.BaseViews, HeadViews: d.HeadViews,
		Language: c.head.tree.GoVersion, Declares: c.declares(p.pkg),
	}}
}

// declares reports whether a package of head, with its tests, declares a name.
func (c *comparison) declares(pkg string) func(string) bool {
	return func(name string) bool {
		for _, p := range c.head.tree.Packages {
			if p.Path != pkg {
				continue
			}
			if p.Test != nil && p.Test.Types.Scope().Lookup(name) != nil || p.Code != nil && p.Code.Types.Scope().Lookup(name) != nil {
				return true
			}
		}
		return false
	}
}

// inputText is a program as Go statements, the call that differs last, with
// names of packages as a user of the package writes them.
func inputText(p *caller, d calls.Difference) string {
	lines := slices.Clone(d.Code.Lines)
	if d.Place.Kind != wire.AtAfter && d.Code.Setup < len(lines) && d.Code.Call != "" {
		lines = append(lines[:d.Code.Setup:d.Code.Setup], d.Code.Call)
	} else if d.Code.Subject != "" {
		lines = append(lines, d.Code.Subject)
	}
	return wire.Qualify(strings.Join(lines, "\n"), func(at string) string {
		if at == p.pkg {
			return ""
		}
		if name := d.Code.Imports[at]; name != "" {
			return name + "."
		}
		return path.Base(at) + "."
	})
}

// maxTests bounds the tests written in one comparison: each has to be built
// and run on both versions.
const maxTests = 8

// pasted is a test to paste under way.
type pasted struct {
	text []byte
	name string // of the test function
	// show takes the file where the test passes on base and fails on head.
	show func(text, file string)
}

// writeTests writes a test to paste for the first finding of each cluster and
// for broken relations, and keeps those that pass on base and fail on head.
func (c *comparison) writeTests(ctx context.Context) error {
	files := map[string]map[string]pasted{} // by package and identifier
	add := func(pkg, id string, t pasted) {
		if files[pkg] == nil {
			files[pkg] = map[string]pasted{}
		}
		files[pkg][id] = t
	}
	left := maxTests
	for _, f := range c.group() {
		s, ok := c.calls.specs[f.ID]
		if !ok || !f.Representative || s.none != "" || left == 0 {
			continue
		}
		text, err := calls.WriteTest(s.spec)
		if err != nil {
			continue // nothing that a test can look at shows it
		}
		left--
		add(s.pkg, f.ID, pasted{text, calls.TestName(s.spec.Function, f.ID), func(text, file string) {
			for i := range c.findings {
				if c.findings[i].ID == f.ID {
					c.findings[i].GoTest, c.findings[i].GoTestFile = text, file
				}
			}
		}})
	}
	c.relationTests(add)
	for _, pkg := range slices.Sorted(maps.Keys(files)) {
		c.progress("reach", "trying the tests to paste", 0, 0)
		if err := c.verifyTests(ctx, pkg, files[pkg]); err != nil {
			return err
		}
	}
	return nil
}

// verifyTests builds the tests of one package together, and one by one if that
// does not work.
func (c *comparison) verifyTests(ctx context.Context, pkg string, files map[string]pasted) error {
	bin, err := c.buildPlain(ctx, pkg, files)
	var broken *execute.BuildError
	if errors.As(err, &broken) && len(files) > 1 {
		for _, id := range slices.Sorted(maps.Keys(files)) {
			if err := c.verifyTests(ctx, pkg, map[string]pasted{id: files[id]}); err != nil {
				return err
			}
		}
		return nil
	}
	if errors.As(err, &broken) {
		return nil // not shown
	}
	if err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(files)) {
		t := files[id]
		err := calls.VerifyTest(ctx, t.text, func(ctx context.Context, version string, _ []byte) (bool, string, error) {
			v := c.base
			if version == calls.VersionHead {
				v = c.head
			}
			return c.lab.RunTest(ctx, execute.Target{Binary: bin[v.side], Dir: v.packageDir(pkg), Test: t.name}, 20*time.Second)
		})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			continue // not shown
		}
		t.show(string(t.text), path.Join(c.head.tree.Rel(c.head.packageDir(pkg)), calls.TestFile(id)))
	}
	return nil
}

// packageDir is the folder of a package, "" where the version has none of that
// path.
func (v *version) packageDir(pkg string) string {
	for _, p := range v.tree.Packages {
		if p.Path == pkg {
			return p.Dir
		}
	}
	return ""
}

// buildPlain builds the tests of a package of both versions, as they are but
// for the seeded run time, with the files given.
func (c *comparison) buildPlain(ctx context.Context, pkg string, files map[string]pasted) (map[string]string, error) {
	bin := map[string]string{}
	for _, v := range []*version{c.base, c.head} {
		in := v.packageDir(pkg)
		if in == "" {
			return nil, &execute.BuildError{Package: pkg, Output: "there is no such package on " + v.side}
		}
		replace := map[string]string{}
		if c.seeding.patch != nil {
			maps.Copy(replace, c.seeding.patch.Replace)
		}
		dir := filepath.Join(c.tmp, "paste", v.side)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
		for id, t := range files {
			file := filepath.Join(dir, calls.TestFile(id))
			if err := os.WriteFile(file, t.text, 0o644); err != nil {
				return nil, err
			}
			replace[filepath.Join(in, calls.TestFile(id))] = file
		}
		overlay := filepath.Join(dir, "overlay.json")
		if err := execute.WriteOverlay(overlay, replace); err != nil {
			return nil, err
		}
		bin[v.side] = filepath.Join(dir, "paste.test")
		err := execute.Test(ctx, execute.Build{Dir: v.module, Package: pkg, Out: bin[v.side], Overlay: overlay,
			Tags: c.opt.Tags, Env: c.buildEnv(), Module: v.tree.Module})
		if err != nil {
			return nil, err
		}
	}
	return bin, nil
}
