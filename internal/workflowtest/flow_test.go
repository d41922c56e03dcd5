package workflowtest

import (
	"bytes"
	"html"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	htmlrenderer "github.com/yuin/goldmark/renderer/html"

	"github.com/isodelta/isodelta/bot/githubtest"
)

// readers returns the text of a comment as its reader sees it: rendered as GitHub
// does, without what its sanitizer drops, without the tags.
func readers(t *testing.T, markdown string) string {
	t.Helper()
	var b bytes.Buffer
	gfm := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(htmlrenderer.WithUnsafe()))
	if err := gfm.Convert([]byte(markdown), &b); err != nil {
		t.Fatal(err)
	}
	seen := bluemonday.UGCPolicy().Sanitize(b.String())
	text := html.UnescapeString(bluemonday.StrictPolicy().Sanitize(seen))
	return strings.Join(strings.Fields(text), " ")
}

// wantText asserts that a reader sees texts, in that order.
func wantText(t *testing.T, text string, want ...string) {
	t.Helper()
	rest := text
	for _, w := range want {
		_, after, ok := strings.Cut(rest, w)
		if !ok {
			t.Errorf("a reader does not see %q (after what comes before it) in:\n%s", w, text)
			return
		}
		rest = after
	}
}

// state is the repository of a pull request as GitHub knows it.
func (p pull) state(head string) githubtest.State {
	return githubtest.State{
		PullRequests: []githubtest.PullRequest{{Number: 7, State: "open", Head: p.head, HeadRef: "topic",
			HeadRepository: head, Base: p.main, BaseRef: "main", Merge: p.merge}},
		Collaborators: map[string]string{"maintainer": "write", "passer-by": "read"},
		Files:         []githubtest.File{{Commit: p.main, Path: ".isodelta.yml", Text: p.settings}, {Commit: p.merge, Path: ".isodelta.yml", Text: p.settings}},
	}
}

var written = []string{"junit.xml", "report.html", "report.md", "report.sarif", "stream.jsonl"}

// The block that README tells people to copy.
func TestPullRequest(t *testing.T) {
	t.Parallel()
	p := newPull(t)
	r := newRunner(t, p.dir, p.state("octo/figure1"))
	got := r.run("pull_request", p.event("octo/figure1"), "pull-request.yml")
	if !got.ok {
		t.Error("the run failed; nothing in the configuration asks for that")
	}
	s := r.double.State()
	if len(s.Comments) != 1 {
		t.Fatalf("%d comments, want 1", len(s.Comments))
	}
	text := readers(t, s.Comments[0].Body)
	wantText(t, text, "1 behaviour change", "Param(3)", "0", "5")
	if len(s.Checks) != 1 || s.Checks[0].Commit != p.head || s.Checks[0].Status != "completed" {
		t.Errorf("check runs %+v, want one, completed, on the head of the pull request", s.Checks)
	} else if a := s.Checks[0].Annotations; len(a) == 0 || a[0].Path != "numbers.go" {
		t.Errorf("annotations %+v, want one in numbers.go", a)
	}
	for _, artifact := range []string{"isodelta", "isodelta-report"} {
		if files := r.stored(artifact); !slices.Equal(files, written) {
			t.Errorf("the artifact %s holds %v, want %v", artifact, files, written)
		}
	}
	want := map[string]string{"verdict": "differences", "findings": "1", "reached": "1", "observed": "0", "forced": "0", "accepted": "0"}
	for name, v := range want {
		if got.outputs[name] != v {
			t.Errorf("output %s is %q, want %q", name, got.outputs[name], v)
		}
	}
	if !strings.HasSuffix(got.outputs["report"], "report.html") || !filepath.IsAbs(got.outputs["stream"]) || got.outputs["comment-url"] == "" {
		t.Errorf("outputs %v", got.outputs)
	}
	if !got.saw("checksum verified") {
		t.Error("the binary is not the release's")
	}
	if !got.saw("restore isodelta-1-Linux-") || got.saw("save isodelta-1-") {
		t.Error("a pull request has to read the caches, and not to write them")
	}

	// The same again: the one comment is edited, or left as it is.
	r.run("pull_request", p.event("octo/figure1"), "pull-request.yml")
	if n := len(r.double.State().Comments); n != 1 {
		t.Errorf("%d comments after a second run, want 1", n)
	}
}

