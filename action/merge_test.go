package action

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/bot/githubtest"
	"github.com/isodelta/isodelta/report/event"
)

// shards writes the streams of shards below r's folder shards, each in a folder
// of its own as downloaded artifacts are.
func (r *run) shards(parts map[string][]event.Event) string {
	r.t.Helper()
	for name, list := range parts {
		var b strings.Builder
		w := event.NewWriter(&b)
		for _, e := range list {
			w.Emit(e)
		}
		if err := w.Err(); err != nil {
			r.t.Fatal(err)
		}
		if err := os.MkdirAll(r.path("shards/"+name), 0o755); err != nil {
			r.t.Fatal(err)
		}
		r.write("shards/"+name+"/stream.jsonl", b.String())
		r.write("shards/"+name+"/report.md", "another file of the artifact")
	}
	return r.path("shards")
}

// compared is the folder that the artifact of one whole comparison was
// downloaded to.
func (r *run) compared(findings ...event.Finding) string {
	return r.shards(map[string][]event.Event{"isodelta": r.shard("", findings...)})
}

// shard is events with a place in the division.
func (r *run) shard(place string, findings ...event.Finding) []event.Event {
	list := events(r.origin.Hash["third"], r.origin.Hash["merge"], findings...)
	for i, e := range list {
		if c, ok := e.(event.Config); ok {
			c.Shard = place
			list[i] = c
		}
	}
	return list
}

// TestMerge: the shards become one report, comment and check. One that is
// missing, cut off or unreadable is named, and the whole is never green.
func TestMerge(t *testing.T) {
	t.Parallel()
	o := newMerged(t)
	for _, test := range []struct {
		name    string
		shards  int
		make    func(r *run) map[string][]event.Event
		spoil   func(r *run)
		code    int
		verdict string
		summary []string
		comment bool
	}{
		{"all", 2, func(r *run) map[string][]event.Event {
			return map[string][]event.Event{"isodelta-1": r.shard("1/2"), "isodelta-2": r.shard("2/2", finding("2"))}
		}, nil, 1, "differences", []string{"F(1)", "!not among the merged"}, true},
		{"all, no finding", 2, func(r *run) map[string][]event.Event {
			return map[string][]event.Event{"isodelta-1": r.shard("1/2"), "isodelta-2": r.shard("2/2")}
		}, nil, 0, "no-difference", []string{"!1/2"}, false},
		{"one is missing", 2, func(r *run) map[string][]event.Event {
			return map[string][]event.Event{"isodelta-2": r.shard("2/2")}
		}, nil, 0, "incomplete", []string{"1/2"}, true},
		{"one is cut off", 2, func(r *run) map[string][]event.Event {
			list := r.shard("1/2")
			return map[string][]event.Event{"isodelta-1": list[:len(list)-1], "isodelta-2": r.shard("2/2")}
		}, nil, 0, "incomplete", []string{"1/2"}, true},
		{"one is damaged", 2, func(r *run) map[string][]event.Event {
			return map[string][]event.Event{"isodelta-1": r.shard("1/2"), "isodelta-2": r.shard("2/2")}
		}, func(r *run) { r.write("shards/isodelta-2/stream.jsonl", "{\"type\":\"config\",\"version\":1") }, 0, "incomplete", []string{"isodelta-2/stream.jsonl", "cannot be read"}, true},
		{"fewer than the workflow says", 3, func(r *run) map[string][]event.Event {
			return map[string][]event.Event{"isodelta-1": r.shard("1/2"), "isodelta-2": r.shard("2/2")}
		}, nil, 0, "incomplete", []string{"3 shards"}, true},
		{"one job did it all", 1, func(r *run) map[string][]event.Event {
			return map[string][]event.Event{"isodelta": r.shard("")}
		}, nil, 0, "no-difference", nil, false},
		{"none", 2, func(r *run) map[string][]event.Event { return nil }, nil, 3, "failed", []string{"no job left a result"}, false},
		{"nothing readable", 2, func(r *run) map[string][]event.Event {
			return map[string][]event.Event{"isodelta-1": r.shard("1/2")}
		}, func(r *run) { r.write("shards/isodelta-1/stream.jsonl", "no") }, 3, "failed", []string{"none of the 1 streams"}, false},
		{"the same twice", 2, func(r *run) map[string][]event.Event {
			return map[string][]event.Event{"a": r.shard("1/2"), "b": r.shard("1/2")}
		}, nil, 3, "failed", []string{"the same shard"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := newRun(t, o, "pull_request", nil)
			r.job.Env.Inputs.Shards = test.shards
			dir := r.shards(test.make(r))
			if test.spoil != nil {
				test.spoil(r)
			}
			if code := r.job.Merge(t.Context(), dir); code != test.code {
				t.Errorf("exit code %d, want %d", code, test.code)
			}
			r.wants("summary", r.read("summary.md"), test.summary...)
			r.wants("output", r.read("output"), "verdict="+test.verdict+"\n")
			state := r.double.State()
			if got := len(state.Comments) == 1; got != test.comment {
				t.Errorf("%d comments", len(state.Comments))
			}
			for _, c := range state.Checks {
				if test.verdict == "incomplete" && c.Conclusion == "success" || c.Commit != o.Hash["two"] {
					t.Errorf("check %+v", c)
				}
			}
			if _, err := os.Stat(r.path("results/stream.jsonl")); (err == nil) != (test.code != 3) {
				t.Errorf("merged stream: %v", err)
			}
		})
	}
}

