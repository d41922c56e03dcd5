package rig

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/isodelta/isodelta/internal/evaluate/subject"
	"github.com/isodelta/isodelta/internal/scratch"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/execute/deterministic"
	"github.com/isodelta/isodelta/runner/execute/sandbox"
	"github.com/isodelta/isodelta/runner/load"
)

// Workers is how many test processes run at a time.
const Workers = 2

// TestFlags leave out the subjects' long tests.
func TestFlags() []string { return []string{"-test.short"} }

// Workspace holds what all parts of an evaluation share.
type Workspace struct {
	Dir        string // temporary, removed by Close
	Executable string
	GoVersion  string
	patch      *deterministic.Patch // nil where Go has no seeded run time
	goroot     string
	sandbox    sandbox.Found
	labs       atomic.Int64

	mu  sync.Mutex // guards log
	log io.Writer
}

// Open makes a workspace, which is to be closed. Progress goes to log.
func Open(ctx context.Context, log io.Writer) (*Workspace, error) {
	dir, err := os.MkdirTemp("", "isodelta-evaluate-")
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	w := &Workspace{Dir: dir, log: log}
	if err := w.equip(ctx); err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

// Close removes what the workspace has made.
func (w *Workspace) Close() { scratch.RemoveAll(w.Dir) }

func (w *Workspace) equip(ctx context.Context) (err error) {
	if w.Executable, err = os.Executable(); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "env", "-json", "GOROOT", "GOVERSION")
	cmd.Dir = w.Dir
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go env: %w", err)
	}
	var env struct{ GOROOT, GOVERSION string }
	if err := json.Unmarshal(out, &env); err != nil {
		return fmt.Errorf("go env: %w", err)
	}
	w.GoVersion, w.goroot = env.GOVERSION, env.GOROOT
	w.patch, err = deterministic.Overlay(env.GOROOT, env.GOVERSION, filepath.Join(w.Dir, "goroot"))
	if err != nil {
		w.Say("no seeded run time: %v", err)
		w.patch = nil
	}
	w.sandbox, err = sandbox.Probe(ctx, w.Executable, sandbox.Policy{MemoryBytes: memory})
	return err
}

// Say tells those who wait.
func (w *Workspace) Say(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, _ = fmt.Fprintf(w.log, format+"\n", args...) // progress that cannot be shown decides nothing
}

// environment of builds outside any workspace.
func environment() []string { return append(os.Environ(), "GOWORK=off") }

// LayOut makes a subject in a directory of its own.
func (w *Workspace) LayOut(ctx context.Context, name string) (*subject.Module, error) {
	dir, err := os.MkdirTemp(w.Dir, "subject-")
	if err != nil {
		return nil, err
	}
	return subject.Make(ctx, name, dir)
}

// Commit lays a subject out and commits it.
func (w *Workspace) Commit(ctx context.Context, name string) (*subject.Module, error) {
	m, err := w.LayOut(ctx, name)
	if err != nil {
		return nil, err
	}
	return m, m.Commit(ctx)
}

// Subject lays a subject out and loads it.
func (w *Workspace) Subject(ctx context.Context, name string) (*load.Tree, error) {
	m, err := w.LayOut(ctx, name)
	if err != nil {
		return nil, err
	}
	return w.Load(ctx, m.Dir)
}

// Load loads a subject, which is one package, from its directory.
func (w *Workspace) Load(ctx context.Context, dir string) (*load.Tree, error) {
	t, err := load.Load(ctx, load.Options{Root: dir, Dir: dir, Env: environment()})
	if err != nil {
		return nil, err
	}
	if len(t.Packages) != 1 {
		return nil, fmt.Errorf("subject in %s has %d packages, and one is expected", dir, len(t.Packages))
	}
	return t, nil
}

// memory bounds a process: a mutated or negated loop may allocate without end.
const memory = 2 << 30

// Lab is where processes of test binaries run; env is added to their
// environment. Labs do not share a directory.
func (w *Workspace) Lab(env ...string) (*execute.Lab, error) {
	// Names of equal length, so that no path is longer on one version.
	tmp := filepath.Join(w.Dir, fmt.Sprintf("run-%06d", w.labs.Add(1)))
	if err := os.Mkdir(tmp, 0o700); err != nil {
		return nil, err
	}
	kept, _ := sandbox.ScrubEnv(os.Environ())
	return &execute.Lab{Executable: w.Executable, Level: w.sandbox.Level, Policy: w.sandbox.Policy,
		Env: append(append(kept, "GOMAXPROCS=1"), env...), Flags: TestFlags(), Tmp: tmp}, nil
}

// Plain builds the tests of a subject as they are and gives the binary.
func (w *Workspace) Plain(ctx context.Context, t *load.Tree) (string, error) {
	dir, err := os.MkdirTemp(w.Dir, "plain-")
	if err != nil {
		return "", err
	}
	out := filepath.Join(dir, "plain.test")
	return out, w.GoTest(ctx, t.Dir, out)
}

// GoTest builds the test binary of the package in dir, without instrumentation.
func (w *Workspace) GoTest(ctx context.Context, dir, out string) error {
	cmd := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-o", out, ".")
	cmd.Dir, cmd.Env = dir, environment()
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go test -c in %s: %w\n%s", dir, err, text)
	}
	return nil
}
