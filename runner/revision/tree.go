package revision

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// list returns the slash paths of all files and symbolic links below root.
func list(root string) (map[string]fs.FileMode, error) {
	files := map[string]fs.FileMode{}
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(rel)] = entry.Type()
		return nil
	})
	return files, err
}

func isTest(name string) bool { return strings.HasSuffix(name, "_test.go") }

func inTestdata(name string) bool {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if path.Base(dir) == "testdata" {
			return true
		}
	}
	return false
}

// sameFile compares the contents of two files; links are followed.
func sameFile(a, b string) (bool, error) {
	f, err := os.Open(a)
	if err != nil {
		return false, err
	}
	defer f.Close()
	g, err := os.Open(b)
	if err != nil {
		return false, err
	}
	defer g.Close()
	fi, err := f.Stat()
	if err != nil {
		return false, err
	}
	gi, err := g.Stat()
	if err != nil {
		return false, err
	}
	if fi.Size() != gi.Size() {
		return false, nil
	}
	left, right := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, err := io.ReadFull(f, left)
		m, err2 := io.ReadFull(g, right)
		if n != m || !bytes.Equal(left[:n], right[:m]) {
			return false, nil
		}
		for _, err := range []error{err, err2} {
			if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
				return false, err
			}
		}
		if err != nil {
			return true, nil
		}
	}
}
