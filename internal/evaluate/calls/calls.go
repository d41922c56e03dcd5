package calls

import (
	"context"
	"io"

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
	about := rig.Circumstances{Name: "calls", Args: args, Seed: opt.seed, Mutants: opt.mutants, Subjects: opt.subjects}
	return rig.Run(ctx, about, opt.parts, func(w *rig.Workspace) []rig.Part {
		return (&evaluation{w, opt}).parts()
	}, out, log)
}

// parts in the order in which they run.
func (w *evaluation) parts() []rig.Part {
	return []rig.Part{
		rig.PartOf(w.Workspace, partDetection, w.opt.subjects, w.detection, reportDetection),
		rig.PartOf(w.Workspace, partAlarms, w.opt.subjects, w.alarms, reportAlarms),
		rig.PartOf(w.Workspace, partThroughput, w.opt.subjects, w.throughput, reportThroughput),
	}
}
