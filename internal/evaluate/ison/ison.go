package ison

import (
	"context"
	"io"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
	"github.com/isodelta/isodelta/internal/evaluate/workshop"
)

// evaluation is a workshop with what was asked of it.
type evaluation struct {
	*workshop.Workshop
	opt options
}

// Run runs the parts that the arguments ask for, prints their tables to out,
// each as soon as it is complete, then the figures; progress goes to log. An
// error is a *UsageError, flag.ErrHelp, or that of the first subject that
// could not be measured: figures over fewer subjects would be others.
func Run(ctx context.Context, args []string, out, log io.Writer) error {
	opt, err := parse(args, log)
	if err != nil {
		return err
	}
	about := workshop.Circumstances{Name: "ison", Args: args, Seed: opt.seed, Mutants: opt.mutants, Subjects: opt.subjects}
	return workshop.Run(ctx, about, opt.wants, func(w *workshop.Workshop) []workshop.Part {
		return (&evaluation{w, opt}).parts()
	}, out, log)
}

// parts in the order in which they run.
func (w *evaluation) parts() []workshop.Part {
	return []workshop.Part{
		workshop.PartOf(w.Workshop, partBranches, w.opt.subjects, w.branches, func(out io.Writer, f *figure.Set, rows []branchRow) error {
			return reportBranches(out, f, rows, w.opt.depth)
		}),
		workshop.PartOf(w.Workshop, partFaults, w.opt.subjects, w.faults, reportFaults),
		workshop.PartOf(w.Workshop, partPreservation, w.opt.subjects, w.preservation, reportPreservation),
		workshop.PartOf(w.Workshop, partOverhead, w.opt.subjects, w.overhead, reportOverhead),
		workshop.PartOf(w.Workshop, partThroughput, w.opt.throughOn, w.throughput, reportThroughput),
		workshop.PartOf(w.Workshop, partPruning, w.opt.pruneOn, w.pruning, reportPruning),
	}
}
