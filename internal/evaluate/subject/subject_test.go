package subject_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/internal/evaluate/subject"
	"github.com/isodelta/isodelta/internal/longtest"
)

// quick subjects are made and tested even under -short: one plain, one whose
// code must be published, one whose tests must be pruned.
var quick = map[string]bool{"encoding/hex": true, "path": true, "compress/lzw": true}

// Every subject must be laid out, build outside the distribution and pass its
// own tests there, with more than nothing to run.
func TestEverySubjectPassesItsOwnTests(t *testing.T) {
	t.Parallel()
	for _, s := range subject.List() {
		t.Run(strings.ReplaceAll(s.Name, "/", "-"), func(t *testing.T) {
			t.Parallel()
			if !quick[s.Name] {
				longtest.Skip(t, "builds a test binary")
			}
			m := layOut(t, s.Name)
			out := command(t, m.Dir, "go", "test", "-vet=off", "-short", "-v", ".")
			if n := strings.Count(out, "--- PASS: "); n < 2 {
				t.Errorf("%d tests ran and passed, want at least 2:\n%s", n, out)
			}
			for _, d := range m.Dropped {
				t.Logf("dropped %s %s: %s", d.File, d.Name, d.Reason)
			}
		})
	}
}

func layOut(t *testing.T, name string) *subject.Module {
	t.Helper()
	m, err := subject.Make(t.Context(), name, filepath.Join(t.TempDir(), "module"))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func command(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// What was cut out is listed with its reason, and only that.
func TestDroppedDeclarationsAreListed(t *testing.T) {
	t.Parallel()
	tests := []struct{ subject, want string }{
		{"encoding/hex", ""},
		{"compress/lzw", "writer_test.go TestWriter: uses internal/testenv\n"},
	}
	for _, test := range tests {
		m := layOut(t, test.subject)
		var got bytes.Buffer
		for _, d := range m.Dropped {
			fmt.Fprintf(&got, "%s %s: %s\n", d.File, d.Name, d.Reason)
		}
		if !strings.Contains(got.String(), test.want) || test.want == "" && got.Len() > 0 {
			t.Errorf("%s: dropped\n%swant\n%s", test.subject, &got, test.want)
		}
	}
}

// The code of a subject is the distribution's, line for line; only imports of
// internal packages and their uses differ.
func TestCodeKeepsItsLines(t *testing.T) {
	t.Parallel()
	m := layOut(t, "path")
	root := strings.TrimSpace(command(t, m.Dir, "go", "env", "GOROOT"))
	want, err := os.ReadFile(filepath.Join(root, "src", "path", "path.go"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(m.Dir, "path.go"))
	if err != nil {
		t.Fatal(err)
	}
	w, g := strings.Split(string(want), "\n"), strings.Split(string(got), "\n")
	if len(w) != len(g) {
		t.Fatalf("%d lines, want %d", len(g), len(w))
	}
	changed := 0
	for i := range w {
		if w[i] == g[i] {
			continue
		}
		changed++
		if !strings.Contains(w[i], "bytealg") || strings.Contains(g[i], "bytealg") {
			t.Errorf("line %d: %q became %q", i+1, w[i], g[i])
		}
	}
	if changed == 0 {
		t.Error("no line changed, though path imports internal/bytealg: the test guards nothing")
	}
}

func TestCommitMakesOneCommit(t *testing.T) {
	t.Parallel()
	m := layOut(t, "encoding/hex")
	if err := m.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSpace(command(t, m.Dir, "git", "rev-list", "--count", "HEAD")); got != "1" {
		t.Errorf("%s commits, want 1", got)
	}
	if got := command(t, m.Dir, "git", "status", "--porcelain"); got != "" {
		t.Errorf("files left out of the commit:\n%s", got)
	}
}

func TestMakeRefuses(t *testing.T) {
	t.Parallel()
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "x"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, dir, want string }{
		{"no/such", t.TempDir(), "is unknown; choose one of text/tabwriter"},
		{"path", full, "needs an empty directory"},
	}
	for _, test := range tests {
		_, err := subject.Make(context.Background(), test.name, test.dir)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("Make(%s): error %v, want one with %q", test.name, err, test.want)
		}
	}
}
