package ison

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
)

const (
	pairs     = 5                      // of runs, plain and instrumented in turn
	shortest  = 300 * time.Millisecond // that a run must take, or start-up would tell
	mostCount = 1 << 16
)

// overheadRow compares the processor time of a subject's suite.
type overheadRow struct {
	subject             string
	count               int           // repetitions in one run
	plain, instrumented time.Duration // medians of one run
	ratio               float64       // median over pairs of runs
}

// overhead times a suite plain and instrumented, with the probe inert. Both run
// with the distribution's own run time.
func (w *workshop) overhead(ctx context.Context, name string) (overheadRow, error) {
	row := overheadRow{subject: name, count: 1}
	m, err := w.layOut(ctx, name)
	if err != nil {
		return row, err
	}
	t, err := w.load(ctx, m.Dir)
	if err != nil {
		return row, err
	}
	plain, err := w.plainBinary(ctx, t)
	if err != nil {
		return row, err
	}
	r, err := w.rig(ctx, t, rigging{})
	if err != nil {
		return row, err
	}
	tests := r.pattern(false) // package testing does not repeat examples
	for {
		took, err := cpuTime(ctx, plain, m.Dir, tests, row.count)
		if err != nil {
			return row, err
		}
		if took >= shortest || row.count >= mostCount {
			break
		}
		// A bit more than what should do; the first run holds the start-up.
		row.count = min(mostCount, 1+row.count*max(2, int(1.3*float64(shortest)/float64(max(took, 10*time.Millisecond)))))
	}
	var times [2][]float64
	var ratios []float64
	for range pairs {
		var pair [2]time.Duration
		for i, binary := range []string{plain, r.binary} {
			if pair[i], err = cpuTime(ctx, binary, m.Dir, tests, row.count); err != nil {
				return row, err
			}
			times[i] = append(times[i], pair[i].Seconds())
		}
		ratios = append(ratios, pair[1].Seconds()/pair[0].Seconds())
	}
	row.plain, row.instrumented = seconds(figure.Median(times[0])), seconds(figure.Median(times[1]))
	row.ratio = figure.Median(ratios)
	return row, nil
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// cpuTime is the processor time, user and system, of one run of tests.
func cpuTime(ctx context.Context, binary, dir, tests string, count int) (time.Duration, error) {
	args := append([]string{"-test.run=" + tests, "-test.count=" + strconv.Itoa(count)}, testFlags()...)
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("%s: %w\n%s", binary, err, out)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

func reportOverhead(out io.Writer, f *figure.Set, rows []overheadRow) error {
	lines := [][]string{{"Subject", "repetitions", "plain", "instrumented", "ratio"}}
	var ratios []float64
	for _, r := range rows {
		ratios = append(ratios, r.ratio)
		lines = append(lines, []string{r.subject, strconv.Itoa(r.count), r.plain.Round(time.Millisecond).String(),
			r.instrumented.Round(time.Millisecond).String(), fmt.Sprintf("%.3f", r.ratio)})
	}
	lines = append(lines, []string{"geometric mean", "", "", "", fmt.Sprintf("%.3f", figure.GeometricMean(ratios))})
	f.Number("ison.overhead.geomean", figure.GeometricMean(ratios))
	f.Number("ison.overhead.median", figure.Median(ratios))
	return figure.Table(out, fmt.Sprintf("Overhead: processor time of the suite, medians of %d runs each, in turn", pairs), lines)
}