// A push to the default branch is what fills the caches.
func TestPushToDefaultBranchSavesCaches(t *testing.T) {
	t.Parallel()
	p := newPull(t)
	p.git(t, "checkout", "--quiet", "main")
	p.git(t, "merge", "--quiet", "--ff-only", p.merge)
	r := newRunner(t, p.dir, p.state("octo/figure1"))
	event := map[string]any{"ref": "refs/heads/main", "before": p.main, "after": p.merge,
		"repository": map[string]any{"id": 1, "full_name": "octo/figure1", "default_branch": "main"}}
	got := r.run("push", event, "pull-request.yml")
	if !got.ok || !got.saw("save isodelta-1-Linux-") {
		t.Errorf("ok %v, want the caches saved", got.ok)
	}
	if n := len(r.double.State().Comments); n != 0 {
		t.Errorf("%d comments without a pull request", n)
	}
}

// The input fail-on decides about the job, not whether people learn of it.
func TestFailOn(t *testing.T) {
	t.Parallel()
	p := newPull(t)
	r := newRunner(t, p.dir, p.state("octo/figure1"))
	workflow := `
on: pull_request
jobs:
  compare:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v7
      - uses: isodelta/isodelta@v0
        with:
          fail-on: reached
          fail: 'false'
      - shell: bash
        run: echo "the job that compares did not fail"
  report:
    needs: compare
    if: ${{ !cancelled() }}
    runs-on: ubuntu-latest
    steps:
      - uses: isodelta/isodelta@v0
        id: isodelta
        with:
          command: report
          fail-on: reached
          comment-key: strict
          output-directory: here
      - if: always()
        shell: bash
        env:
          FOUND: ${{ steps.isodelta.outputs.findings }}
        run: echo "after the failure, $FOUND found" && ls here
`
	got := r.runText("pull_request", p.event("octo/figure1"), "strict.yml", workflow)
	if got.ok {
		t.Error("the job passed")
	}
	if !got.saw("the job that compares did not fail") {
		t.Error("the job that compares failed, although it leaves that to the next one")
	}
	if !got.saw("after the failure, 1 found") {
		t.Error("later steps do not see the outputs of a step that failed")
	}
	if files := r.stored("isodelta-report"); !slices.Equal(files, written) {
		t.Errorf("the artifact of the failed job holds %v, want %v", files, written)
	}
	if s := r.double.State(); len(s.Comments) != 1 || len(s.Checks) != 1 || s.Checks[0].Conclusion != "failure" {
		t.Errorf("comments %d, checks %+v; want one of each, and failure", len(s.Comments), s.Checks)
	}
}

