//go:build go1.21

package gosource

import (
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/harness"
)

// writtenSource tells of the files in the folders of a test, of which TempDir makes one beside the other.
const writtenSource = `// written tells of the files in the folders that the test made, and of what is in them.
func written(t *(testing)T) (list []string) {
	none := t.TempDir()
	root := (path/filepath)Dir(none)
	(path/filepath)WalkDir(root, func(path string, e (io/fs)DirEntry, err error) error {
		if err != nil {
			t.Fatal(err)
		}
		if path == none {
			return (io/fs)SkipDir
		}
		rel, _ := (path/filepath)Rel(root, path)
		rel = (path/filepath)ToSlash(rel)
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		perm := ""
		if p := info.Mode().Perm() &^ 0o022; e.IsDir() && p != 0o755 || !e.IsDir() && p != 0o644 {
			perm = " " + p.String()
		}
		switch {
		case path == root:
		case e.Type()&(io/fs)ModeSymlink != 0:
			target, _ := (os)Readlink(path)
			list = append(list, rel+" -> "+(path/filepath)ToSlash(target))
		case e.IsDir():
			list = append(list, rel+"/"+perm)
		default:
			text, _ := (os)ReadFile(path)
			if len(text) > MAX {
				text = text[:MAX]
			}
			list = append(list, rel+perm+": "+string(text))
		}
		return nil
	})
	return list
}
`

// written names the function that tells of files.
func (w *writer) written() string {
	source := strings.ReplaceAll(writtenSource, "MAX", strconv.Itoa(harness.WrittenText))
	return w.declaring(harness.Written, source, "io/fs", "os", "path/filepath", "testing")
}
