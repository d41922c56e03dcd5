package automr

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/automr/independent"
	"github.com/isodelta/isodelta/internal/evaluate/rig"
	"github.com/isodelta/isodelta/runner/relation/automr"
)

// evaluation is a workspace with what was asked of it and what is known so far.
type evaluation struct {
	*rig.Workspace
	opt     settings
	library *independent.Library
	plain   *built   // the programs as they are; nil before they are needed
	seeded  *mutants // the eight programs with mutants; likewise
	results map[string]inferred
	built   time.Duration // time to copy and build the programs
}

// Run runs the parts that the arguments ask for, prints their tables to out as
// Markdown, each as soon as it is complete, then the figures; progress goes to
// log. An error is an *options.UsageError, flag.ErrHelp, or that of the first program
// that could not be measured: figures over fewer would be others.
func Run(ctx context.Context, args []string, out, log io.Writer) error {
	opt, err := parse(args, log)
	if err != nil {
		return err
	}
	about := rig.Circumstances{Name: "automr", Args: args, Seed: opt.seed, Subjects: opt.subjects}
	return rig.Run(ctx, about, opt.parts, func(w *rig.Workspace) []rig.Part {
		e := &evaluation{Workspace: w, opt: opt, library: independent.New(), results: map[string]inferred{}}
		return e.parts()
	}, out, log)
}

// parts in the order in which they run.
func (e *evaluation) parts() []rig.Part {
	eight := e.opt.some(func(p program) bool { return p.apache })
	lawful := e.opt.some(func(p program) bool {
		return slices.ContainsFunc(laws(), func(l law) bool { return l.program == p.name })
	})
	return []rig.Part{
		rig.PartOf(e.Workspace, partInference, e.opt.subjects, e.inference, e.reportInference),
		rig.PartOf(e.Workspace, partLaws, lawful, e.lawsOf, reportLaws),
		rig.PartOf(e.Workspace, partDetection, eight, e.detection, e.reportDetection),
		rig.PartOf(e.Workspace, partAlarms, e.opt.subjects, e.alarm, reportAlarms),
		rig.PartOf(e.Workspace, partSolver, e.opt.subjects, e.solved, e.reportSolved),
		rig.PartOf(e.Workspace, partMethods, eight, e.methods, reportMethods),
	}
}

// inferredBy infers the relations of a program once for each method.
func (e *evaluation) inferredBy(ctx context.Context, p program, method string) (inferred, error) {
	return e.inferredWith(ctx, p, method, e.opt.solver)
}

// inferredWith does so with a solver of its own.
func (e *evaluation) inferredWith(ctx context.Context, p program, method, solver string) (inferred, error) {
	key := p.name + " " + method
	if solver != e.opt.solver {
		key += " " + solver
	}
	if known, ok := e.results[key]; ok {
		return known, nil
	}
	if e.plain == nil {
		plain, err := e.build(ctx)
		if err != nil {
			return inferred{}, err
		}
		e.plain = plain
	}
	out, err := e.infer(ctx, p, method, solver)
	if err != nil {
		return out, err
	}
	e.results[key] = out
	return out, nil
}

// distribution returns GOROOT.
func (e *evaluation) distribution(ctx context.Context) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "GOROOT")
	cmd.Dir = e.Dir
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go env GOROOT: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// module lays the copy out for some programs.
func (e *evaluation) module(ctx context.Context, ps []program) (*module, error) {
	goroot, err := e.distribution(ctx)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(e.Dir, "programs-")
	if err != nil {
		return nil, err
	}
	return newModule(goroot, e.GoVersion, dir, ps)
}

// build builds all programs asked for as they are.
func (e *evaluation) build(ctx context.Context) (*built, error) {
	began := time.Now()
	m, err := e.module(ctx, named(e.opt.subjects))
	if err != nil {
		return nil, err
	}
	out := &built{m, filepath.Join(m.dir, "programs.exe")}
	err = m.build(ctx, out.binary, "")
	e.built = time.Since(began)
	return out, err
}

// seed makes the mutants of those of the eight that are asked for.
func (e *evaluation) seed(ctx context.Context) (*mutants, error) {
	began := time.Now()
	m, err := e.module(ctx, named(e.opt.some(func(p program) bool { return p.apache })))
	if err != nil {
		return nil, err
	}
	out, err := seedMutants(ctx, e.Workspace, m)
	if err == nil {
		e.Say("  %d mutants, %d more do not compile; made and built in %.1fs", len(out.all), out.rejected, time.Since(began).Seconds())
	}
	return out, err
}

// methods are both methods of inference, to be compared.
func (e *evaluation) methods(ctx context.Context, name string) ([2]compared, error) {
	var out [2]compared
	for i, method := range []string{automr.NullSpace, automr.Paper} {
		d, err := e.detect(ctx, name, method, 0)
		if err != nil {
			return out, fmt.Errorf("method %s: %w", method, err)
		}
		out[i] = compared{inferred: e.results[name+" "+method], detection: d}
	}
	return out, nil
}

// compared is what one method gives for a program.
type compared struct {
	inferred
	detection
}

// detection is one program's row of Table V.
func (e *evaluation) detection(ctx context.Context, name string) (detection, error) {
	return e.detect(ctx, name, automr.NullSpace, e.opt.direct)
}

// inference is one program's row of Tables III, IV and VI.
func (e *evaluation) inference(ctx context.Context, name string) (inferenceRow, error) {
	inf, err := e.inferredBy(ctx, named([]string{name})[0], automr.NullSpace)
	if err != nil {
		return inferenceRow{}, err
	}
	row := inferenceRow{inferred: inf}
	if inf.program.apache { // Table IV is of the eight, and many outputs make it slow
		if row.left, err = redundant(ctx, inf.subject, inf.result.Relations); err != nil {
			return row, err
		}
	}
	e.Say("  %s: %d relations of %d found, %d runs, %.2fs", name, len(inf.result.Relations), inf.found(automr.AllTypes...), inf.calls, inf.took.Seconds())
	return row, nil
}

// inferenceRow also knows, of the eight, how many kept equalities follow from
// other kept ones.
type inferenceRow struct {
	inferred
	left int
}
