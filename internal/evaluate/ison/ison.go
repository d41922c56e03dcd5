package ison

import (
	"context"
	"io"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
	"github.com/isodelta/isodelta/internal/evaluate/rig"
)

// evaluation is a workspace with what was asked of it.
type evaluation struct {
	*rig.Workspace
	opt settings
}

// Run runs the parts that the arguments ask for, prints their tables to out,
// each as soon as it is complete, then the figures; progress goes to log. An
// error is an *options.UsageError, flag.ErrHelp, or that of the first subject that
// could not be measured: figures over fewer subjects would be others.
func Run(ctx context.Context, args []string, out, log io.Writer) error {
	opt, err := parse(args, log)
	if err != nil {
		return err
	}
	about := rig.Circumstances{Name: "ison", Args: args, Seed: opt.seed, Mutants: opt.mutants, Subjects: opt.subjects}
	return rig.Run(ctx, about, opt.parts, func(w *rig.Workspace) []rig.Part {
		return (&evaluation{w, opt}).parts()
	}, out, log)
}

// parts in the order in which they run.
func (w *evaluation) parts() []rig.Part {
	return []rig.Part{
		rig.PartOf(w.Workspace, partBranches, w.opt.subjects, w.branches, func(out io.Writer, f *figure.Set, rows []branchRow) error {
			return reportBranches(out, f, rows, w.opt.depth)
		}),
		rig.PartOf(w.Workspace, partFaults, w.opt.subjects, w.faults, reportFaults),
		rig.PartOf(w.Workspace, partPreservation, w.opt.subjects, w.preservation, reportPreservation),
		rig.PartOf(w.Workspace, partOverhead, w.opt.subjects, w.overhead, reportOverhead),
		rig.PartOf(w.Workspace, partThroughput, w.opt.throughOn, w.throughput, reportThroughput),
		rig.PartOf(w.Workspace, partPruning, w.opt.pruneOn, w.pruning, reportPruning),
	}
}
