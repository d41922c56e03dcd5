package speed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
	"github.com/isodelta/isodelta/internal/evaluate/rig"
	"github.com/isodelta/isodelta/report/event"
)

// evaluation is a workspace with what was asked of it.
type evaluation struct {
	*rig.Workspace
	opt settings
}

// Run makes the comparisons that the arguments ask for, prints a table to out, then the
// figures; progress goes to log. An error is an *options.UsageError, flag.ErrHelp, or
// that of the first comparison that did not come to its end.
func Run(ctx context.Context, args []string, out, log io.Writer) error {
	opt, err := parse(args, log)
	if err != nil {
		return err
	}
	names := opt.subjects
	for _, r := range opt.repositories {
		names = append(names, r.name)
	}
	about := rig.Circumstances{Name: "speed", Args: args, Seed: opt.seed, Mutants: 1, Subjects: names}
	return rig.Run(ctx, about, []string{"speed"}, func(w *rig.Workspace) []rig.Part {
		return []rig.Part{rig.PartOf(w, "speed", names, (&evaluation{Workspace: w, opt: opt}).subject,
			func(out io.Writer, f *figure.Set, subjects [][]row) error {
				if err := opt.draw(subjects); err != nil {
					return err
				}
				return report(out, f, subjects)
			})}
	}, out, log)
}

// draw writes the drawing, where one was asked for.
func (o settings) draw(subjects [][]row) error {
	if o.drawing == "" {
		return nil
	}
	f, err := os.Create(o.drawing)
	if err != nil {
		return err
	}
	return errors.Join(draw(f, subjects), f.Close())
}

// row is one comparison of a subject.
type row struct {
	subject, binary, state string
	measured
}

// subject measures one subject with all binaries.
func (w *evaluation) subject(ctx context.Context, name string) ([]row, error) {
	dir, err := w.layOut(ctx, name)
	if err != nil {
		return nil, err
	}
	if err := push(ctx, dir); err != nil {
		return nil, err
	}
	// Modules are downloaded before anything is timed; head's are base's, mostly.
	if err := goCommand(ctx, dir, "mod", "download"); err != nil {
		return nil, err
	}
	if err := w.buildOwn(ctx); err != nil {
		return nil, err
	}
	var rows []row
	for _, b := range w.opt.binaries {
		place, err := os.MkdirTemp(w.Dir, "caches-")
		if err != nil {
			return nil, err
		}
		for _, state := range states {
			m, err := measure(ctx, b, w.opt, dir, place, state)
			if err != nil {
				return nil, fmt.Errorf("%s, %s caches: %w", b.name, state, err)
			}
			w.Say("  %s, %s: %.1fs, building %.1fs, first after %.1fs", b.name, state, m.seconds, m.phases[event.PhaseBuild], m.first)
			rows = append(rows, row{name, b.name, state, m})
		}
	}
	return rows, nil
}

func (w *evaluation) layOut(ctx context.Context, name string) (string, error) {
	for _, r := range w.opt.repositories {
		if r.name == name {
			dir, err := os.MkdirTemp(w.Dir, "repository-")
			if err != nil {
				return "", err
			}
			return dir, copyOf(ctx, r, dir)
		}
	}
	return mutated(ctx, w.Workspace, name, w.opt.seed)
}

// buildOwn builds the command of this module, once, where no binary was named.
func (w *evaluation) buildOwn(ctx context.Context) error {
	if len(w.opt.binaries) > 0 {
		return nil
	}
	file := filepath.Join(w.Dir, "isodelta")
	w.opt.binaries = []binary{{"current", file}}
	return goCommand(ctx, "", "build", "-o", file, "github.com/isodelta/isodelta")
}

func goCommand(ctx context.Context, dir string, args ...string) error {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, text)
	}
	return nil
}

// columns of the table, with the names of their figures.
var columns = []struct {
	title, name string
	of          func(measured) float64
}{
	{"seconds", "seconds", func(m measured) float64 { return m.seconds }},
	{"first", "first_seconds", func(m measured) float64 {
		if m.first == 0 {
			return math.NaN()
		}
		return m.first
	}},
	{"loading", "load_seconds", func(m measured) float64 { return m.phases[event.PhaseLoad] }},
	{"building", "build_seconds", func(m measured) float64 { return m.phases[event.PhaseBuild] }},
	{"MB compiled", "megabytes", func(m measured) float64 { return m.written }},
	{"cores busy", "cores_busy", func(m measured) float64 { return m.busy }},
	{"tests", "baseline_seconds", func(m measured) float64 { return m.phases[event.PhaseBaseline] }},
	{"calls", "call_seconds", func(m measured) float64 { return m.phases[event.PhaseCalls] }},
	{"calls/s", "calls_per_second", func(m measured) float64 { return m.sum.CallsPerSecond }},
	{"relations", "relations", func(m measured) float64 { return float64(m.relations) }},
	{"variants", "variants", func(m measured) float64 { return float64(m.sum.Variants) }},
	{"left out", "variants_left_out", func(m measured) float64 { return float64(m.sum.Skipped) }},
	{"clusters", "clusters", func(m measured) float64 { return float64(m.sum.Clusters) }},
}

func report(out io.Writer, f *figure.Set, subjects [][]row) error {
	header := []string{"Subject", "command", "caches"}
	for _, c := range columns {
		header = append(header, c.title)
	}
	lines := [][]string{header}
	type group struct{ binary, state string }
	var groups []group
	values := map[group][][]float64{} // by column
	for _, rows := range subjects {
		for _, r := range rows {
			g := group{r.binary, r.state}
			if values[g] == nil {
				groups, values[g] = append(groups, g), make([][]float64, len(columns))
			}
			line := []string{r.subject, r.binary, r.state}
			for i, c := range columns {
				x := c.of(r.measured)
				values[g][i] = append(values[g][i], x)
				line = append(line, figure.Decimal(x, 1))
			}
			lines = append(lines, line)
		}
	}
	for _, g := range groups {
		line := []string{"median", g.binary, g.state}
		for i, c := range columns {
			median := figure.Median(values[g][i])
			line = append(line, figure.Decimal(median, 1))
			f.Number(fmt.Sprintf("speed.%s.%s.%s.median", g.binary, g.state, c.name), median)
		}
		lines = append(lines, line)
	}
	return figure.Table(out, "One comparison with cold caches, the same with warm ones, and the second push; first is the first confirmed difference", lines)
}
