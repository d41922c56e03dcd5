package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/isodelta/isodelta/internal/evaluate/ison"
	"github.com/isodelta/isodelta/runner/execute/sandbox"
)

const usage = `usage: evaluate ison [flags]
  ison   the ISON method on packages of the Go distribution: branches, faults,
         throughput, overhead, pruning, preservation; -h lists the flags
`

func main() {
	sandbox.Helper() // does not return in the process that becomes a sandboxed test
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if len(os.Args) < 2 || os.Args[1] != "ison" {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	err := ison.Run(ctx, os.Args[2:], os.Stdout, os.Stderr)
	var bad *ison.UsageError
	switch {
	case errors.Is(err, flag.ErrHelp):
	case errors.As(err, &bad):
		fmt.Fprintln(os.Stderr, "evaluate ison:", err)
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "evaluate ison:", err)
		os.Exit(3)
	}
}
