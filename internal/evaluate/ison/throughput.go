package ison

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
	"github.com/isodelta/isodelta/internal/evaluate/rig"
	"github.com/isodelta/isodelta/internal/scratch"
	"github.com/isodelta/isodelta/runner/baseline"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/execute/sandbox"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/negation/explore"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/probe"
	"github.com/isodelta/isodelta/runner/version"
)

const (
	persistentSample = 2000 // variants, or all there are
	processSample    = 60
	recompileSample  = 6
)

// throughputRow is variants per second in three ways of running them.
type throughputRow struct {
	subject                        string
	variants                       [3]int
	persistent, process, recompile float64
}

// sampled is one variant to run: a test under one negated condition.
type sampled struct {
	test      *baseline.Test
	condition int
}

// throughput measures the three ways one after the other on the same variants.
// Persistent mode is timed as the engine runs it, with the start, the warm-up
// and the replacement of processes, and with the deaths. One process per
// variant runs in the same sandbox, without a warm-up. What is recompiled runs
// free of both.
func (w *evaluation) throughput(ctx context.Context, name string) (throughputRow, error) {
	row := throughputRow{subject: name}
	t, err := w.Subject(ctx, name)
	if err != nil {
		return row, err
	}
	built, err := w.Rig(ctx, t, rig.Rigging{Seeded: true})
	if err != nil {
		return row, err
	}
	r := rigged{built}
	lab, err := w.Lab()
	if err != nil {
		return row, err
	}
	ground, err := r.lay(ctx, lab, false)
	if err != nil {
		return row, err
	}
	var all []sampled
	for _, t := range ground.tests {
		for _, condition := range slices.Sorted(maps.Keys(ground.variants[t.Name])) {
			all = append(all, sampled{t, condition})
		}
	}
	if len(all) == 0 {
		return row, errors.New("no variant to run")
	}
	random := rand.New(rand.NewPCG(w.opt.seed, 0))
	shuffled := make([]sampled, len(all))
	for i, k := range random.Perm(len(all)) {
		shuffled[i] = all[k]
	}

	began := time.Now()
	if row.variants[0], err = r.persistent(ctx, lab, ground); err != nil {
		return row, err
	}
	row.persistent = rate(row.variants[0], began)

	began = time.Now()
	for _, v := range shuffled[:min(processSample, len(shuffled))] {
		if err := r.alone(ctx, lab, v); err != nil {
			return row, err
		}
		row.variants[1]++
	}
	row.process = rate(row.variants[1], began)

	copied := filepath.Join(w.Dir, "recompiled")
	defer scratch.RemoveAll(copied)
	if err := os.CopyFS(copied, os.DirFS(t.Dir)); err != nil {
		return row, err
	}
	began = time.Now()
	for _, v := range shuffled {
		if row.variants[2] == recompileSample {
			break
		}
		ok, err := w.recompiled(ctx, r, copied, v)
		if err != nil {
			return row, err
		}
		if ok {
			row.variants[2]++
		}
	}
	row.recompile = rate(row.variants[2], began)
	return row, nil
}

func rate(n int, began time.Time) float64 { return float64(n) / time.Since(began).Seconds() }

// persistent has the engine explore base, and counts the executions.
func (r rigged) persistent(ctx context.Context, lab *execute.Lab, ground *foundation) (int, error) {
	n := 0
	count := func(v explore.Variant) {
		n++
		if v.Head != nil { // base died, so what head does is not known
			n++
		}
	}
	common := r.unchanged()
	common.quiet = func(outcome.Result) bool { return true }
	st := &explore.Stage{Env: environment(lab, 0), Space: common, Branches: r.branches(), Depth: 1, MaxVariants: persistentSample, Saw: count}
	_, err := st.Run(ctx, ground.tests)
	return n, err
}

// maxAlone is how long one process may take; what is killed counts all the
// same.
const maxAlone = 20 * time.Second

