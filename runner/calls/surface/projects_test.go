package surface

import (
	"fmt"
	"slices"
	"testing"
)

func TestFileBelow(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"/m/testdata/site/_config.yml": "site/_config.yml",
		"/m/testdata/a.txt":            "a.txt",
		"/m/fixtures/site/a.txt":       "a.txt",
	} {
		if got := fileBelow(file); got != want {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
}

// Folders are taken whole, those with too many files by the folders in them, and the rest is spread.
func TestFilesOfProjects(t *testing.T) {
	t.Parallel()
	var list [][2]string
	add := func(names ...string) {
		for _, n := range names {
			list = append(list, [2]string{n, "of " + n})
		}
	}
	add("lonely/a", "top")
	for i := range 40 {
		add(fmt.Sprintf("many/%02d.txt", i))
	}
	add("many/site/_config.yml", "many/site/posts/a.md", "other/a", "other/b")
	var names []string
	for _, f := range filesOfProjects(list, 10) {
		names = append(names, f[0])
	}
	for _, want := range []string{"many/site/_config.yml", "many/site/posts/a.md", "other/a", "other/b"} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is missing from %v", want, names)
		}
	}
	if len(names) != 10 {
		t.Errorf("%d files: %v", len(names), names)
	}
	if got := filesOfProjects(list[:2], 10); len(got) != 2 {
		t.Errorf("%v", got)
	}
}
