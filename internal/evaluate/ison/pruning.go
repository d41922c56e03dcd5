package ison

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
	"github.com/isodelta/isodelta/internal/evaluate/mutant"
	"github.com/isodelta/isodelta/internal/evaluate/rig"
	"github.com/isodelta/isodelta/internal/evaluate/subject"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner"
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
	m, err := w.LayOut(ctx, name)
	if err != nil {
		return nil, err
	}
	if err := m.Commit(ctx); err != nil {
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
	verdict, err := mutant.Kill(ctx, tree, set.Mutants, mutant.Trial{Flags: rig.TestFlags(), Parallel: rig.Workers})
	if err != nil {
		return nil, err
	}
	var rows []pruningRow
	for _, x := range choosePruned(set.Mutants, verdict.Outcomes, w.opt.prunePer) {
		row, err := w.pruneOne(ctx, m, x)
		if err != nil {
			return nil, fmt.Errorf("mutant %s: %w", x, err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// choosePruned takes mutants that the tests do not kill, as they are what
// isodelta is for, and then others. Those that hang are left out: the watchdog
// would be timed, and nothing compared.
func choosePruned(all []mutant.Mutant, outcomes map[int]mutant.Outcome, n int) []mutant.Mutant {
	var out []mutant.Mutant
	for _, o := range []mutant.Outcome{mutant.Survived, mutant.Killed} {
		for _, x := range all {
			if outcomes[x.ID] == o && len(out) < n {
				out = append(out, x)
			}
		}
	}
	return out
}

// pruneOne leaves the mutant in the working tree for as long as it is compared.
func (w *evaluation) pruneOne(ctx context.Context, m *subject.Module, x mutant.Mutant) (row pruningRow, err error) {
	row = pruningRow{subject: m.Name, change: x.String()}
	file := filepath.Join(m.Dir, filepath.FromSlash(x.File))
	src, err := os.ReadFile(file)
	if err != nil {
		return row, err
	}
	if err := os.WriteFile(file, mutant.Apply(src, x), 0o644); err != nil {
		return row, err
	}
	defer func() { err = errors.Join(err, os.WriteFile(file, src, 0o644)) }()
	var found [2][]string
	for i, noPrune := range []bool{false, true} {
		opt := runner.Defaults()
		opt.Dir, opt.Revisions, opt.Executable = m.Dir, []string{"HEAD"}, w.Executable
		opt.NoPrune, opt.Budget, opt.PerCluster, opt.TestFlags = noPrune, w.opt.perCompare, 0, rig.TestFlags()
		rec := new(event.Recorder)
		sum, err := runner.Compare(ctx, opt, rec)
		if err != nil {
			return row, err
		}
		if err := ctx.Err(); err != nil {
			return row, err
		}
		for _, e := range rec.Events() {
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
	return row, nil
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
			lines = append(lines, []string{r.subject, strconv.Itoa(r.variants), strconv.Itoa(r.pruned), figure.Percent(figure.Proportion(r.pruned, r.variants)),
				strconv.Itoa(r.findings[0]), strconv.Itoa(r.findings[1]), strconv.Itoa(len(r.different)), strconv.Itoa(r.skipped)})
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
