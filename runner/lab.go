package runner

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/execute/sandbox"
)

const (
	// maxMemory is what one test process may allocate: a negated condition can
	// ask for any amount, and two processes run at a time.
	maxMemory = 4 << 30
	// maxDisk is how large a file of a test may be, and its temporary folder.
	maxDisk = 2 << 30
	// maxProcesses is how many processes and threads a test may have.
	maxProcesses = 4096
)

// listUnseeded lists why the run time is not deterministic, if it is not.
func (r *run) listUnseeded() {
	version := r.chain.Go.GOVERSION
	if !r.opt.Seeded {
		r.env.Limit(event.Limit{Kind: event.LimitRuntime, What: version, Reason: "the deterministic run time is switched off"})
		return
	}
	if r.unseeded != nil {
		r.env.Limit(event.Limit{Kind: event.LimitRuntime, What: version,
			Reason: "no deterministic run time, so map order and random numbers may hide or fake differences: " + r.unseeded.Error()})
	}
}

// openLab finds out how well variants can be locked in.
func (r *run) openLab(ctx context.Context) error {
	folder := filepath.Join(r.tmp(), "run")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	policy := sandbox.Policy{Require: r.opt.Sandbox == "require", Off: r.opt.Sandbox == "off",
		MemoryBytes: maxMemory, FileBytes: maxDisk, TempBytes: maxDisk, Processes: maxProcesses, Temp: r.tmp()}
	found, err := sandbox.Probe(ctx, r.opt.Executable, policy)
	if err != nil {
		return fmt.Errorf("sandbox: %w", err)
	}
	env, removed := sandbox.ScrubEnv(os.Environ())
	env = append(env, "GOMAXPROCS=1")
	env = append(env, r.opt.TestEnv...)
	detail := found.Detail
	_, unbuilt := sandbox.BuildEnv(os.Environ())
	if away := sandbox.Removed(slices.Concat(removed, r.opt.Withheld), slices.Concat(unbuilt, r.opt.Withheld)); away != "" {
		detail = strings.TrimPrefix(detail+"; "+away, "; ")
	}
	r.env.Lab = &execute.Lab{Executable: r.opt.Executable, Level: found.Level, Detail: detail, Open: found.Open, Policy: found.Policy,
		Env: env, Flags: r.opt.TestFlags, Tmp: folder}
	return nil
}

func (r *run) configEvent() event.Config {
	list := "unique"
	switch {
	case r.opt.Universal:
		list = "universal"
	case r.opt.BothBranches:
		list = "both-branches"
	}
	match := "resynchronised"
	if r.opt.Strict {
		match = "strict"
	}
	e := event.Config{Type: "config", Version: event.Version, Tool: r.opt.Tool, Packages: r.builder.Patterns(),
		Exclude: r.opt.Exclude, Depth: r.opt.Depth, List: list, BudgetSeconds: r.budget.Seconds(),
		MaxVariants: r.opt.MaxVariants, Prune: !r.opt.NoPrune, Match: match, Seed: r.opt.Seed,
		GoVersion: r.chain.Go.GOVERSION, FailOn: r.opt.FailOn, Policy: r.opt.Policy}
	if r.opt.Shards > 0 {
		e.Shard = fmt.Sprintf("%d/%d", r.opt.Shard, r.opt.Shards)
	}
	if lab := r.env.Lab; lab != nil {
		e.Sandbox, e.SandboxDetail = string(lab.Level), lab.Detail
		for _, gap := range lab.Open {
			e.SandboxOpen = append(e.SandboxOpen, string(gap))
		}
	}
	if p := r.chain.Patch; p != nil {
		e.Deterministic, e.Masked = true, p.Masked
	}
	return e
}
