package replay

import (
	"context"
	"io"

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
	about := workshop.Circumstances{Name: "replay", Args: args, Seed: opt.seed, Mutants: opt.mutants, Subjects: opt.subjects}
	return workshop.Run(ctx, about, opt.wants, func(w *workshop.Workshop) []workshop.Part {
		return (&evaluation{w, opt}).parts()
	}, out, log)
}

// parts in the order in which they run.
func (w *evaluation) parts() []workshop.Part {
	return []workshop.Part{
		workshop.PartOf(w.Workshop, partDetection, w.opt.subjects, w.detection, reportDetection),
		workshop.PartOf(w.Workshop, partAlarms, w.opt.subjects, w.alarms, reportAlarms),
		workshop.PartOf(w.Workshop, partThroughput, w.opt.subjects, w.throughput, reportThroughput),
	}
}
