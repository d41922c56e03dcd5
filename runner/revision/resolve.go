package revision

import (
	"context"
	"errors"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/storer"
)

// Version is one side of a comparison.
type Version struct {
	Asked    string // the user's own words, or what stands for them
	Commit   string // full hash; of a working tree that of HEAD, "" while HEAD is unborn
	Subject  string // first line of the commit's message
	Worktree bool   // the working tree with its uncommitted changes
}

// Range is what is compared. Where MergeBase is set, Base is not what was asked
// for but the best common ancestor of that and Head.
type Range struct {
	Base, Head Version
	MergeBase  bool
}

// workingTree is the name of the working tree in Version.Asked.
const workingTree = "working tree"

// Resolve tells the two versions from the command's positional arguments:
//
//	          the merge base of the default branch and HEAD, against the working tree
//	A         A against the working tree
//	A..B      A against B; a missing side is HEAD
//	A...B     the merge base of A and B against B
//	A B       A against B
//
// The default branch is the one that the remote's HEAD names, else
// init.defaultBranch, main or master, on the remote before here. Without any of
// these HEAD itself is the base.
//
// The error is an *ArgumentsError or *UnknownRevisionError where the arguments
// are to blame, otherwise a *ShallowError, *MissingObjectError, ErrBare,
// ErrUnbornHead or ErrNoCommonAncestor.
func (r *Repository) Resolve(ctx context.Context, args []string) (Range, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, arg := range args {
		if arg == "" || strings.HasPrefix(arg, "-") || strings.HasPrefix(arg, "^") {
			return Range{}, &ArgumentsError{Args: args, Reason: "a version cannot be empty or begin with - or ^"}
		}
	}
	switch len(args) {
	case 0:
		return r.resolveDefault(ctx)
	case 1:
		if a, b, ok := strings.Cut(args[0], "..."); ok {
			return r.resolveTwo(ctx, args, a, b, true)
		}
		if a, b, ok := strings.Cut(args[0], ".."); ok {
			return r.resolveTwo(ctx, args, a, b, false)
		}
		return r.resolveOne(args[0])
	case 2:
		return r.resolveTwo(ctx, args, args[0], args[1], false)
	}
	return Range{}, &ArgumentsError{Args: args, Reason: "more than two versions"}
}

func (r *Repository) resolveTwo(ctx context.Context, args []string, a, b string, mergeBase bool) (Range, error) {
	if a == "" && b == "" {
		return Range{}, &ArgumentsError{Args: args, Reason: "both sides are missing"}
	}
	if strings.Contains(a, "..") || strings.Contains(b, "..") {
		return Range{}, &ArgumentsError{Args: args, Reason: "a range inside a range"}
	}
	if a == "" {
		a = "HEAD"
	}
	if b == "" {
		b = "HEAD"
	}
	base, err := r.commit(a)
	if err != nil {
		return Range{}, err
	}
	head, err := r.commit(b)
	if err != nil {
		return Range{}, err
	}
	if mergeBase {
		if base, err = r.mergeBase(ctx, base, head); err != nil {
			return Range{}, nameSides(err, a, b)
		}
	}
	return Range{Base: versionOf(a, base), Head: versionOf(b, head), MergeBase: mergeBase}, nil
}

func (r *Repository) resolveOne(a string) (Range, error) {
	base, err := r.commit(a)
	if err != nil {
		return Range{}, err
	}
	head, err := r.workingTreeVersion()
	if err != nil {
		return Range{}, err
	}
	return Range{Base: versionOf(a, base), Head: head}, nil
}

func (r *Repository) resolveDefault(ctx context.Context) (Range, error) {
	worktree, err := r.workingTreeVersion()
	if err != nil {
		return Range{}, err
	}
	head, err := r.commit("HEAD")
	if err != nil {
		return Range{}, err
	}
	full := r.defaultBranch()
	if full == "" {
		return Range{Base: versionOf("HEAD", head), Head: worktree}, nil
	}
	name := full.Short()
	tip, err := r.commit(full.String())
	if err != nil {
		return Range{}, err
	}
	if tip.Hash == head.Hash {
		return Range{Base: versionOf("HEAD", head), Head: worktree}, nil
	}
	base, err := r.mergeBase(ctx, tip, head)
	if err != nil {
		return Range{}, nameSides(err, name, "HEAD")
	}
	return Range{Base: versionOf(name, base), Head: worktree, MergeBase: true}, nil
}

// defaultBranch finds the full name of the reference to compare with when nothing
// was asked, "" if there is none.
func (r *Repository) defaultBranch() plumbing.ReferenceName {
	remotes := []string{"origin"}
	if all := r.config.remotes(); len(all) == 1 {
		remotes = all // a single remote may have any name
	}
	for _, remote := range remotes {
		head, err := r.store.Reference(plumbing.NewRemoteHEADReferenceName(remote))
		if err == nil && head.Type() == plumbing.SymbolicReference && r.exists(head.Target()) {
			return head.Target()
		}
	}
	for _, branch := range []string{r.config.get("init", "", "defaultBranch"), "main", "master"} {
		if branch == "" {
			continue
		}
		for _, remote := range remotes {
			if name := plumbing.NewRemoteReferenceName(remote, branch); r.exists(name) {
				return name
			}
		}
		if name := plumbing.NewBranchReferenceName(branch); r.exists(name) {
			return name
		}
	}
	return ""
}

func (r *Repository) exists(name plumbing.ReferenceName) bool {
	_, err := storer.ResolveReference(r.store, name)
	return err == nil
}

func (r *Repository) workingTreeVersion() (Version, error) {
	if r.bare {
		return Version{}, ErrBare
	}
	v := Version{Asked: workingTree, Worktree: true}
	head, err := r.commit("HEAD")
	switch {
	case errors.Is(err, ErrUnbornHead):
		return v, nil
	case err != nil:
		return Version{}, err
	}
	v.Commit, v.Subject = head.Hash.String(), subject(head)
	return v, nil
}

func versionOf(asked string, c *object.Commit) Version {
	return Version{Asked: asked, Commit: c.Hash.String(), Subject: subject(c)}
}

func subject(c *object.Commit) string {
	line, _, _ := strings.Cut(strings.TrimLeft(c.Message, "\n"), "\n")
	return strings.TrimSpace(line)
}

// nameSides says in the user's words whose merge base a shallow clone lacks.
func nameSides(err error, a, b string) error {
	if shallow := (*ShallowError)(nil); errors.As(err, &shallow) {
		return &ShallowError{What: "the merge base of \"" + a + "\" and \"" + b + "\""}
	}
	return err
}

// WorkingTree returns the working tree with its uncommitted changes. The error is
// ErrBare where there is none.
func (r *Repository) WorkingTree() (Version, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.workingTreeVersion()
}
