package workflowtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/internal/demo"
)

// pull is a pull request's repository as actions/checkout leaves it: the test
// merge commit of main and the pull request's head is checked out.
type pull struct {
	dir               string
	settings          string // .isodelta.yml of base and of the merge
	fork              string // base of main and head
	main, head, merge string // commits
}

// newPull makes the demo's change a pull request. main has moved on since, and
// has further settings.
func newPull(t *testing.T, settings ...string) pull {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "figure1")
	if err := demo.Figure1(dir); err != nil {
		t.Fatal(err)
	}
	// Enough calls for the one finding; this is not a test of the engine.
	p := pull{dir: dir, settings: "max-sequences: 300\n" + strings.Join(settings, "")}
	p.git(t, "remote", "add", "origin", "https://github.com/octo/figure1.git")
	p.git(t, "branch", "topic")
	p.git(t, "reset", "--quiet", "--hard", "HEAD~1")
	p.fork = p.git(t, "rev-parse", "HEAD")
	p.commit(t, "main", ".isodelta.yml", p.settings)
	p.mergeAnew(t)
	return p
}

// commit writes a file on a branch.
func (p pull) commit(t *testing.T, branch, name, text string) {
	t.Helper()
	p.git(t, "checkout", "--quiet", branch)
	write(t, filepath.Join(p.dir, name), text)
	p.git(t, "add", ".")
	p.git(t, "commit", "--quiet", "--message", name)
}

// mergeAnew makes the test merge of both branches and checks it out.
func (p *pull) mergeAnew(t *testing.T) {
	t.Helper()
	p.main, p.head = p.git(t, "rev-parse", "main"), p.git(t, "rev-parse", "topic")
	p.git(t, "checkout", "--quiet", "--detach", "main")
	p.git(t, "merge", "--quiet", "--no-ff", "--message", "merge", "topic")
	p.merge = p.git(t, "rev-parse", "HEAD")
}

func (p pull) git(t *testing.T, args ...string) string { return git(t, p.dir, args...) }

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com",
		"GIT_AUTHOR_DATE=2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// event is the document of a pull_request event. head is the repository that
// the pull request comes from.
func (p pull) event(head string) map[string]any {
	id := 1
	if head != "octo/figure1" {
		id = 2
	}
	repository := map[string]any{"id": 1, "full_name": "octo/figure1", "default_branch": "main"}
	return map[string]any{
		"action": "synchronize", "number": 7, "repository": repository,
		"pull_request": map[string]any{
			"number": 7,
			"head":   map[string]any{"sha": p.head, "ref": "topic", "repo": map[string]any{"id": id, "full_name": head, "fork": id != 1}},
			"base":   map[string]any{"sha": p.main, "ref": "main", "repo": repository},
		},
	}
}
