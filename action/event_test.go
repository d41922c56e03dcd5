package action

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

const (
	ones = "1111111111111111111111111111111111111111"
	twos = "2222222222222222222222222222222222222222"
	none = "0000000000000000000000000000000000000000"
)

// TestParseEvent reads documents of GitHub's shape.
func TestParseEvent(t *testing.T) {
	t.Parallel()
	pull := func(fork bool) Event {
		return Event{Name: "pull_request", DefaultBranch: "main", PullRequest: &PullRequest{Number: 7, BaseSHA: ones, HeadSHA: twos, BaseRef: "main", HeadRef: "topic", Fork: fork}}
	}
	target := pull(true)
	target.Name = "pull_request_target"
	for _, test := range []struct {
		file, name string
		want       Event
	}{
		{"pull_request", "pull_request", pull(false)},
		{"pull_request_fork", "pull_request", pull(true)},
		{"pull_request_fork", "pull_request_target", target},
		{"pull_request_fork_gone", "pull_request", pull(true)},
		{"push", "push", Event{Name: "push", DefaultBranch: "main", Push: &Push{Ref: "refs/heads/main", Before: ones, After: twos}}},
		{"push_new_branch", "push", Event{Name: "push", DefaultBranch: "main", Push: &Push{Ref: "refs/heads/topic", Before: none, After: twos}}},
		{"push_deleted", "push", Event{Name: "push", DefaultBranch: "main", Push: &Push{Ref: "refs/heads/topic", Before: twos, After: none}}},
		{"merge_group", "merge_group", Event{Name: "merge_group", DefaultBranch: "main", MergeGroup: &MergeGroup{ones, twos, "main"}}},
		{"release", "release", Event{Name: "release", DefaultBranch: "main", Release: &Release{"v1.1.0"}}},
		{"workflow_dispatch", "workflow_dispatch", Event{Name: "workflow_dispatch", DefaultBranch: "main", Inputs: map[string]string{"base": "v1.0.0"}}},
		{"schedule", "schedule", Event{Name: "schedule", DefaultBranch: "main"}},
	} {
		got, err := LoadEvent(Environment{EventName: test.name, EventPath: filepath.Join("testdata", "events", test.file+".json")})
		if err != nil {
			t.Errorf("%s: %v", test.file, err)
			continue
		}
		if test.want.Inputs == nil {
			test.want.Inputs = map[string]string{}
		}
		if d := cmp.Diff(test.want, got); d != "" {
			t.Errorf("%s: %s", test.file, d)
		}
	}
}

// TestBadEvents: what is wrong is named, in one line, whatever the file holds.
func TestBadEvents(t *testing.T) {
	t.Parallel()
	valid, err := os.ReadFile(filepath.Join("testdata", "events", "pull_request.json"))
	if err != nil {
		t.Fatal(err)
	}
	edited := func(old, new string) string {
		if !strings.Contains(string(valid), old) {
			t.Fatalf("%q is not in the fixture", old)
		}
		return strings.ReplaceAll(string(valid), old, new)
	}
	for _, test := range []struct{ name, event, text, want string }{
		{"empty", "pull_request", "", "no JSON document"},
		{"cut off", "pull_request", string(valid[:400]), "no JSON document"},
		{"list", "push", "[]", "no JSON document"},
		{"other event", "pull_request", `{"ref":"refs/heads/main"}`, "it has no pull_request"},
		{"null", "pull_request", `null`, "it has no pull_request"},
		{"no number", "pull_request", edited(`"number": 7`, `"number": 0`), "pull_request.number"},
		{"no hash", "pull_request", edited(ones, ""), "pull_request.base.sha is missing"},
		{"option for a hash", "pull_request", edited(twos, "--upload-pack=x"), "pull_request.head.sha"},
		{"line feed in a branch", "pull_request", edited(`"ref": "topic"`, `"ref": "to\npic::error::x"`), `pull_request.head.ref is "to\npic::error::x"`},
		{"range for a branch", "pull_request", edited(`"ref": "main"`, `"ref": "main..evil"`), "no name of a branch"},
		{"no merge group", "merge_group", `{}`, "it has no merge_group"},
		{"no release", "release", `{}`, "it has no release"},
		{"push of nothing", "push", `{}`, "ref is missing"},
	} {
		_, err := ParseEvent(test.event, strings.NewReader(test.text))
		var wrong *EventError
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want … %s …", test.name, err, test.want)
		}
		if err != nil && strings.ContainsFunc(plainJoined(err), unicode.IsControl) {
			t.Errorf("%s: control characters in %q", test.name, err.Error())
		}
	}
	for path, want := range map[string]string{"": "GITHUB_EVENT_PATH is not set", "nosuch.json": "does not exist", "testdata": "directory"} {
		e, err := LoadEvent(Environment{EventName: "pull_request_target", EventPath: path})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("file %q: %v", path, err)
		}
		if e.Name != "pull_request_target" {
			t.Errorf("file %q: the event is called %q", path, e.Name)
		}
	}
}

// plainJoined takes the line feeds out that join several errors.
func plainJoined(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// FuzzParseEvent: whatever the file holds, what comes out has its closed shape.
func FuzzParseEvent(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("testdata", "events", "*.json"))
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, name := range []string{"pull_request", "push", "merge_group", "release", "workflow_dispatch"} {
			f.Add(name, string(b))
		}
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		e, err := ParseEvent(name, strings.NewReader(text))
		if err != nil {
			return
		}
		var hashes, refs []string
		if p := e.PullRequest; p != nil {
			hashes, refs = append(hashes, p.BaseSHA, p.HeadSHA), append(refs, p.BaseRef, p.HeadRef)
		}
		if p := e.Push; p != nil {
			hashes, refs = append(hashes, p.Before, p.After), append(refs, p.Ref)
		}
		if g := e.MergeGroup; g != nil {
			hashes, refs = append(hashes, g.BaseSHA, g.HeadSHA), append(refs, g.BaseRef)
		}
		if r := e.Release; r != nil {
			refs = append(refs, r.Tag)
		}
		for _, h := range hashes {
			if !fullHash().MatchString(h) {
				t.Fatalf("hash %q", h)
			}
		}
		for _, r := range append(refs, e.DefaultBranch) {
			if strings.HasPrefix(r, "-") || strings.Contains(r, "..") || strings.ContainsFunc(r, unicode.IsControl) || strings.Contains(r, " ") {
				t.Fatalf("reference %q", r)
			}
		}
	})
}
