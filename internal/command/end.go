package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"time"
)

// endWithin ends the process some time after ctx did, if it has not ended by
// itself: reading and rendering a large stream, or one made to be slow, must not
// outlive the job that asked for it. It returns what calls that off.
func endWithin(ctx context.Context, grace time.Duration, w io.Writer) (done func()) {
	finished := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		t := time.NewTimer(grace)
		defer t.Stop()
		select {
		case <-t.C:
			fmt.Fprintln(w, "isodelta: interrupted, and ended before it was done")
			os.Exit(exitFailed)
		case <-finished:
		}
	})
	return func() { stop(); close(finished) }
}

// graceOf is how long a command may take to end. A comparison sums up what it has,
// and a step of a workflow also reports that: GitHub gives it ten seconds in all.
func graceOf(subcommand string, args []string) time.Duration {
	switch subcommand {
	case "", "demo":
		return 9 * time.Second
	case "action":
		if !slices.Contains(args, "--merge") {
			return 9 * time.Second
		}
	}
	return 4500 * time.Millisecond
}
