package revision

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// ErrNotRegular is the error for a symbolic link in a commit.
var ErrNotRegular = errors.New("it is a symbolic link")

// File reads one file of a commit, given by its full hash, and at most limit
// bytes of it. name is slash-separated and relative to the repository. A file
// that the commit does not have is an fs.ErrNotExist, a symbolic link an
// ErrNotRegular, and one whose content is not in the repository a
// *MissingObjectError: it is there, whatever it says.
func (r *Repository) File(commit, name string, limit int64) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c, err := r.load(plumbing.NewHash(commit))
	if err != nil {
		return nil, err
	}
	e, err := r.entry(c, name)
	if err != nil {
		return nil, fmt.Errorf("%s in %.10s: %w", name, commit, err)
	}
	blob, err := object.GetBlob(r.store, e.Hash)
	if err != nil {
		return nil, r.unread(err, e.Hash, name, commit)
	}
	in, err := blob.Reader()
	if err != nil {
		return nil, fmt.Errorf("%s in %.10s: %w", name, commit, err)
	}
	defer in.Close()
	return io.ReadAll(io.LimitReader(in, limit))
}

// entry finds a regular file in a commit.
func (r *Repository) entry(c *object.Commit, name string) (*object.TreeEntry, error) {
	at := c.TreeHash
	for parts := strings.Split(name, "/"); ; parts = parts[1:] {
		tree, err := object.GetTree(r.store, at)
		if err != nil {
			return nil, r.unread(err, at, name, c.Hash.String())
		}
		e, err := tree.FindEntry(parts[0])
		switch last := len(parts) == 1; {
		case err != nil:
			return nil, fmt.Errorf("%w (%w)", fs.ErrNotExist, err)
		case last && e.Mode == filemode.Symlink:
			return nil, ErrNotRegular
		case last && e.Mode.IsFile():
			return e, nil
		case last || e.Mode != filemode.Dir:
			return nil, fs.ErrNotExist
		}
		at = e.Hash
	}
}

// unread says why an object that a commit names cannot be read.
func (r *Repository) unread(err error, h plumbing.Hash, name, commit string) error {
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		return &MissingObjectError{Object: h.String(), What: name, Commit: commit, Partial: r.config.partialClone()}
	}
	return fmt.Errorf("reading %s: %w", h, err)
}
