package replay

import (
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
)

const (
	pairs     = 5                      // of runs, with and without hooks in turn
	shortest  = 300 * time.Millisecond // that a run must take, or start-up would tell
	mostCount = 1 << 16
)

// overhead is the processor time of a subject's suite, instrumented, with
// hooks and harness that are off, as a multiple of that without them: the
// median over pairs of runs.
func (w *workshop) overhead(ctx context.Context, seeded *rig) (float64, error) {
	// With the distribution's own run time, as users' suites have it.
	var rigs [2]*rig
	for i, calls := range []bool{false, true} {
		var err error
		if rigs[i], err = w.rig(ctx, seeded.tree, calls, false); err != nil {
			return 0, err
		}
	}
	dir, tests, count := seeded.tree.Packages[0].Dir, seeded.pattern(), 1
	for {
		took, err := cpuTime(ctx, rigs[0].binary, dir, tests, count)
		if err != nil {
			return 0, err
		}
		if took >= shortest || count >= mostCount {
			break
		}
		// A bit more than what should do; the first run holds the start-up.
		count = min(mostCount, 1+count*max(2, int(1.3*float64(shortest)/float64(max(took, 10*time.Millisecond)))))
	}
	var ratios []float64
	for range pairs {
		var pair [2]time.Duration
		for i, r := range rigs {
			var err error
			if pair[i], err = cpuTime(ctx, r.binary, dir, tests, count); err != nil {
				return 0, err
			}
		}
		ratios = append(ratios, pair[1].Seconds()/pair[0].Seconds())
	}
	return figure.Median(ratios), nil
}

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
