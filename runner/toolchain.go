package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/execute/deterministic"
	"github.com/isodelta/isodelta/runner/execute/sandbox"
)

// goEnv is what `go env` says in the module's directory.
type goEnv struct {
	GOROOT, GOVERSION, GOCACHE, GOMODCACHE, GOEXPERIMENT string
}

// seeding is the deterministic run time, where there is one.
type seeding struct {
	patch *deterministic.Patch // nil without one
}

// findGo asks the go command that the module selects.
func (c *comparison) findGo(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, "go", "env", "-json", "GOROOT", "GOVERSION", "GOCACHE", "GOMODCACHE", "GOEXPERIMENT")
	cmd.Dir, cmd.Env = c.head.module, c.buildEnv()
	var errText bytes.Buffer
	cmd.Stderr = &errText
	out, err := cmd.Output()
	if errors.Is(err, exec.ErrNotFound) {
		return errors.New("no go command on the PATH: install Go, isodelta builds and runs tests with it")
	}
	if err != nil {
		return &VersionError{Side: "head", What: c.asked(c.head), Err: fmt.Errorf("go env: %s", strings.TrimSpace(errText.String()))}
	}
	if err := json.Unmarshal(out, &c.goenv); err != nil {
		return fmt.Errorf("go env: %w", err)
	}
	if c.goenv.GOCACHE == "" || c.goenv.GOCACHE == "off" {
		return errors.New("the go command has no folder for its build cache, so nothing can be built: set HOME, or GOCACHE and GOMODCACHE")
	}
	return nil
}

// seed prepares the deterministic run time, or says why there is none.
func (c *comparison) seed() {
	if !c.opt.Seeded {
		c.limit(event.Limit{Kind: "runtime", What: c.goenv.GOVERSION, Reason: "the deterministic run time is switched off"})
		return
	}
	patch, err := deterministic.Overlay(c.goenv.GOROOT, c.goenv.GOVERSION, filepath.Join(c.tmp, "goroot"))
	if err != nil {
		c.limit(event.Limit{Kind: "runtime", What: c.goenv.GOVERSION,
			Reason: "no deterministic run time for this Go version, so map order and random numbers may hide or fake differences: " + err.Error()})
		return
	}
	c.seeding.patch = patch
}

// buildEnv is the environment of the go command. What it leaves behind when it
// is killed goes with the comparison's own folder.
func (c *comparison) buildEnv() []string {
	env, _ := sandbox.BuildEnv(os.Environ())
	env = append(env, "GOTMPDIR="+c.tmp)
	if c.seeding.patch != nil {
		env = append(env, c.seeding.patch.Env...)
	}
	return env
}

// maxMemory is what one test process may allocate: a negated condition can
// ask for any amount, and two processes run at a time.
const maxMemory = 4 << 30

// maxDisk is how large a file of a test may be, and its temporary folder.
const maxDisk = 2 << 30

// maxProcesses is how many processes and threads a test may have.
const maxProcesses = 4096

// openLab finds out how well variants can be locked in.
func (c *comparison) openLab(ctx context.Context) error {
	run := filepath.Join(c.tmp, "run")
	if err := os.MkdirAll(run, 0o700); err != nil {
		return err
	}
	policy := sandbox.Policy{Require: c.opt.Sandbox == "require", Off: c.opt.Sandbox == "off",
		MemoryBytes: maxMemory, FileBytes: maxDisk, TempBytes: maxDisk, Processes: maxProcesses, Temp: c.tmp}
	found, err := sandbox.Probe(ctx, c.opt.Executable, policy)
	if err != nil {
		return fmt.Errorf("sandbox: %w", err)
	}
	env, removed := sandbox.ScrubEnv(os.Environ())
	env = append(env, "GOMAXPROCS=1")
	env = append(env, c.opt.TestEnv...)
	detail := found.Detail
	_, unbuilt := sandbox.BuildEnv(os.Environ())
	if away := sandbox.Removed(slices.Concat(removed, c.opt.Withheld), slices.Concat(unbuilt, c.opt.Withheld)); away != "" {
		detail = strings.TrimPrefix(detail+"; "+away, "; ")
	}
	c.lab = &execute.Lab{Executable: c.opt.Executable, Level: found.Level, Detail: detail, Open: found.Open, Policy: found.Policy,
		Env: env, Flags: c.opt.TestFlags, Tmp: run}
	return nil
}

func (c *comparison) emitConfig() {
	list := "unique"
	if c.opt.Universal {
		list = "universal"
	}
	match := "resynchronised"
	if c.opt.Strict {
		match = "strict"
	}
	packages := c.opt.Packages
	if len(packages) == 0 {
		packages = []string{"./..."}
	}
	e := event.Config{Type: "config", Version: event.Version, Tool: c.opt.Tool, Packages: packages,
		Exclude: c.opt.Exclude, Depth: c.opt.Depth, List: list, BudgetSeconds: c.opt.Budget.Seconds(),
		MaxVariants: c.opt.MaxVariants, Prune: !c.opt.NoPrune, Match: match, Seed: c.opt.Seed,
		GoVersion: c.goenv.GOVERSION, FailOn: c.opt.FailOn, Policy: c.opt.Policy}
	if c.opt.Shards > 0 {
		e.Shard = fmt.Sprintf("%d/%d", c.opt.Shard, c.opt.Shards)
	}
	if c.lab != nil {
		e.Sandbox, e.SandboxDetail = string(c.lab.Level), c.lab.Detail
		for _, gap := range c.lab.Open {
			e.SandboxOpen = append(e.SandboxOpen, string(gap))
		}
	}
	if p := c.seeding.patch; p != nil {
		e.Deterministic, e.Masked = true, p.Masked
	}
	c.sink.Emit(e)
}
