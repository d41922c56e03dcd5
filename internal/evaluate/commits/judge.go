package commits

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/gomod"
)

// judgement is what a report came to.
type judgement struct {
	items  int // that a reader meets, see event.Relating.Items
	folded int // clusters that are small, intended or accepted, and forced differences set aside
	tests  int // run
	// shown is the place of the first item whose test shows the regression, from 1; 0 for
	// none.
	shown   int
	unsound []string // findings whose test does not tell base from head
}

// mostTests bounds the tests that are run of a report.
const mostTests = 8

// judge counts the items of a report, and runs its tests in dir, a clone.
func (c commit) judge(ctx context.Context, dir string, s *event.Stream) (judgement, error) {
	place := places(s)
	j := judgement{}
	for _, at := range place {
		j.items = max(j.items, at)
	}
	clusters := map[string]bool{}
	for _, f := range s.Findings {
		clusters[f.Cluster] = true
	}
	j.folded = len(clusters) - len(place)
	if s.Summary != nil {
		j.folded += len(s.Summary.Folded)
	}
	var tests []event.Finding
	for _, f := range s.Findings {
		if f.GoTest != "" && f.Open() && len(tests) < mostTests {
			tests = append(tests, f)
		}
	}
	j.tests = len(tests)
	passes := map[string]map[string]bool{}
	for side, revision := range map[string]string{"base": c.Base, "head": c.Head, "fix": c.Fix} {
		passes[side] = map[string]bool{}
		if revision == "" || len(tests) == 0 {
			continue
		}
		if err := checkout(ctx, dir, revision); err != nil {
			return j, err
		}
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); errors.Is(err, os.ErrNotExist) {
			if err := gomod.Make(ctx, dir, gomod.Path(dir, "https://"+c.Repo), os.Environ()); err != nil {
				return j, err
			}
		}
		for _, f := range tests {
			ok, err := run(ctx, dir, f)
			if err != nil {
				return j, err
			}
			passes[side][f.ID] = ok
		}
	}
	for _, f := range tests {
		switch at, listed := place[f.Cluster]; {
		case !passes["base"][f.ID] || passes["head"][f.ID]:
			j.unsound = append(j.unsound, f.ID)
		case passes["fix"][f.ID] && listed && (j.shown == 0 || at < j.shown):
			j.shown = at
		}
	}
	return j, nil
}

// places numbers the items in the order in which a reader meets them, from 1, by their clusters; folded
// ones have none.
func places(s *event.Stream) map[string]int {
	var open []event.Finding
	for _, f := range s.Findings {
		if f.Open() && f.Representative && !f.Small() {
			open = append(open, f)
		}
	}
	relating := s.Relating()
	slices.SortStableFunc(open, relating.Compare)
	out := map[string]int{}
	for n, item := range relating.Items(open) {
		for _, i := range item {
			out[open[i].Cluster] = n + 1
		}
	}
	return out
}

var testName = lazyregexp.New(`func (Test\w+)\(`)

// run reports whether a finding's test passes on what is laid out in dir.
func run(ctx context.Context, dir string, f event.Finding) (bool, error) {
	name := testName().FindStringSubmatch(f.GoTest)
	if name == nil || !filepath.IsLocal(f.GoTestFile) {
		return false, errors.New("the test of " + f.ID + " has no name, or no place in the repository")
	}
	file := filepath.Join(dir, filepath.FromSlash(f.GoTestFile))
	if err := os.WriteFile(file, []byte(f.GoTest), 0o644); err != nil {
		return false, nil // the version does not have the package
	}
	defer os.Remove(file)
	limited, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	args := []string{"test", "-vet=off", "-count=1", "-timeout=60s", "-run=^" + regexp.QuoteMeta(name[1]) + "$"}
	if !has(dir, "go.work") && !has(dir, filepath.Join("vendor", "modules.txt")) {
		// Checksums that a repository lacks are written, as isodelta does in its copies. A workspace allows no -mod, and what
		// is vendored may not be had.
		args = append(args, "-mod=mod")
	}
	cmd := exec.CommandContext(limited, "go", append(args, ".")...)
	cmd.Dir = filepath.Dir(file)
	text, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	return err == nil && !strings.Contains(string(text), "no tests to run"), nil
}

// has reports whether there is a file in a folder.
func has(dir, name string) bool {
	_, err := os.Stat(filepath.Join(dir, name))
	return err == nil
}
