package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/isodelta/isodelta/internal/evaluate/automr"
	"github.com/isodelta/isodelta/internal/evaluate/calls"
	"github.com/isodelta/isodelta/internal/evaluate/commits"
	"github.com/isodelta/isodelta/internal/evaluate/genmorph"
	"github.com/isodelta/isodelta/internal/evaluate/ison"
	"github.com/isodelta/isodelta/internal/evaluate/kmr"
	"github.com/isodelta/isodelta/internal/evaluate/options"
	"github.com/isodelta/isodelta/internal/evaluate/padmt"
	"github.com/isodelta/isodelta/internal/evaluate/promotion"
	"github.com/isodelta/isodelta/internal/evaluate/reach"
	"github.com/isodelta/isodelta/internal/evaluate/relations"
	"github.com/isodelta/isodelta/internal/evaluate/speed"
	"github.com/isodelta/isodelta/internal/evaluate/sweep"
)

const usage = `usage: evaluate automr|commits|genmorph|ison|kmr|padmt|promotion|reach|relations|calls|speed|sweep [flags]
  automr  metamorphic relations inferred of numerical programs: types,
          redundancy, laws, mutants killed, false detections; -h lists the flags
  commits
          real commits of clones: items, tests to paste, regressions shown; -h
          lists the flags
  genmorph
          relations evolved of the methods of GenMorph's Table II: mutants that they
          detect, and how many are false; -h lists the flags
  ison    the ISON method on packages of the Go distribution: branches, faults,
          throughput, overhead, pruning, preservation; -h lists the flags
  kmr     k-MR coverage of metamorphic relations against the faults that they
          detect, on business functions; -h lists the flags
  padmt   source inputs chosen and ordered by their paths: faults detected, how soon, at
          what cost; -h lists the flags
  promotion
          what became of the search for inputs in comparisons that were made;
          -h lists the flags
  reach   inputs that take planted branches: which are found, and after how many
          executions; -h lists the flags
  relations
          whether what is told of everyday functions is true, and planted false
          laws refuted; -h lists the flags
  calls   calls of our own on the same packages: detection, false alarms,
          throughput; -h lists the flags
  speed   how soon a comparison shows something and where its time goes: cold
          caches, warm ones, second push; -h lists the flags
  sweep   the newest commits of all clones in a folder: how each comparison ends,
          and whether in time; -h lists the flags
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	evaluations := map[string]func(context.Context, []string, io.Writer, io.Writer) error{
		"automr": automr.Run, "commits": commits.Run, "genmorph": genmorph.Run, "ison": ison.Run, "kmr": kmr.Run, "padmt": padmt.Run, "promotion": promotion.Run,
		"reach": reach.Run, "relations": relations.Run, "calls": calls.Run, "speed": speed.Run, "sweep": sweep.Run,
	}
	if len(os.Args) < 2 || evaluations[os.Args[1]] == nil {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	err := evaluations[os.Args[1]](ctx, os.Args[2:], os.Stdout, os.Stderr)
	var wrong *options.UsageError
	switch {
	case errors.Is(err, flag.ErrHelp):
	case errors.As(err, &wrong):
		fmt.Fprintf(os.Stderr, "evaluate %s: %v\n", os.Args[1], err)
		os.Exit(2)
	case err != nil:
		fmt.Fprintf(os.Stderr, "evaluate %s: %v\n", os.Args[1], err)
		os.Exit(3)
	}
}
