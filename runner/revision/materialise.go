package revision

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// Materialise writes the files of v below dir, which is made and must be empty.
// notes lists, for the reader of the report, what was left out: submodules,
// symbolic links that lead out of the tree, files that are stored elsewhere.
// On an error dir may hold a part of the files; it is the caller's to remove.
func (r *Repository) Materialise(ctx context.Context, v Version, dir string) (notes []string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.keepOut(dir); err != nil {
		return nil, err
	}
	w, err := newTreeWriter(dir)
	if err != nil {
		return nil, fmt.Errorf("laying out %s: %w", v.Asked, err)
	}
	defer func() { err = errors.Join(err, w.close()) }()
	if v.Worktree {
		err = r.copyWorkingTree(ctx, v, w)
	} else {
		err = r.writeCommit(ctx, v, w)
	}
	if err == nil {
		err = w.finish()
	}
	if err != nil {
		return w.notes, fmt.Errorf("laying out %s: %w", v.Asked, err)
	}
	return w.notes, nil
}

// keepOut makes sure that dir is not in the user's repository.
func (r *Repository) keepOut(dir string) error {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	// dir need not exist yet; what exists of it decides where it really is.
	existing, rest := abs, ""
	for {
		if real, err := filepath.EvalSymlinks(existing); err == nil {
			abs = filepath.Join(real, rest)
			break
		}
		if existing == filepath.Dir(existing) {
			break
		}
		existing, rest = filepath.Dir(existing), filepath.Join(filepath.Base(existing), rest)
	}
	for _, taken := range []string{r.root, r.gitDir, r.commonDir} {
		if rel, err := filepath.Rel(taken, abs); err == nil && filepath.IsLocal(rel) {
			return fmt.Errorf("%s: %w", dir, ErrInsideRepository)
		}
	}
	return nil
}

// writeCommit writes the tree of a commit.
func (r *Repository) writeCommit(ctx context.Context, v Version, w *treeWriter) error {
	c, err := r.load(plumbing.NewHash(v.Commit))
	if err != nil {
		return err
	}
	t := treeWalk{r: r, commit: v.Commit, w: w}
	err = t.write(ctx, c.TreeHash, ".")
	t.noteAbsent()
	return err
}

// treeWalk writes git trees. Only the entries of the trees on the way from the
// root to the current file are in memory.
type treeWalk struct {
	r      *Repository
	commit string // for error messages
	w      *treeWriter
	absent []string // files and folders whose content the repository does not have
}

func (t *treeWalk) write(ctx context.Context, h plumbing.Hash, dir string) error {
	tree, err := object.GetTree(t.r.store, h)
	if err != nil {
		return t.leaveOut(err, h, dir, "the folder "+dir)
	}
	for _, entry := range tree.Entries {
		name := path.Join(dir, entry.Name)
		if err := ctx.Err(); err != nil {
			return err
		}
		if !safeName(entry.Name) {
			t.w.note("%q left out: such a name cannot be written safely", name)
			continue
		}
		if entry.Mode == filemode.Dir {
			err = t.write(ctx, entry.Hash, name)
		} else {
			err = t.entry(name, entry.Mode, entry.Hash)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// entry writes one tree or index entry that is not a folder.
func (t *treeWalk) entry(name string, mode filemode.FileMode, h plumbing.Hash) error {
	if mode == filemode.Submodule {
		t.w.note("submodule %s left out", name)
		return nil
	}
	blob, err := object.GetBlob(t.r.store, h)
	if err != nil {
		return t.leaveOut(err, h, name, name)
	}
	content, err := blob.Reader()
	if err != nil {
		return t.missing(err, h, name)
	}
	defer content.Close()
	if mode == filemode.Symlink {
		target, err := io.ReadAll(io.LimitReader(content, maxLink))
		if err != nil {
			return fmt.Errorf("reading %s: %w", name, err)
		}
		t.w.link(name, string(target))
		return nil
	}
	if blob.Size > maxPointer {
		return t.w.file(name, mode == filemode.Executable, content)
	}
	text, err := io.ReadAll(content)
	if err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	if strings.HasPrefix(string(text), lfsPointer) {
		t.w.note("%s is stored with Git LFS: only the pointer was written", name)
	}
	return t.w.file(name, mode == filemode.Executable, bytes.NewReader(text))
}

const (
	maxLink    = 64 << 10 // bytes of a symbolic link's target; systems allow far fewer
	maxPointer = 1 << 10  // bytes; the Git LFS specification's limit for a pointer
	lfsPointer = "version https://git-lfs.github.com/spec/v1\n"
)

// leaveOut notes an object that the repository does not have, where nothing is built of it;
// what tests read at run time they then miss. Otherwise it returns an error.
func (t *treeWalk) leaveOut(err error, h plumbing.Hash, name, what string) error {
	if errors.Is(err, plumbing.ErrObjectNotFound) && !built(name, what != name) {
		t.absent = append(t.absent, name)
		return nil
	}
	return t.missing(err, h, what)
}

// noteAbsent names what was left out.
func (t *treeWalk) noteAbsent() {
	const named = 5
	for _, name := range t.absent[:min(len(t.absent), named)] {
		t.w.note("%s left out: the repository does not have its content", name)
	}
	if n := len(t.absent) - named; n > 0 {
		t.w.note("%s left out, too, since the repository does not have their content", count(n, "more file or folder", "more files or folders"))
	}
}

func (t *treeWalk) missing(err error, h plumbing.Hash, what string) error {
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		return &MissingObjectError{Object: h.String(), What: what, Commit: t.commit, Partial: t.r.config.partialClone()}
	}
	return fmt.Errorf("reading %s: %w", what, err)
}
