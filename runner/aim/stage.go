package aim

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/probe"
	"github.com/isodelta/isodelta/runner/stage"
	"github.com/isodelta/isodelta/runner/version"
)

// Stage searches for inputs that take branches of one package.
type Stage struct {
	Env    *stage.Env
	Single build.Single // its version is instrumented as tests are
	// Most bounds the executions for each goal.
	Most int

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
	s.api.AddLiterals(surface.CollectLiterals(tree, tree, pkg))
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
	took := map[int]calls.Took{} // by branch
	for i, g := range goals {
		s.Env.Progress("aim", g.String(), i, len(goals))
		out[i].Goal = g
		err := s.find(ctx, &out[i], goals[i+1:], took)
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
func (s *Stage) find(ctx context.Context, f *Found, later []Goal, took map[int]calls.Took) error {
	if t, ok := took[f.branch]; ok {
		f.Internal = !s.exported(t)
		return s.show(ctx, f, t)
	}
	list := []int{f.branch}
	for _, g := range later {
		if _, ok := took[g.branch]; !ok {
			list = append(list, g.branch)
		}
	}
	return s.take(ctx, f, list, took)
}

// exported reports whether the function that is called last is exported.
func (s *Stage) exported(t calls.Took) bool {
	return s.api.Op(t.Sequence[len(t.Sequence)-1].Op).Exported
}

// take searches for one goal: by exported functions first, then by all.
func (s *Stage) take(ctx context.Context, f *Found, goals []int, took map[int]calls.Took) error {
	tree := s.Single.Version.Tree
	toward, ok, err := isomorph.Ahead(tree, f.ahead())
	if err != nil {
		return err
	}
	if !ok {
		// Without a graph, everything that is executed is as near as anything else.
		ways := [2]int{-1, -1}
		if f.Outcome {
			ways[1] = 0
		} else if !f.Arm {
			ways[0] = 0
		}
		toward.Outcomes = map[load.Place][2]int{f.Place: ways}
	}
	q := wire.Aim{Goals: goals, Ahead: map[int][2]int{}, Seed: uint64(s.Env.Seed)}
	for _, c := range s.Single.Version.Program.Conditions {
		if ways, ok := toward.Outcomes[c.Place]; ok {
			q.Ahead[c.Index] = ways
		}
	}
	var lastly calls.Aimed
	phases := s.phases(toward, ok)
	for n, ops := range phases {
		q.Ops, q.Most = ops, (s.Most-f.Tried)/(len(phases)-n)
		aimed, err := s.search(ctx, f, q, took, n == 0 && len(phases) > 1)
		f.Tried += aimed.Runs
		if err != nil {
			return err
		}
		lastly = aimed
		if t, ok := took[f.branch]; ok {
			f.Internal = !s.exported(t)
			return s.show(ctx, f, t)
		}
	}
	f.Why = s.why(lastly, len(phases))
	return nil
}

// phases are the operations to call: exported functions that lead to the goal, then all
// that do, the nearest first.
func (s *Stage) phases(toward isomorph.Toward, known bool) [][]wire.Op {
	type near struct {
		op    wire.Op
		ahead int
	}
	var all []near
	exported := false
	for n, o := range s.api.All() {
		if o.Variable {
			continue
		}
		ahead, leads := toward.Entries[o.At[version.Head]]
		for _, name := range o.Dynamic {
			for _, p := range s.api.All() {
				if k, ok := toward.Entries[p.At[version.Head]]; ok && p.Name == name && (!leads || k < ahead) {
					ahead, leads = k, true
				}
			}
		}
		if leads || !known {
			all = append(all, near{n, ahead})
			exported = exported || o.Exported
		}
	}
	slices.SortStableFunc(all, func(a, b near) int { return cmp.Compare(a.ahead, b.ahead) })
	var first, second []wire.Op
	for _, x := range all {
		if s.api.Op(x.op).Exported {
			first = append(first, x.op)
		}
		second = append(second, x.op)
	}
	switch {
	case len(second) == 0:
		return nil
	case !exported || len(first) == len(second):
		return [][]wire.Op{second}
	}
	return [][]wire.Op{first, second}
}

// search makes one search in a process of its own.
func (s *Stage) search(ctx context.Context, f *Found, q wire.Aim, took map[int]calls.Took, exportedOnly bool) (calls.Aimed, error) {
	roles := map[wire.Op]wire.Role{}
	for _, op := range q.Ops {
		roles[op] = wire.Changed
	}
	var exclude []wire.Op
	if exportedOnly {
		for n, o := range s.api.All() {
			if !o.Exported {
				exclude = append(exclude, n)
			}
		}
	}
	a := calls.NewAimer(s.Env.Lab, s.target(s.binary), s.api.Literals, roles, exclude, uint64(s.Env.Seed))
	defer a.Close()
	if err := a.Open(ctx); err != nil {
		return calls.Aimed{}, err
	}
	begin := s.Env.Now()
	aimed, err := a.Take(ctx, q)
	f.Search += s.Env.Now().Sub(begin)
	for _, t := range aimed.Taken {
		if _, ok := took[t.Goal]; ok {
			continue
		}
		var wrong error
		if t.Smaller, wrong = a.Smaller(ctx, t.Sequence, t.Goal); wrong != nil {
			return aimed, wrong
		}
		took[t.Goal] = t
	}
	if a.Deaths > 0 && aimed.Failed == "" {
		aimed.Failed = fmt.Sprintf("%d inputs ended the process, the last one with: %s", a.Deaths, a.Ended)
	}
	return aimed, err
}

// target is how a binary runs.
func (s *Stage) target(binary string) execute.Target {
	return execute.Target{Binary: binary, Dir: s.Single.Version.PackageDir(s.api.Package), Size: s.size}
}

// why says in words why a goal was not taken.
func (s *Stage) why(aimed calls.Aimed, phases int) string {
	var parts []string
	switch n := aimed.Nearest; {
	case phases == 0:
		parts = append(parts, "no function that can be called from a test of the package leads there")
	case n == nil:
		parts = append(parts, "no input came as far as a condition that leads there")
	default:
		c := s.Single.Version.Program.Conditions[n.Condition]
		text := fmt.Sprintf("the nearest inputs part from the way at %s:%d, where %s is %t", c.File, c.Line, c.Text, n.Outcome)
		if n.Operands != "" {
			text += " (" + n.Operands + ")"
		}
		parts = append(parts, text)
	}
	if aimed.Failed != "" {
		parts = append(parts, aimed.Failed)
	}
	return strings.Join(parts, "; ")
}
