package workflowtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/isodelta/isodelta/internal/required"
)

// need returns the path of a tool. Where it is not there, the test is skipped, or
// fails if tools are required.
func need(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err == nil {
		return path
	}
	required.Skip(t, required.Tools, fmt.Sprintf("no %s on the PATH; .ci/tools installs it", name))
	return ""
}

func TestActionlint(t *testing.T) {
	t.Parallel()
	actionlint := need(t, "actionlint")
	for _, dir := range []string{"docs/workflows", ".github/workflows"} {
		files := workflowFiles(t, dir)
		for i, f := range files {
			abs, err := filepath.Abs(f)
			if err != nil {
				t.Fatal(err)
			}
			files[i] = abs
		}
		cmd := exec.Command(actionlint, files...)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("actionlint %s: %v\n%s", dir, err, out)
		}
	}
}

// The scripts of action.yml are what actionlint does not look into.
func TestShellcheck(t *testing.T) {
	t.Parallel()
	shellcheck := need(t, "shellcheck")
	for _, s := range read[action](t, filepath.Join(root, "action.yml")).Runs.Steps {
		if s.Run == "" {
			continue
		}
		script := filepath.Join(t.TempDir(), "script")
		if err := os.WriteFile(script, []byte(s.Run), 0o644); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(shellcheck, "--shell=bash", script).CombinedOutput(); err != nil {
			t.Errorf("shellcheck of the step %q: %v\n%s", s.Name, err, out)
		}
	}
}
