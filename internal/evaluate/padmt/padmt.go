package padmt

import (
	"context"
	"io"

	"github.com/isodelta/isodelta/internal/evaluate/faulty"
	"github.com/isodelta/isodelta/internal/evaluate/rig"
)

// evaluation is a workspace with what was asked of it, and what all parts share.
type evaluation struct {
	*rig.Workspace
	opt         settings
	collections []collection
	programs    []*faulty.Programs // of each collection, nil until needed
	studies     map[string]*study  // by subject
}

// Run runs the parts that the arguments ask for, prints their tables to out, each as soon as it is
// complete, then the figures; progress goes to log. An error is an *options.UsageError,
// flag.ErrHelp, or that of the first subject that could not be measured: figures over fewer
// subjects would be others.
func Run(ctx context.Context, args []string, out, log io.Writer) error {
	opt, err := parse(args, log)
	if err != nil {
		return err
	}
	about := rig.Circumstances{Name: "padmt", Args: args, Seed: opt.seed, Mutants: opt.mutants, Subjects: opt.subjects}
	return rig.Run(ctx, about, opt.parts, func(w *rig.Workspace) []rig.Part {
		e := &evaluation{Workspace: w, opt: opt, collections: collections(), studies: map[string]*study{}}
		e.programs = make([]*faulty.Programs, len(e.collections))
		return e.parts()
	}, out, log)
}

// parts in the order in which they run.
func (w *evaluation) parts() []rig.Part {
	return []rig.Part{
		rig.PartOf(w.Workspace, partPrograms, w.opt.subjects, w.studied, reportPrograms),
		rig.PartOf(w.Workspace, partScore, w.opt.subjects, w.studied, reportScores),
		rig.PartOf(w.Workspace, partAPFD, w.opt.subjects, w.studied, reportAPFD),
		rig.PartOf(w.Workspace, partCurve, w.opt.subjects, w.studied, reportCurves),
		rig.PartOf(w.Workspace, partCost, w.opt.subjects, w.studied, reportCost),
	}
}

// studied measures a subject once for all parts.
func (w *evaluation) studied(ctx context.Context, name string) (*study, error) {
	if s := w.studies[name]; s != nil {
		return s, nil
	}
	s, err := w.study(ctx, name)
	if err == nil {
		w.studies[name] = s
	}
	return s, err
}
