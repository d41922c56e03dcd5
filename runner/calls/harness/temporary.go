//go:build go1.21

package harness

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// A test's temporary folder is gone when calls are made as it made them. So a path that leads there is written down with the
// files that are in the folder at the time.

// Limits of these.
const (
	maxTemporary     = 100     // paths of an iteration
	temporaryContent = 2 << 10 // bytes of a file
	temporaryEntries = 100     // looked at, of a folder
)

// temporaries are the folders that paths of an iteration lead to, numbered from 1, see wire.RecordedPath.
type temporaries struct {
	folders map[string]int
	taken   int
}

// path writes a path down that leads to the folder for temporary files. It reports false for any other text.
func (t *temporaries) path(s string) (wire.Lit, bool) {
	below := filepath.Clean(os.TempDir()) + string(filepath.Separator)
	if t == nil || t.taken >= maxTemporary || !strings.HasPrefix(s, below) || filepath.Clean(s) != s {
		return wire.Lit{}, false
	}
	folder, name := t.split(s)
	if name != "" && !isFileName(name) {
		return wire.Lit{}, false
	}
	t.taken++
	number, known := t.folders[folder]
	if !known {
		number = len(t.folders) + 1
		t.folders[folder] = number
	}
	var files []File
	if folder+string(filepath.Separator) != below {
		files = filesBelow(folder)
	}
	at := 0
	if name != "" {
		files, at = withFile(files, name)
	}
	l := wire.Lit{Form: wire.Special, S: wire.SpecialPath, E: []wire.Lit{{Form: wire.Int, N: wire.RecordedPath(at, number)}}}
	for _, f := range files {
		l.E = append(l.E, wire.Lit{Form: wire.Text, S: f.Name}, wire.Lit{Form: wire.Text, S: f.Content})
	}
	return l, true
}

// split returns the folder that a path leads to, and the file in it, "" for the folder itself. What is not there is a file if its
// name ends as those of files do.
func (t *temporaries) split(s string) (folder, file string) {
	info, err := os.Stat(s)
	if err == nil && info.IsDir() || err != nil && filepath.Ext(s) == "" {
		return s, ""
	}
	for folder = filepath.Dir(s); len(folder) > 1; folder = filepath.Dir(folder) {
		if t.folders[folder] != 0 {
			return folder, filepath.ToSlash(s[len(folder)+1:])
		}
	}
	return filepath.Dir(s), filepath.Base(s)
}

// filesBelow are some small files below a folder, by their names.
func filesBelow(folder string) []File {
	var out []File
	entries := 0
	filepath.WalkDir(folder, func(file string, d fs.DirEntry, err error) error {
		if entries++; err != nil || entries > temporaryEntries || len(out) >= maxFileNames {
			return filepath.SkipDir
		}
		if info, err := d.Info(); err != nil || !info.Mode().IsRegular() || info.Size() > temporaryContent {
			return nil
		}
		name := filepath.ToSlash(strings.TrimPrefix(file[len(folder):], string(filepath.Separator)))
		if content, err := os.ReadFile(file); err == nil && isFileName(name) {
			out = append(out, File{Name: name, Content: string(content)})
		}
		return nil
	})
	return out
}

// withFile returns files with one of a name, an empty one where there is none, and the place of that one, from 1.
func withFile(files []File, name string) ([]File, int) {
	for i, f := range files {
		if f.Name == name {
			return files, i + 1
		}
	}
	if len(files) >= maxFileNames {
		files = files[:maxFileNames-1]
	}
	return append(files, File{Name: name}), len(files) + 1
}
