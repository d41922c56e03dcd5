package ison

import (
	"context"
	"io"
	"strconv"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
	"github.com/isodelta/isodelta/internal/evaluate/rig"
	"github.com/isodelta/isodelta/report/event"
)

// branchRow is a subject's row of Table 2.
type branchRow struct {
	subject     string
	all         int // branches of the code
	uncovered   int // by the suite
	one, deep   int // of those, executed under negation: at depth 1, and at the depth asked for
	conditions  int
	negatable   int // conditions that are, and that matched
	variants    int
	skipped     int // pairs of test and negation set that the time did not allow
	falseAlarms int // confirmed differences between two equal versions
	unconfirmed int // differences that did not repeat
	seconds     float64
}

// branches runs a whole comparison of an unchanged head, at depth 1 and then
// at the depth asked for. Whatever it finds is a false alarm.
func (w *evaluation) branches(ctx context.Context, name string) (branchRow, error) {
	row := branchRow{subject: name}
	m, err := w.Commit(ctx, name)
	if err != nil {
		return row, err
	}
	for _, depth := range []int{1, w.opt.depth} {
		opt := w.Options(m.Dir)
		opt.Depth, opt.Budget = depth, w.opt.perCompare
		opt.NoCalls = true // they take what time there is, and force no branch
		events, sum, err := rig.CompareWithItself(ctx, opt)
		if err != nil {
			return row, err
		}
		for _, e := range events {
			if e, ok := e.(event.Finding); ok {
				w.Say("  FALSE ALARM %s depth %d: %s %s %s:%d %q: base %+v head %+v", name, depth, e.Test, e.Kind, e.File, e.Line, e.Condition, e.Base, e.Head)
			}
		}
		if depth == 1 && row.variants == 0 {
			row.one = sum.Explored
			row.all, row.uncovered = sum.Branches, sum.Branches-sum.Covered
			row.conditions, row.negatable = sum.Conditions, sum.MatchedConditions
		}
		row.deep = max(row.one, sum.Explored)
		row.variants += sum.Variants
		row.skipped += sum.Skipped
		row.falseAlarms += sum.Findings
		row.unconfirmed += sum.Unconfirmed
		row.seconds += sum.Seconds
	}
	return row, nil
}

// numbers are those that add up over subjects.
func (r *branchRow) numbers() []*int {
	return []*int{&r.all, &r.uncovered, &r.one, &r.deep, &r.conditions, &r.variants, &r.skipped, &r.falseAlarms, &r.unconfirmed}
}

func depthName(depth int) string {
	if depth == 0 {
		return "any depth"
	}
	return "depth " + strconv.Itoa(depth)
}

func reportBranches(out io.Writer, f *figure.Set, rows []branchRow, depth int) error {
	lines := [][]string{{"Subject", "B_all", "B_uncov", "B_ISON (depth 1)", "B_prop", "B_ISON (" + depthName(depth) + ")", "B_prop", "conditions", "variants", "skipped", "false alarms", "unconfirmed", "seconds"}}
	var one, deep figure.Share
	sum := branchRow{subject: "all"}
	for _, r := range rows {
		one.Add(r.one, r.uncovered)
		deep.Add(r.deep, r.uncovered)
		lines = append(lines, r.cells())
		figure.Sum(sum.numbers(), r.numbers())
		sum.seconds += r.seconds
	}
	lines = append(lines, sum.cells(),
		[]string{"median", "", "", "", figure.Percent(one.Median()), "", figure.Percent(deep.Median()), "", "", "", "", "", ""})
	f.Count("ison.branches.subjects", len(rows))
	f.Count("ison.branches.all", sum.all)
	f.Count("ison.branches.uncovered", sum.uncovered)
	f.Share("ison.depth1", one)
	f.Share("ison.anydepth", deep)
	f.Count("ison.branches.variants", sum.variants)
	f.Count("ison.branches.skipped", sum.skipped)
	f.Count("ison.false_alarms", sum.falseAlarms)
	f.Count("ison.unconfirmed", sum.unconfirmed)
	return figure.Table(out, "Table 2: additionally executed branches; head is base, so each finding is a false alarm", lines)
}

func (r branchRow) cells() []string {
	return figure.Row(r.subject, r.all, r.uncovered, r.one, figure.Percent(figure.Proportion(r.one, r.uncovered)),
		r.deep, figure.Percent(figure.Proportion(r.deep, r.uncovered)),
		r.conditions, r.variants, r.skipped, r.falseAlarms, r.unconfirmed, seconds(r.seconds).Round(100*time.Millisecond))
}
