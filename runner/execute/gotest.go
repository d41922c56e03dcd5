package execute

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/isodelta/isodelta/internal/scratch"
	"github.com/isodelta/isodelta/runner/execute/sandbox"
)

// testMarker stands in front of what package testing itself says, with
// -test.v=test2json.
const testMarker = "\x16"

// RunTest runs one test of a test binary once, as a user's go test would, without a
// probe. A test that panics, ends its process or is not through after limit has
// not passed. An error says that there is no verdict: a test that is not there or is
// skipped, a process that could not be started.
func (l *Lab) RunTest(ctx context.Context, t Target, limit time.Duration) (passed bool, output string, err error) {
	r, err := l.runPlainly(ctx, t, []string{t.Test}, limit)
	switch {
	case err != nil:
		return false, "", err
	case r.late:
		return false, fmt.Sprintf("%s\nno end after %s", plainOutput(r.output), limit), nil
	}
	return testVerdict(t.Test, r.output, r.ended)
}

// RunTests runs some tests of a test binary once, in one process and in the binary's order, else as RunTest does. It
// returns which passed, by name. It is nil where the run does not say of each what became of it: where one did not run
// or did not end, as after another one's panic, or was skipped, or where the exit code is not that of these verdicts.
func (l *Lab) RunTests(ctx context.Context, t Target, tests []string, limit time.Duration) (passed map[string]bool, err error) {
	r, err := l.runPlainly(ctx, t, tests, limit)
	if err != nil || r.late {
		return nil, err
	}
	passed = map[string]bool{}
	all := true
	for _, test := range tests {
		what := verdictLine(test, r.output)
		if what != "--- PASS" && what != "--- FAIL" {
			return nil, nil
		}
		passed[test] = what == "--- PASS"
		all = all && passed[test]
	}
	if all != (r.ended == nil) {
		return nil, nil
	}
	return passed, nil
}

// plainRun is what came of a run of tests.
type plainRun struct {
	output string // the last of it
	ended  error  // of the process
	late   bool   // it was not through in time
}

// runPlainly runs tests in one process. An error says that nothing can be told of them.
func (l *Lab) runPlainly(ctx context.Context, t Target, tests []string, limit time.Duration) (r plainRun, err error) {
	tmp := filepath.Join(l.Tmp, fmt.Sprintf("p%08d", l.started.Add(1)))
	if err := os.Mkdir(tmp, 0o700); err != nil {
		return r, fmt.Errorf("temporary directory for %s: %w", strings.Join(tests, ", "), err)
	}
	defer scratch.RemoveAll(tmp)
	quoted := make([]string, len(tests))
	for i, test := range tests {
		quoted[i] = regexp.QuoteMeta(test)
	}
	policy, err := l.policy(t, tmp)
	if err != nil {
		return r, err
	}
	if t.Pristine != "" {
		// As with everybody else, temporary files are where others are, too: in memory, a folder has another size.
		policy.Temp, policy.Writable = "", append(policy.Writable, tmp)
	}
	args := append([]string{"-test.run=^(" + strings.Join(quoted, "|") + ")$", "-test.v=test2json", "-test.count=1", "-test.timeout=0"}, l.Flags...)
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	policy.Env = slices.Concat(l.Env, t.Env, []string{"TMPDIR=" + tmp, "PWD=" + t.Dir})
	cmd := sandbox.Command(limited, l.Level, policy, l.Executable, t.Binary, args...)
	cmd.Dir = t.Dir
	var out tail
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = time.Second
	if r.ended = sandbox.Start(cmd); r.ended == nil {
		r.ended = sandbox.Ended(cmd.Wait())
	}
	r.output = out.String()
	switch {
	case ctx.Err() != nil:
		return r, ctx.Err()
	case limited.Err() != nil:
		r.late = true
		return r, nil
	}
	return r, notStarted(t.Binary, r.output, r.ended)
}

// testVerdict reads what package testing said of a test, and how the process
// ended.
func testVerdict(test, output string, ended error) (passed bool, shown string, err error) {
	shown = plainOutput(output)
	var exit *exec.ExitError
	if ended != nil && !errors.As(ended, &exit) {
		return false, shown, fmt.Errorf("run %s: %w", test, ended)
	}
	switch verdictLine(test, output) {
	case "--- PASS":
		return ended == nil, shown, nil
	case "--- SKIP":
		return false, shown, fmt.Errorf("%s was skipped:\n%s", test, shown)
	case "":
		return false, shown, fmt.Errorf("%s did not run (%s):\n%s", test, lastWords(output, ended), shown)
	}
	return false, shown, nil // it failed, or ended the process
}

// verdictLine is how the line begins in which package testing says what became of a test: "--- PASS", "--- FAIL" or
// "--- SKIP". It is "=== RUN" where the test began and nothing more is said, and "" where it did not.
func verdictLine(test, output string) string {
	began := ""
	for _, line := range strings.Split(output, "\n") {
		// A test that prints without a newline leaves its text in front.
		_, line, ok := strings.Cut(line, testMarker)
		if !ok {
			continue
		}
		what, rest, _ := strings.Cut(line, ": ")
		name, _, _ := strings.Cut(rest, " ")
		switch {
		case strings.Join(strings.Fields(line), " ") == "=== RUN "+test:
			began = "=== RUN"
		case name == test && strings.HasPrefix(what, "--- "):
			return what
		}
	}
	return began
}

func plainOutput(s string) string { return strings.ReplaceAll(s, testMarker, "") }
