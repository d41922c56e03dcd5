package rig

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/probe"
	"github.com/isodelta/isodelta/runner/version"
)

// Rig is the instrumented test binary of a subject.
type Rig struct {
	Tree    *load.Tree
	Program *instrument.Program
	Suite   *instrument.Suite
	Hooks   *surface.Hooks // nil for a binary that makes no calls
	API     *surface.API   // likewise
	Binary  string
	size    probe.Size
}

// Rigging says how to build one.
type Rigging struct {
	Entries int // numbers used in Config.Entries
	Config  instrument.Config
	Calls   bool // with entry hooks and the harness that makes calls
	Seeded  bool // linked against the seeded run time, where there is one
}

// maxDropped bounds the rounds in which what cannot be named is dropped from
// the file that registers calls.
const maxDropped = 8

// Rig instruments and builds a tree.
func (w *Workspace) Rig(ctx context.Context, t *load.Tree, how Rigging) (*Rig, error) {
	dir, err := os.MkdirTemp(w.Dir, "rig-")
	if err != nil {
		return nil, err
	}
	r := &Rig{Tree: t, Binary: filepath.Join(dir, "instrumented.test")}
	b := &bench{dir: dir, replace: map[string]string{}}
	if err := r.instrument(b, how); err != nil {
		return nil, err
	}
	seeded := how.Seeded && w.patch != nil
	r.size = probe.Size{Conditions: len(r.Program.Conditions), Arms: len(r.Program.Arms), Entries: how.Entries,
		Sites: len(r.Suite.Sites) + 1, Module: t.Module}
	if err := r.addRunTime(b, w.goroot, seeded && w.patch.Seedable); err != nil {
		return nil, err
	}
	build := execute.Build{Dir: t.Dir, Package: t.Packages[0].Path, Out: r.Binary, Overlay: filepath.Join(dir, "overlay.json"),
		Env: environment(), Module: t.Module}
	if seeded {
		for at, by := range w.patch.Replace {
			b.replace[at] = by
		}
		build.Env = append(build.Env, w.patch.Env...)
	}
	if r.Program.NeedsLang || r.Suite.NeedsLang {
		build.Language = "go1.21"
	}
	return r, r.build(ctx, b, build)
}

// bench is where an overlay is put together.
type bench struct {
	dir     string
	replace map[string]string
}

func (b *bench) put(at, kind, name string, content []byte) error {
	file := filepath.Join(b.dir, kind, filepath.FromSlash(name))
	b.replace[at] = file
	return WriteFile(file, content)
}

// WriteFile writes a file, and makes the folders that lead to it.
func WriteFile(file string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, content, 0o644)
}

// instrument rewrites the code and the tests.
func (r *Rig) instrument(b *bench, how Rigging) (err error) {
	t := r.Tree
	if how.Calls {
		r.Hooks = surface.NewHooks(t, t, func(string) bool { return false })
		how.Config.Hooks = r.Hooks.At[version.Head]
		if r.API, err = surface.NewAPI(t, t, t, t.Packages[0].Path, r.Hooks); err != nil {
			return err
		}
	}
	if r.Program, err = instrument.Code(t, how.Config); err != nil {
		return err
	}
	if r.Suite, err = instrument.Tests(t, how.Config, nil); err != nil {
		return err
	}
	for _, files := range []map[string][]byte{r.Program.Files, r.Suite.Files} {
		for rel, content := range files {
			if err := b.put(filepath.Join(t.Root, filepath.FromSlash(rel)), "src", rel, content); err != nil {
				return err
			}
		}
	}
	return nil
}

// addRunTime injects the probe, and the harness beside it.
func (r *Rig) addRunTime(b *bench, goroot string, seeded bool) error {
	replace, err := probe.Overlay(goroot, filepath.Join(b.dir, "probe"), seeded)
	if err != nil {
		return err
	}
	maps.Copy(b.replace, replace)
	if r.API == nil {
		return nil
	}
	if replace, err = harness.Overlay(goroot, filepath.Join(b.dir, "harness")); err != nil {
		return err
	}
	maps.Copy(b.replace, replace)
	return nil
}

// build links the binary; what the file that registers calls cannot name is
// dropped from it.
func (r *Rig) build(ctx context.Context, b *bench, build execute.Build) (err error) {
	for range maxDropped {
		if r.API != nil {
			if err := b.put(filepath.Join(r.Tree.Packages[0].Dir, surface.FileName), "calls", surface.FileName, r.API.File()); err != nil {
				return err
			}
		}
		if err := execute.WriteOverlay(build.Overlay, b.replace); err != nil {
			return err
		}
		err = execute.Test(ctx, build)
		var broken *execute.BuildError
		if r.API == nil || !errors.As(err, &broken) {
			return err
		}
		if mended, _ := r.API.Mend(broken.At); !mended {
			return err
		}
	}
	return fmt.Errorf("the file that registers calls still does not build: %w", err)
}

// Target is one test of the rig's.
func (r *Rig) Target(test string) execute.Target {
	return execute.Target{Binary: r.Binary, Dir: r.Tree.Packages[0].Dir, Test: test, Size: r.size}
}

// Pattern names the rig's tests for -test.run. Examples are tests in the
// instrumented binary, and are there as examples too, which the engine never
// runs: one that changes the package's variables would meet its own traces.
func (r *Rig) Pattern(examples bool) string {
	var names []string
	for _, t := range r.Suite.Tests {
		if examples || t.Kind != "example" {
			names = append(names, regexp.QuoteMeta(t.Name))
		}
	}
	return "^(" + strings.Join(names, "|") + ")$"
}
