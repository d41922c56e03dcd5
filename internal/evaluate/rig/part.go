package rig

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
)

// Part is one table of an evaluation, with the figures that it adds.
type Part struct {
	Name string
	run  func(ctx context.Context, out io.Writer, f *figure.Set) error
}

// PartOf measures one subject after the other and reports the rows. The first
// subject that cannot be measured ends it: figures over fewer would be others.
func PartOf[T any](w *Workspace, name string, subjects []string,
	measure func(context.Context, string) (T, error), report func(io.Writer, *figure.Set, []T) error) Part {
	return Part{name, func(ctx context.Context, out io.Writer, f *figure.Set) error {
		var rows []T
		for i, s := range subjects {
			began := time.Now()
			row, err := measure(ctx, s)
			if err != nil {
				return fmt.Errorf("subject %s: %w", s, err)
			}
			rows = append(rows, row)
			w.Say("%s: %s (%d of %d) %s", name, s, i+1, len(subjects), time.Since(began).Round(100*time.Millisecond))
		}
		return report(out, f, rows)
	}}
}

// Circumstances are what figures depend on besides the code.
type Circumstances struct {
	Name     string   // of the evaluation, in front of its figures
	Args     []string // that it was given
	Seed     uint64
	Mutants  int // for each subject
	Subjects []string
}

// Run runs those of the parts that are wanted, by their names, prints each table as soon as it
// is complete, then the figures and their circumstances.
func Run(ctx context.Context, c Circumstances, wanted []string, parts func(*Workspace) []Part, out, log io.Writer) error {
	w, err := Open(ctx, log)
	if err != nil {
		return err
	}
	defer w.Close()
	began := time.Now()
	var f figure.Set
	for _, p := range parts(w) {
		if !slices.Contains(wanted, p.Name) {
			continue
		}
		if err := p.run(ctx, out, &f); err != nil {
			return fmt.Errorf("part %s: %w", p.Name, err)
		}
	}
	f.Text(c.Name+".date", time.Now().UTC().Format(time.RFC3339))
	f.Text(c.Name+".cpu", figure.CPU())
	f.Count(c.Name+".cores", runtime.NumCPU())
	f.Text(c.Name+".kernel", figure.Kernel())
	f.Text(c.Name+".go", w.GoVersion)
	f.Text(c.Name+".seed", strconv.FormatUint(c.Seed, 10))
	f.Count(c.Name+".mutants_per_subject", c.Mutants)
	f.Text(c.Name+".subjects", strings.Join(c.Subjects, ","))
	f.Text(c.Name+".command", strings.Join(append([]string{"go run ./internal/evaluate", c.Name}, c.Args...), " "))
	f.Number(c.Name+".seconds", time.Since(began).Seconds())
	_, err = fmt.Fprintln(out, "\n"+strings.Join(f, "\n"))
	return err
}
