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
	tmp := filepath.Join(l.Tmp, fmt.Sprintf("p%08d", l.started.Add(1)))
	if err := os.Mkdir(tmp, 0o700); err != nil {
		return false, "", fmt.Errorf("temporary directory for %s: %w", t.Test, err)
	}
	defer scratch.RemoveAll(tmp)
	policy := l.Policy
	policy.Temp = tmp
	args := append([]string{"-test.run=^" + regexp.QuoteMeta(t.Test) + "$", "-test.v=test2json", "-test.count=1", "-test.timeout=0"}, l.Flags...)
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	policy.Env = slices.Concat(l.Env, t.Env, []string{"TMPDIR=" + tmp, "PWD=" + t.Dir})
	cmd := sandbox.Command(limited, l.Level, policy, l.Executable, t.Binary, args...)
	cmd.Dir = t.Dir
	var out tail
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = time.Second
	if err = sandbox.Start(cmd); err == nil {
		err = sandbox.Ended(cmd.Wait())
	}
	switch {
	case ctx.Err() != nil:
		return false, "", ctx.Err()
	case limited.Err() != nil:
		return false, fmt.Sprintf("%s\nno end after %s", plainOutput(out.String()), limit), nil
	}
	if err := notStarted(t.Binary, out.String(), err); err != nil {
		return false, "", err
	}
	return testVerdict(t.Test, out.String(), err)
}

// testVerdict reads what package testing said of a test, and how the process
// ended.
func testVerdict(test, output string, ended error) (passed bool, shown string, err error) {
	shown = plainOutput(output)
	var exit *exec.ExitError
	if ended != nil && !errors.As(ended, &exit) {
		return false, shown, fmt.Errorf("run %s: %w", test, ended)
	}
	ran := false
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
			ran = true
		case name != test:
		case what == "--- PASS":
			return ended == nil, shown, nil
		case what == "--- FAIL":
			return false, shown, nil
		case what == "--- SKIP":
			return false, shown, fmt.Errorf("%s was skipped:\n%s", test, shown)
		}
	}
	if !ran {
		return false, shown, fmt.Errorf("%s did not run (%s):\n%s", test, lastWords(output, ended), shown)
	}
	return false, shown, nil // it ended the process
}

func plainOutput(s string) string { return strings.ReplaceAll(s, testMarker, "") }
