package revision

import (
	"errors"
	"io/fs"
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
	for _, name := range []string{"b.txt", "sub", "", "../x"} {
		if _, err := r.File(first, name, 100); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := r.File("0123456789012345678901234567890123456789", "sub/a.txt", 100); err == nil {
		t.Error("a commit that is not there is read")
	}
}
