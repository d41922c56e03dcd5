package replay

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
)

// Run runs the parts that the arguments ask for, prints their tables to out,
// each as soon as it is complete, then the figures; progress goes to log. An
// error is a *UsageError, flag.ErrHelp, or that of the first subject that
// could not be measured: figures over fewer subjects would be others.
func Run(ctx context.Context, args []string, out, log io.Writer) error {
	opt, err := parse(args, log)
	if err != nil {
		return err
	}
	w, err := openWorkshop(ctx, opt, log)
	if err != nil {
		return err
	}
	defer w.close()
	began := time.Now()
	var f figure.Set
	for _, part := range parts() {
		if !opt.wants(part) {
			continue
		}
		if err := w.part(ctx, part, out, &f); err != nil {
			return fmt.Errorf("part %s: %w", part, err)
		}
	}
	circumstances(&f, w.goversion, opt, args)
	f.Number("replay.seconds", time.Since(began).Seconds())
	if _, err := fmt.Fprintln(out); err != nil {
		return err
	}
	for _, line := range f {
		if _, err := fmt.Fprintln(out, line); err != nil {
			return err
		}
	}
	return nil
}

func (w *workshop) part(ctx context.Context, part string, out io.Writer, f *figure.Set) error {
	switch part {
	case partDetection:
		rows, err := each(ctx, w, part, w.opt.subjects, w.detection)
		if err != nil {
			return err
		}
		return reportDetection(out, f, rows)
	case partAlarms:
		rows, err := each(ctx, w, part, w.opt.subjects, w.alarms)
		if err != nil {
			return err
		}
		return reportAlarms(out, f, rows)
	case partThroughput:
		rows, err := each(ctx, w, part, w.opt.subjects, w.throughput)
		if err != nil {
			return err
		}
		return reportThroughput(out, f, rows)
	}
	return nil
}

// each measures one subject after the other.
func each[T any](ctx context.Context, w *workshop, part string, subjects []string, measure func(context.Context, string) (T, error)) ([]T, error) {
	var rows []T
	for i, name := range subjects {
		began := time.Now()
		row, err := measure(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("subject %s: %w", name, err)
		}
		rows = append(rows, row)
		w.say("%s: %s (%d of %d) %s", part, name, i+1, len(subjects), time.Since(began).Round(100*time.Millisecond))
	}
	return rows, nil
}
