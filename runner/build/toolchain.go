package build

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/isodelta/isodelta/runner/execute/deterministic"
	"github.com/isodelta/isodelta/runner/execute/sandbox"
)

// Toolchain is the go command that a module selects, and the deterministic run
// time for its version.
type Toolchain struct {
	Tmp   string               // folder for what is generated and built
	Go    GoEnv                // see Find
	Patch *deterministic.Patch // nil without a deterministic run time, see Seed
}

// GoEnv is what `go env` says in the module's directory.
type GoEnv struct {
	GOROOT, GOVERSION, GOCACHE, GOMODCACHE, GOEXPERIMENT string
}

// EnvError is what `go env` prints where it fails: the module cannot be read.
type EnvError struct{ Text string }

func (e *EnvError) Error() string { return "go env: " + e.Text }

// Find asks the go command that the module in dir selects. The error is an
// EnvError if that command refuses the module.
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
	if err := json.Unmarshal(out, &t.Go); err != nil {
		return fmt.Errorf("go env: %w", err)
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

// Env is the environment of the go command. What the command leaves behind when
// it is killed goes with the folder for what is built.
func (t *Toolchain) Env() []string {
	env, _ := sandbox.BuildEnv(os.Environ())
	env = append(env, "GOTMPDIR="+t.Tmp)
	if t.Patch != nil {
		env = append(env, t.Patch.Env...)
	}
	return env
}
