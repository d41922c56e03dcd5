package ison

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
	"github.com/isodelta/isodelta/internal/evaluate/mutant"
	"github.com/isodelta/isodelta/internal/evaluate/rig"
	"github.com/isodelta/isodelta/report/event"
)

// pruningRow compares one change with and without pruning.
type pruningRow struct {
	subject, change string
	variants        int // that there are: without pruning
	pruned          int // of those, not run on head
	findings        [2]int
	different       []string // findings of one of the two only
	skipped         int      // pairs that the time did not allow, in both
}

// pruning makes commits of mutants, applied as text, and has each compared with
// and without pruning.
func (w *evaluation) pruning(ctx context.Context, name string) ([]pruningRow, error) {
	m, err := w.Commit(ctx, name)
	if err != nil {
		return nil, err
	}
	tree, err := w.Load(ctx, m.Dir)
	if err != nil {
		return nil, err
	}
	set, err := mutant.Make(ctx, tree, mutant.Selection{Limit: 10 * w.opt.prunePer, Seed: w.opt.seed})
	if err != nil {
		return nil, err
	}
	outcomes, err := mutant.Kill(ctx, tree, set.Mutants)
	if err != nil {
		return nil, err
	}
	// Mutants that the tests do not kill come first, as they are what isodelta is
	// for. Those that hang are left out: the watchdog would be timed, and nothing
	// compared.
	chosen := append(outcomes.Of(set.Mutants, mutant.Survived), outcomes.Of(set.Mutants, mutant.Killed)...)
	var rows []pruningRow
	for _, x := range chosen[:min(w.opt.prunePer, len(chosen))] {
		row := pruningRow{subject: name, change: x.String()}
		err := mutant.While(m.Dir, x, func() error { return w.prune(ctx, m.Dir, &row) })
		if err != nil {
			return nil, fmt.Errorf("mutant %s: %w", x, err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// prune compares the working tree with its last commit, with and without pruning.
func (w *evaluation) prune(ctx context.Context, dir string, row *pruningRow) error {
	var found [2][]string
	for i, noPrune := range []bool{false, true} {
		opt := w.Options(dir)
		opt.NoPrune, opt.Budget, opt.PerCluster = noPrune, w.opt.perCompare, 0
		opt.NoCalls = true // what they find depends on the time that is left for them
		events, sum, err := rig.Compare(ctx, opt)
		if err != nil {
			return err
		}
		for _, e := range events {
			if f, ok := e.(event.Finding); ok {
				found[i] = append(found[i], identity(f))
			}
		}
		slices.Sort(found[i])
		row.skipped += sum.Skipped
		row.findings[i] = len(found[i])
		if noPrune {
			row.variants = sum.Variants
		} else {
			row.pruned = sum.Pruned
		}
	}
	row.different = onlyOne(found[0], found[1])
	return nil
}

// identity is what two comparisons must agree on about a finding.
func identity(f event.Finding) string {
	var negations []string
	for _, n := range f.Negations {
		negations = append(negations, fmt.Sprintf("%s=%t", n.ID, n.Taken))
	}
	return fmt.Sprintf("%s %s %s %s [%s] %s %+v %+v", f.ID, f.Rung, f.Suite, f.Test, strings.Join(negations, " "), f.Kind, f.Base, f.Head)
}

// onlyOne returns what stands in one of two sorted lists only.
func onlyOne(a, b []string) []string {
	var out []string
	for _, x := range a {
		if _, ok := slices.BinarySearch(b, x); !ok {
			out = append(out, "only with pruning: "+x)
		}
	}
	for _, x := range b {
		if _, ok := slices.BinarySearch(a, x); !ok {
			out = append(out, "only without pruning: "+x)
		}
	}
	return out
}

func reportPruning(out io.Writer, f *figure.Set, groups [][]pruningRow) error {
	lines := [][]string{{"Subject", "variants", "not run on head", "", "findings with", "without", "different", "skipped"}}
	variants, pruned, different, findings, changes, skipped := 0, 0, 0, 0, 0, 0
	var notes []string
	for _, rows := range groups {
		for _, r := range rows {
			changes++
			lines = append(lines, figure.Row(r.subject, r.variants, r.pruned, figure.Percent(figure.Proportion(r.pruned, r.variants)),
				r.findings[0], r.findings[1], len(r.different), r.skipped))
			variants, pruned = variants+r.variants, pruned+r.pruned
			different, findings = different+len(r.different), findings+r.findings[0]
			skipped += r.skipped
			notes = append(notes, fmt.Sprintf("  %s: %s", r.subject, r.change))
			for _, d := range r.different {
				notes = append(notes, "    "+d)
			}
		}
	}
	f.Count("ison.pruning.changes", changes)
	f.Number("ison.pruning.share", figure.Proportion(pruned, variants))
	f.Count("ison.pruning.findings", findings)
	f.Count("ison.pruning.different_findings", different)
	f.Count("ison.pruning.skipped", skipped)
	if err := figure.Table(out, "Pruning: whole comparisons of one mutant each, with and without", lines); err != nil {
		return err
	}
	_, err := fmt.Fprintln(out, strings.Join(notes, "\n"))
	return err
}