// The two stages for forks, each with the token that it would have.
func TestFork(t *testing.T) {
	t.Parallel()
	p := newPull(t)
	state := p.state("somebody/figure1")
	r := newRunner(t, p.dir, state)
	if got := r.run("pull_request", p.event("somebody/figure1"), "compare.yml"); !got.ok {
		t.Fatal("the first stage failed")
	}
	if asked := r.double.Requests(); len(asked) > 0 {
		t.Errorf("the first stage asked GitHub: %+v", asked)
	}
	if files := r.stored("isodelta"); !slices.Contains(files, "stream.jsonl") {
		t.Fatalf("the artifact holds %v", files)
	}

	// The second stage has a folder without the pull request's code.
	r.repository = t.TempDir()
	empty := pull{dir: r.repository}
	empty.git(t, "init", "--quiet", "--initial-branch", "main")
	empty.git(t, "remote", "add", "origin", "https://github.com/octo/figure1.git")
	empty.git(t, "commit", "--quiet", "--allow-empty", "--message", "nothing")
	r.token = "can-write"
	r.permit(r.token, map[string]string{"actions": "read", "contents": "read", "pull-requests": "write", "checks": "write", "metadata": "read"})
	r.double.Change(func(s *githubtest.State) {
		s.Runs = []githubtest.Run{{ID: 4711, Attempt: 1, Event: "pull_request", Status: "completed", Conclusion: "success",
			Commit: p.head, HeadRepository: "somebody/figure1"}}
		s.Artifacts = []githubtest.Artifact{{ID: 1, Run: 4711, Name: "isodelta", Zip: r.zipped("isodelta")}}
	})
	got := r.run("workflow_run", map[string]any{
		"action":     "completed",
		"repository": map[string]any{"id": 1, "full_name": "octo/figure1", "default_branch": "main"},
		"workflow_run": map[string]any{
			"id": 4711, "run_attempt": 1, "event": "pull_request", "conclusion": "success", "status": "completed",
			"head_sha": p.head, "head_branch": "topic", "pull_requests": []any{},
			"head_repository": map[string]any{"id": 2, "full_name": "somebody/figure1"},
			"repository":      map[string]any{"id": 1, "full_name": "octo/figure1"},
		},
	}, "publish.yml")
	if !got.ok {
		t.Error("the second stage failed")
	}
	s := r.double.State()
	if len(s.Comments) != 1 || s.Comments[0].Issue != 7 {
		t.Fatalf("comments %+v, want one on the pull request", s.Comments)
	}
	wantText(t, readers(t, s.Comments[0].Body), "1 behaviour change", "Param(3)", "0", "5")
	if len(s.Checks) != 1 || s.Checks[0].Commit != p.head {
		t.Errorf("check runs %+v, want one on %s", s.Checks, p.head)
	}
}

// A run of the first stage that was not of a pull request is not published.
func TestPublishOnlyPullRequests(t *testing.T) {
	t.Parallel()
	p := newPull(t)
	r := newRunner(t, p.dir, p.state("octo/figure1"))
	got := r.run("workflow_run", map[string]any{"action": "completed",
		"workflow_run": map[string]any{"id": 1, "event": "push", "head_sha": p.main}}, "publish.yml")
	if !got.ok || r.double.Calls("", "") != 0 {
		t.Errorf("ok %v, requests %v; want the job left out", got.ok, r.double.Requests())
	}
}

// In a merge queue there is no pull request: the check carries the report.
func TestMergeGroup(t *testing.T) {
	t.Parallel()
	p := newPull(t)
	r := newRunner(t, p.dir, p.state("octo/figure1"))
	got := r.run("merge_group", map[string]any{
		"action":     "checks_requested",
		"repository": map[string]any{"id": 1, "full_name": "octo/figure1", "default_branch": "main"},
		"merge_group": map[string]any{"base_sha": p.main, "head_sha": p.merge, "base_ref": "refs/heads/main",
			"head_ref": "refs/heads/gh-readonly-queue/main/pr-7-" + p.main},
	}, "merge-group.yml")
	if !got.ok || got.outputs["findings"] != "1" {
		t.Errorf("ok %v, findings %q; want 1", got.ok, got.outputs["findings"])
	}
	s := r.double.State()
	if len(s.Comments) != 0 {
		t.Errorf("%d comments, want none", len(s.Comments))
	}
	if len(s.Checks) != 1 || s.Checks[0].Commit != p.merge {
		t.Fatalf("check runs %+v, want one on the queue's commit", s.Checks)
	}
	wantText(t, readers(t, s.Checks[0].Text), "1 behaviour change", "Param(3)")
}

