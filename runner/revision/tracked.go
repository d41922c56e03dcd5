package revision

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/format/index"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// trackedFile is what git knows of a file in the working tree.
type trackedFile struct {
	hash plumbing.Hash
	mode filemode.FileMode
	// absent: a sparse checkout left the file out of the working tree. The mode
	// filemode.Dir stands for a whole folder (sparse index).
	absent bool
}

// tracked holds what git knows of the working tree.
type tracked struct {
	files   map[string]trackedFile
	folders map[string]bool // those that hold a tracked file, at any depth
}

func (t *tracked) add(name string, f trackedFile) {
	t.files[name] = f
	for dir := path.Dir(name); dir != "." && !t.folders[dir]; dir = path.Dir(dir) {
		t.folders[dir] = true
	}
}

// trackedFiles reads the index. Kinds of index that go-git does not know: of a
// sparse one it has read all that matters when it gives up; for a split one the
// tree of HEAD stands in, which w notes.
func (r *Repository) trackedFiles(head string, w *treeWriter) (*tracked, error) {
	t := &tracked{files: map[string]trackedFile{}, folders: map[string]bool{}}
	idx, err := r.store.Index()
	switch {
	case err == nil:
	case errors.Is(err, index.ErrUnknownExtension) && hasFolder(idx):
	case errors.Is(err, index.ErrInvalidChecksum) && r.indexUnchecked():
	case errors.Is(err, index.ErrUnknownExtension):
		if head == "" {
			return t, nil
		}
		w.note("the index is split over several files: what is tracked was read from HEAD instead")
		c, err := r.load(plumbing.NewHash(head))
		if err != nil {
			return nil, err
		}
		return t, r.trackTree(c.TreeHash, ".", t)
	default:
		return nil, fmt.Errorf("reading the index of %s: %w", r.root, err)
	}
	for _, e := range idx.Entries {
		// Of a conflict any stage will do: the file on disk is what counts.
		t.add(strings.TrimSuffix(e.Name, "/"), trackedFile{e.Hash, e.Mode, e.SkipWorktree})
	}
	return t, nil
}

func hasFolder(idx *index.Index) bool {
	for _, e := range idx.Entries {
		if e.Mode == filemode.Dir {
			return true
		}
	}
	return false
}

// indexUnchecked reports whether the index was written without a checksum
// (index.skipHash), which go-git takes for a broken one.
func (r *Repository) indexUnchecked() bool {
	f, err := os.Open(filepath.Join(r.gitDir, "index"))
	if err != nil {
		return false
	}
	defer f.Close()
	var sum plumbing.Hash
	if _, err := f.Seek(-int64(len(sum)), io.SeekEnd); err != nil {
		return false
	}
	_, err = io.ReadFull(f, sum[:])
	return err == nil && sum.IsZero()
}

func (r *Repository) trackTree(h plumbing.Hash, dir string, t *tracked) error {
	tree, err := object.GetTree(r.store, h)
	if err != nil {
		return fmt.Errorf("reading the folder %s of HEAD: %w", dir, err)
	}
	for _, e := range tree.Entries {
		name := path.Join(dir, e.Name)
		if e.Mode != filemode.Dir {
			t.add(name, trackedFile{hash: e.Hash, mode: e.Mode})
		} else if err := r.trackTree(e.Hash, name, t); err != nil {
			return err
		}
	}
	return nil
}
