package sweep

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
	"github.com/isodelta/isodelta/internal/evaluate/options"
	"github.com/isodelta/isodelta/internal/scratch"
	"github.com/isodelta/isodelta/report/event"
)

// Run runs the evaluation and prints a table and one name=value line a figure.
func Run(ctx context.Context, args []string, out, progress io.Writer) error {
	fs := options.New("sweep", progress)
	newest := fs.Int("n", 3, "newest commits of each repository")
	budget := fs.Duration("budget", time.Minute, "for each comparison")
	most := fs.Int("most", 0, "repositories, 0 for all")
	streams := fs.String("streams", "", "`folder` in which the streams are kept, NAME-COMMIT.jsonl")
	folderOfClones := ""
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		folderOfClones, args = args[0], args[1:]
	}
	if err := fs.Parse(args); err != nil {
		return err
	}
	if folderOfClones == "" {
		return options.Wrong("name a folder with clones first: evaluate sweep FOLDER [flags]")
	}
	clones, err := clonesIn(folderOfClones)
	if err != nil {
		return err
	}
	if *most > 0 {
		clones = clones[:min(len(clones), *most)]
	}
	folder, err := scratch.Make("")
	if err != nil {
		return err
	}
	defer folder.Close()
	s := sweep{budget: *budget, temp: folder.Path(), streams: *streams, progress: progress}
	if s.streams != "" {
		if err := os.MkdirAll(s.streams, 0o755); err != nil {
			return err
		}
	}
	if err := s.build(ctx); err != nil {
		return err
	}
	rows := [][]string{figure.Row("commit", "exit", "seconds", "stages", "changed, called", "targets", "variants", "relations", "findings", "what")}
	var t totals
	for _, c := range clones {
		list, err := commits(ctx, c.dir, *newest)
		if err != nil {
			fmt.Fprintf(progress, "%s: %v\n", c.name, err)
			continue
		}
		for _, commit := range list {
			fmt.Fprintf(progress, "comparing %s %s\n", c.name, commit[:8])
			r, err := s.compare(ctx, c, commit)
			if err != nil {
				return err
			}
			row := r.row(c.name + " " + commit[:8])
			fmt.Fprintln(progress, strings.Join(row, " · ")) // a sweep takes hours
			rows = append(rows, row)
			t.add(r)
		}
	}
	if err := figure.Table(out, "Newest commits of public repositories", rows); err != nil {
		return err
	}
	return t.print(out)
}

// clone is a repository in a folder.
type clone struct{ name, dir string }

func clonesIn(folder string) ([]clone, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var out []clone
	for _, e := range entries {
		dir := filepath.Join(folder, e.Name())
		for _, at := range []string{filepath.Join(dir, "repo"), dir} {
			if exec.Command("git", "-C", at, "rev-parse", "--git-dir").Run() == nil {
				out = append(out, clone{e.Name(), at})
				break
			}
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: no clones there: git clone URL %s", folder, filepath.Join(folder, "OWNER+NAME"))
	}
	return out, nil
}

// commits are the newest that change Go files which are no tests.
func commits(ctx context.Context, dir string, n int) ([]string, error) {
	text, err := exec.CommandContext(ctx, "git", "-C", dir, "log", "--no-merges", "--format=%H", "--max-count="+strconv.Itoa(n),
		"HEAD", "--", "*.go", ":(exclude)*_test.go", ":(exclude)vendor").Output()
	if err != nil {
		return nil, fmt.Errorf("git log: %w", err)
	}
	return strings.Fields(string(text)), nil
}

// sweep is where things lie.
type sweep struct {
	isodelta, temp, streams string
	budget                  time.Duration
	progress                io.Writer
}

func (s *sweep) build(ctx context.Context) error {
	s.isodelta = filepath.Join(s.temp, "isodelta")
	if text, err := exec.CommandContext(ctx, "go", "build", "-o", s.isodelta, "github.com/isodelta/isodelta").CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w: %s", err, text)
	}
	return nil
}

// result is what became of one comparison.
type result struct {
	exit    int
	seconds float64
	stream  *event.Stream // nil for none that can be read
	what    string        // is wrong, or the error
	wrong   bool
	late    bool
	untidy  bool
}

