package scratch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/isodelta/isodelta/internal/lazyregexp"
)

// Folder is a place for temporary files.
type Folder struct {
	path string
	lock *os.File // nil where there are no locks
}

// prefix of the folders' names; digits follow.
const prefix = "isodelta-"

var folderName = lazyregexp.New(`^` + prefix + `[0-9]+$`)

// lockFile, in a folder, is locked while the folder is in use.
const lockFile = ".isodelta-lock"

// Make makes a folder below parent, "" for the system's folder for temporary
// files, and removes what killed runs left there.
func Make(parent string) (*Folder, error) {
	if parent == "" {
		parent = os.TempDir()
	}
	removeLeft(parent)
	path, err := lowest(parent)
	if err != nil {
		return nil, fmt.Errorf("folder for temporary files: %w; set TMPDIR to one that can be written to", err)
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return nil, err
	}
	return &Folder{path, lockNew(path)}, nil
}

// lowest makes the folder with the lowest free number. The go command keeps what
// it compiled by the folder of the source: a run that has the name of the run
// before finds there what has not changed since. Whoever may write to parent can
// take names beforehand, so after some of them the name is random.
func lowest(parent string) (string, error) {
	const tries = 100
	for n := 1; n <= tries; n++ {
		path := filepath.Join(parent, fmt.Sprint(prefix, n))
		if err := os.Mkdir(path, 0o700); !errors.Is(err, fs.ErrExist) {
			return path, err
		}
	}
	return os.MkdirTemp(parent, prefix)
}

// Path is the folder's path, without links.
func (f *Folder) Path() string { return f.path }

// Close removes the folder.
func (f *Folder) Close() {
	RemoveAll(f.path)
	if f.lock != nil {
		f.lock.Close()
	}
}

// removeLeft removes the folders below parent whose makers are gone.
func removeLeft(parent string) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !e.IsDir() || !folderName().MatchString(e.Name()) {
			continue
		}
		dir := filepath.Join(parent, e.Name())
		if lock := lockLeft(dir); lock != nil {
			removeLockLast(dir)
			lock.Close()
		}
	}
}

// removeLockLast keeps a folder recognisable that cannot be removed whole, since
// a compiler that survived its run still writes to it: then the next run tries
// again.
func removeLockLast(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	whole := true
	for _, e := range entries {
		if name := filepath.Join(dir, e.Name()); e.Name() != lockFile {
			RemoveAll(name)
			_, err := os.Lstat(name)
			whole = whole && os.IsNotExist(err)
		}
	}
	if whole {
		RemoveAll(dir)
	}
}