// A patch release with a behaviour change is stopped before it is made; a minor
// one is not.
func TestReleaseGate(t *testing.T) {
	t.Parallel()
	p := newPull(t)
	p.git(t, "tag", "v1.0.0", p.main)
	for _, c := range []struct {
		tag    string
		passes bool
	}{{"v1.0.1", false}, {"v1.1.0", true}} {
		p.git(t, "tag", c.tag, p.merge)
		r := newRunner(t, p.dir, p.state("octo/figure1"))
		r.env["GITHUB_REF"] = "refs/tags/" + c.tag
		r.env["GITHUB_REF_NAME"] = c.tag
		r.env["GITHUB_REF_TYPE"] = "tag"
		event := map[string]any{"ref": "refs/tags/" + c.tag, "before": strings.Repeat("0", 40), "after": p.merge,
			"repository": map[string]any{"id": 1, "full_name": "octo/figure1", "default_branch": "main"}}
		var flags []string
		if c.passes {
			flags = []string{"--job", "gate"} // the release itself needs GitHub
		}
		got := r.run("push", event, "release-gate.yml", flags...)
		if got.ok != c.passes {
			t.Errorf("%s: ok %v, want %v", c.tag, got.ok, c.passes)
		}
		if !c.passes && got.saw("gh release create") {
			t.Errorf("%s: released although the gate failed", c.tag)
		}
		if !got.saw("v1.0.0 → HEAD") || !got.saw("behaviour   minor") {
			t.Errorf("%s: the log does not say what the change asks for", c.tag)
		}
		if !got.saw("Summary - ### isodelta: release gate") || !got.saw("    verdict     ") {
			t.Errorf("%s: the step summary does not hold the verdict", c.tag)
		}
		p.git(t, "tag", "--delete", c.tag)
	}
}

// Four jobs, one comment.
func TestShards(t *testing.T) {
	t.Parallel()
	p := newPull(t)
	r := newRunner(t, p.dir, p.state("octo/figure1"))
	got := r.run("pull_request", p.event("octo/figure1"), "shards.yml")
	if !got.ok {
		t.Error("the run failed")
	}
	s := r.double.State()
	if len(s.Comments) != 1 || len(s.Checks) != 1 {
		t.Fatalf("%d comments and %d checks, want one of each", len(s.Comments), len(s.Checks))
	}
	wantText(t, readers(t, s.Comments[0].Body), "1 behaviour change", "Param(3)")
}

// A shard that died is named, and nothing is green.
func TestShardLost(t *testing.T) {
	t.Parallel()
	p := newPull(t)
	r := newRunner(t, p.dir, p.state("octo/figure1"))
	r.env["LOSE"] = "isodelta-shard-3"
	got := r.run("pull_request", p.event("octo/figure1"), "shards.yml")
	if got.ok {
		t.Error("the run passed without one of its shards")
	}
	s := r.double.State()
	if len(s.Comments) != 1 || len(s.Checks) != 1 {
		t.Fatalf("%d comments and %d checks, want one of each", len(s.Comments), len(s.Checks))
	}
	wantText(t, strings.ToLower(readers(t, s.Comments[0].Body)), "shard", "3")
	if s.Checks[0].Conclusion == "success" {
		t.Error("the check is green without one of the shards")
	}
}