// compare compares a commit with its parent. The error is ctx's, or that of a folder
// that cannot be made.
func (s *sweep) compare(ctx context.Context, c clone, commit string) (result, error) {
	dir, err := os.MkdirTemp(s.temp, "commit")
	if err != nil {
		return result{}, err
	}
	defer scratch.RemoveAll(dir)
	repo, temp := filepath.Join(dir, "repo"), filepath.Join(dir, "tmp")
	file := filepath.Join(cmp.Or(s.streams, dir), c.name+"-"+commit[:8]+".jsonl")
	if err := os.Mkdir(temp, 0o755); err != nil {
		return result{}, err
	}
	if text, err := exec.CommandContext(ctx, "git", "clone", "--quiet", "--shared", "--no-checkout", c.dir, repo).CombinedOutput(); err != nil {
		return result{}, fmt.Errorf("git clone: %w: %s", err, text)
	}
	cmd := exec.CommandContext(ctx, s.isodelta, "-C", repo, "--budget", s.budget.String(), "--output", "json="+file, commit+"~1", commit)
	cmd.Env = append(os.Environ(), "TMPDIR="+temp)
	var errText bytes.Buffer
	cmd.Stderr = &errText
	start := time.Now()
	err = cmd.Run()
	r := result{seconds: time.Since(start).Seconds()}
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		r.exit = exit.ExitCode()
	} else if err != nil {
		return r, err
	}
	if f, err := os.Open(file); err == nil {
		r.stream, _ = event.ReadStream(f, 0)
		f.Close()
	}
	r.judge(errText.String(), s.budget)
	if left, err := os.ReadDir(temp); err == nil && len(left) > 0 {
		r.untidy, r.what = true, r.what+" left "+left[0].Name()
	}
	if left, err := os.ReadDir(repo); err == nil && len(left) > 1 {
		r.untidy, r.what = true, r.what+" wrote to the clone"
	}
	return r, nil
}

// Exit statuses, as docs/gate.md has them.
const (
	exitPolicy  = 1
	exitUsage   = 2
	exitFailure = 3
	// tolerance is how much of its budget a comparison may take, start is for the process.
	tolerance = 1.15
	start     = time.Second
)

// judge says what is wrong with how a comparison ended.
func (r *result) judge(errText string, budget time.Duration) {
	summary := r.stream != nil && r.stream.Summary != nil
	switch {
	case strings.Contains(errText, "goroutine ") && strings.Contains(errText, "panic"):
		r.wrong, r.what = true, "panicked"
	case r.exit == exitUsage, r.exit > exitFailure, r.exit < 0:
		r.wrong, r.what = true, "exit status"
	case r.exit <= exitPolicy && !summary:
		r.wrong, r.what = true, "no summary"
	case r.exit == exitFailure && summary:
		r.what = unexplored(r.stream)
	case r.exit == exitFailure:
		r.what = failure(errText)
	}
	r.late = r.seconds > tolerance*budget.Seconds()+start.Seconds()
}

// unexplored is why a comparison that came to its end says nothing about the change, as far as its limits tell.
func unexplored(s *event.Stream) string {
	for _, l := range s.Limits {
		switch l.Kind {
		case event.LimitBudget, event.LimitNotBuilt:
			return cut("nothing explored: " + l.Reason)
		}
	}
	return "nothing explored"
}

// failure is what an error is about: the first line that is no progress.
func failure(errText string) string {
	for line := range strings.Lines(errText) {
		if line = strings.TrimSpace(line); line != "" && !strings.Contains(line, " · ") {
			return cut(line)
		}
	}
	return "no message"
}

// cut is the beginning of a line that is too long for a table.
func cut(line string) string {
	const longest = 100
	if len(line) > longest {
		return strings.ToValidUTF8(line[:longest], "") + "…"
	}
	return line
}

func (r *result) row(name string) []string {
	none := "-"
	if r.stream == nil || r.stream.Summary == nil {
		return figure.Row(name, r.exit, figure.Decimal(r.seconds, 0), none, none, none, none, none, none, r.what)
	}
	s := r.stream.Summary
	changed, called := changedFunctions(r.stream)
	return figure.Row(name, r.exit, figure.Decimal(r.seconds, 0), len(r.stream.Phases), fmt.Sprintf("%d, %d", changed, called),
		fmt.Sprintf("%d/%d", s.TargetsCompared, s.Targets), s.Variants, len(r.stream.Relations), s.Clusters, r.what)
}

// changedFunctions counts the changed functions of a comparison that what was asked for holds or uses, and those that tests or
// calls executed.
func changedFunctions(s *event.Stream) (all, executed int) {
	for _, m := range s.Matches {
		for _, f := range m.Changed {
			if slices.Contains(s.Summary.Outside, f.Function) {
				continue
			}
			all++
			figure.CountIf(&executed, !slices.Contains(s.Summary.Unexecuted, f.Function))
		}
	}
	return all, executed
}

// totals are over all comparisons.
type totals struct{ compared, failed, wrong, late, untidy, changed, executed int }

func (t *totals) add(r result) {
	t.compared++
	figure.CountIf(&t.failed, r.exit == exitFailure)
	figure.CountIf(&t.wrong, r.wrong)
	figure.CountIf(&t.late, r.late)
	figure.CountIf(&t.untidy, r.untidy)
	if r.stream != nil && r.stream.Summary != nil {
		changed, executed := changedFunctions(r.stream)
		t.changed, t.executed = t.changed+changed, t.executed+executed
	}
}

func (t totals) print(out io.Writer) error {
	var f figure.Set
	f.Count("sweep.compared", t.compared)
	f.Count("sweep.refused", t.failed)
	f.Count("sweep.wrong", t.wrong)
	f.Count("sweep.late", t.late)
	f.Count("sweep.untidy", t.untidy)
	f.Count("sweep.changed_functions", t.changed)
	f.Count("sweep.changed_functions_executed", t.executed)
	return figure.Print(out, f)
}
