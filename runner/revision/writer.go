package revision

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// treeWriter writes the files of one version below a directory. Everything goes
// through an os.Root, so that no path and no symbolic link in a repository can
// lead out of it.
type treeWriter struct {
	root  *os.Root
	made  string // the directory made last
	links []link
	notes []string
}

type link struct{ path, target string }

// newTreeWriter makes dir, which must be empty or not exist.
func newTreeWriter(dir string) (*treeWriter, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	if len(entries) > 0 {
		return nil, fmt.Errorf("the directory %s for a version is not empty", dir)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &treeWriter{root: root}, nil
}

func (w *treeWriter) note(format string, args ...any) {
	w.notes = append(w.notes, fmt.Sprintf(format, args...))
}

// safeName reports whether a tree entry's name may become a file's name.
func safeName(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.EqualFold(name, ".git") &&
		!strings.ContainsAny(name, "/\x00") && filepath.IsLocal(name)
}

// file writes one file; name is a slash path.
func (w *treeWriter) file(name string, executable bool, content io.Reader) (err error) {
	if err := w.parent(name); err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if executable {
		mode = 0o755
	}
	f, err := w.root.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrExist) {
		w.note("%s left out: this file system does not tell its name from that of another file", name)
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := io.Copy(f, content); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	// The umask must not decide whether a test's script can run.
	return f.Chmod(mode)
}

func (w *treeWriter) parent(name string) error {
	dir := path.Dir(name)
	if dir == "." || dir == w.made {
		return nil
	}
	w.made = dir
	return w.root.MkdirAll(filepath.FromSlash(dir), 0o755)
}

// link remembers a symbolic link for finish.
func (w *treeWriter) link(name, target string) {
	switch joined := path.Join(path.Dir(name), target); {
	case target == "" || strings.Contains(target, "\x00"):
		w.note("symbolic link %s left out: its target is not a path", name)
	case path.IsAbs(target) || filepath.IsAbs(target):
		w.note("symbolic link %s left out: its target %s is absolute", name, target)
	case joined == ".." || strings.HasPrefix(joined, "../"):
		w.note("symbolic link %s left out: its target %s is outside the repository", name, target)
	default:
		w.links = append(w.links, link{name, target})
	}
}

// finish makes the links, when everything they may lead to exists. A target that
// looks harmless may still lead out through another link, so each one is then
// followed, and removed if it does. Links to nothing are kept: tests may want them.
func (w *treeWriter) finish() error {
	slices.SortFunc(w.links, func(a, b link) int { return cmp.Compare(a.path, b.path) })
	for _, l := range w.links {
		if err := w.parent(l.path); err != nil {
			return err
		}
		if err := w.root.Symlink(filepath.FromSlash(l.target), filepath.FromSlash(l.path)); err != nil {
			return err
		}
	}
	for _, l := range w.links {
		_, err := w.root.Stat(filepath.FromSlash(l.path))
		if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.ENOTDIR) {
			continue
		}
		if err := w.root.Remove(filepath.FromSlash(l.path)); err != nil {
			return err
		}
		w.note("symbolic link %s left out: its target %s leads outside the repository", l.path, l.target)
	}
	return nil
}

func (w *treeWriter) close() error { return w.root.Close() }
