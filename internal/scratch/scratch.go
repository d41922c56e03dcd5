package scratch

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// Folder is a place for temporary files.
type Folder struct {
	path string
	lock *os.File // nil where there are no locks
}

// prefix of the folders' names; digits follow.
const prefix = "isodelta-"

var folderName = regexp.MustCompile(`^` + prefix + `[0-9]+$`)

// lockFile, in a folder, is locked while the folder is in use.
const lockFile = ".isodelta-lock"

// Make makes a folder below parent, "" for the system's folder for temporary
// files, and removes what killed runs left there.
func Make(parent string) (*Folder, error) {
	if parent == "" {
		parent = os.TempDir()
	}
	removeLeft(parent)
	path, err := os.MkdirTemp(parent, prefix)
	if err != nil {
		return nil, fmt.Errorf("folder for temporary files: %w; set TMPDIR to one that can be written to", err)
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return nil, err
	}
	return &Folder{path, lockNew(path)}, nil
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
		if !e.IsDir() || !folderName.MatchString(e.Name()) {
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
