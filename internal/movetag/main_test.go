package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// repository has a commit for each step, and the tags that the step names.
func repository(t *testing.T, steps []string) string {
	t.Helper()
	dir := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull,
			"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	run("init", "--quiet")
	for _, step := range steps {
		run("commit", "--quiet", "--allow-empty", "--message", step)
		for _, tag := range strings.Fields(step) {
			if name, annotated := strings.CutSuffix(tag, "!"); annotated {
				run("tag", "--annotate", "--message", name, name)
			} else {
				run("tag", tag)
			}
		}
	}
	return dir
}

// TestDecide: the tag of a major version goes to stable versions, and upwards.
func TestDecide(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		steps   []string // commits, with their tags; ! for an annotated one
		version string
		tag     string
		says    string // in the reason or the error
	}{
		"the first one":              {[]string{"v1.0.0"}, "v1.0.0", "v1", "new"},
		"a patch":                    {[]string{"v1.0.0 v1", "v1.0.1"}, "v1.0.1", "v1", "from v1.0.0 to v1.0.1"},
		"ten is above nine":          {[]string{"v1.9.0 v1", "v1.10.0"}, "v1.10.0", "v1", "up"},
		"major version zero":         {[]string{"v0.1.0 v0", "v0.2.0"}, "v0.2.0", "v0", "up"},
		"annotated tags":             {[]string{"v1.0.0! v1!", "v1.0.1!"}, "v1.0.1", "v1", "up"},
		"a pre-release":              {[]string{"v1.2.2 v1", "v1.2.3-rc.1"}, "v1.2.3-rc.1", "", "pre-release"},
		"the first is a pre-release": {[]string{"v1.0.0-rc.1"}, "v1.0.0-rc.1", "", "pre-release"},
		"a fix of an older version":  {[]string{"v1.1.0", "v1.2.0 v1", "v1.1.9"}, "v1.1.9", "", "at v1.2.0 already"},
		"the same again":             {[]string{"v1.2.0 v1"}, "v1.2.0", "", "already"},
		"after a pre-release":        {[]string{"v1.2.0-rc.1", "v1.1.0 v1", "v1.2.0"}, "v1.2.0", "v1", "up"},
		"a release that failed":      {[]string{"v1.1.0 v1", "v1.2.0", "v1.1.1"}, "v1.1.1", "v1", "from v1.1.0"},
		"another major version":      {[]string{"v2.0.0 v2", "v1.3.0 v1", "v1.4.0"}, "v1.4.0", "v1", "from v1.3.0"},
		"release and rc, one commit": {[]string{"v1.2.0 v1.3.0-rc.1 v1", "v1.2.1"}, "v1.2.1", "v1", "from v1.2.0"},
		"moved by hand":              {[]string{"v1.0.0", "v1", "v1.0.1"}, "v1.0.1", "", "by hand"},
		"no such tag":                {[]string{"v1.0.0"}, "v1.0.1", "", "no tag v1.0.1"},
		"a branch is no tag":         {[]string{"v1.0.0"}, "master", "", "no version"},
		"abbreviated":                {[]string{"v1.2"}, "v1.2", "", "no version"},
		"with build metadata":        {[]string{"v1.2.3+x"}, "v1.2.3+x", "", "no version"},
		"nonsense":                   {[]string{"v1.0.0"}, "--list", "", "no version"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tag, why, err := decide(t.Context(), repository(t, test.steps), test.version)
			if err != nil {
				why = err.Error()
			}
			if tag != test.tag || !strings.Contains(why, test.says) {
				t.Errorf("%q, %s; want %q, %s", tag, why, test.tag, test.says)
			}
		})
	}
}
