package revision

import (
	"errors"
	"fmt"
	"strings"
)

// Mistakes of the caller or states of the repository without further detail.
// Test for them with errors.Is.
var (
	// ErrUnbornHead: HEAD names a branch without a commit.
	ErrUnbornHead = errors.New("HEAD has no commit yet: make a first commit, or name both versions")
	// ErrBare: a bare repository has no working tree to compare.
	ErrBare = errors.New("the repository is bare and has no working tree: name two commits, as in main..feature")
	// ErrNoCommonAncestor: the two histories never meet, so there is no merge base.
	ErrNoCommonAncestor = errors.New("the two versions have no common ancestor: compare them directly, as in A..B")
	// ErrInsideRepository: the tree would be written into the user's repository.
	ErrInsideRepository = errors.New("the directory for the versions lies inside the repository itself: set TMPDIR to a directory outside it")
)

// NotRepositoryError says that neither a folder nor any above it is a repository.
type NotRepositoryError struct {
	Dir string // as given to Open
	Err error  // what went wrong, nil if there is simply none
}

func (e *NotRepositoryError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("no usable git repository at %s: %v", e.Dir, e.Err)
	}
	return fmt.Sprintf("%s is not in a git repository: run the command inside one, or name one with -C DIR", e.Dir)
}

func (e *NotRepositoryError) Unwrap() error { return e.Err }

// ArgumentsError says that the positional arguments have no meaning.
type ArgumentsError struct {
	Args   []string
	Reason string
}

func (e *ArgumentsError) Error() string {
	return fmt.Sprintf("cannot tell the versions from %q: %s (give nothing, A, A..B, A...B, or A B)",
		strings.Join(e.Args, " "), e.Reason)
}

// UnknownRevisionError says that a text names no commit.
type UnknownRevisionError struct {
	Revision    string   // the text, as the user wrote it
	Reason      string   // why, empty when nothing has that name
	Suggestions []string // branches and tags with near names, best first
	Hint        string   // what to do next, may be empty
}

func (e *UnknownRevisionError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "unknown revision %q: ", e.Revision)
	if e.Reason != "" {
		b.WriteString(e.Reason)
	} else {
		b.WriteString("no branch, tag or commit of that name")
	}
	if len(e.Suggestions) > 0 {
		fmt.Fprintf(&b, "; did you mean %s?", strings.Join(e.Suggestions, ", "))
	}
	if e.Hint != "" {
		fmt.Fprintf(&b, "; %s", e.Hint)
	}
	return b.String()
}

// ShallowError says that a shallow clone ends before the commit that is needed.
type ShallowError struct {
	What string // what is missing, for example `the merge base of "main" and "HEAD"`
}

func (e *ShallowError) Error() string {
	return fmt.Sprintf("this clone is shallow and does not hold %s: run `git fetch --unshallow`, "+
		"or `git fetch --deepen=N` with a large enough N; with actions/checkout set `fetch-depth: 0`", e.What)
}

// UnsupportedError says that the repository is stored in a way that cannot be read.
type UnsupportedError struct {
	Dir     string // the git directory
	Feature string
}

func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("the repository at %s uses %s, which is not supported: convert a clone of it with "+
		"`git clone` into a SHA-1 repository with file references, and run there", e.Dir, e.Feature)
}

// MissingObjectError says that an object which the history names is not here.
type MissingObjectError struct {
	Object  string // full hash
	What    string // what it is, for example the path of a file
	Commit  string // full hash of the version it belongs to, may be empty
	Partial bool   // the repository is a partial clone
}

func (e *MissingObjectError) Error() string {
	msg := fmt.Sprintf("object %s (%s) is not in the repository", e.Object, e.What)
	switch {
	case e.Partial && e.Commit != "":
		return msg + fmt.Sprintf(": this is a partial clone; run `git archive %s >/dev/null`, "+
			"which fetches the files of that commit, or clone again without --filter", e.Commit)
	case e.Partial:
		return msg + ": this is a partial clone; clone again without --filter"
	default:
		return msg + ": run `git fsck` to see what is broken, or clone again"
	}
}
