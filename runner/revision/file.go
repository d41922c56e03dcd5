package revision

import (
	"fmt"
	"io"
	"io/fs"

	"github.com/go-git/go-git/v5/plumbing"
)

// File reads one file of a commit, given by its full hash, and at most limit
// bytes of it. name is slash-separated and relative to the repository. A file
// that the commit does not have is an fs.ErrNotExist.
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
	in, err := f.Reader()
	if err != nil {
		return nil, fmt.Errorf("%s in %.10s: %w", name, commit, err)
	}
	defer in.Close()
	return io.ReadAll(io.LimitReader(in, limit))
}