// A pull request from the first report to a green check: somebody who may not
// accept the change tries, then a maintainer does, and the run is done again.
func TestCommands(t *testing.T) {
	t.Parallel()
	p := newPull(t, "fail-on: [reached]\n")
	r := newRunner(t, p.dir, p.state("octo/figure1"))
	r.env["GITHUB_RUN_ID"] = "4711"
	if got := r.run("pull_request", p.event("octo/figure1"), "pull-request.yml"); got.ok {
		t.Fatal("the job passed, although the configuration fails on reached")
	}
	id := regexp.MustCompile(`/isodelta accept ([0-9a-f]+) `).FindStringSubmatch(r.double.State().Comments[0].Body)
	if id == nil {
		t.Fatal("the comment does not say how to accept the finding")
	}
	r.double.Change(func(s *githubtest.State) {
		s.Runs = []githubtest.Run{{ID: 4711, Attempt: 1, Event: "pull_request", Status: "completed", Conclusion: "failure",
			Commit: p.head, HeadRepository: "octo/figure1"}}
		s.Artifacts = []githubtest.Artifact{{ID: 1, Run: 4711, Name: "isodelta"}}
	})
	for i, c := range []struct {
		author, body, reaction string
		runsAgain              bool
	}{
		{"passer-by", "/isodelta accept " + id[1] + " looks fine to me", "-1", false},
		{"maintainer", "what does /isodelta rerun do?", "", false},
		{"maintainer", "/isodelta accept " + id[1] + " two fives are wanted", "+1", true},
	} {
		number := int64(90 + i)
		r.double.Change(func(s *githubtest.State) {
			s.Comments = append(s.Comments, githubtest.Comment{ID: number, Issue: 7, Author: c.author, Body: c.body})
		})
		if got := r.run("issue_comment", commented(number, c.author, c.body), "commands.yml"); !got.ok {
			t.Errorf("%s of %s: the job failed", c.body, c.author)
		}
		s := r.double.State()
		reactions := ""
		for _, x := range s.Comments[len(s.Comments)-1].Reactions {
			reactions += x.Content
		}
		if reactions != c.reaction {
			t.Errorf("%s of %s: reactions %q, want %q", c.body, c.author, reactions, c.reaction)
		}
		if again := s.Runs[0].Reruns+s.Runs[0].FailedReruns > 0; again != c.runsAgain {
			t.Errorf("%s of %s: run again %v, want %v", c.body, c.author, again, c.runsAgain)
		}
	}
	r.env["GITHUB_RUN_ATTEMPT"] = "2"
	got := r.run("pull_request", p.event("octo/figure1"), "pull-request.yml")
	if !got.ok || got.outputs["findings"] != "0" || got.outputs["accepted"] != "1" {
		t.Errorf("ok %v, findings %q, accepted %q; want the one finding accepted", got.ok, got.outputs["findings"], got.outputs["accepted"])
	}
	wantText(t, readers(t, r.double.State().Comments[0].Body), "accepted", "two fives are wanted")
}

// commented is the document of an issue_comment event.
func commented(id int64, author, body string) map[string]any {
	return map[string]any{
		"action":     "created",
		"repository": map[string]any{"id": 1, "full_name": "octo/figure1", "default_branch": "main"},
		"issue":      map[string]any{"number": 7, "pull_request": map[string]any{"url": "https://api.github.com/repos/octo/figure1/pulls/7"}},
		"comment": map[string]any{"id": id, "body": body, "author_association": "COLLABORATOR",
			"user": map[string]any{"login": author, "type": "User"}},
		"sender": map[string]any{"login": author, "type": "User"},
	}
}

// A release that is not what its checksums say is not run.
func TestWrongChecksum(t *testing.T) {
	t.Parallel()
	p := newPull(t)
	r := newRunner(t, p.dir, p.state("octo/figure1"))
	r.releases.damage()
	got := r.run("pull_request", p.event("octo/figure1"), "pull-request.yml")
	if got.ok || !got.saw("does not have the SHA-256") {
		t.Error("a wrong checksum does not end the job")
	}
	if got.saw("Run Main Run isodelta") {
		t.Error("isodelta ran")
	}
}

// nothingCompared is a workflow that is over as soon as isodelta was started.
const nothingCompared = `
on: workflow_dispatch
jobs:
  isodelta:
    runs-on: ubuntu-latest
    steps:
      - uses: isodelta/isodelta@v0
        with: {command: merge, streams: nowhere, artifact: ''}
`

// onGitHub makes the releases those of github.com.
func (r *runner) onGitHub(attested, path string) {
	r.releases = serveReleases(r.t)
	maps.Copy(r.env, r.releases.startAsGitHub(r.t))
	r.env["ATTESTED"] = attested
	r.env["PATH"] = path + ":" + os.Getenv("PATH")
}

// ran reports whether isodelta was started.
func (r result) ran() bool { return r.saw("no job left a result") }

