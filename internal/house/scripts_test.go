package house

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// early matches a pipe into a command that ends before it has read everything. Under
// pipefail what writes into such a pipe fails whenever it is the slower of the two.
var early = regexp.MustCompile(`[^|]\|\s*(head|grep\s+(-\w*q|-m))\b`)

// TestPipesAreReadToTheEnd looks at the scripts that set pipefail.
func TestPipesAreReadToTheEnd(t *testing.T) {
	t.Parallel()
	if !early.MatchString("sort -rn times | head -n 10") || early.MatchString("test -f a || head -c 1 <(sort b)") {
		t.Fatal("the pattern does not match what it is made for")
	}
	cmd := exec.Command("git", "ls-files", "--", "action.yml", "Dockerfile", ".ci", ".github", "docs/examples")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	scripts := 0
	for _, name := range strings.Fields(string(out)) {
		text := read(t, name)
		if !strings.Contains(text, "pipefail") {
			continue
		}
		scripts++
		for i, line := range strings.Split(text, "\n") {
			if early.MatchString(line) {
				t.Errorf("%s:%d: the pipe's reader ends early, which fails the script: %s", name, i+1, strings.TrimSpace(line))
			}
		}
	}
	if scripts < 3 {
		t.Errorf("%d scripts set pipefail; at least .ci/run, .ci/tools and action.yml should", scripts)
	}
}
