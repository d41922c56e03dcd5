package ison

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/isodelta/isodelta/internal/evaluate/subject"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/execute/deterministic"
	"github.com/isodelta/isodelta/runner/execute/sandbox"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/load"
)

// workers is how many test processes run at a time.
const workers = 2

// testFlags leave out the subjects' long tests, as in mutant.Trial.
func testFlags() []string { return []string{"-test.short"} }

// workshop holds what all parts share: a directory, the go command, the seeded
// run time and the sandbox.
type workshop struct {
	opt        options
	dir        string // temporary, removed at the end
	executable string
	goroot     string
	goversion  string
	patch      *deterministic.Patch // nil where Go has no seeded run time
	level      sandbox.Level

	mu  sync.Mutex // guards log
	log io.Writer
}

// openWorkshop is to be closed.
func openWorkshop(ctx context.Context, opt options, log io.Writer) (*workshop, error) {
	dir, err := os.MkdirTemp("", "isodelta-evaluate-")
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	w := &workshop{opt: opt, dir: dir, log: log}
	if err := w.equip(ctx); err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

func (w *workshop) close() { execute.RemoveAll(w.dir) }

func (w *workshop) equip(ctx context.Context) (err error) {
	if w.executable, err = os.Executable(); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "env", "-json", "GOROOT", "GOVERSION")
	cmd.Dir = w.dir
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go env: %w", err)
	}
	var env struct{ GOROOT, GOVERSION string }
	if err := json.Unmarshal(out, &env); err != nil {
		return fmt.Errorf("go env: %w", err)
	}
	w.goroot, w.goversion = env.GOROOT, env.GOVERSION
	w.patch, err = deterministic.Overlay(w.goroot, w.goversion, filepath.Join(w.dir, "goroot"))
	if err != nil {
		w.say("no seeded run time: %v", err)
		w.patch = nil
	}
	w.level, _, err = sandbox.Probe(ctx, w.executable, sandbox.Policy{})
	return err
}

// say tells those who wait.
func (w *workshop) say(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, _ = fmt.Fprintf(w.log, format+"\n", args...) // progress that cannot be shown decides nothing
}

// environment of builds outside any workspace.
func (w *workshop) environment() []string { return append(os.Environ(), "GOWORK=off") }

// layOut makes a subject in a directory of its own.
func (w *workshop) layOut(ctx context.Context, name string) (*subject.Module, error) {
	dir, err := os.MkdirTemp(w.dir, "subject-")
	if err != nil {
		return nil, err
	}
	return subject.Make(ctx, name, dir)
}

func (w *workshop) load(ctx context.Context, dir string) (*load.Tree, error) {
	t, err := load.Load(ctx, load.Options{Root: dir, Dir: dir, Env: w.environment()})
	if err != nil {
		return nil, err
	}
	if len(t.Packages) != 1 {
		return nil, fmt.Errorf("subject in %s has %d packages, and one is expected", dir, len(t.Packages))
	}
	return t, nil
}

// lab is where processes of test binaries run; env is added to their
// environment. Labs do not share a directory.
func (w *workshop) lab(name string, env ...string) (*execute.Lab, error) {
	tmp := filepath.Join(w.dir, "run", name)
	if err := os.MkdirAll(tmp, 0o700); err != nil {
		return nil, err
	}
	kept, _ := sandbox.ScrubEnv(os.Environ())
	kept = append(append(kept, "GOMAXPROCS=1"), env...)
	// A mutated or negated loop may allocate without end.
	const memory = 2 << 30
	return &execute.Lab{Executable: w.executable, Level: w.level, Policy: sandbox.Policy{MemoryBytes: memory},
		Env: kept, Flags: testFlags(), Tmp: tmp}, nil
}

// rig is the instrumented test binary of a subject.
type rig struct {
	tree    *load.Tree
	program *instrument.Program
	suite   *instrument.Suite
	binary  string
}

// rigging says how to build one.
type rigging struct {
	entries int // numbers used in config.Entries
	config  instrument.Config
	seeded  bool // link against the seeded run time
}

// rig instruments and builds a tree.
func (w *workshop) rig(ctx context.Context, t *load.Tree, how rigging) (*rig, error) {
	how.config.Probe = t.Module + "/isodeltaprobe"
	program, err := instrument.Code(t, how.config)
	if err != nil {
		return nil, err
	}
	suite, err := instrument.Tests(t, how.config, nil)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(w.dir, "rig-")
	if err != nil {
		return nil, err
	}
	replace := map[string]string{}
	for _, files := range []map[string][]byte{program.Files, suite.Files} {
		for rel, content := range files {
			file := filepath.Join(dir, "src", filepath.FromSlash(rel))
			if err := write(file, content); err != nil {
				return nil, err
			}
			replace[filepath.Join(t.Root, filepath.FromSlash(rel))] = file
		}
	}
	seeded := how.seeded && w.patch != nil
	names, err := execute.WriteProbe(filepath.Join(dir, "probe"), execute.ProbeSize{
		Conditions: len(program.Conditions), Arms: len(program.Arms), Entries: how.entries,
		Sites: len(suite.Sites) + 1, Module: t.Module, Seeded: seeded && w.patch.Seedable,
	})
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		replace[filepath.Join(t.Dir, "isodeltaprobe", name)] = filepath.Join(dir, "probe", name)
	}
	env := w.environment()
	if seeded {
		for at, by := range w.patch.Replace {
			replace[at] = by
		}
		env = append(env, w.patch.Env...)
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := execute.WriteOverlay(overlay, replace); err != nil {
		return nil, err
	}
	r := &rig{tree: t, program: program, suite: suite, binary: filepath.Join(dir, "instrumented.test")}
	b := execute.Build{Dir: t.Dir, Package: t.Packages[0].Path, Out: r.binary, Overlay: overlay, Env: env, Module: t.Module}
	if program.NeedsLang || suite.NeedsLang {
		b.Language = "go1.21"
	}
	return r, execute.Test(ctx, b)
}

// target is one test of the rig's.
func (r *rig) target(test string) execute.Target {
	return execute.Target{Binary: r.binary, Dir: r.tree.Packages[0].Dir, Test: test}
}

// pattern names the rig's tests for -test.run. Examples are tests in the
// instrumented binary, and are there as examples too, which the engine never
// runs: one that changes the package's variables would meet its own traces.
func (r *rig) pattern(examples bool) string {
	var names []string
	for _, t := range r.suite.Tests {
		if examples || t.Kind != "example" {
			names = append(names, regexp.QuoteMeta(t.Name))
		}
	}
	return "^(" + strings.Join(names, "|") + ")$"
}

// plainBinary builds the tests of a subject as they are.
func (w *workshop) plainBinary(ctx context.Context, t *load.Tree) (string, error) {
	dir, err := os.MkdirTemp(w.dir, "plain-")
	if err != nil {
		return "", err
	}
	out := filepath.Join(dir, "plain.test")
	return out, w.goTest(ctx, t.Dir, out)
}

// goTest builds the test binary of the package in dir, without instrumentation.
func (w *workshop) goTest(ctx context.Context, dir, out string) error {
	cmd := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-o", out, ".")
	cmd.Dir, cmd.Env = dir, w.environment()
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go test -c in %s: %w\n%s", dir, err, text)
	}
	return nil
}

func write(file string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, content, 0o644)
}
