package ison

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
	"github.com/isodelta/isodelta/internal/evaluate/rig"
)

// preservedRow reports whether a subject's suite does the same instrumented.
type preservedRow struct {
	subject string
	results int      // of tests and subtests, plain
	failing int      // of those, not PASS or SKIP
	differs []string // test: plain result → instrumented result
}

// preservation runs a subject's suite plain and instrumented, with nothing
// negated, and compares the result of each test and subtest.
func (w *evaluation) preservation(ctx context.Context, name string) (preservedRow, error) {
	row := preservedRow{subject: name}
	plain, r, err := w.bothWays(ctx, name)
	if err != nil {
		return row, err
	}
	was, err := suiteResults(ctx, plain, r.Tree.Dir, ".")
	if err != nil {
		return row, err
	}
	is, err := suiteResults(ctx, r.Binary, r.Tree.Dir, r.Pattern(true))
	if err != nil {
		return row, err
	}
	source := map[string]string{}
	for _, test := range r.Suite.Tests {
		source[test.Name] = test.Source
	}
	row.results = len(was)
	for _, result := range was {
		if result == "FAIL" {
			row.failing++
		}
	}
	row.differs = differences(was, renamed(is, source))
	return row, nil
}

// resultLine is one that package testing prints under -test.v=test2json, where
// a mark tells it from what the tests print themselves.
var resultLine = regexp.MustCompile(`(?m)^ *\x16--- (PASS|FAIL|SKIP): (\S+) \(`)

// suiteResults runs the tests of a binary that match a pattern and gives the result of each test and
// subtest by name.
func suiteResults(ctx context.Context, binary, dir, pattern string) (map[string]string, error) {
	cmd := exec.CommandContext(ctx, binary, append([]string{"-test.v=test2json", "-test.run=" + pattern}, rig.TestFlags()...)...)
	cmd.Dir = dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, io.Discard
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	results := parseResults(out.Bytes())
	if len(results) == 0 {
		return nil, fmt.Errorf("%s reported no test: %v", binary, err)
	}
	// The process's own verdict belongs to what must stay the same.
	results["(whole suite)"] = cmd.ProcessState.String()
	return results, nil
}

func parseResults(out []byte) map[string]string {
	results := map[string]string{}
	for _, m := range resultLine.FindAllSubmatch(out, -1) {
		results[string(m[2])] = string(m[1])
	}
	return results
}

// renamed returns tests that stand for examples the examples' names.
func renamed(results map[string]string, source map[string]string) map[string]string {
	out := map[string]string{}
	for name, result := range results {
		top, rest, _ := strings.Cut(name, "/")
		if s, ok := source[top]; ok {
			top = s
		}
		if rest != "" {
			top += "/" + rest
		}
		out[top] = result
	}
	return out
}

func differences(was, is map[string]string) []string {
	var out []string
	both := maps.Clone(was)
	maps.Copy(both, is)
	for _, name := range slices.Sorted(maps.Keys(both)) {
		if a, b := was[name], is[name]; a != b {
			out = append(out, fmt.Sprintf("%s: %s → %s", name, orNone(a), orNone(b)))
		}
	}
	return out
}

func orNone(s string) string {
	if s == "" {
		return "not run"
	}
	return s
}

func reportPreservation(out io.Writer, f *figure.Set, rows []preservedRow) error {
	lines := [][]string{{"Subject", "tests and subtests", "failing", "different when instrumented"}}
	results, different, failing := 0, 0, 0
	for _, r := range rows {
		lines = append(lines, figure.Row(r.subject, r.results, r.failing, len(r.differs)))
		results, different, failing = results+r.results, different+len(r.differs), failing+r.failing
	}
	f.Count("ison.preservation.results", results)
	f.Count("ison.preservation.failing", failing)
	f.Count("ison.preservation.different", different)
	if err := figure.Table(out, "Semantic preservation: the suite instrumented, with nothing negated, against the suite as it is", lines); err != nil {
		return err
	}
	for _, r := range rows {
		for _, d := range r.differs {
			if _, err := fmt.Fprintf(out, "  %s: %s\n", r.subject, d); err != nil {
				return err
			}
		}
	}
	return nil
}
