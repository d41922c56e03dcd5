package house

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// documents are the documents of the repository, relative to it.
func documents(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no docs: %v", err)
	}
	names := []string{"README.md", "CONTRIBUTING.md", "SECURITY.md"}
	for _, f := range files {
		names = append(names, "docs/"+filepath.Base(f))
	}
	return names
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func exists(name string) bool {
	_, err := os.Stat(filepath.Join(root, filepath.FromSlash(name)))
	return err == nil
}

// TestPathsExist: a path of this repository that a document names, as code or in a
// link, is there.
func TestPathsExist(t *testing.T) {
	t.Parallel()
	named := 0
	for _, name := range documents(t) {
		for _, p := range paths(name, read(t, name)) {
			named++
			if !exists(p) {
				t.Errorf("%s names %s, which does not exist", name, p)
			}
		}
	}
	if named < 60 {
		t.Errorf("only %d paths found", named)
	}
}

var (
	fence    = regexp.MustCompile("(?ms)^```.*?^```$")
	codeSpan = regexp.MustCompile("`[^`]+`")
	link     = regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	// A path of ours begins with one of these. Files below .github/ are the reader's.
	ours = regexp.MustCompile(`^(\./)?(\.ci|action|bot|diff|docs|internal|isomorph|report|runner)/[\w./-]+$`)
)

// paths lists the paths that a document names, relative to the repository.
func paths(name, text string) []string {
	var list []string
	text = fence.ReplaceAllString(text, "") // examples are about a reader's repository
	for _, span := range codeSpan.FindAllString(text, -1) {
		for word := range strings.FieldsSeq(strings.Trim(span, "`")) {
			if ours.MatchString(word) {
				list = append(list, path.Clean(strings.TrimSuffix(word, "/...")))
			}
		}
	}
	for _, m := range link.FindAllStringSubmatch(text, -1) {
		list = append(list, path.Join(path.Dir(name), m[1]))
	}
	return list
}

// TestTheHouse: the drawing of folders in CONTRIBUTING.md names no folder that is
// not there, and every one of the first two levels that holds code.
func TestTheHouse(t *testing.T) {
	t.Parallel()
	drawn := house(t)
	for _, folder := range drawn {
		if !exists(folder) {
			t.Errorf("CONTRIBUTING.md draws %s, which does not exist", folder)
		}
	}
	for _, file := range sources(t) {
		rel, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			t.Fatal(err)
		}
		parts := strings.SplitN(filepath.ToSlash(rel), "/", 3)
		folder := strings.Join(parts[:min(len(parts), 2)], "/")
		if folder != "." && !slices.Contains(drawn, folder) {
			t.Errorf("CONTRIBUTING.md does not draw %s", folder)
			drawn = append(drawn, folder) // once
		}
	}
}

// house reads the drawing: folders at the margin, those below the last one indented,
// and more of these behind them, each with a slash at its end.
func house(t *testing.T) []string {
	t.Helper()
	_, text, _ := strings.Cut(read(t, "CONTRIBUTING.md"), "## The house")
	_, text, _ = strings.Cut(text, "```\n")
	text, _, ok := strings.Cut(text, "```")
	if !ok {
		t.Fatal("CONTRIBUTING.md draws no house")
	}
	var list []string
	top, last := "", ""
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		name := strings.TrimSuffix(words[0], "/")
		switch indent := len(line) - len(strings.TrimLeft(line, " ")); {
		case indent == 0:
			top, last = name, name
			list = append(list, last)
		case indent == 2:
			last = top + "/" + name
			list = append(list, last)
			words = words[1:]
		}
		for _, word := range words {
			if inner, ok := strings.CutSuffix(strings.TrimRight(word, ",;:."), "/"); ok && inner != top {
				list = append(list, last+"/"+inner)
			}
		}
	}
	return list
}
