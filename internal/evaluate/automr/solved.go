package automr

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
	"github.com/isodelta/isodelta/runner/relation/automr"
)

// solved is what an SMT solver changes of one program's relations: it decides about
// the implication of inequalities that are not linear.
type solved struct {
	program       program
	without, with int      // relations
	removed       []string // by the solver
	more          []string // with the solver only
}

// solved infers the relations of a program without a solver and with one.
func (e *evaluation) solved(ctx context.Context, name string) (solved, error) {
	p := named([]string{name})[0]
	out := solved{program: p}
	if e.opt.solver == "" {
		return out, nil
	}
	with, err := e.inferredBy(ctx, p, automr.NullSpace)
	if err != nil {
		return out, err
	}
	without, err := e.inferredWith(ctx, p, automr.NullSpace, "")
	if err != nil {
		return out, err
	}
	a, b := without.texts(), with.texts()
	out.without, out.with = len(a), len(b)
	out.removed, out.more = lacking(a, b), lacking(b, a)
	return out, nil
}

// texts are the relations as they are printed.
func (i inferred) texts() []string {
	var out []string
	for _, r := range i.result.Relations {
		out = append(out, r.Type.String()+": "+r.Notation(i.program.name, i.subject.Params))
	}
	return out
}

// lacking are the texts that another list lacks.
func lacking(texts, in []string) []string {
	return slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return slices.Contains(in, text) })
}

// reportSolved tells what the solver has changed, or that there is none.
func (e *evaluation) reportSolved(out io.Writer, f *figure.Set, rows []solved) error {
	if e.opt.solver == "" {
		_, err := io.WriteString(out, "\nNo SMT solver is on the PATH, and -solver names none: nothing to compare.\n")
		return err
	}
	lines := [][]string{{"Program", "relations without a solver", "with " + filepath.Base(e.opt.solver), "removed", "only with it"}}
	var sum solved
	var told []string
	for _, r := range rows {
		if len(r.removed)+len(r.more) > 0 {
			lines = append(lines, r.cells(r.program.name))
		}
		sum.without, sum.with = sum.without+r.without, sum.with+r.with
		sum.removed, sum.more = append(sum.removed, r.removed...), append(sum.more, r.more...)
		for _, text := range r.removed {
			told = append(told, "- removed: "+text)
		}
		for _, text := range r.more {
			told = append(told, "- only with it: "+text)
		}
	}
	lines = append(lines, sum.cells("all"))
	f.Count("automr.solver.relations_without", sum.without)
	f.Count("automr.solver.relations_with", sum.with)
	f.Count("automr.solver.removed", len(sum.removed))
	f.Count("automr.solver.only_with", len(sum.more))
	if err := markdown(out, "What an SMT solver changes; programs that it changes nothing of are left out", lines); err != nil {
		return err
	}
	if len(told) > 0 {
		fmt.Fprintln(out)
	}
	for _, line := range told {
		fmt.Fprintln(out, line)
	}
	return nil
}

func (s solved) cells(name string) []string {
	return figure.Row(name, s.without, s.with, len(s.removed), len(s.more))
}
