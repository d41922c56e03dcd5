package action

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

func TestOutputs(t *testing.T) {
	t.Parallel()
	s := &event.Stream{Findings: []event.Finding{
		{ID: "1", Cluster: "a", Rung: event.Forced, Representative: false},
		{ID: "2", Cluster: "a", Rung: event.Observed, Representative: true},
		{ID: "3", Cluster: "b", Rung: event.Reached},
		{ID: "4", Cluster: "c", Rung: event.Reached, Accepted: &event.Acceptance{Reason: "meant", From: "config"}},
		{ID: "5", Cluster: "d", Rung: event.Observed, Intended: true},
	}, Summary: &event.Summary{Verdict: event.Differences}}
	out := outputs{"report": "/tmp/a b/report.html", "comment-url": "https://github.com/o/n/pull/7#issuecomment-1"}
	out.count(s)
	file := filepath.Join(t.TempDir(), "out")
	if err := os.WriteFile(file, []byte("mine=1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := out.write(file); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := "mine=1\nverdict=differences\nfindings=2\nobserved=1\nreached=1\nforced=0\naccepted=1\nbroken=0\nreport=/tmp/a b/report.html\ncomment-url=https://github.com/o/n/pull/7#issuecomment-1\n"
	if string(b) != want {
		t.Errorf("got\n%s\nwant\n%s", b, want)
	}
}

// TestOutputsInject: a value that is not of its shape writes nothing at all,
// for a line feed would make another output.
func TestOutputsInject(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]string{
		"verdict": "no-difference\nfindings=0", "findings": "1 ", "report": "a\nverdict=x", "stream": "a\x00b", "accepted": "-1",
		"comment-url": "javascript:alert(1)", "check-url": "https://x/\nverdict=green", "observed": "٣",
	} {
		file := filepath.Join(t.TempDir(), "out")
		err := outputs{"verdict": "differences", name: value}.write(file)
		if err == nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s=%q: %v", name, value, err)
		}
		if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s=%q wrote something", name, value)
		}
	}
	if err := (outputs{"verdict": "differences"}).write(""); err != nil {
		t.Errorf("without GITHUB_OUTPUT: %v", err)
	}
}

// TestSummary: GitHub drops a summary of more than a mebibyte whole, so that
// what is there already counts.
func TestSummary(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		before int
		text   func(limit int) string
		want   string // the end
		fails  bool
	}{
		{0, func(int) string { return "# report\n" }, "# report\n", false},
		{10, func(int) string { return "# report\n" }, "x\n\n# report\n", false},
		{0, func(limit int) string { return strings.Repeat("y", limit) }, "yy", false},
		{1000, func(limit int) string { return strings.Repeat("y", limit) }, "yy", false},
		{500, func(limit int) string { return strings.Repeat("y", limit+1) }, "artifact has it.*\n", false},
		{1 << 20, func(limit int) string { return strings.Repeat("y", max(limit, 1)) }, "x", true},
	} {
		file := filepath.Join(t.TempDir(), "summary.md")
		if test.before > 0 {
			if err := os.WriteFile(file, []byte(strings.Repeat("x", test.before)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		err := AppendSummary(file, func(limit int) (string, error) { return test.text(limit), nil })
		if (err != nil) != test.fails {
			t.Errorf("%d bytes before: %v", test.before, err)
		}
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(string(b), test.want) || len(b) > 1<<20 || !strings.HasPrefix(string(b), strings.Repeat("x", test.before)) {
			t.Errorf("%d bytes before: %d bytes, ending in %q", test.before, len(b), b[max(0, len(b)-20):])
		}
	}
	if err := AppendSummary("", nil); err != nil {
		t.Errorf("without GITHUB_STEP_SUMMARY: %v", err)
	}
}
