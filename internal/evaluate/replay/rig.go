package replay

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/replay"
)

// rig is a subject's instrumented test binary.
type rig struct {
	tree   *load.Tree
	suite  *instrument.Suite
	hooks  *replay.Hooks // nil for a binary that makes no calls
	api    *replay.API   // likewise
	binary string
}

// mostDropped bounds the rounds in which what cannot be named is dropped from
// the file that registers calls.
const mostDropped = 8

// rig instruments and builds a subject as the engine does: with hooks and the
// harness, or, for comparison, without. seeded links it against the seeded run
// time, where there is one.
func (w *workshop) rig(ctx context.Context, t *load.Tree, calls, seeded bool) (*rig, error) {
	dir, err := os.MkdirTemp(w.dir, "rig-")
	if err != nil {
		return nil, err
	}
	r := &rig{tree: t, binary: filepath.Join(dir, "instrumented.test")}
	cfg := instrument.Config{Probe: t.Module + "/isodeltaprobe"}
	if calls {
		r.hooks = replay.NewHooks(t, t, func(string) bool { return false })
		cfg.Hooks = r.hooks.Head
		if r.api, err = replay.NewAPI(t, t, t, t.Packages[0].Path, cfg.Probe, r.hooks); err != nil {
			return nil, err
		}
	}
	program, err := instrument.Code(t, cfg)
	if err != nil {
		return nil, err
	}
	if r.suite, err = instrument.Tests(t, cfg, nil); err != nil {
		return nil, err
	}
	replace := map[string]string{}
	put := func(at, kind, name string, content []byte) error {
		file := filepath.Join(dir, kind, filepath.FromSlash(name))
		replace[at] = file
		return write(file, content)
	}
	for _, files := range []map[string][]byte{program.Files, r.suite.Files} {
		for rel, content := range files {
			if err := put(filepath.Join(t.Root, filepath.FromSlash(rel)), "src", rel, content); err != nil {
				return nil, err
			}
		}
	}
	seeded = seeded && w.patch != nil
	probe := filepath.Join(t.Dir, "isodeltaprobe")
	names, err := execute.WriteProbe(filepath.Join(dir, "probe"), execute.ProbeSize{
		Conditions: len(program.Conditions), Arms: len(program.Arms), Sites: len(r.suite.Sites) + 1,
		Module: t.Module, Seeded: seeded && w.patch.Seedable,
	})
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		replace[filepath.Join(probe, name)] = filepath.Join(dir, "probe", name)
	}
	if calls {
		if names, err = execute.WriteHarness(filepath.Join(dir, "harness"), t.Module); err != nil {
			return nil, err
		}
		for _, name := range names {
			replace[filepath.Join(probe, "harness", name)] = filepath.Join(dir, "harness", name)
		}
	}
	b := execute.Build{Dir: t.Dir, Package: t.Packages[0].Path, Out: r.binary, Overlay: filepath.Join(dir, "overlay.json"), Env: w.environment(), Module: t.Module}
	if seeded {
		for at, by := range w.patch.Replace {
			replace[at] = by
		}
		b.Env = append(b.Env, w.patch.Env...)
	}
	if program.NeedsLang || r.suite.NeedsLang {
		b.Language = "go1.21"
	}
	for range mostDropped {
		if calls {
			if err := put(filepath.Join(t.Packages[0].Dir, replay.FileName), "calls", replay.FileName, r.api.File()); err != nil {
				return nil, err
			}
		}
		if err := execute.WriteOverlay(b.Overlay, replace); err != nil {
			return nil, err
		}
		if err = execute.Test(ctx, b); err == nil || !calls || !r.drop(err) {
			return r, err
		}
	}
	return nil, fmt.Errorf("the file that registers calls still does not build: %w", err)
}

// drop takes out what the compiler complains about in the file that registers
// calls; false if there is nothing to take out.
func (r *rig) drop(err error) bool {
	var broken *execute.BuildError
	if !errors.As(err, &broken) {
		return false
	}
	lines := map[int]bool{}
	last := 0
	for _, at := range broken.At {
		if strings.HasSuffix(at.File, replay.FileName) {
			lines[at.Line] = true
			last = max(last, at.Line)
		}
	}
	dropped := false
	for n := last; n > 0; n-- { // from the end, so that numbers stay right
		if lines[n] {
			_, ok := r.api.Drop(n)
			dropped = dropped || ok
		}
	}
	return dropped
}

// target is one test of the rig's.
func (r *rig) target(test string) execute.Target {
	return execute.Target{Binary: r.binary, Dir: r.tree.Packages[0].Dir, Test: test}
}

// pattern names the rig's tests for -test.run, without those that stand for
// examples: package testing repeats them, and they may change the package's
// variables.
func (r *rig) pattern() string {
	var names []string
	for _, t := range r.suite.Tests {
		if t.Kind != "example" && t.Reason == "" {
			names = append(names, regexp.QuoteMeta(t.Name))
		}
	}
	return "^(" + strings.Join(names, "|") + ")$"
}
