package build

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/isodelta/isodelta/runner/execute/deterministic"
	"github.com/isodelta/isodelta/runner/execute/sandbox"
)

// Toolchain is the go command that both versions of a module are built with, and the
// deterministic run time for its version.
type Toolchain struct {
	Tmp   string               // folder for what is generated and built
	Go    GoEnv                // see Find
	Patch *deterministic.Patch // nil without a deterministic run time, see Seed
	// NoWorkspace says that builds leave go.work files alone.
	NoWorkspace bool
	// pinned is the toolchain for both versions, "" where each selects it itself.
	pinned string
	linked bool // see Link
}

// GoEnv is what `go env` says in the module's directory.
type GoEnv struct {
	GOROOT, GOVERSION, GOCACHE, GOMODCACHE, GOEXPERIMENT string
}

// Link gives a distribution that was downloaded as a module another path, below Tmp.
// Of one in the module cache, go commands before 1.26 believe their index, which knows
// nothing of the packages that an overlay adds.
func (t *Toolchain) Link() error {
	if t.Go.GOMODCACHE == "" || !strings.HasPrefix(t.Go.GOROOT, t.Go.GOMODCACHE+string(filepath.Separator)) {
		return nil
	}
	link := filepath.Join(t.Tmp, "sdk")
	if err := os.Symlink(t.Go.GOROOT, link); err != nil {
		return fmt.Errorf("reach the go command by another path: %w", err)
	}
	t.Go.GOROOT, t.linked = link, true
	return nil
}

// Command is the go command to build with.
func (t *Toolchain) Command() string {
	if t.linked {
		return filepath.Join(t.Go.GOROOT, "bin", "go")
	}
	return "go"
}

// release returns the version without the experiments that may follow it, such as
// go1.26.8.
func (g GoEnv) release() string {
	release, _, _ := strings.Cut(g.GOVERSION, " ")
	return release
}

// EnvError is what `go env` prints where it fails: the module cannot be read.
type EnvError struct{ Text string }

func (e *EnvError) Error() string { return "go env: " + e.Text }

// Find asks the go command that the module in dir selects. Where it has been asked
// for the other version before, and the two select different ones, the newer builds
// both: what differs is then the module's doing. The error is an EnvError if that
// command refuses the module.
func (t *Toolchain) Find(ctx context.Context, dir string) error {
	cmd := exec.CommandContext(ctx, "go", "env", "-json", "GOROOT", "GOVERSION", "GOCACHE", "GOMODCACHE", "GOEXPERIMENT")
	cmd.Dir, cmd.Env = dir, t.Env()
	var errText bytes.Buffer
	cmd.Stderr = &errText
	out, err := cmd.Output()
	if errors.Is(err, exec.ErrNotFound) {
		return errors.New("no go command on the PATH: install Go, isodelta builds and runs tests with it")
	}
	if err != nil {
		return &EnvError{strings.TrimSpace(errText.String())}
	}
	before := t.Go
	if err := json.Unmarshal(out, &t.Go); err != nil {
		return fmt.Errorf("go env: %w", err)
	}
	if before.GOVERSION != "" && before.GOROOT != t.Go.GOROOT {
		if version.Compare(before.release(), t.Go.release()) > 0 {
			t.Go = before
		}
		t.pinned = t.Go.release()
	}
	if t.Go.GOCACHE == "" || t.Go.GOCACHE == "off" {
		return errors.New("the go command has no folder for its build cache, so nothing can be built: set HOME, or GOCACHE and GOMODCACHE")
	}
	return nil
}

// Seed prepares the deterministic run time; an error says why there is none.
func (t *Toolchain) Seed() (err error) {
	t.Patch, err = deterministic.Overlay(t.Go.GOROOT, t.Go.GOVERSION, filepath.Join(t.Tmp, "goroot"))
	return err
}

// Env is the environment of the go command on the PATH. What the command leaves behind
// when it is killed goes with the folder for what is built.
func (t *Toolchain) Env() []string {
	env, _ := sandbox.BuildEnv(os.Environ())
	// The go command keeps long arguments for compilers and linkers in TMPDIR, whatever GOTMPDIR is, and leaves them there
	// when it is killed.
	env = append(env, "GOTMPDIR="+t.Tmp, "TMPDIR="+t.Tmp)
	if t.pinned != "" {
		env = append(env, "GOTOOLCHAIN="+t.pinned)
	}
	if t.NoWorkspace {
		env = append(env, "GOWORK=off")
	}
	if t.Patch != nil {
		env = append(env, t.Patch.Env...)
	}
	return env
}

// buildEnv is the environment of Command.
func (t *Toolchain) buildEnv() []string {
	if t.linked {
		return append(t.Env(), "GOTOOLCHAIN=local", "GOROOT="+t.Go.GOROOT)
	}
	return t.Env()
}
