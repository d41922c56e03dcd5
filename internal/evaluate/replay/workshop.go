package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"

	"github.com/isodelta/isodelta/internal/evaluate/subject"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/execute/deterministic"
	"github.com/isodelta/isodelta/runner/execute/sandbox"
	"github.com/isodelta/isodelta/runner/load"
)

// workers is how many test processes run at a time while mutants are judged.
const workers = 2

// testFlags leave out the subjects' long tests, as in mutant.Trial.
func testFlags() []string { return []string{"-test.short"} }

// workshop holds what all parts share: a directory, the go command, the seeded
// run time and the sandbox.
type workshop struct {
	opt        options
	dir        string // temporary, removed at the end
	executable string
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
	w.goversion = env.GOVERSION
	w.patch, err = deterministic.Overlay(env.GOROOT, env.GOVERSION, filepath.Join(w.dir, "goroot"))
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

// lab is where processes of test binaries run. Labs do not share a directory.
func (w *workshop) lab() (*execute.Lab, error) {
	tmp, err := os.MkdirTemp(w.dir, "run-")
	if err != nil {
		return nil, err
	}
	kept, _ := sandbox.ScrubEnv(os.Environ())
	const memory = 2 << 30
	return &execute.Lab{Executable: w.executable, Level: w.level, Policy: sandbox.Policy{MemoryBytes: memory},
		Env: append(kept, "GOMAXPROCS=1"), Flags: testFlags(), Tmp: tmp}, nil
}

func write(file string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, content, 0o644)
}
