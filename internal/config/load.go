package config

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/isodelta/isodelta/internal/mistake"
)

// Reader reads one file of a version, given by its name relative to the top of
// the repository, with slashes, and at most MaxSize+1 bytes of it. A file that is
// not there is an fs.ErrNotExist, one that is no regular file NotRegular's error.
type Reader func(name string) ([]byte, error)

// Load reads the nearest .isodelta.yml of dir or a directory above it, up to
// and including root, the repository's root. Either may be named through symbolic
// links. With no file it returns Default.
func Load(dir, root string) (Config, error) {
	dir, err := withoutLinks(dir)
	if err != nil {
		return Config{}, fmt.Errorf("looking for %s: %w", FileName, err)
	}
	if root, err = withoutLinks(root); err != nil {
		return Config{}, fmt.Errorf("looking for %s: %w", FileName, err)
	}
	rel, err := filepath.Rel(root, dir)
	if err != nil || !filepath.IsLocal(rel) {
		return Config{}, fmt.Errorf("looking for %s: %s is not inside the repository %s", FileName, dir, root)
	}
	name, data, err := Find(Folder(root), filepath.ToSlash(rel))
	var wrong *mistake.Mistake
	switch {
	case errors.As(err, &wrong):
		return Config{}, &mistake.Mistake{File: filepath.Join(root, wrong.File), Line: wrong.Line, Msg: wrong.Msg}
	case err != nil:
		return Config{}, fmt.Errorf("in %s: %w", root, err)
	case name == "":
		return Default(), nil
	}
	return Parse(filepath.Join(root, filepath.FromSlash(name)), data)
}

// withoutLinks returns the absolute path of a folder, without symbolic links.
func withoutLinks(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// Find reads the nearest .isodelta.yml of a folder or one above it. The folder's
// name is relative to the top of the repository, with slashes, "." for the top.
// Without a file its name is "".
func Find(read Reader, dir string) (name string, data []byte, err error) {
	for dir = path.Clean(dir); ; dir = path.Dir(dir) {
		name = path.Join(dir, FileName)
		data, err = read(name)
		if !errors.Is(err, fs.ErrNotExist) {
			return name, data, err
		}
		if err := misnamed(read, dir); err != nil {
			return "", nil, err
		}
		if dir == "." {
			return "", nil, nil
		}
	}
}

// LoadFile reads one file, wherever it is: whoever names it answers for it, also
// for where a link leads. A missing file is an fs.ErrNotExist.
func LoadFile(name string) (Config, error) {
	data, err := readRegular(name)
	if err != nil {
		return Config{}, err
	}
	return Parse(name, data)
}

// misnamed finds the file under a name that would silently do nothing.
func misnamed(read Reader, dir string) error {
	for _, name := range []string{".isodelta.yaml", "isodelta.yml", "isodelta.yaml"} {
		name = path.Join(dir, name)
		if _, err := read(name); !errors.Is(err, fs.ErrNotExist) {
			return &mistake.Mistake{File: name, Msg: "this file is not read under this name; rename it to " + FileName}
		}
	}
	return nil
}

// NotRegular is the error for a settings file that is something else, such as a
// link. Nothing else is followed or opened: in a pull request, a link leads
// wherever its author wants.
func NotRegular(name string) error {
	return &mistake.Mistake{File: name, Msg: "this is no regular file; isodelta follows no links to its settings and reads no devices or pipes"}
}
