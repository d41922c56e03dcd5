package execute

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/isodelta/isodelta/internal/scratch"
)

// Pristine returns a copy of a directory, for Target.Pristine. It is made below folder, once for each directory.
func Pristine(folder, dir string) (string, error) {
	// Named by the whole path: a directory within another one has a copy of its own.
	to := filepath.Join(folder, fmt.Sprintf("%x", sha256.Sum256([]byte(dir))))
	if _, err := os.Stat(to); err == nil {
		return to, nil
	}
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		// Half a copy must not be taken for a whole one later.
		return "", fmt.Errorf("copy %s: %w", dir, errors.Join(err, os.RemoveAll(to)))
	}
	return to, nil
}

// A directory that holds more is not copied for each process.
const (
	maxEntries = 300
	maxBytes   = 8 << 20
)

var errTooMuch = errors.New("too much to copy")

// Copyable reports whether a directory is small enough to be copied for each process.
func Copyable(dir string) (bool, error) {
	entries, bytes := 0, int64(0)
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
		}
		if entries++; entries > maxEntries || bytes > maxBytes {
			return errTooMuch
		}
		return nil
	})
	if errors.Is(err, errTooMuch) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("copy %s: %w", dir, err)
	}
	return true, nil
}

// Renew makes a directory what its pristine copy is.
func Renew(dir, pristine string) error {
	scratch.RemoveAll(dir)
	if err := os.CopyFS(dir, os.DirFS(pristine)); err != nil {
		return fmt.Errorf("make %s anew: %w", dir, err)
	}
	return nil
}
