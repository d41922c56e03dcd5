//go:build go1.21

package gosource

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// files writes down a file system in memory.
func (w *writer) files(l wire.Lit, t reflect.Type) string {
	seconds, list, ok := harness.FilesOf(l)
	if !ok {
		return w.fail("a %s %v", t, harness.ErrInvalid)
	}
	var entries []string
	for _, f := range list {
		entry := w.text(f.Name) + ": {Data: []byte(" + w.text(f.Content) + ")"
		if seconds != 0 {
			entry += ", ModTime: " + w.std("time") + "Unix(" + strconv.FormatInt(seconds, 10) + ", 0)"
		}
		entries = append(entries, entry+"}")
	}
	e := w.std("testing/fstest") + "MapFS{" + strings.Join(entries, ", ") + "}"
	if w.ServesFiles(t) {
		return w.std("net/http") + "FS(" + e + ")"
	}
	return e
}

// folderSource makes a folder of files, in a test.
const folderSource = `// folder makes a folder of files, given as names and contents by turns.
func folder(t *(testing)T, files ...string) string {
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		name := (path/filepath)Join(dir, files[i])
		if err := (os)MkdirAll((path/filepath)Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := (os)WriteFile(name, []byte(files[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
`

// linkedSource makes a symbolic link in a folder, in a test.
const linkedSource = `// linked makes a symbolic link in a folder, and returns the folder.
func linked(t *(testing)T, dir, name, target string) string {
	name = (path/filepath)Join(dir, name)
	if err := (os)MkdirAll((path/filepath)Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := (os)Symlink(target, name); err != nil {
		t.Fatal(err)
	}
	return dir
}
`

// path writes down the path of a file or of the folder around.
func (w *writer) path(l wire.Lit) string {
	at, list, ok := harness.PathOf(l)
	if !ok {
		return w.fail("a path %v", harness.ErrInvalid)
	}
	args := []string{"t"}
	for _, f := range list {
		if _, link := f.Link(); !link && !f.Missing {
			args = append(args, w.text(f.Name), w.text(f.Content))
		}
	}
	e := w.declaring("folder", folderSource, "os", "path/filepath", "testing") + "(" + strings.Join(args, ", ") + ")"
	for _, f := range list {
		if name, link := f.Link(); link {
			e = w.declaring("linked", linkedSource, "os", "path/filepath", "testing") + "(t, " + e + ", " + w.text(name) + ", " + w.text(f.Content) + ")"
		}
	}
	if at < 0 {
		return e
	}
	name, _ := list[at].Link()
	return w.std("path/filepath") + "Join(" + e + ", " + w.text(name) + ")"
}
