package revision

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestFile: a file is read as the commit has it, whatever the working tree does.
func TestFile(t *testing.T) {
	t.Parallel()
	f := newRepo(t)
	f.write("sub/a.txt", "first")
	first := f.commit("first")
	f.write("sub/a.txt", "second")
	f.commit("second")
	f.remove("sub/a.txt")
	r := open(t, f.dir)
	if b, err := r.File(first, "sub/a.txt", 100); err != nil || string(b) != "first" {
		t.Errorf("%q, %v", b, err)
	}
	if b, err := r.File(first, "sub/a.txt", 2); err != nil || string(b) != "fi" {
		t.Errorf("limited: %q, %v", b, err)
	}
	for _, name := range []string{"b.txt", "sub", "", "../x", "sub/a.txt/b", "sub/b.txt", "none/a.txt"} {
		if _, err := r.File(first, name, 100); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := r.File("0123456789012345678901234567890123456789", "sub/a.txt", 100); err == nil {
		t.Error("a commit that is not there is read")
	}
}

// TestFileNotRegular: a link is not read as if its destination were the text, nor
// taken for a file that is not there; and neither is a file without its content.
func TestFileNotRegular(t *testing.T) {
	t.Parallel()
	f := newRepo(t)
	f.write("a.txt", "content")
	if err := os.Symlink("a.txt", filepath.Join(f.dir, "link")); err != nil {
		t.Fatal(err)
	}
	commit := f.commit("first")
	r := open(t, f.dir)
	if b, err := r.File(commit, "link", 100); !errors.Is(err, ErrNotRegular) {
		t.Errorf("%q, %v", b, err)
	}
	const blob = "6b584e8ece562ebffc15d38808cd6b98fc3d97ea" // git hash-object of "content"
	if err := os.Remove(filepath.Join(f.dir, ".git", "objects", blob[:2], blob[2:])); err != nil {
		t.Fatal(err)
	}
	var missing *MissingObjectError
	if b, err := open(t, f.dir).File(commit, "a.txt", 100); !errors.As(err, &missing) || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%q, %v", b, err)
	}
}
