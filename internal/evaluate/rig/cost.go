package rig

import (
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
)

// CostPairs is how many pairs of runs Cost makes, of one binary and the other in
// turn.
const CostPairs = 5

const (
	shortestRun = 300 * time.Millisecond // that a run must take, or start-up would tell
	maxRepeated = 1 << 16
)

// Cost compares the processor time of two binaries that run the same tests.
type Cost struct {
	Count int        // repetitions in one run
	Times [2]float64 // seconds of one run, medians
	Ratio float64    // of the second to the first: median over pairs of runs
}

// Cost measures two binaries in turn, in the directory of their package.
func (w *Workspace) Cost(ctx context.Context, binaries [2]string, dir, tests string) (Cost, error) {
	c := Cost{Count: 1}
	for {
		took, err := cpuTime(ctx, binaries[0], dir, tests, c.Count)
		if err != nil {
			return c, err
		}
		if took >= shortestRun || c.Count >= maxRepeated {
			break
		}
		// A bit more than what should do; the first run holds the start-up.
		c.Count = min(maxRepeated, 1+c.Count*max(2, int(1.3*float64(shortestRun)/float64(max(took, 10*time.Millisecond)))))
	}
	var times [2][]float64
	var ratios []float64
	for range CostPairs {
		var pair [2]float64
		for i, binary := range binaries {
			took, err := cpuTime(ctx, binary, dir, tests, c.Count)
			if err != nil {
				return c, err
			}
			pair[i] = took.Seconds()
			times[i] = append(times[i], pair[i])
		}
		ratios = append(ratios, pair[1]/pair[0])
	}
	c.Times = [2]float64{figure.Median(times[0]), figure.Median(times[1])}
	c.Ratio = figure.Median(ratios)
	return c, nil
}

// cpuTime is the processor time, user and system, of one run of tests.
func cpuTime(ctx context.Context, binary, dir, tests string, count int) (time.Duration, error) {
	args := append([]string{"-test.run=" + tests, "-test.count=" + strconv.Itoa(count)}, TestFlags()...)
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("%s: %w\n%s", binary, err, out)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}
