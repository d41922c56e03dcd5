package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Load reads the nearest .isodelta.yml of dir or a directory above it, up to
// and including root, the repository's root. With no file it returns Default.
func Load(dir, root string) (Config, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Config{}, fmt.Errorf("looking for %s: %w", FileName, err)
	}
	if root, err = filepath.Abs(root); err != nil {
		return Config{}, fmt.Errorf("looking for %s: %w", FileName, err)
	}
	if rel, err := filepath.Rel(root, dir); err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return Config{}, fmt.Errorf("looking for %s: %s is not inside the repository %s", FileName, dir, root)
	}
	for {
		c, err := LoadFile(filepath.Join(dir, FileName))
		if !errors.Is(err, fs.ErrNotExist) {
			return c, err
		}
		if err := misnamed(dir); err != nil {
			return Config{}, err
		}
		if dir == root {
			return Default(), nil
		}
		dir = filepath.Dir(dir)
	}
}

// LoadFile reads one file. A missing file is an fs.ErrNotExist.
func LoadFile(path string) (Config, error) {
	f, err := os.Open(path)
	if err != nil {
		return Config{}, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return Config{}, fmt.Errorf("%s: %w", path, err)
	}
	return Parse(path, data)
}

// misnamed finds the file under a name that would silently do nothing.
func misnamed(dir string) error {
	for _, name := range []string{".isodelta.yaml", "isodelta.yml", "isodelta.yaml"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return &Error{filepath.Join(dir, name), 0, "this file is not read under this name; rename it to " + FileName}
		}
	}
	return nil
}
