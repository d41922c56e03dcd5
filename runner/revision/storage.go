package revision

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

// streamAbove is the size in bytes from which blobs are read as streams rather
// than into memory.
const streamAbove = 4 << 20

// openPacks is how many files of packed objects stay open. Opening one for each
// object takes as long as reading it.
const openPacks = 16

// storage reads objects from a git directory and from the object directories it
// borrows from or is given beside them. The embedded storage of the git directory itself also gives
// references, index and shallow boundary.
type storage struct {
	*filesystem.Storage
	borrowed []*filesystem.Storage
}

func newStorage(gitDir, commonDir string, beside []string) *storage {
	var dot billy.Filesystem = readOnly{osfs.New(gitDir)}
	if commonDir != gitDir {
		dot = readOnly{dotgit.NewRepositoryFilesystem(dot, readOnly{osfs.New(commonDir)})}
	}
	s := &storage{Storage: storageOf(dot)}
	for _, objects := range slices.Concat(alternates(filepath.Join(commonDir, "objects"), nil), beside) {
		// go-git expects a git directory, of which it then only reads objects/.
		if filepath.Base(objects) == "objects" {
			s.borrowed = append(s.borrowed, storageOf(readOnly{osfs.New(filepath.Dir(objects))}))
		}
	}
	return s
}

func storageOf(dot billy.Filesystem) *filesystem.Storage {
	return filesystem.NewStorageWithOptions(dot, cache.NewObjectLRUDefault(),
		filesystem.Options{LargeObjectThreshold: streamAbove, MaxOpenDescriptors: openPacks})
}

// alternates lists the object directories that objects borrows from, directly
// and indirectly, without those in seen.
func alternates(objects string, seen []string) []string {
	f, err := os.Open(filepath.Join(objects, "info", "alternates"))
	if err != nil {
		return nil
	}
	defer f.Close()
	var found []string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		path := strings.TrimSpace(lines.Text())
		if path == "" || strings.HasPrefix(path, "#") {
			continue
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(objects, path)
		}
		path = filepath.Clean(path)
		if path == objects || slices.Contains(seen, path) || slices.Contains(found, path) {
			continue
		}
		found = append(found, path)
		found = append(found, alternates(path, append(append([]string{objects}, seen...), found...))...)
	}
	return found
}

func (s *storage) all() []*filesystem.Storage {
	return append([]*filesystem.Storage{s.Storage}, s.borrowed...)
}

// EncodedObject implements storer.EncodedObjectStorer.
func (s *storage) EncodedObject(t plumbing.ObjectType, h plumbing.Hash) (plumbing.EncodedObject, error) {
	for _, one := range s.all() {
		object, err := one.EncodedObject(t, h)
		if !errors.Is(err, plumbing.ErrObjectNotFound) {
			return object, err
		}
	}
	return nil, plumbing.ErrObjectNotFound
}

// HasEncodedObject implements storer.EncodedObjectStorer.
func (s *storage) HasEncodedObject(h plumbing.Hash) error {
	for _, one := range s.all() {
		if err := one.HasEncodedObject(h); !errors.Is(err, plumbing.ErrObjectNotFound) {
			return err
		}
	}
	return plumbing.ErrObjectNotFound
}

// EncodedObjectSize implements storer.EncodedObjectStorer.
func (s *storage) EncodedObjectSize(h plumbing.Hash) (int64, error) {
	for _, one := range s.all() {
		size, err := one.EncodedObjectSize(h)
		if !errors.Is(err, plumbing.ErrObjectNotFound) {
			return size, err
		}
	}
	return 0, plumbing.ErrObjectNotFound
}

// hashesWithPrefix lists the objects whose hexadecimal name begins with hex.
func (s *storage) hashesWithPrefix(hex string) []plumbing.Hash {
	// Whole bytes only: the last digit of an odd number is compared afterwards.
	prefix := plumbing.NewHash(hex[:len(hex)&^1] + strings.Repeat("0", 40-len(hex)&^1))
	var found []plumbing.Hash
	for _, one := range s.all() {
		hashes, err := one.HashesWithPrefix(prefix[:len(hex)/2])
		if err != nil {
			continue
		}
		for _, h := range hashes {
			if strings.HasPrefix(h.String(), hex) && !slices.Contains(found, h) {
				found = append(found, h)
			}
		}
	}
	slices.SortFunc(found, func(a, b plumbing.Hash) int { return strings.Compare(a.String(), b.String()) })
	return found
}

// readOnly is a file system without the operations that write. It also hides the
// list of alternates, which storage reads by itself.
type readOnly struct{ billy.Filesystem }

func (r readOnly) hidden(name string) error {
	if strings.HasSuffix(filepath.ToSlash(name), "objects/info/alternates") {
		return &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return nil
}

func (r readOnly) Open(name string) (billy.File, error) {
	if err := r.hidden(name); err != nil {
		return nil, err
	}
	return r.Filesystem.Open(name)
}

func (r readOnly) OpenFile(name string, flag int, perm os.FileMode) (billy.File, error) {
	if flag&(os.O_WRONLY|os.O_RDWR|os.O_CREATE|os.O_TRUNC|os.O_APPEND) != 0 {
		return nil, billy.ErrReadOnly
	}
	if err := r.hidden(name); err != nil {
		return nil, err
	}
	return r.Filesystem.OpenFile(name, flag, perm)
}

func (r readOnly) Chroot(path string) (billy.Filesystem, error) {
	sub, err := r.Filesystem.Chroot(path)
	if err != nil {
		return nil, err
	}
	return readOnly{sub}, nil
}

func (readOnly) Create(string) (billy.File, error)           { return nil, billy.ErrReadOnly }
func (readOnly) TempFile(string, string) (billy.File, error) { return nil, billy.ErrReadOnly }
func (readOnly) Rename(string, string) error                 { return billy.ErrReadOnly }
func (readOnly) Remove(string) error                         { return billy.ErrReadOnly }
func (readOnly) MkdirAll(string, os.FileMode) error          { return billy.ErrReadOnly }
func (readOnly) Symlink(string, string) error                { return billy.ErrReadOnly }