// alone runs one variant in a process of its own, without a warm-up: one
// command is written, one record read.
func (r rigged) alone(ctx context.Context, lab *execute.Lab, v sampled) error {
	ctx, cancel := context.WithTimeout(ctx, maxAlone)
	defer cancel()
	tmp, err := os.MkdirTemp(lab.Tmp, "alone-")
	if err != nil {
		return err
	}
	defer scratch.RemoveAll(tmp)
	policy := lab.Policy
	policy.Temp = tmp
	policy.Env = append(slices.Clone(lab.Env), "TMPDIR="+tmp, probe.Environment+"=1")
	args := append([]string{"-test.run=^" + regexp.QuoteMeta(v.test.Name) + "$"}, lab.Flags...)
	cmd := sandbox.Command(ctx, lab.Level, policy, lab.Executable, r.Binary, args...)
	cmd.Dir = v.test.Target(version.Base).Dir
	commandIn, commandOut, err := os.Pipe()
	if err != nil {
		return err
	}
	resultIn, resultOut, err := os.Pipe()
	if err != nil {
		return err
	}
	cmd.ExtraFiles = []*os.File{commandIn, resultOut}
	if err := cmd.Start(); err != nil {
		return err
	}
	_ = commandIn.Close()
	_ = resultOut.Close()
	_, err = fmt.Fprintf(commandOut, "%s1 %d - %d -\n", v.test.Target(version.Base).Size.Line(), explore.FuelFor(v.test.Fuel), v.condition)
	_ = commandOut.Close()
	record, readErr := io.ReadAll(resultIn)
	_ = resultIn.Close()
	waitErr := cmd.Wait()
	// A variant may well die; one that ends in peace must have answered.
	if waitErr == nil && (err != nil || readErr != nil || len(record) == 0) {
		return fmt.Errorf("%s under condition %d gave no record: %w", v.test.Name, v.condition, errors.Join(err, readErr))
	}
	return nil
}

// recompiled negates the condition in a copy of the source, builds the tests
// and runs one. It reports false where the condition cannot be negated as text.
func (w *evaluation) recompiled(ctx context.Context, r rigged, dir string, v sampled) (bool, error) {
	c := r.Program.Conditions[v.condition]
	file := filepath.Join(dir, filepath.FromSlash(c.File))
	src, err := os.ReadFile(file)
	if err != nil {
		return false, err
	}
	edited, ok := negatedText(src, c)
	if !ok {
		return false, nil
	}
	if err := os.WriteFile(file, edited, 0o644); err != nil {
		return false, err
	}
	defer func() { _ = os.WriteFile(file, src, 0o644) }() // the next build would fail and say so
	binary := filepath.Join(dir, "negated.test")
	if err := w.GoTest(ctx, dir, binary); err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(ctx, maxAlone)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, append([]string{"-test.run=^" + regexp.QuoteMeta(v.test.Source) + "$"}, rig.TestFlags()...)...)
	cmd.Dir = dir
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) && ctx.Err() == nil {
		return false, err
	}
	return true, nil
}

// negatedText negates a condition in the source. A case of a tag switch is no
// boolean expression, and spaces that were folded cannot be found again.
func negatedText(src []byte, c instrument.Condition) ([]byte, bool) {
	at := c.Offset
	if c.Kind == "case" || !bytes.HasPrefix(src[at:], []byte(c.Text)) {
		return nil, false
	}
	out := append([]byte(nil), src[:at]...)
	out = append(out, "!("+c.Text+")"...)
	return append(out, src[at+len(c.Text):]...), true
}

func reportThroughput(out io.Writer, f *figure.Set, rows []throughputRow) error {
	lines := [][]string{{"Subject", "persistent", "per process", "recompiled", "persistent / recompiled", "persistent / per process"}}
	var overRecompile, overProcess []float64
	one := func(r float64, n int) string { return fmt.Sprintf("%.2f/s (%d)", r, n) }
	for _, r := range rows {
		overRecompile = append(overRecompile, r.persistent/r.recompile)
		overProcess = append(overProcess, r.persistent/r.process)
		lines = append(lines, []string{r.subject, one(r.persistent, r.variants[0]), one(r.process, r.variants[1]), one(r.recompile, r.variants[2]),
			figure.Decimal(r.persistent/r.recompile, 0), figure.Decimal(r.persistent/r.process, 1)})
		f.Number("ison.throughput.persistent."+r.subject, r.persistent)
	}
	f.Number("ison.throughput.recompile_ratio", figure.Least(overRecompile))
	f.Number("ison.throughput.process_ratio", figure.Least(overProcess))
	f.Number("ison.throughput.recompile_ratio_geomean", figure.GeometricMean(overRecompile))
	f.Number("ison.throughput.process_ratio_geomean", figure.GeometricMean(overProcess))
	return figure.Table(out, "Throughput: variants per second (number of variants); the figures below give the least ratio", lines)
}
