package publish

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/action"
	"github.com/isodelta/isodelta/bot"
	"github.com/isodelta/isodelta/bot/githubtest"
	"github.com/isodelta/isodelta/bot/trust"
	"github.com/isodelta/isodelta/diff/acceptance"
	"github.com/isodelta/isodelta/report/event"
)

const (
	base  = "1111111111111111111111111111111111111111"
	head  = "2222222222222222222222222222222222222222"
	merge = "3333333333333333333333333333333333333333"
	later = "4444444444444444444444444444444444444444"
	fork  = "eve/lib"
	me    = "github-actions[bot]"

	theirs = "Reported by the pull request's own run: "
)

// recorded is a stream of one comparison; edit changes it.
type recorded struct {
	config   event.Config
	versions event.Versions
	findings []event.Finding
	summary  *event.Summary
}

func stream(edit ...func(*recorded)) string {
	r := recorded{
		config: event.Config{Version: event.Version, Tool: "v1", Packages: []string{"./..."}, List: "unique", Match: "resynchronised",
			Sandbox: "landlock", GoVersion: "go1.26", Prune: true, Depth: 1},
		versions: event.Versions{Module: "example.com/lib", ModuleDir: ".", Base: event.Side{Asked: "main", Commit: base}, Head: event.Side{Asked: "topic", Commit: head}},
		summary:  &event.Summary{Tests: 3, Branches: 10, Covered: 8, Variants: 5, Functions: 2, MatchedFunctions: 2, Verdict: event.NoDifference},
	}
	for _, e := range edit {
		e(&r)
	}
	events := []event.Event{
		r.config, r.versions,
		event.Match{Functions: 2, MatchedFunctions: 2, Changed: []event.ChangedItem{{Function: "F", Status: "changed", File: "f.go", Line: 3, EndLine: 9}}},
		event.Baseline{Suite: "head", Package: "example.com/lib", Tests: 3, Passing: 3, Branches: 10, Covered: 8},
	}
	for _, f := range r.findings {
		events = append(events, f)
	}
	if r.summary != nil {
		r.summary.Findings, r.summary.Clusters = len(r.findings), len(r.findings)
		if len(r.findings) > 0 {
			r.summary.Verdict = event.Differences
		}
		events = append(events, *r.summary)
	}
	var b strings.Builder
	for _, e := range events {
		line, err := event.Marshal(e)
		if err != nil {
			panic(err)
		}
		b.Write(line)
		if !bytes.HasSuffix(line, []byte("\n")) {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func finding(r *recorded) {
	r.findings = append(r.findings, event.Finding{
		ID: "0badc0de", Cluster: "0badc0de", Representative: true, Rung: event.Observed, Suite: "head", Package: "example.com/lib",
		Test: "TestF", Function: "F", File: "f.go", Line: 4, Kind: "value", Changed: []string{"F"},
		Base: event.Result{Outcome: event.Pass, Value: "1"}, Head: event.Result{Outcome: event.Pass, Value: "2"},
	})
}

func shard(place string) func(*recorded) {
	return func(r *recorded) { r.config.Shard = place }
}

// world is a pull request from a fork whose first workflow ended.
func world(artifacts ...githubtest.Artifact) githubtest.State {
	s := githubtest.State{
		PullRequests:  []githubtest.PullRequest{{Number: 7, Head: head, HeadRef: "topic", HeadRepository: fork, Base: base, BaseRef: "main", Unlisted: true}},
		Collaborators: map[string]string{"ann": "write"},
		Runs:          []githubtest.Run{{ID: 10, Attempt: 1, Commit: head, Status: "completed", Conclusion: "success", Event: "pull_request"}},
	}
	for i, a := range artifacts {
		a.ID, a.Run = int64(i+1), 10
		s.Artifacts = append(s.Artifacts, a)
	}
	return s
}

func artifact(name, text string) githubtest.Artifact {
	return githubtest.Artifact{Name: name, Zip: githubtest.Zip("report.html", "<script>", "stream.jsonl", text)}
}

// result is what was posted, and what was written.
type result struct {
	Outcome
	err          error
	summary, log string
	state        githubtest.State
}

func run(t *testing.T, state githubtest.State, edit ...func(*Job)) result {
	t.Helper()
	s := githubtest.Start(t, githubtest.Options{State: state, PageSize: 2})
	client, err := bot.New(bot.Options{Token: githubtest.DefaultToken, API: s.URL, Repository: "octo/lib", Pause: 2 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	var r result
	var log bytes.Buffer
	job := Job{
		Client: client, Event: Event{RunID: 10, Attempt: 1, Trigger: "pull_request", Conclusion: "success", HeadSHA: head, HeadRepository: fork},
		Artifact: DefaultArtifact, Comment: action.CommentAlways, Key: action.DefaultCommentKey, Check: true,
		Server: "https://github.example", Repository: "octo/lib", Log: action.NewLog(&log), Today: time.Now(),
		Settings:  trust.Settings{Parse: rules, Files: []string{".isodelta.yml"}},
		Directory: t.TempDir(), Page: "https://github.example/octo/lib/actions/runs/99#artifacts",
		Summary: func(render func(int) (string, error)) error {
			text, err := render(1 << 20)
			r.summary += text
			return err
		},
	}
	for _, e := range edit {
		e(&job)
	}
	r.Outcome, r.err = job.Run(context.Background())
	r.log, r.state = log.String(), s.State()
	for _, q := range s.Requests() {
		if strings.Contains(q.Path, "/git/") && !strings.Contains(q.Path, "/git/commits/") || strings.Contains(q.Path, "contents") && !strings.HasSuffix(q.Path, "/contents/.isodelta.yml?ref="+base) && !strings.HasSuffix(q.Path, "/contents/.isodelta.yml?ref="+later) &&
			!strings.HasSuffix(q.Path, "/contents/.isodelta.yml?ref="+head) && !strings.HasSuffix(q.Path, "/contents/.isodelta.yml?ref="+merge) {
			t.Errorf("%s reads code of the pull request", q.Path)
		}
	}
	return r
}

// rules stands for the format of .isodelta.yml: terms of a policy, and identifiers
// that are accepted, a line each.
func rules(base, _ trust.File) (trust.Rules, error) {
	var r trust.Rules
	for line := range strings.Lines(string(base.Text)) {
		kind, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch kind {
		case "fail-on":
			r.Policy.FailOn = append(r.Policy.FailOn, value)
		case "accept":
			r.Accept = append(r.Accept, acceptance.Entry{ID: value, Reason: "BASE SAYS SO", From: acceptance.FromConfig})
		default:
			return r, fmt.Errorf("%q is no setting", kind)
		}
	}
	return r, nil
}

// settings are those of the base branch.
func settings(state githubtest.State, text string) githubtest.State {
	state.Files = append(state.Files, githubtest.File{Commit: base, Path: ".isodelta.yml", Text: text})
	return state
}

func (r result) comments() []string {
	var list []string
	for _, c := range r.state.Comments {
		if c.Author == me {
			list = append(list, c.Body)
		}
	}
	return list
}

func (r result) check(t *testing.T) githubtest.Check {
	t.Helper()
	if len(r.state.Checks) != 1 {
		t.Fatalf("there are %d checks; error %v; log:\n%s", len(r.state.Checks), r.err, r.log)
	}
	return r.state.Checks[0]
}

func TestPublish(t *testing.T) {
	t.Parallel()
	r := run(t, world(artifact("isodelta", stream(finding))))
	if r.err != nil {
		t.Fatal(r.err)
	}
	got := r.comments()
	if len(got) != 1 || !strings.Contains(got[0], r.Stream.Findings[0].Cluster) || !strings.Contains(got[0], `"commit":"`+head+`","run":10,"attempt":1`) {
		t.Errorf("comments are %q", got)
	}
	for _, link := range []string{"https://github.example/octo/lib/actions/runs/10", "https://github.example/octo/lib/blob/" + head + "/f.go#L"} {
		if !strings.Contains(got[0], link) {
			t.Errorf("the comment has no link %s:\n%s", link, got[0])
		}
	}
	c := r.check(t)
	if c.Name != "isodelta: behaviour" || c.Commit != head || c.Conclusion != "neutral" || c.Title != theirs+"1 behaviour change (base main)" || c.Status != "completed" {
		t.Errorf("the check is %+v", c)
	}
	if !strings.Contains(r.summary, r.Stream.Findings[0].Cluster) || r.CommentURL == "" || r.CheckURL == "" {
		t.Errorf("the outcome is %+v, the summary %q", r.Outcome, r.summary)
	}
}

func TestPublishPolicy(t *testing.T) {
	t.Parallel()
	strict := func(r *recorded) { r.config.FailOn = []string{"observed"} }
	for _, test := range []struct {
		name   string
		stream string
		base   string
		failOn []string
		want   string
	}{
		{"the stream's own does not count", stream(finding, strict), "", nil, "neutral"},
		{"base's", stream(finding), "fail-on observed", nil, "failure"},
		{"base's, whatever the stream says", stream(finding, func(r *recorded) {
			r.config.Policy = []event.PolicyRule{{Packages: []string{"..."}, FailOn: []string{}}}
		}), "fail-on observed", nil, "failure"},
		{"the input's is stricter", stream(finding), "", []string{"observed"}, "failure"},
		{"the input's is laxer", stream(finding, strict), "fail-on observed", []string{}, "neutral"},
		{"nothing found is what the fork says", stream(strict), "", nil, "neutral"},
		{"cut off", stream(strict, func(r *recorded) { r.summary = nil }), "", nil, "neutral"},
		{"a claim that is not borne out", stream(func(r *recorded) { r.summary = &event.Summary{Verdict: event.NoDifference} }), "", nil, "neutral"},
		{"base's settings are not valid", stream(finding), "nonsense", nil, "neutral"},
	} {
		r := run(t, settings(world(artifact("isodelta", test.stream)), test.base), func(j *Job) { j.Settings.FailOn = test.failOn })
		if c := r.check(t); c.Conclusion != test.want {
			t.Errorf("%s: the check concludes with %s, want %s", test.name, c.Conclusion, test.want)
		}
	}
}

func TestPublishQuietly(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		mode   action.CommentMode
		stream string
		want   int
	}{
		{action.CommentAuto, stream(), 0},
		{action.CommentAuto, stream(finding), 1},
		{action.CommentAlways, stream(), 1},
		{action.CommentNever, stream(finding), 0},
	} {
		r := run(t, world(artifact("isodelta", test.stream)), func(j *Job) { j.Comment, j.Check = test.mode, false })
		if got := r.comments(); len(got) != test.want || r.err != nil || len(r.state.Checks) > 0 {
			t.Errorf("%s: %d comments, want %d; %v", test.mode, len(got), test.want, r.err)
		}
		if r.summary == "" {
			t.Errorf("%s: no summary", test.mode)
		}
	}
}

// TestPublishRefuses hostile and damaged results: nothing of them is shown.
func TestPublishRefuses(t *testing.T) {
	t.Parallel()
	const evil = "EVIL"
	about := func(commit string) func(*recorded) {
		return func(r *recorded) { finding(r); r.findings[0].Test, r.versions.Head.Commit = evil, commit }
	}
	whole := stream(about(head))
	tests := []struct {
		name  string
		state githubtest.State
		says  string // in the log
		fine  bool   // nobody's fault
	}{
		{"about another commit", world(artifact("isodelta", stream(about(later)))), "run was about " + head, false},
		{"about no commit", world(artifact("isodelta", stream(about("")))), "is about commit", false},
		{"about a hostile commit", world(artifact("isodelta", stream(about("../../../git/refs/heads/main?")))), "is about commit", false},
		{"about a working tree", world(artifact("isodelta", stream(about(head), func(r *recorded) { r.versions.Head.Worktree = true }))), "working tree", false},
		{"no version", world(artifact("isodelta", strings.SplitAfter(whole, "\n")[0])), "does not say what it compares", false},
		{"empty", world(artifact("isodelta", "")), "does not say", false},
		{"newer format", world(artifact("isodelta", strings.Replace(whole, `"version":1`, `"version":99`, 1))), "newer isodelta", false},
		{"no event", world(artifact("isodelta", `{"type":"finding","id":"`+evil+`"}`)), "", false},
		{"no JSON", world(artifact("isodelta", evil+"\n::error::"+evil+"\n")), "no JSON", false},
		{"two streams", world(artifact("isodelta", whole+whole)), "several streams", false},
		{"workflow command", world(artifact("isodelta", `{"type":"config","version":1,"list":"\n::set-output name=x::`+evil+`"}`+"\n")), "", false},
		{"cut off early", world(artifact("isodelta", whole[:40])), "cut off", false},
		{"bomb", world(artifact("isodelta", strings.Repeat(" ", maxStream+1))), "more than", false},
		{"no archive", world(githubtest.Artifact{Name: "isodelta", Zip: []byte(evil)}), "zip", false},
		{"in a folder", world(githubtest.Artifact{Name: "isodelta", Zip: githubtest.Zip("out/stream.jsonl", whole)}), "holds no stream.jsonl", false},
		{"no artifact", world(artifact("isodeltas", whole)), "no artifact called isodelta", true},
		{"expired", world(githubtest.Artifact{Name: "isodelta", Expired: true}), "expired", true},
		{"a shard is hostile", world(artifact("isodelta-1", stream(about(head), shard("1/2"))), artifact("isodelta-2", evil+"\n")), "isodelta-2", false},
		{"the same shard twice", world(artifact("isodelta-1", stream(about(head), shard("1/2"))), artifact("isodelta-2", stream(about(head), shard("1/2")))), "same shard", false},
		{"shards of two comparisons", world(artifact("isodelta-1", stream(about(head), shard("1/2"))), artifact("isodelta-2", stream(about(later), shard("2/2")))), "one comparison", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := run(t, test.state)
			if (r.err == nil) != test.fine {
				t.Errorf("the error is %v", r.err)
			}
			if said := r.log + fmt.Sprint(r.err); !strings.Contains(said, test.says) {
				t.Errorf("%q is not said:\n%s", test.says, said)
			}
			if got := r.comments(); len(got) > 0 {
				t.Errorf("comments: %q", got)
			}
			c := r.check(t)
			if c.Conclusion != "neutral" || c.Commit != head || len(c.Summary) > 500 || c.Text != "" {
				t.Errorf("the check is %+v", c)
			}
			if shown := r.summary + c.Title + c.Summary; shown == "" || strings.Contains(shown, evil) {
				t.Errorf("shown is %q", shown)
			}
			for line := range strings.SplitSeq(r.log, "\n") {
				if strings.HasPrefix(line, "::set-output") || strings.Contains(line, "::error::"+evil) {
					t.Errorf("a line of the log is a command: %q", line)
				}
			}
		})
	}
}

func TestPublishMergeCommit(t *testing.T) {
	t.Parallel()
	about := stream(func(r *recorded) { r.versions.Head.Commit = merge })
	present := world(artifact("isodelta", about))
	present.PullRequests[0].Merge = merge
	earlier := world(artifact("isodelta", about)) // main moved on, so that GitHub made another merge since
	earlier.PullRequests[0].Merge = later
	earlier.Commits = []githubtest.Commit{{SHA: merge, Parents: []string{base, head}}}
	for name, state := range map[string]githubtest.State{"the present one": present, "an earlier one": earlier} {
		r := run(t, state)
		if r.err != nil || len(r.comments()) != 1 || r.check(t).Commit != head {
			t.Errorf("%s: %v, %q", name, r.err, r.comments())
		}
	}
	other := world(artifact("isodelta", about))
	other.Commits = []githubtest.Commit{{SHA: merge, Parents: []string{head, base}}}
	if r := run(t, other); r.err == nil {
		t.Error("a commit that only has the head in its history is taken for a merge")
	}
}

func TestPublishShards(t *testing.T) {
	t.Parallel()
	one, two := artifact("isodelta-1", stream(shard("1/2"))), artifact("isodelta-2", stream(shard("2/2"), finding))
	r := run(t, world(one, two, artifact("other", "x"), artifact("isodeltas-3", "x")))
	if got := r.comments(); r.err != nil || len(got) != 1 || !strings.Contains(got[0], r.Stream.Findings[0].Cluster) {
		t.Fatalf("%v, %q", r.err, got)
	}
	// What is missing is said, and nothing found is then no success.
	r = run(t, world(one))
	if got := r.comments(); len(got) != 1 || !strings.Contains(got[0], "2/2") || r.check(t).Conclusion != "neutral" {
		t.Errorf("a missing shard: %v, %q, %+v", r.err, got, r.check(t))
	}
	text := stream(shard("2/2"))
	r = run(t, world(one, artifact("isodelta-2", text[:len(text)-20])))
	if got := r.comments(); len(got) != 1 || !strings.Contains(got[0], "2/2") || r.check(t).Conclusion != "neutral" {
		t.Errorf("a shard that was cut off: %v, %q", r.err, got)
	}
}

// TestPublishAcceptances are those of the comments, whatever the stream says.
func TestPublishAcceptances(t *testing.T) {
	t.Parallel()
	forged := func(r *recorded) {
		finding(r)
		r.findings[0].Accepted = &event.Acceptance{Reason: "FORGED", By: "ann", From: "comment"}
	}
	r := run(t, world(artifact("isodelta", stream(forged))))
	if got := r.comments(); r.err != nil || len(got) != 1 || strings.Contains(got[0], "FORGED") || r.check(t).Title != theirs+"1 behaviour change (base main)" {
		t.Errorf("what a maintainer said was believed: %v %q", r.err, got)
	}
	id := r.Stream.Findings[0].Cause[:32] // which the comment shows
	state := settings(world(artifact("isodelta", stream(finding))), "fail-on observed")
	state.Comments = []githubtest.Comment{{ID: 1, Issue: 7, Author: "rob", Body: "/isodelta accept " + id + " says who"}}
	r = run(t, state)
	if r.err != nil || r.check(t).Conclusion != "failure" || !strings.Contains(r.log, "rob has no write access") {
		t.Errorf("somebody without access accepts: %v, %+v\n%s", r.err, r.check(t), r.log)
	}
	state.Comments = append(state.Comments, githubtest.Comment{ID: 2, Issue: 7, Author: "ann", Body: "/isodelta accept " + id + " it is meant"})
	r = run(t, state)
	if c := r.check(t); c.Conclusion != "neutral" || c.Title != theirs+"only accepted behaviour changes (base main)" || !strings.Contains(r.comments()[0], "it is meant") {
		t.Errorf("somebody with access accepts: %v, %+v, %q", r.err, c, r.comments())
	}
}

// TestPublishOwnWords: what a fork's run says is said to be that, in the first line;
// nothing of it is in the bot's voice, and no code is offered for pasting.
func TestPublishOwnWords(t *testing.T) {
	t.Parallel()
	const code = "exec.Command(\"sh\", \"-c\", \"id\")"
	forged := func(r *recorded) {
		finding(r)
		f := &r.findings[0]
		f.Rung, f.Origin, f.Input, f.Component = event.Reached, "plain", "F(1)", "result"
		f.GoTest, f.GoTestFile = "package g\n\nfunc init() { "+code+" }\n", "g_test.go"
		f.Accepted = &event.Acceptance{Reason: "approved in security review", By: "octocat", From: "config"}
	}
	var dir string
	r := run(t, world(artifact("isodelta", stream(forged))), func(j *Job) { dir = j.Directory })
	comments := r.comments()
	if r.err != nil || len(comments) != 1 {
		t.Fatalf("%v, %q", r.err, comments)
	}
	first, _, _ := strings.Cut(comments[0], "\n")
	if !strings.HasPrefix(first, "### isodelta: reported by the pull request&#39;s own run, unchecked: ") && !strings.HasPrefix(first, "### isodelta: reported by the pull request's own run, unchecked: ") {
		t.Errorf("the comment begins with %q", first)
	}
	c := r.check(t)
	if c.Conclusion != "neutral" || !strings.HasPrefix(c.Title, theirs) || !strings.HasPrefix(c.Summary, "Reported by the pull request") {
		t.Errorf("the check is %+v", c)
	}
	for what, text := range map[string]string{"comment": comments[0], "check": c.Title + c.Summary + c.Text, "summary": r.summary} {
		for _, bad := range []string{"exec.Command", "put this into", "octocat", "security review"} {
			if strings.Contains(text, bad) {
				t.Errorf("the %s says %q:\n%s", what, bad, text)
			}
		}
	}
	if !strings.Contains(comments[0], "https://github.example/octo/lib/actions/runs/99#artifacts") || strings.Contains(comments[0], "runs/10/artifacts") {
		t.Errorf("the full report is the fork's:\n%s", comments[0])
	}
	page, err := os.ReadFile(filepath.Join(dir, "report.html"))
	if err != nil || strings.Contains(string(page), "<script>") || !strings.Contains(string(page), "These are the pull request's own words") || !strings.Contains(string(page), "exec.Command") {
		t.Errorf("report.html: %v\n%s", err, page)
	}
	for _, name := range []string{"report.md", "stream.jsonl"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

// TestPublishBase: a fork cannot compare with a commit of its own choice.
func TestPublishBase(t *testing.T) {
	t.Parallel()
	from := func(commit string) func(*recorded) {
		return func(r *recorded) { finding(r); r.versions.Base.Commit = commit }
	}
	const older, theirOwn = "5555555555555555555555555555555555555555", "6666666666666666666666666666666666666666"
	for name, test := range map[string]struct {
		base string
		fine bool
	}{
		"the branch's head": {base, true}, "an earlier commit of the branch": {older, true}, "a commit of the fork": {theirOwn, false},
		"the head itself": {head, false}, "no commit": {"main", false}, "a hostile one": {"../../..", false},
	} {
		state := world(artifact("isodelta", stream(from(test.base))))
		state.Commits = []githubtest.Commit{{SHA: base, Parents: []string{older}}, {SHA: head, Parents: []string{theirOwn, base}}}
		r := run(t, state)
		if (r.err == nil) != test.fine || (len(r.comments()) == 1) != test.fine || !test.fine && r.check(t).Title != "The result is refused" {
			t.Errorf("%s: %v, %q, %+v", name, r.err, r.comments(), r.state.Checks)
		}
	}
	// A merge that the fork made itself, onto a base of its own.
	state := world(artifact("isodelta", stream(from(theirOwn), func(r *recorded) { r.versions.Head.Commit = merge })))
	state.Commits = []githubtest.Commit{{SHA: merge, Parents: []string{theirOwn, head}}}
	if r := run(t, state); r.err == nil || len(r.comments()) > 0 {
		t.Errorf("a merge of the fork's own: %q", r.comments())
	}
}

// TestPublishAcceptancesOfBase: what is accepted on base counts, whatever the
// stream's own settings say.
func TestPublishAcceptancesOfBase(t *testing.T) {
	t.Parallel()
	first := run(t, world(artifact("isodelta", stream(finding))))
	id := first.Stream.Findings[0].Cause
	r := run(t, settings(world(artifact("isodelta", stream(finding))), "fail-on observed\naccept "+id))
	if c := r.check(t); r.err != nil || c.Conclusion != "neutral" || c.Title != theirs+"only accepted behaviour changes (base main)" || !strings.Contains(r.comments()[0], "BASE SAYS SO") {
		t.Errorf("%v, %+v, %q", r.err, c, r.comments())
	}
}

// TestPublishShardNames: the names of missing shards once stood in the check's
// summary as the fork wrote them.
func TestPublishShardNames(t *testing.T) {
	t.Parallel()
	limit := `{"type":"limit","kind":"shard","what":"2/2, @octo/admins see [x](https://evil.example) <b>","reason":"r"}` + "\n"
	lines := strings.SplitAfter(stream(func(r *recorded) { r.summary.Verdict = event.Incomplete }), "\n")
	text := strings.Join(lines[:len(lines)-2], "") + limit + lines[len(lines)-2]
	r := run(t, world(artifact("isodelta", text)))
	if c := r.check(t); r.err != nil || c.Conclusion != "neutral" || strings.Contains(c.Summary+c.Title, "octo") || strings.Contains(c.Summary, "evil") {
		t.Errorf("%v, %+v", r.err, c)
	}
}

func TestPublishWhichPullRequest(t *testing.T) {
	t.Parallel()
	closed := world(artifact("isodelta", stream()))
	closed.PullRequests[0].State = "closed"
	pushed := world(artifact("isodelta", stream()))
	pushed.PullRequests[0].Head = later
	foreign := world(artifact("isodelta", stream()))
	foreign.PullRequests[0].HeadRepository = "mallory/lib"
	for name, state := range map[string]githubtest.State{"closed": closed, "pushed": pushed, "of another fork": foreign} {
		r := run(t, state)
		if r.err != nil || len(r.comments())+len(r.state.Checks) > 0 || !strings.Contains(r.summary, "No open pull request") {
			t.Errorf("%s: %v, %q, %q", name, r.err, r.comments(), r.summary)
		}
	}
	two := world(artifact("isodelta", stream()))
	two.PullRequests = append(two.PullRequests, githubtest.PullRequest{Number: 8, Head: head, HeadRepository: fork, Base: later, BaseRef: "v1", Unlisted: true})
	if r := run(t, two); r.err != nil || len(r.state.Comments) != 1 || r.state.Comments[0].Issue != 7 {
		t.Errorf("two bases: %v, %+v", r.err, r.state.Comments)
	}
	two.PullRequests[0].Base = later
	two.Commits = []githubtest.Commit{{SHA: later, Parents: []string{base}}} // on both branches, the head of neither
	if r := run(t, two); r.err != nil || len(r.state.Comments) != 0 || !strings.Contains(r.log, "cannot be told") {
		t.Errorf("two bases, neither fits: %v, %+v", r.err, r.state.Comments)
	}
	if r := run(t, two, func(j *Job) { j.Event.Numbers = []int{8} }); r.err != nil || len(r.state.Comments) != 1 || r.state.Comments[0].Issue != 8 {
		t.Errorf("GitHub names one: %v, %+v", r.err, r.state.Comments)
	}
	if r := run(t, world(artifact("isodelta", stream())), func(j *Job) { j.Event.Trigger = "push" }); r.err != nil || len(r.comments()) > 0 {
		t.Errorf("a push: %v", r.err)
	}
}

// TestPublishPowerless: the report is in the summary, and nothing fails.
func TestPublishPowerless(t *testing.T) {
	t.Parallel()
	state := world(artifact("isodelta", stream(finding)))
	state.Tokens = []githubtest.Token{{
		Token: githubtest.DefaultToken, Login: me, App: "github-actions",
		Permissions: map[string]string{"actions": "read", "pull-requests": "read", "contents": "read"},
	}}
	r := run(t, state)
	if r.err != nil || !strings.Contains(r.summary, r.Stream.Findings[0].Cluster) || !strings.Contains(r.log, "pull-requests: write") || !strings.Contains(r.log, "checks: write") {
		t.Errorf("%v, summary %.80q, log:\n%s", r.err, r.summary, r.log)
	}
	state.Tokens[0].Permissions = map[string]string{"pull-requests": "read"}
	if r := run(t, state); r.err == nil || !strings.Contains(r.err.Error(), "actions: read") {
		t.Errorf("without the right to read artifacts: %v", r.err)
	}
}

func TestParseEvent(t *testing.T) {
	t.Parallel()
	good := fmt.Sprintf(`{"action":"completed","workflow_run":{"id":10,"run_attempt":2,"event":"pull_request","conclusion":"failure",
		"head_sha":%q,"head_repository":{"full_name":%q},"pull_requests":[{"number":7}]}}`, head, fork)
	e, err := ParseEvent(strings.NewReader(good))
	if diff := cmp.Diff(Event{10, 2, "pull_request", "failure", head, fork, []int{7}}, e); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	for name, text := range map[string]string{
		"empty":           "",
		"no JSON":         "{",
		"another event":   `{"action":"opened","pull_request":{}}`,
		"not completed":   strings.Replace(good, "completed", "requested", 1),
		"no hash":         strings.Replace(good, head, "main", 1),
		"a path":          strings.Replace(good, head, "../../x", 1),
		"no number":       strings.Replace(good, `"id":10`, `"id":0`, 1),
		"number as words": strings.Replace(good, `"id":10`, `"id":"ten"`, 1),
	} {
		if e, err := ParseEvent(strings.NewReader(text)); err == nil {
			t.Errorf("%s gives %+v", name, e)
		}
	}
	deleted, err := ParseEvent(strings.NewReader(strings.Replace(good, `{"full_name":"`+fork+`"}`, "null", 1)))
	if err != nil || deleted.HeadRepository != "" {
		t.Errorf("a deleted fork: %+v, %v", deleted, err)
	}
}

func FuzzParseEvent(f *testing.F) {
	f.Add([]byte(`{"action":"completed","workflow_run":{"id":10,"head_sha":"` + head + `","head_repository":{"full_name":"a/b"}}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		e, err := ParseEvent(bytes.NewReader(b))
		if err == nil && (!hash.MatchString(e.HeadSHA) || e.RunID <= 0 || e.Attempt < 1 || strings.ContainsAny(e.HeadRepository, "?#% \n")) {
			out, _ := json.Marshal(e)
			t.Fatalf("%s", out)
		}
	})
}
