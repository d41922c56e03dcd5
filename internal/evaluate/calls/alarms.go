package calls

import (
	"context"
	"fmt"
	"io"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
	"github.com/isodelta/isodelta/internal/evaluate/rig"
	"github.com/isodelta/isodelta/report/event"
)

// alarmRow is what comparisons of a subject with itself say. Every finding is
// a false alarm.
type alarmRow struct {
	subject     string
	seeds       int
	reached     int // findings
	others      int // observed and forced
	unconfirmed int // differences that did not repeat in fresh processes
	sequences   int
	calls       int
	variants    int
	seconds     float64
}

// alarms compares a subject with itself, under several seeds. A rate would say
// little; how many calls were compared is printed instead.
func (w *evaluation) alarms(ctx context.Context, name string) (alarmRow, error) {
	row := alarmRow{subject: name, seeds: w.opt.seeds}
	m, err := w.Commit(ctx, name)
	if err != nil {
		return row, err
	}
	for i := range w.opt.seeds {
		opt := w.comparison(m.Dir)
		opt.Seed += int64(i)
		events, sum, err := rig.CompareWithItself(ctx, opt)
		if err != nil {
			return row, fmt.Errorf("seed %d: %w", opt.Seed, err)
		}
		for _, e := range events {
			switch e := e.(type) {
			case event.Finding:
				if e.Rung == event.Reached {
					row.reached++
				} else {
					row.others++
				}
				w.Say("  FALSE ALARM %s seed %d: %s %s %s %s %q: base %+v head %+v", name, opt.Seed, e.Rung, e.Function, e.Kind, e.Component, e.Input+e.Condition, e.Base, e.Head)
			case event.Limit:
				if e.Kind == event.LimitCalls {
					w.Say("  %s seed %d: %s: %s", name, opt.Seed, e.What, e.Reason)
				}
			}
		}
		row.unconfirmed += sum.Unconfirmed
		row.sequences += sum.Sequences
		row.calls += sum.Calls
		row.variants += sum.Variants
		row.seconds += sum.Seconds
	}
	return row, nil
}

// numbers are those that add up over subjects.
func (r *alarmRow) numbers() []*int {
	return []*int{&r.seeds, &r.reached, &r.others, &r.unconfirmed, &r.sequences, &r.calls, &r.variants}
}

func (r alarmRow) cells() []string {
	return figure.Row(r.subject, r.seeds, r.reached, r.others, r.unconfirmed, r.sequences, r.calls, r.variants, figure.Decimal(r.seconds, 1))
}

func reportAlarms(out io.Writer, f *figure.Set, rows []alarmRow) error {
	lines := [][]string{{"Subject", "seeds", "reached", "observed or forced", "unconfirmed", "sequences", "calls", "variants", "seconds"}}
	sum := alarmRow{subject: "all"}
	silent := 0
	for _, r := range rows {
		lines = append(lines, r.cells())
		figure.Sum(sum.numbers(), r.numbers())
		sum.seconds += r.seconds
		figure.CountIf(&silent, r.calls == 0)
	}
	f.Count("calls.alarms.comparisons", sum.seeds)
	f.Count("calls.alarms.reached", sum.reached)
	f.Count("calls.alarms.others", sum.others)
	f.Count("calls.alarms.unconfirmed", sum.unconfirmed)
	f.Count("calls.alarms.calls", sum.calls)
	f.Count("calls.alarms.subjects_without_calls", silent)
	return figure.Table(out, "False alarms: findings where head is base", append(lines, sum.cells()))
}
