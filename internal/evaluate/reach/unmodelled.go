package reach

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/symbolic"
)

const (
	// perBranch bounds the time for the equations of a branch.
	perBranch = 500 * time.Millisecond
	// mostKinds bounds the kinds of instructions that are printed.
	mostKinds = 25
)

// asked counts what equations say about the branches of modules.
type asked struct {
	branches, nowhere, solved, infeasible, whole int
	kinds                                        map[string]int // branches whose paths have such an instruction
}

// tally asks for each branch of modules, from the function that has it, and prints which
// instructions stand in the way. Inputs are not run.
func tally(ctx context.Context, out, progress io.Writer, dirs []string) error {
	total := asked{kinds: map[string]int{}}
	rows := [][]string{figure.Row("module", "branches", "not asked", "solved", "infeasible", "all on the paths modelled")}
	for _, dir := range dirs {
		one := asked{kinds: total.kinds}
		if err := one.module(ctx, dir, progress); err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		rows = append(rows, figure.Row(filepath.Base(dir), one.branches, one.nowhere, one.solved, one.infeasible, one.whole))
		figure.Sum([]*int{&total.branches, &total.nowhere, &total.solved, &total.infeasible, &total.whole},
			[]*int{&one.branches, &one.nowhere, &one.solved, &one.infeasible, &one.whole})
	}
	rows = append(rows, figure.Row("all", total.branches, total.nowhere, total.solved, total.infeasible, total.whole))
	if err := figure.Table(out, "Branches, asked for by equations from the function that has them", rows); err != nil {
		return err
	}
	return figure.Table(out, "Instructions without an equation, by the branches on whose paths they stand", total.rows())
}

func (a *asked) rows() [][]string {
	names := make([]string, 0, len(a.kinds))
	for name := range a.kinds {
		names = append(names, name)
	}
	slices.SortFunc(names, func(x, y string) int {
		return cmp.Or(cmp.Compare(a.kinds[y], a.kinds[x]), cmp.Compare(x, y))
	})
	rows := [][]string{figure.Row("instruction", "branches")}
	rest := 0
	for i, name := range names {
		if i < mostKinds {
			rows = append(rows, figure.Row(name, a.kinds[name]))
		} else {
			rest += a.kinds[name]
		}
	}
	return append(rows, figure.Row(fmt.Sprintf("%d others", max(0, len(names)-mostKinds)), rest))
}

// module asks for each branch of a module's packages.
func (a *asked) module(ctx context.Context, dir string, progress io.Writer) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return err
	}
	tree, err := load.Load(ctx, load.Options{Root: dir, Dir: dir, Env: os.Environ()})
	if err != nil {
		return err
	}
	program, err := instrument.Code(tree, instrument.Config{})
	if err != nil {
		return err
	}
	flow, err := isomorph.Analyse(ctx, tree)
	if err != nil {
		return err
	}
	for i, c := range program.Conditions {
		fmt.Fprintf(progress, "%s: %d of %d: %s\n", filepath.Base(dir), i+1, len(program.Conditions), c.Text)
		for _, outcome := range []bool{true, false} {
			a.branches++
			site, ok := flow.Site(isomorph.Goal{Condition: c.Place, Outcome: outcome})
			if !ok {
				a.nowhere++
				continue
			}
			if err := a.ask(ctx, site, outcome); err != nil {
				return err
			}
		}
	}
	return nil
}

func (a *asked) ask(ctx context.Context, site isomorph.Site, outcome bool) error {
	within, cancel := context.WithTimeout(ctx, perBranch)
	defer cancel()
	got := symbolic.Search(within, symbolic.Embedded(), symbolic.Question{Site: site, Condition: true, Outcome: outcome, Entry: site.Function, Most: 1})
	figure.CountIf(&a.solved, len(got.Inputs) > 0)
	figure.CountIf(&a.infeasible, got.Infeasible)
	figure.CountIf(&a.whole, len(got.Unmodelled) == 0)
	for _, kind := range got.Unmodelled {
		a.kinds[kind]++
	}
	return ctx.Err()
}
