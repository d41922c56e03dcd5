package action

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/isodelta/isodelta/action/checkout/checkouttest"
	"github.com/isodelta/isodelta/bot"
	"github.com/isodelta/isodelta/bot/githubtest"
	"github.com/isodelta/isodelta/bot/trust"
	"github.com/isodelta/isodelta/diff/policy"
	"github.com/isodelta/isodelta/report/event"
)

// run is a step of a workflow on a pull request, with everything around it.
type run struct {
	t      *testing.T
	origin *checkouttest.Origin
	double *githubtest.Server
	job    *Job
	out    strings.Builder
	dir    string
	made   int // comparisons by the engine
}

const token = "double-token"

// merged is a pull request with its merge checked out. Runs share it: they
// change neither.
type merged struct {
	*checkouttest.Origin
	checkout string
}

func newMerged(t *testing.T) merged {
	t.Helper()
	o := checkouttest.New(t).Allow()
	return merged{o, o.Clone(served(o), "refs/pull/7/merge", "--depth=1")}
}

// newRun starts a double of GitHub's API for a step. The engine gives the events
// of emit.
func newRun(t *testing.T, o merged, fixture string, emit func(ctx context.Context, base, head string, sink event.Sink) error) *run {
	t.Helper()
	r := &run{t: t, origin: o.Origin, dir: t.TempDir()}
	text, err := os.ReadFile(filepath.Join("testdata", "events", fixture+".json"))
	if err != nil {
		t.Fatal(err)
	}
	payload := strings.NewReplacer(ones, o.Hash["third"], twos, o.Hash["two"]).Replace(string(text))
	r.write("event.json", payload)
	r.double = githubtest.Start(t, githubtest.Options{State: githubtest.State{Repository: "owner/name",
		Files:        []githubtest.File{{Commit: o.Hash["third"], Path: ".isodelta.yml", Text: "reached"}},
		PullRequests: []githubtest.PullRequest{{Number: 7, Head: o.Hash["two"], HeadRef: "topic", HeadRepository: "owner/name", Base: o.Hash["third"], BaseRef: "main"}}}})
	client, err := bot.New(bot.Options{Token: token, API: r.double.URL, Repository: "owner/name", Pause: time.Millisecond, MaxWait: -1})
	if err != nil {
		t.Fatal(err)
	}
	name := "pull_request"
	if fixture == "push" || fixture == "merge_group" {
		name = fixture
	}
	r.job = &Job{
		Env: Environment{EventName: name, EventPath: r.path("event.json"), SHA: o.Hash["merge"], Repository: "owner/name",
			Server: "https://github.example", RunID: 12, RunAttempt: 1, Workspace: o.checkout, Temp: r.path("tmp"),
			StepSummary: r.path("summary.md"), Output: r.path("output"),
			Inputs: Inputs{Token: token, Comment: CommentAuto, CommentKey: DefaultCommentKey, Check: true, OutputDirectory: r.path("results")}},
		Settings: trust.Settings{Files: []string{".isodelta.yml"}, Parse: func(base, _ trust.File) (trust.Rules, error) {
			return trust.Rules{Policy: policy.Policy{FailOn: strings.Fields(string(base.Text))}}, nil
		}},
		Out: &r.out, Tool: "test", Grace: 50 * time.Millisecond, Poster: client,
		Code: func(error) int { return 3 },
		Verdict: func(s *event.Stream) int {
			if policy.Decide(policy.Of(s.Config), s).Fail {
				return 1
			}
			return 0
		},
	}
	if err := os.Mkdir(r.path("tmp"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.job.Prepare = func(Commits, []string) (Engine, error) {
		return Engine{Options: "options", FailOn: []string{"reached"}, Compare: func(ctx context.Context, base, head string, objects []string, sink event.Sink) error {
			r.made++
			return emit(ctx, base, head, sink)
		}}, nil
	}
	return r
}

func (r *run) path(name string) string { return filepath.Join(r.dir, name) }

func (r *run) write(name, text string) {
	r.t.Helper()
	if err := os.WriteFile(r.path(name), []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r *run) read(name string) string {
	r.t.Helper()
	b, err := os.ReadFile(r.path(name))
	if err != nil {
		r.t.Fatalf("%v\n%s", err, r.out.String())
	}
	return string(b)
}

// wants looks for texts, and for their absence where they begin with "!".
func (r *run) wants(where, text string, parts ...string) {
	r.t.Helper()
	for _, p := range parts {
		want := !strings.HasPrefix(p, "!")
		if strings.Contains(text, strings.TrimPrefix(p, "!")) != want {
			r.t.Errorf("%s: want %q in\n%s", where, p, text)
		}
	}
}

// events is a whole comparison with the findings.
func events(base, head string, findings ...event.Finding) []event.Event {
	list := []event.Event{
		event.Progress{Type: "progress", Phase: "revision", Text: "laying out"},
		event.Config{Type: "config", Version: event.Version, Tool: "test", Packages: []string{"./..."}, List: "unique", Match: "resynchronised", Sandbox: "none", GoVersion: "go1.26", Depth: 1, BudgetSeconds: 60, FailOn: []string{"reached"}},
		event.Versions{Type: "versions", Base: event.Side{Asked: base, Commit: base}, Head: event.Side{Asked: head, Commit: head}, Module: "m", ModuleDir: "."},
		event.Match{Type: "match", Functions: 1, MatchedFunctions: 1, Changed: []event.ChangedItem{{Function: "F", Status: "changed", File: "m.go", Line: 3, EndLine: 9}}},
		event.Baseline{Type: "baseline", Suite: "head", Package: "m", Tests: 1, Passing: 1, Branches: 2, Covered: 1},
		event.Target{Type: "target", Function: "F", Package: "m", Role: "changed", State: event.Compared, Calls: 10},
	}
	verdict := event.NoDifference
	for _, f := range findings {
		list, verdict = append(list, f), event.Differences
	}
	return append(list, event.Summary{Type: "summary", Functions: 1, MatchedFunctions: 1, Branches: 2, Covered: 1, Tests: 1, Calls: 10, Targets: 1, TargetsCompared: 1,
		Findings: len(findings), Clusters: len(findings), Verdict: verdict})
}

func finding(value string) event.Finding {
	return event.Finding{Type: "finding", ID: "00c0ffee", Cluster: "deadbeef", Rung: event.Reached, Package: "m", Function: "F", File: "m.go", Line: 3, Negations: []event.Negation{},
		Kind: "value", Base: event.Result{Outcome: event.Pass, Value: "1"}, Head: event.Result{Outcome: event.Pass, Value: value}, Changed: []string{"F"},
		Representative: true, Origin: "plain", Input: "F(1)", Component: "result"}
}

// compares emits a whole comparison.
func compares(findings ...event.Finding) func(context.Context, string, string, event.Sink) error {
	return func(_ context.Context, base, head string, sink event.Sink) error {
		for _, e := range events(base, head, findings...) {
			sink.Emit(e)
		}
		return nil
	}
}

// TestPullRequest is the whole way: summary, files, log, comment, check and
// outputs, and an exit code that the policy chose.
func TestPullRequest(t *testing.T) {
	t.Parallel()
	o := newMerged(t)
	r := newRun(t, o, "pull_request", compares(finding("2\n::error::@octocat")))
	r.write("summary.md", "before\n")
	if code := r.job.Run(t.Context()); code != 1 {
		t.Errorf("exit code %d", code)
	}
	log := r.out.String()
	r.wants("log", log, "::add-mask::"+token, "::group::Find the two commits", "::group::Lay out base and head", "!\n::error::@octocat",
		"file=m.go,line=3", "endLine=9", "isodelta%3A F behaves differently (reached)::F(1) returns 1 on base, 2 ::error::@octocat on head%0A%0AF(1)%0Abase: 1%0Ahead: 2",
		"posts nothing", "!::warning", "!Comment: created", "the policy fails on reached")
	r.wants("summary", r.read("summary.md"), "before\n", "### isodelta", "actions/runs/12", "/blob/"+o.Hash["merge"]+"/m.go#L3")
	r.wants("report.md", r.read("results/report.md"), "### isodelta")
	r.wants("stream", r.read("results/stream.jsonl"), `"asked":"main"`, `"asked":"refs/pull/7/merge"`, `"commit":"`+o.Hash["third"]+`"`, `"type":"summary"`)
	r.wants("output", r.read("output"), "verdict=differences\n", "findings=1\n", "reached=1\n", "stream="+r.path("results/stream.jsonl")+"\n", "!-url=")
	if left, _ := os.ReadDir(r.path("tmp")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	// It runs strangers' code: it asks GitHub for nothing, though it could.
	if asked := r.double.Requests(); len(asked) > 0 {
		t.Errorf("the job that compares asked %+v", asked)
	}

	// The job that reports has what it uploaded.
	r.out.Reset()
	r.job.Env.Inputs.OutputDirectory = r.path("rendered")
	if code := r.job.Merge(t.Context(), r.path("results")); code != 1 {
		t.Errorf("exit code %d", code)
	}
	r.wants("log", r.out.String(), "!\n::error::@octocat", "!file=m.go", "Comment: created", "Check: failure", "the policy fails on reached")
	r.wants("output", r.read("output"), "stream="+r.path("rendered/stream.jsonl")+"\n", "comment-url=http", "check-url=http")
	state := r.double.State()
	if len(state.Comments) != 1 || len(state.Checks) != 1 {
		t.Fatalf("%d comments, %d checks", len(state.Comments), len(state.Checks))
	}
	r.wants("comment", state.Comments[0].Body, "### isodelta", "/isodelta accept")
	check := state.Checks[0]
	if check.Commit != o.Hash["two"] || check.Conclusion != "failure" || len(check.Annotations) != 1 {
		t.Errorf("check %+v", check)
	}
}

// TestCheckoutKeepsAToken: tests may read what actions/checkout left.
func TestCheckoutKeepsAToken(t *testing.T) {
	t.Parallel()
	o := newMerged(t)
	const warning = "::warning title=isodelta::The checkout keeps a token"
	r := newRun(t, o, "pull_request", compares())
	r.job.Run(t.Context())
	r.wants("log", r.out.String(), "!"+warning)

	const server = "http://127.0.0.1:1" // the base cannot be had from there
	r.job.Env.Workspace = o.Clone(server, "refs/pull/7/merge", "--depth=1")
	o.Run(r.job.Env.Workspace, "config", "http."+server+"/.extraheader", "AUTHORIZATION: basic eA==")
	r.job.Run(t.Context())
	r.wants("log", r.out.String(), warning, "persist-credentials: false", "!eA==")
}

// TestCompareIsAskedToPost: somebody who asks the job that compares for a
// comment is told where comments are made.
func TestCompareIsAskedToPost(t *testing.T) {
	t.Parallel()
	r := newRun(t, newMerged(t), "pull_request", compares(finding("2")))
	r.job.Env.Inputs.Posting = true
	r.job.Run(t.Context())
	r.wants("log", r.out.String(), "::warning title=isodelta::The inputs comment and check belong there", "`command: report`")
	if asked := r.double.Requests(); len(asked) > 0 {
		t.Errorf("it asked %+v", asked)
	}
}

// TestSilence: no comment where nothing changed and none is there, unless it is
// asked for.
func TestSilence(t *testing.T) {
	t.Parallel()
	o := newMerged(t)
	for mode, comments := range map[CommentMode]int{CommentAuto: 0, CommentAlways: 1, CommentNever: 0} {
		r := newRun(t, o, "pull_request", nil)
		r.job.Env.Inputs.Comment, r.job.Env.Inputs.Check = mode, false
		if code := r.job.Merge(t.Context(), r.compared()); code != 0 {
			t.Errorf("%s: exit code %d", mode, code)
		}
		if state := r.double.State(); len(state.Comments) != comments || len(state.Checks) != 0 {
			t.Errorf("%s: %d comments, %d checks", mode, len(state.Comments), len(state.Checks))
		}
		r.wants("summary", r.read("summary.md"), "### isodelta")
	}
}

// TestNothingPosted: what GitHub refuses is a warning with what to do, and the
// exit code is the policy's; nothing is tried with a fork's token.
func TestNothingPosted(t *testing.T) {
	t.Parallel()
	o := newMerged(t)
	for _, test := range []struct {
		name, fixture string
		arrange       func(*run)
		log           []string
		requests      bool
		code          int
	}{
		{"powerless token", "pull_request", func(r *run) {
			r.double.Change(func(s *githubtest.State) { s.Tokens[0].Permissions = map[string]string{"contents": "read"} })
		}, []string{"::warning title=isodelta::No comment was made", "pull-requests: write", "checks: write"}, true, 1},
		{"GitHub is down", "pull_request", func(r *run) { r.double.Fail(githubtest.Status(502, 1000)) }, []string{"cannot read .isodelta.yml", "502"}, true, 3},
		{"fork", "pull_request_fork", nil, []string{"isodelta publish", "!::warning", "!No comment was made"}, false, 1},
		{"no token", "pull_request", func(r *run) { r.job.Poster, r.job.Settings.FailOn = nil, nil }, []string{"::error", "github-token"}, false, 3},
		{"no token, and a policy of the workflow's own", "pull_request", func(r *run) { r.job.Poster, r.job.Settings.FailOn = nil, []string{"reached"} }, []string{"github-token", "not verified"}, false, 1},
		{"merge group without a check", "merge_group", func(r *run) { r.job.Env.Inputs.Check = false }, []string{"!::warning title=isodelta::No comment"}, false, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := newRun(t, o, test.fixture, nil)
			if test.arrange != nil {
				test.arrange(r)
			}
			if code := r.job.Merge(t.Context(), r.compared(finding("2"))); code != test.code {
				t.Errorf("exit code %d", code)
			}
			r.wants("log", r.out.String(), test.log...)
			r.wants("summary", r.read("summary.md"), "### isodelta")
			verdict := map[int]string{1: "verdict=differences", 3: "verdict=failed"}[test.code]
			r.wants("output", r.read("output"), verdict, "!comment-url")
			if s := r.double.State(); len(s.Comments) != 0 || len(s.Checks) != 0 {
				t.Errorf("posted %d comments, %d checks", len(s.Comments), len(s.Checks))
			}
			if n := r.double.Calls("POST", "") + r.double.Calls("PATCH", ""); !test.requests && n > 0 {
				t.Errorf("%d requests that write", n)
			}
		})
	}
}

// TestFailure: what keeps a comparison from being made is in the summary, too.
func TestFailure(t *testing.T) {
	t.Parallel()
	o := newMerged(t)
	for _, test := range []struct {
		name    string
		arrange func(*run)
		want    string
	}{
		{"engine", func(r *run) {
			r.job.Prepare = func(Commits, []string) (Engine, error) {
				return Engine{Compare: func(context.Context, string, string, []string, event.Sink) error {
					return errors.New("head does not build:\n```\n::error::<img src=x>\x1b[31m")
				}}, nil
			}
		}, "head does not build"},
		{"configuration", func(r *run) {
			r.job.Prepare = func(Commits, []string) (Engine, error) { return Engine{}, errors.New("line 3 of .isodelta.yml") }
		}, "line 3"},
		{"environment", func(r *run) { r.job.Invalid = errors.New("the input check is wrong") }, "the input check"},
		{"event", func(r *run) { r.write("event.json", "{") }, "event file"},
		{"checkout", func(r *run) { r.job.Env.Workspace = r.dir }, "actions/checkout"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := newRun(t, o, "pull_request", compares())
			test.arrange(r)
			if code := r.job.Run(t.Context()); code != 3 {
				t.Errorf("exit code %d", code)
			}
			summary := r.read("summary.md")
			r.wants("summary", summary, "### isodelta: no comparison could be made", test.want, "!\x1b")
			if n := strings.Count(summary, "\n```"); n%2 != 0 && !strings.Contains(summary, "````") {
				t.Errorf("the fence is not closed:\n%s", summary)
			}
			r.wants("report", r.read("results/report.md"), test.want)
			r.wants("output", r.read("output"), "verdict=failed\n")
			r.wants("log", r.out.String(), "::error title=isodelta::", test.want, "!\n::error::<img")
		})
	}
}

// TestCancelled: a cancelled job says what it had found, and posts nothing.
func TestCancelled(t *testing.T) {
	t.Parallel()
	o := newMerged(t)
	for _, test := range []struct {
		name string
		emit func(ctx context.Context, cancel func(), base, head string, sink event.Sink) error
		code int
		want []string // in the summary
	}{
		{"sums up", func(ctx context.Context, cancel func(), base, head string, sink event.Sink) error {
			list := events(base, head, finding("2"))
			for _, e := range list[:len(list)-1] {
				sink.Emit(e)
			}
			cancel()
			s := list[len(list)-1].(event.Summary)
			s.Interrupted = true
			sink.Emit(s)
			return nil
		}, 1, []string{"the job was cancelled", "F(1)"}},
		{"does not stop", func(ctx context.Context, cancel func(), base, head string, sink event.Sink) error {
			for _, e := range events(base, head)[:4] {
				sink.Emit(e)
			}
			cancel()
			select {} // whatever happens
		}, 0, []string{"the job was cancelled"}},
		{"before anything was compared", func(ctx context.Context, cancel func(), _, _ string, _ event.Sink) error {
			cancel()
			return ctx.Err()
		}, 3, []string{"no comparison could be made", "cancelled before anything"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			r := newRun(t, o, "pull_request", func(ctx context.Context, base, head string, sink event.Sink) error {
				return test.emit(ctx, cancel, base, head, sink)
			})
			r.job.Env.Inputs.Cache = r.path("cache")
			if code := r.job.Run(ctx); code != test.code {
				t.Errorf("exit code %d", code)
			}
			r.wants("summary", r.read("summary.md"), test.want...)
			r.wants("output", r.read("output"), "verdict=incomplete\n")
			if s := r.double.State(); len(s.Comments)+len(s.Checks) > 0 {
				t.Errorf("posted: %+v", s)
			}
			if kept, _ := filepath.Glob(r.path("cache/*")); len(kept) > 0 {
				t.Errorf("kept for later: %v", kept)
			}
		})
	}
}

// TestCache: a whole result is made once for the same content, is said to be
// taken from before, and a damaged entry is made anew.
func TestCache(t *testing.T) {
	t.Parallel()
	o := newMerged(t)
	r := newRun(t, o, "pull_request", compares(finding("2")))
	r.job.Env.Inputs.Cache, r.job.Poster = r.path("cache"), nil
	again := func(name string, made int, parts ...string) {
		t.Helper()
		os.Remove(r.path("summary.md"))
		r.out.Reset()
		if code := r.job.Run(t.Context()); code != 1 {
			t.Errorf("%s: exit code %d", name, code)
		}
		if r.made != made {
			t.Errorf("%s: %d comparisons, want %d", name, r.made, made)
		}
		r.wants(name, r.read("summary.md"), parts...)
	}
	again("first", 1, "F(1)", "!taken from an earlier run")
	again("second", 1, "F(1)", "taken from an earlier run")

	files, err := filepath.Glob(r.path("cache/*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	whole := r.read("cache/" + filepath.Base(files[0]))
	for i, damaged := range []string{"", "{}\n", whole[:len(whole)/2], strings.Replace(whole, `"value":"1"`, `"value":"9"`, 1), strings.Replace(whole, "isodelta_result\":1", "isodelta_result\":2", 1)} {
		r.write("cache/"+filepath.Base(files[0]), damaged)
		again(fmt.Sprint("damaged ", i), i+2, "F(1)", "!taken from an earlier run")
		r.wants("log", r.out.String(), "A damaged entry")
	}
	again("rewritten", 6, "taken from an earlier run")

	// What influences a result makes another one.
	engine, _ := r.job.Prepare(Commits{}, nil)
	engine.Options = "others"
	r.job.Prepare = func(Commits, []string) (Engine, error) { return engine, nil }
	again("other options", 7, "!taken from an earlier run")
	// The policy does not: it is today's.
	engine.FailOn = nil
	if code := r.job.Run(t.Context()); code != 0 || r.made != 7 {
		t.Errorf("other policy: exit code %d, %d comparisons", code, r.made)
	}
}

// TestWarnedCommits: that the branch moved on is in the report, not only in the
// log.
func TestWarnedCommits(t *testing.T) {
	t.Parallel()
	o := newMerged(t)
	r := newRun(t, o, "pull_request", compares(finding("2")))
	r.write("event.json", strings.ReplaceAll(r.read("event.json"), o.Hash["two"], o.Hash["one"]))
	r.job.Run(t.Context())
	r.wants("summary", r.read("summary.md"), "moved on after this run was started")
	r.wants("log", r.out.String(), "::warning title=isodelta::The pull request moved on")
}
