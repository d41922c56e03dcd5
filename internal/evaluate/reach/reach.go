package reach

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
	"github.com/isodelta/isodelta/internal/evaluate/options"
	"github.com/isodelta/isodelta/internal/evaluate/reach/goals"
	"github.com/isodelta/isodelta/internal/scratch"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner"
	"github.com/isodelta/isodelta/runner/aim"
	"github.com/isodelta/isodelta/runner/symbolic"
)

// limit is how long the search for a goal may take to count as reached in time.
const limit = 2 * time.Second

// Run runs the evaluation.
func Run(ctx context.Context, args []string, out, progress io.Writer) error {
	fs := options.New("reach", progress)
	seed := fs.Int64("seed", 1, "of the search")
	most := fs.Int("most", aim.DefaultMost, "executions for each goal, at most")
	only := fs.String("only", "", "goals with this text in their name")
	tests := fs.Bool("tests", false, "print the tests")
	sound := fs.Bool("soundness", false, "ask equations about branches of which it is known whether an input takes them, instead")
	each := fs.Int("each", 200, "of these, feasible and infeasible")
	solver := fs.String("solver", "embedded", "for these: embedded or installed")
	unmodelled := fs.String("unmodelled", "", "folders of modules, separated by commas: ask equations for each branch there, and count what has none, instead")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if *most < 1 {
		return options.Wrong("-most must be at least 1")
	}
	if *unmodelled != "" {
		return tally(ctx, out, progress, strings.Split(*unmodelled, ","))
	}
	if *sound {
		panel, ok := map[string]symbolic.Panel{"embedded": symbolic.Embedded(), "installed": symbolic.Installed()}[*solver]
		if !ok {
			return options.Wrong("-solver is embedded or installed")
		}
		return soundness(ctx, out, progress, uint64(*seed), *each, panel, "by the solvers that are "+*solver)
	}
	list := plantedGoals(goals.Source, *only)
	if len(list) == 0 {
		return options.Wrong("-only: no goal has %q in its name", *only)
	}
	folder, err := scratch.Make("")
	if err != nil {
		return err
	}
	defer folder.Close()
	opt, err := repository(ctx, filepath.Join(folder.Path(), "goals"))
	if err != nil {
		return err
	}
	opt.Seed, opt.MaxSequences = *seed, *most
	results, err := search(ctx, opt, list, progress)
	if err != nil {
		return err
	}
	if *tests {
		for _, r := range results {
			fmt.Fprintf(out, "// %s\n%s\n", r.name, r.Test)
		}
	}
	var figures figure.Set
	figures.Text("reach.cpu", figure.CPU())
	figures.Text("reach.kernel", figure.Kernel())
	figures.Text("reach.go", runtime.Version())
	figures.Text("reach.seed", fmt.Sprint(*seed))
	figures.Text("reach.command", "go run ./internal/evaluate reach "+strings.Join(args, " "))
	return print(out, results, figures)
}

// said prints what is under way.
type said struct{ to io.Writer }

func (s said) Emit(e event.Event) {
	if p, ok := e.(event.Progress); ok {
		fmt.Fprintln(s.to, p.Text)
	}
}

// goal is a planted goal.
type goal struct {
	name string
	line int
}

// plantedGoals finds the goals in a source.
func plantedGoals(src []byte, only string) []goal {
	var out []goal
	for i, line := range strings.Split(string(src), "\n") {
		if _, name, ok := strings.Cut(line, "// goal: "); ok && strings.Contains(name, only) {
			out = append(out, goal{name, i + 1})
		}
	}
	return out
}

// repository lays the goals out, and returns the options to run on them.
func repository(ctx context.Context, dir string) (runner.Options, error) {
	opt := runner.Defaults()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return opt, err
	}
	for name, content := range map[string][]byte{"go.mod": []byte("module goals\n\ngo 1.24\n"), "goals.go": goals.Source} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			return opt, err
		}
	}
	cmd := exec.CommandContext(ctx, "git", "init", "-q", dir)
	if msg, err := cmd.CombinedOutput(); err != nil {
		return opt, fmt.Errorf("git init: %w: %s", err, msg)
	}
	opt.Dir, opt.Budget, opt.Tool = dir, 0, "evaluate"
	var err error
	opt.Executable, err = os.Executable() // it has the sandbox's helper in it
	return opt, err
}