// On github.com gh is asked who built a release. One that it does not confirm is
// not run, and where it cannot be asked, the log says so.
func TestAttestation(t *testing.T) {
	t.Parallel()
	gh, err := filepath.Abs("testdata/bin")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		path     string
		attested string
		says     []string
		built    bool
	}{
		"attested":     {gh, "yes", []string{"checksum and attestation verified"}, false},
		"not attested": {gh, "", []string{"gh: ::error::no attestations found", "::warning", "Nothing of the release was run", "Build isodelta from"}, true},
		"no gh":        {"", "", []string{"there is no gh on the PATH", "from its release, checksum verified"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPull(t)
			r := newRunner(t, p.dir, p.state("octo/figure1"))
			r.onGitHub(c.attested, c.path)
			got := r.runText("workflow_dispatch", map[string]any{}, "dispatch.yml", nothingCompared)
			for _, want := range c.says {
				if !got.saw(want) {
					t.Errorf("the log does not say %q", want)
				}
			}
			// There is nothing to build from in the action's folder here.
			if got.ran() == c.built {
				t.Errorf("the release was run: %v", got.ran())
			}
		})
	}
}

// In the archive that runners get, a tag that moves and a commit are known to be a
// release. A commit is run from the release only where that is attested to be of this
// very commit, and one that is no release is not looked for.
func TestArchiveKnowsItsRelease(t *testing.T) {
	t.Parallel()
	gh, err := filepath.Abs("testdata/bin")
	if err != nil {
		t.Fatal(err)
	}
	a := newArchives(t)
	for name, c := range map[string]struct {
		version, commit string
		path, attested  string
		downloaded      bool
		says            string
	}{
		"moving tag":               {"v0", a.released, gh, a.released, true, "isodelta v0.0.9 from its release, checksum and attestation verified"},
		"of another commit":        {"v0", a.released, gh, a.next, false, "Nothing of the release was run"},
		"commit":                   {a.released, a.released, gh, a.released, true, "isodelta v0.0.9 from its release, checksum and attestation verified"},
		"commit, nobody to ask":    {a.released, a.released, "", "", false, "there is no gh on the PATH"},
		"commit of something else": {a.next, a.released, gh, a.released, false, "Build isodelta from"},
		"no release":               {"main", a.next, gh, a.next, false, "Build isodelta from"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPull(t)
			r := newRunner(t, p.dir, p.state("octo/figure1"))
			r.version, r.action = c.version, a.archive(t, c.commit)
			r.onGitHub(c.attested, c.path)
			got := r.runText("workflow_dispatch", map[string]any{}, "dispatch.yml", nothingCompared)
			if !got.saw(c.says) {
				t.Errorf("the log does not say %q", c.says)
			}
			if got.ran() != c.downloaded {
				t.Errorf("the release was run: %v", got.ran())
			}
		})
	}
}

// What is no archive, and a release that cannot be reached, are built from the
// action's own checkout.
func TestBuiltFromSource(t *testing.T) {
	t.Parallel()
	p := newPull(t)
	r := newRunner(t, p.dir, p.state("octo/figure1"))
	top, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	r.version, r.action = "v0.0.8", top
	workflow := `
on: workflow_dispatch
jobs:
  isodelta:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v7
      - uses: isodelta/isodelta@v0
        with: {base: main~1, head: topic, cache: 'false'}
`
	got := r.runText("workflow_dispatch", map[string]any{}, "dispatch.yml", workflow)
	if !got.ok || got.outputs["findings"] != "1" {
		t.Errorf("ok %v, outputs %v", got.ok, got.outputs)
	}
	if r.releases.requests() == 0 {
		t.Error("the release was not asked for first")
	}
	if got.saw("checksum verified") || got.saw("restore isodelta") {
		t.Error("not built from source, or caches used")
	}
}

// Without Go there is nothing to compare with, and the job says so.
func TestNoGo(t *testing.T) {
	t.Parallel()
	p := newPull(t)
	r := newRunner(t, p.dir, p.state("octo/figure1"))
	workflow := `
on: pull_request
jobs:
  isodelta:
    runs-on: ubuntu-latest
    env:
      PATH: /usr/bin:/bin
    steps:
      - uses: actions/checkout@v7
      - uses: isodelta/isodelta@v0
`
	got := r.runText("pull_request", p.event("octo/figure1"), "nogo.yml", workflow)
	if got.ok || !got.saw("There is no go on the PATH") || !got.saw("actions/setup-go") {
		t.Error("the job does not say what is missing")
	}
}
