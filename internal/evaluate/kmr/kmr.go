package kmr

import (
	"context"
	"hash/fnv"
	"io"
	"math/rand/v2"

	"github.com/isodelta/isodelta/internal/evaluate/faulty"
	"github.com/isodelta/isodelta/internal/evaluate/rig"
)

// evaluation is a workspace with what was asked of it, and what all parts share.
type evaluation struct {
	*rig.Workspace
	opt      settings
	programs *faulty.Programs
	studies  map[string]*study // by subject
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
	about := rig.Circumstances{Name: "kmr", Args: args, Seed: opt.seed, Mutants: opt.mutants, Subjects: opt.subjects}
	return rig.Run(ctx, about, opt.parts, func(w *rig.Workspace) []rig.Part {
		return (&evaluation{Workspace: w, opt: opt, studies: map[string]*study{}}).parts()
	}, out, log)
}

// parts in the order in which they run.
func (w *evaluation) parts() []rig.Part {
	return []rig.Part{
		rig.PartOf(w.Workspace, partSubjects, w.opt.subjects, w.studied, reportSubjects),
		rig.PartOf(w.Workspace, partK, w.opt.subjects, w.thresholds, reportThresholds),
		rig.PartOf(w.Workspace, partLevels, w.opt.subjects, w.levels, reportLevels),
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

// random is a source of its own for each question, so that no part depends on
// which others ran before.
func (w *evaluation) random(part string, s *study, question string, n int) *rand.Rand {
	h := fnv.New64a()
	for _, x := range []string{part, s.name, question} {
		_, _ = io.WriteString(h, x+"\x00") // a hash takes all
	}
	return rand.New(rand.NewPCG(w.opt.seed, h.Sum64()+uint64(n)))
}
