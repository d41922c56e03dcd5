package revision

import (
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// untrackedFiles asks this package which files of a new repository count.
func untrackedFiles(t rapid.TB, dir, out string) []string {
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Materialise(context.Background(), Version{Asked: workingTree, Worktree: true}, out); err != nil {
		t.Fatal(err)
	}
	files, err := list(out)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(maps.Keys(files))
}

// gitUntracked asks git the same.
func gitUntracked(t rapid.TB, dir string) []string {
	cmd := exec.Command("git", "ls-files", "-z", "--others", "--exclude-standard")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if len(out) == 0 {
		return nil
	}
	names := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	slices.Sort(names)
	return names
}

func plant(t rapid.TB, dir string, files map[string]string) {
	for name, content := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Patterns that are easily read wrongly, held against git.
func TestIgnoreCases(t *testing.T) {
	t.Parallel()
	for _, rules := range []string{
		"*.log\n!keep/\n",  // bringing a folder back does not bring back its files
		"**/a/b\n",         // a/a/b
		"[!a]\n", "[^a]\n", // both negate
		"a/**\n!a/b\n", "a/**/b\n", "**/b\n", "a/**b\n", "**\n!a\n",
		"/a\n", "a/\n", "a/b/\n", "*/b\n", "a*b\n", "?\n", "[a-c]\n", "[[:alpha:]]\n", "[]a]\n", "[a\n", "[-a]\n", "[a-]\n",
		"\\#x\n#x\n", "\\!x\n", "x\\ \n", "x  \n", "a\\\n", "é\n", "\xef\xbb\xbfa\n", "a\r\nb\r\n", "/\n", "!\n", "*\n!/keep\n!/keep/**\n",
		"a\n!a/b\n", "keep/*\n!keep/*.log\n", "/*\n!/a\n/a/*\n!/a/b\n", "a/./b\n", "a//b\n", "//a\n",
	} {
		t.Run(rules, func(t *testing.T) {
			t.Parallel()
			f := newRepo(t)
			for _, name := range []string{
				"a.log", "keep/a.log", "keep/b", "a/a/b", "a/b", "b", "c", "x/a/b/c", "axb", "ab", "#x", "!x", "x ", "x/y", "é", "]", "-", "[a", "a/c/d/b", "d/a", "a/xb",
			} {
				f.write(name, "")
			}
			f.write(".gitignore", rules)
			got := untrackedFiles(t, f.dir, filepath.Join(t.TempDir(), "out"))
			if want := gitUntracked(t, f.dir); !slices.Equal(got, want) {
				t.Errorf("rules %q\n got %q\nwant %q", rules, got, want)
			}
		})
	}
}

// Any rules, anywhere, agree with git.
func TestIgnoreAgreesWithGit(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts git many times")
	}
	dir := newRepo(t).dir
	name := rapid.SampledFrom([]string{"a", "b", "ab", "a.b", "-"})
	file := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(name, 1, 4).Draw(t, "path"), "/")
	})
	piece := rapid.SampledFrom([]string{"a", "b", "*", "**", "?", "/", "/", "[a-b]", "[!a]", ".", "\\a", "a*", "**/", "/**"})
	line := rapid.Custom(func(t *rapid.T) string {
		return rapid.SampledFrom([]string{"", "", "!"}).Draw(t, "negation") +
			strings.Join(rapid.SliceOfN(piece, 1, 4).Draw(t, "pattern"), "") + rapid.SampledFrom([]string{"", "/", " "}).Draw(t, "end")
	})
	rapid.Check(t, func(t *rapid.T) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.Name() != ".git" {
				os.RemoveAll(filepath.Join(dir, e.Name()))
			}
		}
		files := map[string]string{}
		for _, f := range rapid.SliceOfN(file, 3, 12).Draw(t, "files") {
			files[f+"/f"] = "" // so that no file stands where another needs a folder
		}
		for _, where := range []string{"", "a/", "a/b/"} {
			if rules := rapid.SliceOfN(line, 0, 4).Draw(t, "rules in /"+where); len(rules) > 0 {
				files[where+".gitignore"] = strings.Join(rules, "\n") + "\n"
			}
		}
		plant(t, dir, files)
		out, err := os.MkdirTemp("", "out")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(out)
		got, want := untrackedFiles(t, dir, filepath.Join(out, "tree")), gitUntracked(t, dir)
		if !slices.Equal(got, want) {
			t.Fatalf("files %q\n got %q\nwant %q", files, got, want)
		}
	})
}
