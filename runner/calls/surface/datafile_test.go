package surface

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDataParts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, file, text string
		want             []string
	}{
		{"texts of YAML, and nothing that is one letter", "cases.yaml", "- name: sum\n  args:\n    - -c\n    - |\n      .a +\n      .b\n  n: 1\n---\nother\n",
			[]string{"sum", "-c", ".a +\n.b\n", "other"}},
		{"aliases are not followed", "cases.yml", "a: &x [one, two]\nb: [*x, *x]\n", []string{"one", "two"}},
		{"lists and objects of JSON as they are written, and texts", "suite.json", `[{"schema": {"type": "string"}, "tests": [{"data": "a\nb"}]}]`,
			[]string{`{"schema": {"type": "string"}, "tests": [{"data": "a\nb"}]}`, `{"type": "string"}`, "string", `[{"data": "a\nb"}]`, `{"data": "a\nb"}`, "a\nb"}},
		{"lines of JSON", "lines.json", "{\"a\": \"bc\"}\n\"de\"\n", []string{"bc", "de"}},
		{"JSON that ends early", "half.json", `["ab", "cd"`, nil},
		{"sections", "eval.txt", "what it is\n-- in.cue --\nx: 1\n-- out --\n{}\n", []string{"x: 1\n", "{}\n"}},
		{"an entry of a corpus", "0a1b", "go test fuzz v1\nstring(\"a(b)\\n\")\nint(7)\n[]byte(\"cd\")\n", []string{"a(b)\n", "cd"}},
		{"nothing of binary files", "x.json", "\"ab\x00\"", nil},
		{"nothing of others", "a.txt", "one\n\ntwo\n", nil},
	} {
		if diff := cmp.Diff(test.want, dataParts(test.file, test.text)); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

// What tests name is read where it lies in the repository, and nothing that a link leads out of it to.
func TestNamedFiles(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	root := filepath.Join(top, "root")
	for name, text := range map[string]string{
		"root/pkg/pkg.go": "package pkg", "root/cases/a.yaml": "a: 1", "root/cases/b.go": "package b", "root/one.json": "1", "root/pkg/own.txt": "x", "secret/s.txt": "s",
	} {
		path := filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(top, "secret"), filepath.Join(root, "pkg", "link")); err != nil {
		t.Skip(err)
	}
	got := namedFiles(root, filepath.Join(root, "pkg"), []string{
		"../cases", "../one.json", "own.txt", "own.txt", "missing.txt", "link/s.txt", "../../secret/s.txt", ".", "..", "own.txt\n", "no file",
	})
	for i := range got {
		got[i], _ = filepath.Rel(root, got[i])
	}
	want := []string{filepath.Join("cases", "a.yaml"), "one.json", filepath.Join("pkg", "own.txt")}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
