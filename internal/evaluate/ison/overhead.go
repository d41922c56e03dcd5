package ison

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
	"github.com/isodelta/isodelta/internal/evaluate/rig"
)

// overheadRow compares the processor time of a subject's suite.
type overheadRow struct {
	subject             string
	count               int           // repetitions in one run
	plain, instrumented time.Duration // medians of one run
	ratio               float64       // median over pairs of runs
}

// overhead times a suite plain and instrumented, with the probe inert.
func (w *evaluation) overhead(ctx context.Context, name string) (overheadRow, error) {
	row := overheadRow{subject: name, count: 1}
	plain, r, err := w.bothWays(ctx, name)
	if err != nil {
		return row, err
	}
	// Package testing does not repeat examples.
	c, err := w.Cost(ctx, [2]string{plain, r.Binary}, r.Tree.Dir, r.Pattern(false))
	if err != nil {
		return row, err
	}
	row.count, row.plain, row.instrumented, row.ratio = c.Count, seconds(c.Times[0]), seconds(c.Times[1]), c.Ratio
	return row, nil
}

// bothWays builds the tests of a subject plain and instrumented, with the
// distribution's own run time.
func (w *evaluation) bothWays(ctx context.Context, name string) (plain string, r *rig.Rig, err error) {
	t, err := w.Subject(ctx, name)
	if err != nil {
		return "", nil, err
	}
	if plain, err = w.Plain(ctx, t); err != nil {
		return "", nil, err
	}
	r, err = w.Rig(ctx, t, rig.Rigging{})
	return plain, r, err
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

func reportOverhead(out io.Writer, f *figure.Set, rows []overheadRow) error {
	lines := [][]string{{"Subject", "repetitions", "plain", "instrumented", "ratio"}}
	var ratios []float64
	for _, r := range rows {
		ratios = append(ratios, r.ratio)
		lines = append(lines, figure.Row(r.subject, r.count, r.plain.Round(time.Millisecond),
			r.instrumented.Round(time.Millisecond), figure.Decimal(r.ratio, 3)))
	}
	lines = append(lines, []string{"geometric mean", "", "", "", figure.Decimal(figure.GeometricMean(ratios), 3)})
	f.Number("ison.overhead.geomean", figure.GeometricMean(ratios))
	f.Number("ison.overhead.median", figure.Median(ratios))
	return figure.Table(out, fmt.Sprintf("Overhead: processor time of the suite, medians of %d runs each, in turn", rig.CostPairs), lines)
}
