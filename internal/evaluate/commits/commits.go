package commits

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
	"github.com/isodelta/isodelta/internal/evaluate/options"
	"github.com/isodelta/isodelta/internal/scratch"
	"github.com/isodelta/isodelta/report/event"
)

// Run runs the evaluation and prints a table and one name=value line a figure.
func Run(ctx context.Context, args []string, out, progress io.Writer) error {
	fs := options.New("commits", progress)
	clones := fs.String("clones", "", "`folder` with clones of the repositories, as owner+name")
	streams := fs.String("streams", "", "`folder` with streams, ID.jsonl: written if they are not there")
	file := fs.String("commits", "", "JSON `file` with commits, in place of the recorded ones")
	only := fs.String("only", "", "commits with this text in their identifier or kind")
	budget := fs.Duration("budget", time.Minute, "for each comparison")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if *clones == "" {
		return options.Wrong("-clones names no folder: nothing is fetched")
	}
	list, err := read(*file)
	if err != nil {
		return err
	}
	folder, err := scratch.Make("")
	if err != nil {
		return err
	}
	defer folder.Close()
	e := evaluation{clones: *clones, streams: *streams, temp: folder.Path(), budget: *budget, progress: progress}
	if e.streams == "" {
		e.streams = filepath.Join(e.temp, "streams")
	}
	if err := os.MkdirAll(e.streams, 0o755); err != nil {
		return err
	}
	rows := [][]string{figure.Row("commit", "kind", "items", "folded", "tests", "unsound", "shown at", "seconds")}
	var t totals
	for _, c := range list {
		if !strings.Contains(c.ID+" "+c.Kind, *only) {
			continue
		}
		s, j, err := e.commit(ctx, c)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			// The others are worth an hour: one that cannot be compared is a row.
			fmt.Fprintf(progress, "%s: %v\n", c.ID, err)
			rows = append(rows, figure.Row(c.ID, c.Kind, "not compared", "-", "-", "-", "-", "-"))
			t.failed++
			continue
		}
		at := "-"
		if j.shown > 0 {
			at = fmt.Sprint(j.shown)
		}
		rows = append(rows, figure.Row(c.ID, c.Kind, j.items, j.folded, j.tests, len(j.unsound), at, figure.Decimal(s.Summary.Seconds, 0)))
		t.add(c, j)
		for _, id := range j.unsound {
			fmt.Fprintf(progress, "%s: the test of %s does not tell base from head\n", c.ID, id)
		}
	}
	if err := figure.Table(out, "Commits of public repositories", rows); err != nil {
		return err
	}
	return t.print(out)
}

// totals are over all commits.
type totals struct{ commits, failed, regressions, shown, first, items, quiet, folded, tests, unsound int }

// firstItems are those that nearly every reader sees.
const firstItems = 3

func (t *totals) add(c commit, j judgement) {
	t.commits++
	t.items += j.items
	t.folded += j.folded
	t.tests += j.tests
	t.unsound += len(j.unsound)
	figure.CountIf(&t.quiet, c.Kind == "benign" && j.items == 0)
	if c.Kind == "regression" {
		t.regressions++
		figure.CountIf(&t.shown, j.shown > 0)
		figure.CountIf(&t.first, j.shown > 0 && j.shown <= firstItems)
	}
}

func (t totals) print(out io.Writer) error {
	var f figure.Set
	f.Count("commits.compared", t.commits)
	f.Count("commits.not_compared", t.failed)
	f.Count("commits.regressions", t.regressions)
	f.Count("commits.shown", t.shown)
	f.Count("commits.shown_in_first_three", t.first)
	f.Count("commits.items", t.items)
	f.Count("commits.folded", t.folded)
	f.Count("commits.refactorings_without_item", t.quiet)
	f.Count("commits.tests", t.tests)
	f.Count("commits.unsound", t.unsound)
	return figure.Print(out, f)
}

// evaluation is where things lie.
type evaluation struct {
	clones, streams, temp string
	isodelta              string // the command, once it is built
	budget                time.Duration
	progress              io.Writer
}

// commit compares a commit, unless that was done, and judges it.
func (e *evaluation) commit(ctx context.Context, c commit) (*event.Stream, judgement, error) {
	dir := filepath.Join(e.temp, c.ID)
	if err := c.clone(ctx, e.clones, dir); err != nil {
		return nil, judgement{}, err
	}
	defer scratch.RemoveAll(dir)
	file := filepath.Join(e.streams, c.ID+".jsonl")
	if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) {
		fmt.Fprintf(e.progress, "comparing %s\n", c.ID)
		if err := e.compare(ctx, c, dir, file); err != nil {
			return nil, judgement{}, err
		}
	}
	s, err := stream(file)
	if err != nil {
		return nil, judgement{}, err
	}
	fmt.Fprintf(e.progress, "judging %s\n", c.ID)
	j, err := c.judge(ctx, dir, s)
	return s, j, err
}

func stream(file string) (*event.Stream, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s, err := event.ReadStream(f, 0)
	if err == nil && s.Summary == nil {
		err = errors.New("the comparison was cut off: remove the stream, and it is made again")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return s, nil
}

// compare writes the stream of a comparison.
func (e *evaluation) compare(ctx context.Context, c commit, dir, file string) error {
	if e.isodelta == "" {
		name := filepath.Join(e.temp, "isodelta")
		if text, err := exec.CommandContext(ctx, "go", "build", "-o", name, "github.com/isodelta/isodelta").CombinedOutput(); err != nil {
			return fmt.Errorf("go build: %w: %s", err, text)
		}
		e.isodelta = name
	}
	for _, revision := range []string{c.Base, c.Head} {
		if err := checkout(ctx, dir, revision); err != nil {
			return err
		}
		c.download(ctx, dir, e.progress)
	}
	if err := checkout(ctx, dir, c.Head); err != nil {
		return err
	}
	args := []string{"-C", dir, "--budget", e.budget.String(), "--output", "json=" + file}
	if c.Pkg != "" {
		args = append(args, "--packages", c.Pkg)
	}
	if c.Skip != "" {
		args = append(args, "--skip", c.Skip)
	}
	text, err := exec.CommandContext(ctx, e.isodelta, append(args, c.Base, c.Head)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("isodelta: %w\n%s", err, text)
	}
	return nil
}
