package commits

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

// The recorded commits can be compared: each is whole, and each regression has a commit
// that mends it.
func TestRecorded(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"", "testdata/fresh.json", "testdata/services.json", "testdata/mined.json", "testdata/mined2.json", "testdata/mined3.json", "testdata/mined4.json", "testdata/mined5.json", "testdata/mined6.json"} {
		list, err := read(file)
		if err != nil {
			t.Fatal(err)
		}
		checkWhole(t, list)
	}
}

func checkWhole(t *testing.T, list []commit) {
	t.Helper()
	seen := map[string]bool{}
	for _, c := range list {
		if seen[c.ID] || len(c.Base) != 40 || len(c.Head) != 40 || !strings.HasPrefix(c.Repo, "github.com/") {
			t.Errorf("%+v is not whole, or there twice", c)
		}
		if (c.Kind == "regression") != (c.Fix != "") {
			t.Errorf("%s: a %s with fix %q", c.ID, c.Kind, c.Fix)
		}
		seen[c.ID] = true
	}
	if len(list) < 15 {
		t.Errorf("%d commits", len(list))
	}
}

// A test that passes on base, fails on head and passes on the mended code shows the
// regression; one that passes everywhere is unsound; what is small or intended is no item.
func TestJudge(t *testing.T) {
	t.Parallel()
	clones := t.TempDir()
	dir := filepath.Join(clones, "owner+m")
	var revisions []string
	for i, body := range []string{"return n", "return n + 1", "return 2*n - n"} {
		for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.21\n", "m.go": "package m\n\nfunc F(n int) int { " + body + " }\n"} {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if i == 0 {
			command(t, dir, "git", "init", "-q")
		}
		command(t, dir, "git", "add", ".")
		command(t, dir, "git", "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", body)
		revisions = append(revisions, strings.TrimSpace(command(t, dir, "git", "rev-parse", "HEAD")))
	}
	c := commit{ID: "m", Kind: "regression", Repo: "example.com/owner/m", Base: revisions[0], Head: revisions[1], Fix: revisions[2]}
	test := func(name, condition string) string {
		return "package m\n\nimport \"testing\"\n\nfunc Test" + name + "(t *testing.T) {\n\tif " + condition + " {\n\t\tt.Fail()\n\t}\n}\n"
	}
	finding := func(id string, kind event.Kind, text string) event.Finding {
		return event.Finding{ID: id, Cluster: id, Representative: true, Rung: event.Reached, Kind: kind, Package: "example.com/m",
			Base: event.Result{Outcome: event.Pass, Value: "1" + id}, Head: event.Result{Outcome: event.Pass, Value: "2" + id}, GoTest: text, GoTestFile: "x_test.go"}
	}
	intended := finding("intended", event.KindValue, "")
	intended.Intended = true
	s := &event.Stream{Findings: []event.Finding{
		finding("always", event.KindPanic, test("Always", "false")),
		finding("shows", event.KindValue, test("Shows", "F(3) != 3")),
		finding("text", event.KindErrorText, ""),
		intended,
	}}
	work := filepath.Join(t.TempDir(), "work")
	if err := c.clone(t.Context(), clones, work); err != nil {
		t.Fatal(err)
	}
	j, err := c.judge(t.Context(), work, s)
	if err != nil {
		t.Fatal(err)
	}
	if j.items != 2 || j.folded != 2 || j.tests != 2 || j.shown != 2 || strings.Join(j.unsound, " ") != "always" {
		t.Errorf("%+v", j)
	}
	c.Head = strings.Repeat("0", 40)
	if err := c.clone(t.Context(), clones, work+"2"); err == nil || !strings.Contains(err.Error(), "git clone") {
		t.Errorf("a commit that is not there: %v", err)
	}
}

func command(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v: %s", args, err, bytes.TrimSpace(out))
	}
	return string(out)
}
