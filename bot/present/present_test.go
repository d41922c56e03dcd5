package present

import (
	"strings"
	"testing"

	"github.com/isodelta/isodelta/diff/policy"
	"github.com/isodelta/isodelta/report/event"
)

const (
	base = "1111111111111111111111111111111111111111"
	head = "2222222222222222222222222222222222222222"
)

func finding(cluster string, rung event.Rung) event.Finding {
	return event.Finding{Type: "finding", ID: cluster, Cluster: cluster, Representative: true, Rung: rung, Suite: "head", Package: "example.com/m",
		Test: "TestF", Function: "F", Kind: "value", Changed: []string{"F"},
		Base: event.Result{Outcome: event.Pass, Value: "1"}, Head: event.Result{Outcome: event.Pass, Value: "2"}}
}

func stream(failOn []string, findings ...event.Finding) *event.Stream {
	return &event.Stream{
		Config:   event.Config{Version: 1, FailOn: failOn},
		Versions: []event.Versions{{Base: event.Side{Commit: base}, Head: event.Side{Commit: head}, Module: "example.com/m", ModuleDir: "."}},
		Matches:  []event.Match{{Changed: []event.ChangedItem{{Function: "F", Status: "changed", File: "a dir/f.go", Line: 3, EndLine: 9}}}},
		Findings: findings,
		Summary:  &event.Summary{Verdict: event.Differences},
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	s := stream([]string{"reached"}, finding("aaaaaaaa", event.Observed), finding("bbbbbbbb", event.Reached), finding("cccccccc", event.Forced))
	view := View{Repository: "https://github.example/o/r", Run: "https://github.example/o/r/actions/runs/1", Key: "race"}
	c, err := view.Check(s, policy.Decide(policy.Of(s.Config), s))
	if err != nil {
		t.Fatal(err)
	}
	if c.Name != "isodelta: behaviour (race)" || c.Title != "3 behaviour changes" || c.Conclusion != "failure" || c.DetailsURL != view.Run {
		t.Errorf("%+v", c)
	}
	var levels []string
	for _, a := range c.Annotations {
		levels = append(levels, a.Level)
		if a.Path != "a dir/f.go" || a.Start != 3 || a.End != 9 || !strings.Contains(a.Message, "isodelta replay") {
			t.Errorf("%+v", a)
		}
	}
	if got := strings.Join(levels, " "); got != "warning failure notice" {
		t.Errorf("levels are %s", got)
	}
	if want := view.Repository + "/blob/" + head + "/a%20dir/f.go#L3"; !strings.Contains(c.Text, want) {
		t.Errorf("no link %s in\n%s", want, c.Text)
	}
}

// A comment that would say nothing new is not worth a notification; what is not
// whole always is worth one.
func TestComment(t *testing.T) {
	t.Parallel()
	same := stream(nil)
	same.Summary = &event.Summary{Verdict: event.NoDifference, Tests: 3}
	same.Baselines = []event.Baseline{{Suite: "head", Package: "example.com/m", Tests: 3, Passing: 3}}
	changed := *same
	changed.Config.Changes = []event.SettingChange{{Key: "fail-on", Base: "[observed]", Head: "[]", Counts: event.CountsBase}}
	cutOff := stream(nil)
	cutOff.Summary = nil
	for name, test := range map[string]struct {
		s    *event.Stream
		want bool
	}{"no difference": {same, true}, "a change of the settings": {&changed, false}, "a difference": {stream(nil, finding("aaaaaaaa", event.Forced)), false}, "cut off": {cutOff, false}} {
		c, err := View{}.Comment(test.s, true)
		if err != nil || c.Quiet != test.want {
			t.Errorf("%s: quiet %t, %v", name, c.Quiet, err)
		}
		if c, _ := (View{}).Comment(test.s, false); c.Quiet {
			t.Errorf("%s: quiet although not asked for", name)
		}
	}
}

// Only files of a repository and whole hashes are linked to: both may come out
// of a fork's stream.
func TestLinks(t *testing.T) {
	t.Parallel()
	view := View{Repository: "https://github.example/o/r"}
	for file, want := range map[string]string{
		"f.go": "/blob/" + head + "/f.go#L1", "../f.go": "", "/etc/passwd": "", "a?b#c": "/blob/" + head + "/a%3Fb%23c#L1", "": "",
	} {
		if want != "" {
			want = view.Repository + want
		}
		if got := view.line(head, file, 1); got != want {
			t.Errorf("%q: %q, want %q", file, got, want)
		}
	}
	if got := view.commit("HEAD") + view.line("main", "f.go", 1); got != "" {
		t.Errorf("names are linked to: %s", got)
	}
}
