package gomod_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/runner/gomod"
)

// A module's own imports follow its path; those of modules whose path begins alike, and of
// other modules' files, do not.
func TestRename(t *testing.T) {
	t.Parallel()
	before := map[string]string{
		"go.mod":          "module example.com/m\n\ngo 1.21\n",
		"a.go":            "package m // import \"example.com/m\"\n\nimport (\n\tx \"example.com/m/sub\" // a comment\n\t\"example.com/mother\"\n\t`example.com/m`\n)\n\nvar s = \"example.com/m/sub\"\n",
		"broken.go":       "pakage m\n\nimport \"example.com/m\"\n",
		"nested/go.mod":   "module example.com/m/nested\n",
		"nested/n.go":     "package n\n\nimport \"example.com/m\"\n",
		"testdata/a.go":   "package a\n\nimport \"example.com/m\"\n",
		"vendor/v/v.go":   "package v\n\nimport \"example.com/m\"\n",
		"sub/sub_test.go": "package sub_test\n\nimport . \"example.com/m/sub\"\n",
	}
	want := map[string]string{
		"go.mod":          "module example.com/m/v2\n\ngo 1.21\n",
		"a.go":            "package m // import \"example.com/m\"\n\nimport (\n\tx \"example.com/m/v2/sub\" // a comment\n\t\"example.com/mother\"\n\t\"example.com/m/v2\"\n)\n\nvar s = \"example.com/m/sub\"\n",
		"sub/sub_test.go": "package sub_test\n\nimport . \"example.com/m/v2/sub\"\n",
	}
	dir := t.TempDir()
	for name, text := range before {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, ok := want[name]; !ok {
			want[name] = text
		}
	}
	if err := gomod.Rename(dir, "example.com/m", "example.com/m/v2"); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for name := range before {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		got[name] = string(text)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
