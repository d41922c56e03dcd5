package harness

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// A path into the folder for temporary files is written down with the files that are there, and only such a path.
func TestRecordedPaths(t *testing.T) { // not parallel: it sets TMPDIR
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	dir := filepath.Join(tmp, "TestX1", "001")
	if err := os.MkdirAll(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"a.conf": "a=1", "sub/b.txt": "b"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	paths := &temporaries{folders: map[string]int{}}
	both := []File{{Name: "a.conf", Content: "a=1"}, {Name: "sub/b.txt", Content: "b"}}
	for _, c := range []struct {
		path         string
		file, folder int
		files        []File
	}{
		{dir, 0, 1, both},
		{filepath.Join(dir, "sub", "b.txt"), 2, 1, both},
		{filepath.Join(dir, "new.log"), 3, 1, append(both[:2:2], File{Name: "new.log"})},
		{filepath.Join(dir, "made"), 0, 2, nil},
		{filepath.Join(tmp, "x.db"), 1, 3, []File{{Name: "x.db"}}},
	} {
		l, ok := paths.path(c.path)
		if !ok {
			t.Errorf("%s is no path", c.path)
			continue
		}
		file, folder := wire.PathRecorded(l.E[0].N)
		l.E[0].N = file
		at, files, ok := PathOf(l)
		if !ok || at != c.file-1 || int(folder) != c.folder || !reflect.DeepEqual(files, c.files) {
			t.Errorf("%s: file %d of folder %d, %v", c.path, at, folder, files)
		}
	}
	for _, s := range []string{"", "a.conf", tmp, "/etc/hosts", tmp + "x/a", dir + "/../001"} {
		if _, ok := paths.path(s); ok {
			t.Errorf("%q is a path", s)
		}
	}
}
