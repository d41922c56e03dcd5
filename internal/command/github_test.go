package command

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/bot/githubtest"
)

const (
	baseCommit = "1111111111111111111111111111111111111111"
	headCommit = "2222222222222222222222222222222222222222"
)

// recordedStream is what the first workflow left.
const recordedStream = `{"type":"config","version":1,"tool":"v1","packages":["./..."],"depth":1,"list":"unique","budget_seconds":60,"prune":true,"match":"strict","seed":1,"sandbox":"landlock","go_version":"go1.26","deterministic":true}
{"type":"versions","base":{"asked":"main","commit":"1111111111111111111111111111111111111111"},"head":{"asked":"topic","commit":"` + headCommit + `"},"module":"example.com/lib","module_dir":"."}
{"type":"match","functions":1,"matched_functions":1,"conditions":0,"matched_conditions":0,"resynchronised":0,"changed":[{"function":"F","status":"changed","file":"f.go","line":3,"end_line":9}]}
{"type":"baseline","suite":"head","package":"example.com/lib","tests":3,"passing":3,"failing":0,"branches":4,"covered":4,"not_reaching":0}
{"type":"finding","id":"0badc0de","rung":"observed","intended":false,"suite":"head","package":"example.com/lib","test":"TestF","condition":"","function":"F","file":"f.go","line":4,"negations":[],"kind":"value","base":{"outcome":"pass","value":"1"},"head":{"outcome":"pass","value":"2"},"changed":["F"],"cluster":"0badc0de","representative":true}
{"type":"summary","functions":1,"matched_functions":1,"conditions":0,"matched_conditions":0,"branches":4,"covered":4,"explored":0,"variants":0,"pruned":0,"skipped":0,"exhausted":0,"died":0,"hung":0,"unstable_tests":0,"tests":3,"hidden_hints":0,"implausible":0,"not_confirmed":0,"unconfirmed":0,"findings":1,"clusters":1,"seconds":1,"build_seconds":1,"variants_per_second":0,"verdict":"differences"}
`

func github(t *testing.T) *githubtest.Server {
	return githubtest.Start(t, githubtest.Options{State: githubtest.State{
		PullRequests:  []githubtest.PullRequest{{Number: 7, Head: headCommit, HeadRef: "topic", HeadRepository: "eve/lib", Base: baseCommit, BaseRef: "main"}},
		Files:         []githubtest.File{{Commit: baseCommit, Path: ".isodelta.yml", Text: "fail-on: [observed]\n"}},
		Collaborators: map[string]string{"ann": "write"},
		Runs:          []githubtest.Run{{ID: 10, Attempt: 1, Event: "pull_request", Status: "completed", Conclusion: "failure", Commit: headCommit}},
		Artifacts:     []githubtest.Artifact{{ID: 1, Run: 10, Name: "isodelta", Zip: githubtest.Zip("stream.jsonl", recordedStream)}},
		Comments:      []githubtest.Comment{{ID: 1, Issue: 7, Author: "ann", Body: "/isodelta rerun"}},
	}})
}

// runStep runs the program as a step of a workflow does.
func runStep(t *testing.T, s *githubtest.Server, command, event, document string, env ...string) (code int, out, dir string) {
	t.Helper()
	dir = t.TempDir()
	file := filepath.Join(dir, "event.json")
	if err := os.WriteFile(file, []byte(document), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("isodelta", command)
	cmd.Dir = dir
	cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GITHUB_EVENT_NAME=" + event, "GITHUB_EVENT_PATH=" + file,
		"GITHUB_REPOSITORY=octo/lib", "GITHUB_SERVER_URL=https://github.example", "GITHUB_API_URL=" + s.URL,
		"GITHUB_STEP_SUMMARY=" + filepath.Join(dir, "summary"), "GITHUB_OUTPUT=" + filepath.Join(dir, "output"),
		"INPUT_GITHUB_TOKEN=" + githubtest.DefaultToken, "INPUT_OUTPUT_DIRECTORY=" + filepath.Join(dir, "out"),
	}, env...)
	b, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(b), dir
}

func workflowRun(head string) string {
	return fmt.Sprintf(`{"action":"completed","workflow_run":{"id":10,"run_attempt":1,"event":"pull_request","conclusion":"failure",
		"head_sha":%q,"head_repository":{"full_name":"eve/lib"},"pull_requests":[]},"repository":{"full_name":"octo/lib"}}`, head)
}

func issueComment(id int, author, body string) string {
	return fmt.Sprintf(`{"action":"created","issue":{"number":7,"pull_request":{"url":"x"}},
		"comment":{"id":%d,"body":%q,"user":{"login":%q,"type":"User"}},"sender":{"login":%[3]q,"type":"User"}}`, id, body, author)
}

