package revision

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// ErrNotRegular is the error for an entry of a commit that is no regular file.
var ErrNotRegular = errors.New("it is a symbolic link")

// File reads one file of a commit, given by its full hash, and at most limit
// bytes of it. name is slash-separated and relative to the repository. A file
// that the commit does not have is an fs.ErrNotExist, a symbolic link an
// ErrNotRegular.
func (r *Repository) File(commit, name string, limit int64) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c, err := r.load(plumbing.NewHash(commit))
	if err != nil {
		return nil, err
	}
	f, err := c.File(name)
	if err != nil {
		return nil, fmt.Errorf("%s in %.10s: %w (%w)", name, commit, fs.ErrNotExist, err)
	}
	if f.Mode == filemode.Symlink {
		return nil, fmt.Errorf("%s in %.10s: %w", name, commit, ErrNotRegular)
	}
	in, err := f.Reader()
	if err != nil {
		return nil, fmt.Errorf("%s in %.10s: %w", name, commit, err)
	}
	defer in.Close()
	return io.ReadAll(io.LimitReader(in, limit))
}
