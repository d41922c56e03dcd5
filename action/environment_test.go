package action

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/isodelta/isodelta/runner/execute/sandbox"
)

func getenv(vars map[string]string) func(string) string {
	return func(name string) string { return vars[name] }
}

func TestReadEnvironment(t *testing.T) {
	t.Parallel()
	got, err := ReadEnvironment(getenv(map[string]string{
		"GITHUB_EVENT_NAME": "pull_request", "GITHUB_EVENT_PATH": "/e.json", "GITHUB_SHA": "abc", "GITHUB_REF": "refs/pull/7/merge",
		"GITHUB_REPOSITORY": "owner/name", "GITHUB_SERVER_URL": "https://ghe.example/", "GITHUB_API_URL": "https://ghe.example/api/v3",
		"GITHUB_RUN_ID": "12", "GITHUB_RUN_ATTEMPT": "2", "GITHUB_WORKSPACE": "/ws", "RUNNER_TEMP": "/tmp/r",
		"GITHUB_STEP_SUMMARY": "/s.md", "GITHUB_OUTPUT": "/o",
		"INPUT_PACKAGES": " ./a/...\n./b, ./c ", "INPUT_FAIL_ON": "observed, reached", "INPUT_COMMENT": "quiet", "INPUT_CHECK": "true",
		"INPUT_SHARD": "2/4", "INPUT_SHARDS": "4", "INPUT_WORKING_DIRECTORY": "sub", "INPUT_GITHUB_TOKEN": "t\n",
	}))
	if err != nil {
		t.Fatal(err)
	}
	want := Environment{
		EventName: "pull_request", EventPath: "/e.json", SHA: "abc", Ref: "refs/pull/7/merge", Repository: "owner/name",
		Server: "https://ghe.example", API: "https://ghe.example/api/v3", RunID: 12, RunAttempt: 2, Workspace: "/ws", Temp: "/tmp/r",
		StepSummary: "/s.md", Output: "/o",
		Inputs: Inputs{Packages: "./a/...,./b,./c", FailOn: "observed,reached", Comment: CommentAuto, CommentKey: "isodelta", Check: true, Posting: true, Fail: true,
			Shard: "2/4", Shards: 4, WorkingDirectory: "sub", Token: "t", OutputDirectory: "/tmp/r/isodelta"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if got.Directory() != "/ws/sub" {
		t.Errorf("directory %s", got.Directory())
	}
	if got.RunURL() != "https://ghe.example/owner/name/actions/runs/12/attempts/2" {
		t.Errorf("run %s", got.RunURL())
	}
}

// Inputs that are true where nobody gives them, as in a container action.
func TestInputsNotGiven(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]Inputs{
		"":      {Check: true, Fail: true},
		"auto":  {Check: true, Fail: true},
		"true":  {Check: true, Fail: true, Posting: true},
		"false": {},
	} {
		env, err := ReadEnvironment(getenv(map[string]string{"GITHUB_EVENT_NAME": "push", "INPUT_CHECK": value, "INPUT_FAIL": value}))
		got := Inputs{Check: env.Inputs.Check, Fail: env.Inputs.Fail, Posting: env.Inputs.Posting}
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%q: %v\n%s", value, err, d)
		}
	}
}

// TestBadEnvironment: each mistake is told, by the name that a workflow gives
// it, and the rest can still be used to say so.
func TestBadEnvironment(t *testing.T) {
	t.Parallel()
	got, err := ReadEnvironment(getenv(map[string]string{
		"GITHUB_STEP_SUMMARY": "/s.md", "GITHUB_REPOSITORY": "../../x", "GITHUB_RUN_ID": "x1", "INPUT_COMMENT": "maybe", "INPUT_CHECK": "yes",
		"INPUT_SHARD": "5/4", "INPUT_COMMENT_KEY": "a b", "INPUT_SHARDS": "-1", "INPUT_ALLOW_PULL_REQUEST_TARGET": "1",
	}))
	if err == nil {
		t.Fatal("accepted")
	}
	for _, want := range []string{"GITHUB_EVENT_NAME is not set", "GITHUB_REPOSITORY", "GITHUB_RUN_ID", "input comment is \"maybe\"",
		"input check is \"yes\"", "shard \"5/4\"", "INPUT_COMMENT_KEY", "INPUT_SHARDS", "input allow-pull-request-target"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not told in\n%v", want, err)
		}
	}
	if got.StepSummary != "/s.md" || got.Inputs.AllowTarget || got.Inputs.Shard != "" || got.Repository != "" {
		t.Errorf("%+v", got)
	}
}

// The runner gives a container action its inputs with hyphens.
func TestInputsOfContainerActions(t *testing.T) {
	t.Parallel()
	vars := map[string]string{"GITHUB_EVENT_NAME": "push", "INPUT_FAIL-ON": "observed", "INPUT_COMMENT-KEY": "race", "INPUT_COMMENT_KEY": "unit"}
	env, err := ReadEnvironment(func(name string) string { return vars[name] })
	if err != nil || env.Inputs.FailOn != "observed" || env.Inputs.CommentKey != "unit" {
		t.Errorf("%+v, %v", env.Inputs, err)
	}
}

// TestInputsStayAway: no input of action.yml is seen by a test or by a build, as
// a composite action's variable or as a container action's.
func TestInputsStayAway(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Inputs map[string]any `yaml:"inputs"`
	}
	if err := yaml.Unmarshal(text, &file); err != nil || len(file.Inputs) < 10 {
		t.Fatalf("%d inputs, %v", len(file.Inputs), err)
	}
	for input := range file.Inputs {
		container := "INPUT_" + strings.ToUpper(input)
		for _, name := range []string{container, strings.ReplaceAll(container, "-", "_"), strings.ToLower(container)} {
			entry := name + "=x"
			if kept, _ := sandbox.ScrubEnv([]string{entry}); len(kept) > 0 {
				t.Errorf("tests see %s", name)
			}
			if kept, _ := sandbox.BuildEnv([]string{entry}); len(kept) > 0 {
				t.Errorf("builds see %s", name)
			}
		}
	}
}
