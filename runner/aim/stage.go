package aim

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"time"

	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/probe"
	"github.com/isodelta/isodelta/runner/stage"
)

// Stage searches for inputs that take branches of one package.
type Stage struct {
	Env    *stage.Env
	Single build.Single // its version is instrumented as tests are
	// Most bounds the executions for each goal.
	Most int
	// Equations are asked for what trying does not take; nil for not at all.
	Equations *Equations

	flow   *isomorph.Program
	api    *surface.API
	binary string
	size   probe.Size
}

// Found is what became of a goal.
type Found struct {
	Goal
	// Taken says that an input was found, and shown to take the branch once more.
	Taken    bool
	Tried    int           // executions
	Search   time.Duration // in the test process, once that runs
	Input    string        // the call that takes it
	Internal bool          // only a function that is not exported was found to lead there
	Test     string        // a Go test of it; "" if none can be written
	File     string        // where it belongs, relative to the tree
	NoTest   string        // why there is no test
	Why      string        // why nothing was found
	// Infeasible says that no input takes the branch, and Limit what there were no equations
	// for, as of Tries.
	Infeasible bool
	Limit      string
}

// maxMends bounds the builds of one binary.
const maxMends = 24

// DefaultMost is how many executions a goal is given.
const DefaultMost = 60_000

// Open builds what makes calls in a package.
func (s *Stage) Open(ctx context.Context, pkg string) error {
	v := s.Single.Version
	tree := v.Tree
	var err error
	s.api, err = surface.NewAPI(tree, tree, tree, pkg, surface.NewHooks(tree, tree, func(string) bool { return false }))
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(slices.Collect(operations(s.api)), func(o surface.Operation) bool { return !o.Variable }) {
		return fmt.Errorf("%s has no function that a test can call: it declares none, or all need values that nothing can make", pkg)
	}
	s.api.AddLiterals(surface.CollectLiterals(tree, tree, pkg, surface.Change{}, nil))
	if s.flow == nil {
		if s.flow, err = isomorph.Analyse(ctx, tree); err != nil {
			return err
		}
	}
	for operands := true; ; operands = false {
		program, err := instrument.Code(tree, instrument.Config{Generated: true, Operands: operands})
		if err != nil {
			return err
		}
		s.size = probe.Size{Conditions: len(program.Conditions), Arms: len(program.Arms), Sites: 1, Module: tree.Module}
		if err := s.size.Check(); err != nil {
			return err
		}
		err = s.buildCalls(ctx, pkg, program)
		var broken *execute.BuildError
		if err == nil || !operands || !errors.As(err, &broken) {
			return err
		}
		// What compares in a way that cannot be rewritten is searched without operands.
	}
}

func operations(api *surface.API) iter.Seq[surface.Operation] {
	return func(yield func(surface.Operation) bool) {
		for _, o := range api.All() {
			if !yield(o) {
				return
			}
		}
	}
}

// buildCalls builds the binary, and drops what cannot be called until it compiles.
func (s *Stage) buildCalls(ctx context.Context, pkg string, program *instrument.Program) error {
	v := s.Single.Version
	dir := s.Single.Folder("aim")
	replace, err := harness.Overlay(s.Single.Chain.Go.GOROOT, filepath.Join(dir, "harness"))
	if err != nil {
		return err
	}
	file := filepath.Join(dir, "calls", surface.FileName)
	replace[filepath.Join(v.PackageDir(pkg), surface.FileName)] = file
	for range maxMends {
		if err := build.WriteIfNew(file, s.api.File()); err != nil {
			return err
		}
		s.binary, err = s.Single.Test(ctx, pkg, "aim", program, replace)
		var broken *execute.BuildError
		if err == nil || !errors.As(err, &broken) {
			return err
		}
		if mended, whole := s.api.Mend(broken.At); !mended || !whole {
			return err
		}
	}
	return err
}

// Run searches for inputs that take goals, all of the package that was opened, one after
// the other. What takes a later goal on the way to an earlier one counts. Where the time
// of ctx is over, the goals that are left are not found.
func (s *Stage) Run(ctx context.Context, goals []Goal) ([]Found, error) {
	out := make([]Found, len(goals))
	taken := Taken{}
	for i, g := range goals {
		s.Env.Progress("aim", g.String(), i, len(goals))
		out[i].Goal = g
		err := s.find(ctx, &out[i], goals[i+1:], taken)
		if errors.Is(ctx.Err(), context.DeadlineExceeded) && !out[i].Taken {
			out[i].Why, err = "the time was over", nil
		}
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// find searches for one goal, unless it was taken already; later are looked out for.
func (s *Stage) find(ctx context.Context, f *Found, later []Goal, taken Taken) error {
	if taken[f.branch] == nil {
		search := Searcher{Env: s.Env, Version: s.Single.Version, Flow: s.flow, API: s.api, Binary: s.target(s.binary), Most: s.Most,
			Equations: s.Equations}
		tries, err := search.Search(ctx, f.Goal, later, taken)
		f.Tried, f.Search, f.Why = tries.Runs, tries.Took, tries.Why
		f.Infeasible, f.Limit = tries.Infeasible, tries.Limit
		if err != nil || !tries.Taken {
			return err
		}
	}
	t := taken[f.branch][0]
	f.Internal = !s.exported(t)
	return s.show(ctx, f, t)
}

// exported reports whether the function that is called last is exported.
func (s *Stage) exported(t calls.Took) bool {
	return s.api.Op(t.Sequence[len(t.Sequence)-1].Op).Exported
}

// target is how a binary runs.
func (s *Stage) target(binary string) execute.Target {
	return execute.Target{Binary: binary, Dir: s.Single.Version.PackageDir(s.api.Package), Size: s.size}
}
