package gomod

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"
)

// A tree's module path is what its files and its repository say, in this order.
func TestPath(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ tree, origin, want string }{
		"import comment": {
			"-- a.go --\npackage a // import \"example.org/a\"\n-- b/b.go --\npackage b // import \"example.org/a/b\"\n",
			"https://github.com/someone/a.git", "example.org/a"},
		"a comment that is none": {
			"-- a.go --\npackage a // it imports \"example.org/x\"\n", "https://github.com/someone/a.git", "github.com/someone/a"},
		"origin over ssh":  {"-- a.go --\npackage a\n", "git@github.com:owner/a.git", "github.com/owner/a"},
		"origin with user": {"-- a.go --\npackage a\n", "https://token@github.com/owner/a", "github.com/owner/a"},
		"a fork": {
			"-- a.go --\npackage a\nimport \"github.com/first/a/sub\"\n-- sub/s.go --\npackage sub\n",
			"https://github.com/fork/a", "github.com/first/a"},
		"a folder as in another module": {
			"-- a.go --\npackage a\nimport \"github.com/other/testing/assert\"\n-- assert/s.go --\npackage assert\n",
			"https://github.com/owner/a", "github.com/owner/a"},
		"external test, no origin": {
			"-- a.go --\npackage a\n-- a_test.go --\npackage a_test\nimport \"github.com/owner/a\"\n", "/srv/clones/a", "github.com/owner/a"},
		"README, no origin": {
			"-- a.go --\npackage a\n-- README.md --\nRun `go get -u github.com/owner/go-a`.\n", "", "github.com/owner/go-a"},
		"nothing":       {"-- a.go --\npackage a\n-- vendor/b/b.go --\npackage b // import \"b\"\n", "", "example.com/a"},
		"a broken file": {"-- a.go --\nnonsense\n", "", "example.com/module"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for _, f := range txtar.Parse([]byte(c.tree)).Files {
				file := filepath.Join(dir, filepath.FromSlash(f.Name))
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, f.Data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if got := Path(dir, c.origin); got != c.want {
				t.Errorf("%s, not %s", got, c.want)
			}
		})
	}
}
