package revision

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
)

// Repository is a git repository that is only read. Its methods may be called
// from several goroutines; those that read objects take turns.
type Repository struct {
	root   string // top of the working tree; of a bare repository its git directory
	prefix string
	bare   bool

	gitDir    string // of this worktree
	commonDir string // shared by all worktrees

	mu      sync.Mutex // go-git's storage is not safe for concurrent use
	store   *storage
	config  *configuration
	shallow map[plumbing.Hash]bool // commits whose parents a shallow clone lacks
}

// Open finds the repository that holds dir, which may be any folder inside it,
// a linked worktree, a submodule's checkout, or a bare repository. The error is
// a *NotRepositoryError if there is none, an *UnsupportedError if it cannot be
// read. Objects that the repository lacks are looked for in the object
// directories given beside it (each a folder called objects, as in a git
// directory), such as commits that were fetched without touching the repository.
func Open(dir string, objects ...string) (*Repository, error) {
	abs, err := filepath.Abs(dir)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return nil, &NotRepositoryError{Dir: dir, Err: err}
	}
	r, err := locate(abs)
	if err != nil {
		return nil, &NotRepositoryError{Dir: dir, Err: err}
	}
	if r == nil {
		return nil, &NotRepositoryError{Dir: dir}
	}
	if r.config, err = readConfiguration(r.gitDir, r.commonDir); err != nil {
		return nil, &NotRepositoryError{Dir: dir, Err: err}
	}
	if feature := r.config.unsupported(); feature != "" {
		return nil, &UnsupportedError{Dir: r.commonDir, Feature: feature}
	}
	// The git directory of a repository that only has linked worktrees is often
	// put where a working tree would have it.
	if r.gitDir == r.commonDir && r.config.isTrue("core", "bare") {
		r.root, r.prefix, r.bare = r.gitDir, ".", true
	}
	r.store = newStorage(r.gitDir, r.commonDir, objects)
	boundary, err := r.store.Shallow()
	if err != nil {
		return nil, fmt.Errorf("reading where the shallow clone in %s ends: %w", r.commonDir, err)
	}
	r.shallow = make(map[plumbing.Hash]bool, len(boundary))
	for _, h := range boundary {
		r.shallow[h] = true
	}
	return r, nil
}

// locate walks up from dir, an absolute path without symbolic links, to the first
// repository; nil if there is none.
func locate(dir string) (*Repository, error) {
	for at := dir; ; at = filepath.Dir(at) {
		gitDir, err := gitDirOf(at)
		if err != nil {
			return nil, err
		}
		if gitDir == "" && filepath.Base(at) == ".git" && isGitDir(at) {
			// Inside the git directory of a working tree: what is meant is its top.
			top := filepath.Dir(at)
			return newRepository(top, top, at, false)
		}
		bare := gitDir == "" && isGitDir(at)
		if bare {
			gitDir = at
		}
		if gitDir != "" {
			return newRepository(dir, at, gitDir, bare)
		}
		if at == filepath.Dir(at) {
			return nil, nil
		}
	}
}

func newRepository(dir, root, gitDir string, bare bool) (*Repository, error) {
	r := &Repository{root: root, prefix: ".", gitDir: gitDir, commonDir: gitDir, bare: bare}
	if !bare {
		rel, err := filepath.Rel(root, dir)
		if err != nil {
			return nil, err
		}
		r.prefix = filepath.ToSlash(rel)
	}
	common, err := os.ReadFile(filepath.Join(gitDir, "commondir"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return r, nil
	case err != nil:
		return nil, err
	}
	r.commonDir = strings.TrimSpace(string(common))
	if !filepath.IsAbs(r.commonDir) {
		r.commonDir = filepath.Join(gitDir, r.commonDir)
	}
	if !isDir(r.commonDir) {
		return nil, fmt.Errorf("the linked worktree at %s belongs to %s, which does not exist: "+
			"run `git worktree repair` in the main repository", root, r.commonDir)
	}
	return r, nil
}

// gitDirOf returns the git directory of the working tree whose top is at, "" if
// at is no such top.
func gitDirOf(at string) (string, error) {
	path := filepath.Join(at, ".git")
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", err
	case info.IsDir():
		if !isGitDir(path) {
			return "", nil // git goes on looking above an empty .git, too
		}
		return path, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	target, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir:")
	if !ok {
		return "", fmt.Errorf("%s is neither a directory nor a link to a git directory", path)
	}
	target = strings.TrimSpace(target)
	if !filepath.IsAbs(target) {
		target = filepath.Join(at, target)
	}
	if !isDir(target) {
		return "", fmt.Errorf("%s names the git directory %s, which does not exist: "+
			"run `git worktree repair` in the main repository", path, target)
	}
	return filepath.Clean(target), nil
}

// isGitDir reports whether a folder is a git directory, by git's own test.
func isGitDir(path string) bool {
	if _, err := os.Lstat(filepath.Join(path, "HEAD")); err != nil {
		return false
	}
	if _, err := os.Lstat(filepath.Join(path, "commondir")); err == nil {
		return true
	}
	return isDir(filepath.Join(path, "objects")) && isDir(filepath.Join(path, "refs"))
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Root is the top of the working tree, absolute and without symbolic links; of a
// bare repository it is the repository itself.
func (r *Repository) Root() string { return r.root }

// Prefix is the slash path, inside the repository, of the folder that was opened;
// "." at its top.
func (r *Repository) Prefix() string { return r.prefix }

// Origin is the URL of the remote called origin, "" without one.
func (r *Repository) Origin() string { return r.config.get("remote", "origin", "url") }
