package revision

import (
	"context"
	"errors"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// CommonDir is the git directory that all worktrees of the repository share.
func (r *Repository) CommonDir() string { return r.commonDir }

// Setting is the value of section.subsection.key in git's configuration, "" if
// there is none.
func (r *Repository) Setting(section, subsection, key string) string {
	return r.config.get(section, subsection, key)
}

// Boundary lists the commits, as full hashes, at which a shallow clone ends.
func (r *Repository) Boundary() []string {
	var hashes []string
	for h := range r.shallow {
		hashes = append(hashes, h.String())
	}
	slices.Sort(hashes)
	return hashes
}

// Parents lists the parents that a commit names by its full hash, also where a
// shallow clone does not hold them.
func (r *Repository) Parents(commit string) ([]string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c, err := r.load(plumbing.NewHash(commit))
	if err != nil {
		return nil, err
	}
	var parents []string
	for _, h := range c.ParentHashes {
		parents = append(parents, h.String())
	}
	return parents, nil
}

// Tree is the hash of a commit's tree: two commits with the same one hold the
// same files.
func (r *Repository) Tree(commit string) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c, err := r.load(plumbing.NewHash(commit))
	if err != nil {
		return "", err
	}
	return c.TreeHash.String(), nil
}

// Has reports whether an object is here, whatever it refers to.
func (r *Repository) Has(hash string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.store.HasEncodedObject(plumbing.NewHash(hash)) == nil
}

// Whole reports whether a commit is here with all its files. It is not in a clone
// that is shallow before it, and need not be in a partial one.
func (r *Repository) Whole(ctx context.Context, commit string) (bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c, err := object.GetCommit(r.store, plumbing.NewHash(commit))
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return r.wholeTree(ctx, c.TreeHash, map[plumbing.Hash]bool{})
}

func (r *Repository) wholeTree(ctx context.Context, h plumbing.Hash, seen map[plumbing.Hash]bool) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	tree, err := object.GetTree(r.store, h)
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	for _, e := range tree.Entries {
		if seen[e.Hash] || e.Mode == filemode.Submodule {
			continue // the commit of a submodule is another repository's
		}
		seen[e.Hash] = true
		whole := r.store.HasEncodedObject(e.Hash) == nil
		if whole && e.Mode == filemode.Dir {
			if whole, err = r.wholeTree(ctx, e.Hash, seen); err != nil {
				return false, err
			}
		}
		if !whole {
			return false, nil
		}
	}
	return true, nil
}

// Tags maps the short names of the tags to the full hashes of the commits that
// they stand for. Tags of anything else are left out.
func (r *Repository) Tags() (map[string]string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	refs, err := r.store.IterReferences()
	if err != nil {
		return nil, err
	}
	tags := map[string]string{}
	err = refs.ForEach(func(ref *plumbing.Reference) error {
		if !ref.Name().IsTag() {
			return nil
		}
		if c, err := r.peel(ref.Name().Short(), ref.Hash()); err == nil {
			tags[ref.Name().Short()] = c.Hash.String()
		}
		return nil
	})
	return tags, err
}