// result is what became of a goal.
type result struct {
	goal
	aim.Found           // without equations
	embedded  aim.Found // with the solver that isodelta is built with
	installed aim.Found // with those on the PATH as well
	measured  bool      // there are such
}

// search searches for goals without equations, and once more with them for what is left:
// until then they are not asked.
func search(ctx context.Context, opt runner.Options, list []goal, progress io.Writer) ([]result, error) {
	out := make([]result, len(list))
	for i, g := range list {
		out[i].goal = g
		out[i].measured = len(symbolic.Installed().Others) > 0
	}
	for _, c := range []struct {
		solvers runner.Solvers
		of      func(*result) *aim.Found
	}{
		{runner.NoSolver, func(r *result) *aim.Found { return &r.Found }},
		{runner.EmbeddedSolver, func(r *result) *aim.Found { return &r.embedded }},
		{runner.InstalledSolvers, func(r *result) *aim.Found { return &r.installed }},
	} {
		var lines []aim.Line
		yes := true
		for i := range out {
			if out[i].Taken {
				*c.of(&out[i]) = out[i].Found
			} else if c.solvers != runner.InstalledSolvers || out[i].measured {
				lines = append(lines, aim.Line{File: "goals.go", Line: out[i].line, Outcome: &yes})
			}
		}
		if len(lines) == 0 {
			continue
		}
		opt.Solvers = c.solvers
		found, err := runner.Aim(ctx, opt, lines, said{progress})
		if err != nil {
			return nil, err
		}
		// Of each line the last condition's outcome is the goal.
		for i := range out {
			for _, f := range found {
				if f.Line == out[i].line {
					*c.of(&out[i]) = f
				}
			}
		}
	}
	return out, nil
}

const notMeasured = "not measured"

func word(f aim.Found, measured bool) string {
	switch {
	case !measured:
		return notMeasured
	case f.Infeasible:
		return "wrong: called infeasible"
	case f.Taken:
		return "yes"
	}
	return "no"
}

func print(out io.Writer, results []result, figures figure.Set) error {
	rows := [][]string{figure.Row("goal", "reached", "executions", "seconds", "embedded solver", "solvers on the PATH")}
	reached, soon, embedded, installed := 0, 0, 0, 0
	var executions []float64
	for _, r := range results {
		if r.Taken {
			executions = append(executions, float64(r.Tried))
		}
		figure.CountIf(&reached, r.Taken)
		figure.CountIf(&soon, r.Taken && r.Search <= limit)
		figure.CountIf(&embedded, r.embedded.Taken)
		figure.CountIf(&installed, r.installed.Taken)
		rows = append(rows, figure.Row(r.name, word(r.Found, true), r.Tried, figure.Decimal(r.Search.Seconds(), 2), word(r.embedded, true), word(r.installed, r.measured)))
	}
	if err := figure.Table(out, "Planted goals, without equations and with them", rows); err != nil {
		return err
	}
	for _, r := range results {
		if !r.Taken {
			fmt.Fprintf(out, "  %s: %s; equations: %s\n", r.name, r.Why, r.embedded.Limit)
		}
	}
	var all figure.Set
	all.Count("reach.goals", len(results))
	all.Count("reach.reached", reached)
	all.Count("reach.reached_in_2s", soon)
	all.Count("reach.reached.embedded", embedded)
	if len(results) > 0 && results[0].measured {
		all.Count("reach.reached.installed", installed)
	} else {
		all.Text("reach.reached.installed", notMeasured)
	}
	all.Number("reach.executions.median", figure.Median(executions))
	return figure.Print(out, all, figures)
}
