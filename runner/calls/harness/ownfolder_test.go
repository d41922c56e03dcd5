package harness

import (
	"os"
	"path/filepath"
	"testing"
)

// A path into the tree of a version goes from the package's folder; other texts stay.
func TestPortable(t *testing.T) { // not parallel: it changes the folder
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	tree := filepath.Join(root, "isodelta-1", "base", "fpdf")
	if err := os.MkdirAll(filepath.Join(tree, "p"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(tree, "p"))
	for s, want := range map[string]string{
		tree:                                 "..",
		filepath.Join(tree, "a", "b"):        filepath.Join("..", "a", "b"),
		filepath.Join(tree, "p", "testdata"): "testdata",
		tree + "s":                           tree + "s",
		"in " + tree:                         "in " + tree,
		"/a":                                 "/a",
		binary + " runs in /isodelta-1":      filepath.Base(binary) + " runs in /isodelta-1",
		filepath.Join(root, "isodelta-1"):    filepath.Join(root, "isodelta-1"),
	} {
		if got := portable(s); got != want {
			t.Errorf("%s: %s, want %s", s, got, want)
		}
	}
}