// TestPublishThenComment goes the whole way: a fork's result is published, and
// a maintainer has its run done again.
func TestPublishThenComment(t *testing.T) {
	t.Parallel()
	s := github(t)
	code, out, dir := runStep(t, s, "publish", "workflow_run", workflowRun(headCommit))
	if code != exitOK {
		t.Fatalf("publish ends with %d:\n%s", code, out)
	}
	state := s.State()
	if len(state.Comments) != 2 || !strings.Contains(state.Comments[1].Body, "`TestF` differs") || len(state.Checks) != 1 {
		t.Fatalf("comments are %+v, checks %+v", state.Comments, state.Checks)
	}
	// Policy is base's, in isodelta's own format, and the report is rendered anew.
	if c := state.Checks[0]; c.Conclusion != "failure" || !strings.Contains(c.Title, "(base main)") {
		t.Errorf("the check is %+v", c)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "out", "report.html")); err != nil || !strings.Contains(string(b), "unchecked") {
		t.Errorf("report.html: %v %.300q", err, b)
	}
	for file, want := range map[string]string{"summary": "`TestF` differs", "output": "comment-url=https://github.example/octo/lib/pull/7#issuecomment-"} {
		if b, err := os.ReadFile(filepath.Join(dir, file)); err != nil || !strings.Contains(string(b), want) {
			t.Errorf("%s: %v %q", file, err, b)
		}
	}
	if strings.Count(out, githubtest.DefaultToken) != 1 { // in ::add-mask::
		t.Errorf("the token is in the log:\n%s", out)
	}

	code, out, _ = runStep(t, s, "comment", "issue_comment", issueComment(1, "ann", "/isodelta rerun"))
	state = s.State()
	if code != exitOK || state.Runs[0].Reruns != 1 || len(state.Comments[0].Reactions) != 1 || state.Comments[0].Reactions[0].Content != "+1" {
		t.Errorf("comment ends with %d, %+v, %+v:\n%s", code, state.Runs, state.Comments[0].Reactions, out)
	}
}

func TestPublishRefusal(t *testing.T) {
	t.Parallel()
	s := github(t)
	s.Change(func(state *githubtest.State) {
		state.Artifacts[0].Zip = githubtest.Zip("stream.jsonl", strings.Replace(recordedStream, headCommit, strings.Repeat("3", 40), 1))
	})
	code, out, dir := runStep(t, s, "publish", "workflow_run", workflowRun(headCommit))
	state := s.State()
	if code != exitFailed || !strings.Contains(out, "::error") || len(state.Comments) != 1 || len(state.Checks) != 1 || state.Checks[0].Conclusion != "neutral" {
		t.Errorf("publish ends with %d, %+v:\n%s", code, state.Checks, out)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "summary")); err != nil || !strings.Contains(string(b), "refused") {
		t.Errorf("the summary: %v %q", err, b)
	}
}

func TestGitHubStepErrors(t *testing.T) {
	t.Parallel()
	s := github(t)
	for name, test := range map[string]struct {
		command, document string
		env               []string
		says              string
	}{
		"no token":           {"publish", workflowRun(headCommit), []string{"INPUT_GITHUB_TOKEN="}, "github-token"},
		"no repository":      {"publish", workflowRun(headCommit), []string{"GITHUB_REPOSITORY="}, "owner/name"},
		"no event file":      {"publish", "", []string{"GITHUB_EVENT_PATH=/nonexistent"}, "GITHUB_EVENT_PATH"},
		"event unset":        {"comment", "", []string{"GITHUB_EVENT_PATH="}, "GITHUB_EVENT_PATH"},
		"malformed event":    {"publish", "{", nil, "event file"},
		"another event":      {"publish", issueComment(1, "ann", "x"), nil, "workflow_run"},
		"comment elsewhere":  {"comment", workflowRun(headCommit), nil, "issue_comment"},
		"malformed comment":  {"comment", "[]", nil, "event file"},
		"bogus policy":       {"publish", workflowRun(headCommit), []string{"INPUT_FAIL_ON=everything"}, "fail-on"},
		"bogus comment mode": {"publish", workflowRun(headCommit), []string{"INPUT_COMMENT=loud"}, "comment"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, out, _ := runStep(t, s, test.command, "e", test.document, test.env...)
			if code != exitUsage || !strings.Contains(out, test.says) {
				t.Errorf("it ends with %d:\n%s", code, out)
			}
		})
	}
	// GitHub that is down does not redden a commenter's workflow.
	down := github(t)
	down.Fail(githubtest.Status(422, 0))
	if code, out, _ := runStep(t, down, "comment", "issue_comment", issueComment(1, "ann", "/isodelta rerun")); code != exitOK || !strings.Contains(out, "::warning") {
		t.Errorf("comment ends with %d:\n%s", code, out)
	}
}
