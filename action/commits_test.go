package action

import (
	"cmp"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/action/checkout"
	"github.com/isodelta/isodelta/action/checkout/checkouttest"
)

func TestMain(m *testing.M) { checkouttest.Main(m) }

// served is the address of the origin for clones, over the file protocol.
func served(o *checkouttest.Origin) string {
	return "file://" + filepath.Dir(filepath.Dir(o.Dir))
}

// clonesOf returns a checkout of each reference, which tests share.
func clonesOf(o *checkouttest.Origin) func(ref string) string {
	made := map[string]string{}
	return func(ref string) string {
		if made[ref] == "" {
			made[ref] = o.Clone(served(o), ref, "--depth=1")
		}
		return made[ref]
	}
}

// TestChoose: the two commits of each event, in checkouts as actions/checkout
// makes them, with a depth of one.
func TestChoose(t *testing.T) {
	t.Parallel()
	o := checkouttest.New(t).Allow()
	// A release line, and a branch that was rebased.
	o.Git("tag", "v1.1.0", o.Hash["third"])
	o.Git("tag", "v1.2.0-rc.1", o.Hash["fourth"])
	o.Git("tag", "sub/v9.0.0", o.Hash["second"])
	o.Git("push", "--quiet", o.Dir, "--tags", o.Hash["one"]+":refs/heads/topic", o.Hash["first"]+":refs/heads/old")
	h, clones := o.Hash, clonesOf(o)
	pull := func(base, head string) Event {
		return Event{Name: "pull_request", DefaultBranch: "main", PullRequest: &PullRequest{Number: 7, BaseSHA: h[base], HeadSHA: h[head], BaseRef: "main", HeadRef: "topic"}}
	}
	target := pull("fourth", "two")
	target.Name = "pull_request_target"
	push := func(ref, before, after string, forced bool) Event {
		return Event{Name: "push", DefaultBranch: "main", Push: &Push{Ref: ref, Before: before, After: after, Forced: forced}}
	}
	for _, test := range []struct {
		name       string
		ref        string // checked out
		event      Event
		env        Environment
		base, head string
		asked      string // Base.Asked
		mergeBase  bool
		settings   string // "" is base
		reported   string // "" is head
		notes      string // part of the notes
		warning    string // part of the warnings; "" is none
	}{
		{name: "merge reference", ref: "refs/pull/7/merge", event: pull("third", "two"), base: "third", head: "merge", asked: "main", reported: "two", notes: "first parent"},
		{name: "merge reference, base moved between", ref: "refs/pull/7/merge", event: pull("second", "two"), base: "third", head: "merge", asked: "main", reported: "two", notes: "had moved from"},
		{name: "merge reference, head moved on", ref: "refs/pull/7/merge", event: pull("third", "one"), env: Environment{SHA: h["merge"]}, base: "third", head: "merge", asked: "main", reported: "two", warning: "moved on after this run was started"},
		{name: "head", ref: "refs/pull/7/head", event: pull("third", "two"), base: "first", head: "two", asked: "main", mergeBase: true, settings: "third", notes: "merge base with main"},
		{name: "head of an older event", ref: "refs/pull/7/head", event: pull("third", "one"), base: "first", head: "two", asked: "main", mergeBase: true, settings: "third", warning: "neither the head of the pull request"},
		{name: "target, allowed", ref: "refs/heads/main", event: target, env: Environment{Inputs: Inputs{AllowTarget: true}}, base: "first", head: "two", asked: "main", mergeBase: true, settings: "fourth", notes: "is fetched"},
		{name: "push", ref: "refs/heads/main", event: push("refs/heads/main", h["third"], h["fourth"], false), base: "third", head: "fourth", asked: h["third"], notes: "before the push"},
		{name: "push, branch moved on", ref: "refs/heads/main", event: push("refs/heads/main", h["second"], h["third"], false), base: "second", head: "third", asked: h["second"], warning: "Checked out is"},
		{name: "forced push", ref: "refs/heads/topic", event: push("refs/heads/topic", h["two"], h["one"], true), base: "two", head: "one", asked: h["two"], notes: "forced push"},
		{name: "forced push, before is gone", ref: "refs/heads/topic", event: push("refs/heads/topic", strings.Repeat("ab", 20), h["one"], true), base: "first", head: "one", asked: "main", mergeBase: true, settings: "fourth", warning: "can no longer be had"},
		{name: "new branch", ref: "refs/heads/topic", event: push("refs/heads/topic", none, h["one"], false), base: "first", head: "one", asked: "main", mergeBase: true, settings: "fourth", notes: "the branch is new"},
		{name: "new default branch", ref: "refs/heads/main", event: push("refs/heads/main", none, h["fourth"], false), base: "third", head: "fourth", asked: "main~1", notes: "the commit before it"},
		{name: "pushed tag", ref: "refs/tags/v1.1.0", event: push("refs/tags/v1.1.0", none, h["third"], false), base: "first", head: "third", asked: "v1.0.0", notes: "release before it"},
		{name: "merge group", ref: "refs/pull/7/merge", event: Event{Name: "merge_group", MergeGroup: &MergeGroup{h["third"], h["merge"], "main"}}, base: "third", head: "merge", asked: "main", notes: "merge queue"},
		{name: "release", ref: "refs/tags/v1.1.0", event: Event{Name: "release", Release: &Release{"v1.1.0"}}, base: "first", head: "third", asked: "v1.0.0", notes: "v1.0.0"},
		{name: "dispatch on a branch", ref: "refs/heads/topic", event: Event{Name: "workflow_dispatch", DefaultBranch: "main"}, env: Environment{Ref: "refs/heads/topic"}, base: "first", head: "one", asked: "main", mergeBase: true, settings: "fourth"},
		{name: "dispatch on the default branch", ref: "refs/heads/main", event: Event{Name: "workflow_dispatch", DefaultBranch: "main"}, env: Environment{Ref: "refs/heads/main"}, base: "third", head: "fourth", asked: "main~1"},
		{name: "dispatch of a branch that is not ahead", ref: "refs/pull/7/head", event: Event{Name: "workflow_dispatch", DefaultBranch: "topic"}, env: Environment{Ref: "refs/heads/release"}, base: "one", head: "two", asked: "topic"},
		{name: "dispatch with inputs of the workflow", ref: "refs/heads/main", event: Event{Name: "workflow_dispatch", DefaultBranch: "main", Inputs: map[string]string{"base": "v1.0.0"}}, base: "first", head: "fourth", asked: "v1.0.0"},
		{name: "schedule", ref: "refs/heads/main", event: Event{Name: "schedule", DefaultBranch: "main"}, env: Environment{Ref: "refs/heads/main"}, base: "third", head: "fourth", asked: "v1.1.0", notes: "latest release"},
		{name: "inputs", ref: "refs/pull/7/merge", event: pull("third", "two"), env: Environment{Inputs: Inputs{Base: "v1.0.0", Head: "refs/pull/7/head"}}, base: "first", head: "two", asked: "v1.0.0"},
		{name: "input base alone", ref: "refs/pull/7/merge", event: pull("third", "two"), env: Environment{Inputs: Inputs{Base: "v1.1.0"}}, base: "third", head: "merge", asked: "v1.1.0", reported: "two"},
		{name: "inputs under any event", ref: "refs/heads/main", event: Event{Name: "deployment"}, env: Environment{Inputs: Inputs{Base: h["second"]}}, base: "second", head: "fourth", asked: h["second"]},
	} {
		dir := clones(test.ref)
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			co, err := checkout.Open(checkout.Options{Dir: dir, Temp: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			defer co.Close()
			got, err := Choose(t.Context(), test.env, test.event, co)
			if err != nil {
				t.Fatal(err)
			}
			if got.Base.Hash != h[test.base] || got.Head.Hash != h[test.head] {
				t.Errorf("%.10s..%.10s, want %s..%s (%.10s..%.10s)", got.Base.Hash, got.Head.Hash, test.base, test.head, h[test.base], h[test.head])
			}
			if got.Base.Asked != test.asked || got.MergeBase != test.mergeBase {
				t.Errorf("base is asked as %q, merge base %v", got.Base.Asked, got.MergeBase)
			}
			if want := cmp.Or(test.settings, test.base); got.Settings != h[want] {
				t.Errorf("settings of %.10s, want %s", got.Settings, want)
			}
			reported := test.reported
			if reported == "" {
				reported = test.head
			}
			if got.Reported != h[reported] {
				t.Errorf("reported on %.10s, want %s", got.Reported, reported)
			}
			if said := strings.Join(got.Notes, "\n"); !strings.Contains(said, test.notes) {
				t.Errorf("notes %q lack %q", said, test.notes)
			}
			if said := strings.Join(got.Warnings, "\n"); !strings.Contains(said, test.warning) || test.warning == "" && said != "" {
				t.Errorf("warnings %q, want %q", said, test.warning)
			}
			for _, commit := range []string{got.Base.Hash, got.Head.Hash, got.Settings} {
				if err := co.Require(t.Context(), commit); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// TestChooseFails: what cannot be compared is told with what to do.
func TestChooseFails(t *testing.T) {
	t.Parallel()
	o := checkouttest.New(t).Allow()
	h, clones := o.Hash, clonesOf(o)
	pull := &PullRequest{Number: 7, BaseSHA: h["fourth"], HeadSHA: h["two"], BaseRef: "main", HeadRef: "topic", Fork: true}
	for _, test := range []struct {
		name, ref string
		event     Event
		env       Environment
		want      []string
	}{
		{"target", "refs/heads/main", Event{Name: "pull_request_target", PullRequest: pull}, Environment{}, []string{"workflow_run", "isodelta publish", "allow-pull-request-target"}},
		{"target with inputs", "refs/heads/main", Event{Name: "pull_request_target", PullRequest: pull}, Environment{Inputs: Inputs{Base: "v1.0.0", Head: h["two"]}}, []string{"token that can write"}},
		{"workflow_run", "refs/heads/main", Event{Name: "workflow_run"}, Environment{Inputs: Inputs{Base: "v1.0.0"}}, []string{"isodelta publish"}},
		{"comment", "refs/heads/main", Event{Name: "issue_comment"}, Environment{}, []string{"isodelta comment"}},
		{"unknown event", "refs/heads/main", Event{Name: "deploy\nment"}, Environment{}, []string{`"deploy\nment"`, "inputs base and head"}},
		{"base is checked out", "refs/heads/main", Event{Name: "pull_request", PullRequest: pull}, Environment{}, []string{"same commit", "actions/checkout"}},
		{"deleted branch", "refs/heads/main", Event{Name: "push", Push: &Push{"refs/heads/x", h["two"], none, false}}, Environment{}, []string{"github.event.deleted"}},
		{"first commit", "refs/tags/v1.0.0", Event{Name: "push", DefaultBranch: "main", Push: &Push{"refs/heads/main", none, h["first"], false}}, Environment{}, []string{"first commit"}},
		{"first release", "refs/tags/v1.0.0", Event{Name: "release", Release: &Release{"v1.0.0"}}, Environment{}, []string{"no release comes before"}},
		{"no version", "refs/heads/main", Event{Name: "release", Release: &Release{"nightly"}}, Environment{}, []string{"is not there any more"}},
		{"before is gone", "refs/heads/main", Event{Name: "push", DefaultBranch: "main", Push: &Push{"refs/heads/main", strings.Repeat("ab", 20), h["fourth"], false}}, Environment{}, []string{"abababab", "fetch-depth: 0"}},
		{"unknown base", "refs/heads/main", Event{Name: "schedule"}, Environment{Inputs: Inputs{Base: "mian"}}, []string{"the input base", "mian"}},
	} {
		dir := clones(test.ref)
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			co, err := checkout.Open(checkout.Options{Dir: dir, Temp: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			defer co.Close()
			_, err = Choose(t.Context(), test.env, test.event, co)
			if err == nil {
				t.Fatal("accepted")
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q lacks %q", err, want)
				}
			}
		})
	}
}

func TestPreviousTag(t *testing.T) {
	t.Parallel()
	tags := strings.Fields("v1.0.0 v1.2.0 v1.10.0 v1.11.0-rc.1 v1.11.0-rc.2 v2 v2.0 latest sub/v0.1.0 sub/v0.2.0 v1.2.0+build")
	for tag, want := range map[string]string{
		"v1.10.0": "v1.2.0", "v1.11.0": "v1.10.0", "v1.11.0-rc.2": "v1.11.0-rc.1", "v1.11.0-rc.1": "v1.10.0", "sub/v0.2.0": "sub/v0.1.0",
		"v1.2.0": "v1.0.0", "v3.0.0": "v1.10.0", "v1.0.0": "", "sub/v0.1.0": "", "latest": "", "v2": "", "other/v1.0.0": "",
	} {
		got, err := previousTag(tags, tag)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v; want %q", tag, got, err, want)
		}
	}
	if got := latestTag(tags); got != "v1.10.0" {
		t.Errorf("latest %s", got)
	}
	if got := latestTag([]string{"v1.0.0-rc.1", "x"}); got != "" {
		t.Errorf("latest %s", got)
	}
}