// TestMergeTrustsNobody: the streams come from jobs that ran the pull request's code.
// What they say of policy and acceptances does not count, what is about something else
// is refused, and nothing of the repository has to be on the disk.
func TestMergeTrustsNobody(t *testing.T) {
	t.Parallel()
	o := newMerged(t)
	forged := func(edit func(c *event.Config, v *event.Versions, f *event.Finding)) func(r *run) []event.Event {
		return func(r *run) []event.Event {
			list := r.shard("", finding("2"))
			for i, e := range list {
				c, v, f := event.Config{}, event.Versions{}, event.Finding{}
				switch e := e.(type) {
				case event.Config:
					edit(&e, &v, &f)
					list[i] = e
				case event.Versions:
					edit(&c, &e, &f)
					list[i] = e
				case event.Finding:
					edit(&c, &v, &e)
					list[i] = e
				}
			}
			return list
		}
	}
	other := strings.Repeat("5", 40)
	for name, test := range map[string]struct {
		stream func(r *run) []event.Event
		edit   func(r *run)
		code   int
		check  string // conclusion, "" for none
		says   string
	}{
		"as base says": {forged(func(*event.Config, *event.Versions, *event.Finding) {}), nil, 1, "failure", ""},
		"a policy of its own": {forged(func(c *event.Config, _ *event.Versions, _ *event.Finding) {
			c.FailOn, c.Policy = nil, []event.PolicyRule{{Packages: []string{"..."}, FailOn: []string{}}}
		}), nil, 1, "failure", ""},
		"acceptances of its own": {forged(func(_ *event.Config, _ *event.Versions, f *event.Finding) {
			f.Accepted = &event.Acceptance{Reason: "forged", By: "octocat", From: "config"}
		}), nil, 1, "failure", ""},
		"the workflow's own policy": {forged(func(c *event.Config, _ *event.Versions, _ *event.Finding) { c.FailOn = []string{"reached"} }),
			func(r *run) { r.job.Settings.FailOn = []string{} }, 0, "neutral", ""},
		"another head":  {forged(func(_ *event.Config, v *event.Versions, _ *event.Finding) { v.Head.Commit = other }), nil, 3, "", "the stream is about commit"},
		"another base":  {forged(func(_ *event.Config, v *event.Versions, _ *event.Finding) { v.Base.Commit = other }), nil, 3, "", "which is not on main"},
		"no difference": {func(r *run) []event.Event { return r.shard("") }, nil, 0, "success", ""},
		"no difference, of a fork": {func(r *run) []event.Event { return r.shard("") }, func(r *run) {
			r.write("event.json", strings.Replace(r.read("event.json"), `{"id": 40`, `{"id": 41`, 1)) // of the head's repository
		}, 0, "", "reported by the pull request's own run, unchecked"}, // the token cannot post
		"base's settings cannot be read": {func(r *run) []event.Event { return r.shard("") }, func(r *run) {
			r.double.Fail(githubtest.Status(500, 0).On("GET", "/contents/"))
		}, 3, "", "500"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRun(t, o, "pull_request", nil)
			r.job.Env.Workspace = t.TempDir() // no checkout
			if test.edit != nil {
				test.edit(r)
			}
			code := r.job.Merge(t.Context(), r.shards(map[string][]event.Event{"isodelta": test.stream(r)}))
			checks := r.double.State().Checks
			if code != test.code || len(checks) == 1 && checks[0].Conclusion != test.check || (len(checks) == 0) != (test.check == "") {
				t.Errorf("exit code %d, checks %+v\n%s", code, checks, r.out.String())
			}
			if !strings.Contains(r.out.String(), test.says) || strings.Contains(r.read("summary.md"), "octocat") {
				t.Errorf("the log is\n%s\nand the summary\n%s", r.out.String(), r.read("summary.md"))
			}
		})
	}
}

// A matrix may leave links behind; what they lead to is not read.
func TestMergeFollowsNoLinks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	secret := filepath.Join(t.TempDir(), "x.jsonl")
	if err := os.WriteFile(secret, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(dir, "x.jsonl")); err != nil {
		t.Skip(err)
	}
	if files, err := streamFiles(dir); err != nil || len(files) != 0 {
		t.Errorf("%v, %v", files, err)
	}
}
