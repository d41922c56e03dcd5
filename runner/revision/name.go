package revision

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/storer"
)

var (
	fullHash      = regexp.MustCompile(`^[0-9a-fA-F]{40}$`)
	shortHash     = regexp.MustCompile(`^[0-9a-fA-F]{4,39}$`)
	describedHash = regexp.MustCompile(`-g([0-9a-f]{4,40})$`) // output of git describe
	pseudoRef     = regexp.MustCompile(`^[A-Z_]+$`)           // HEAD, FETCH_HEAD, ...
)

// commit finds the commit that a revision expression names: a name, followed by
// any number of ~N, ^N, ^{} and ^{commit}.
func (r *Repository) commit(expression string) (*object.Commit, error) {
	name, steps := expression, ""
	if i := strings.IndexAny(expression, "~^"); i >= 0 {
		name, steps = expression[:i], expression[i:]
	}
	c, err := r.named(expression, name)
	for err == nil && steps != "" {
		c, steps, err = r.step(expression, c, steps)
	}
	return c, err
}

// step applies the first of steps to c, and returns the other steps.
func (r *Repository) step(expression string, c *object.Commit, steps string) (*object.Commit, string, error) {
	kind, rest := steps[0], steps[1:]
	if kind == '^' && strings.HasPrefix(rest, "{") {
		peel, after, ok := strings.Cut(rest[1:], "}")
		if !ok || peel != "" && peel != "commit" && peel != "object" {
			return nil, "", &UnknownRevisionError{Revision: expression,
				Reason: fmt.Sprintf("%q is not understood", "^"+rest)}
		}
		return c, after, nil
	}
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	n, rest, err := 1, rest[digits:], error(nil)
	if count := steps[1 : 1+digits]; count != "" {
		if n, err = strconv.Atoi(count); err != nil {
			return nil, "", &UnknownRevisionError{Revision: expression, Reason: count + " is too large a number"}
		}
	}
	if rest != "" && rest[0] != '~' && rest[0] != '^' {
		return nil, "", &UnknownRevisionError{Revision: expression, Reason: fmt.Sprintf("%q is not understood", rest)}
	}
	if kind == '^' {
		if n > 0 {
			c, err = r.parent(expression, c, n)
		}
		return c, rest, err
	}
	for ; n > 0 && err == nil; n-- {
		c, err = r.parent(expression, c, 1)
	}
	return c, rest, err
}

// parent returns the n-th parent of c, the first being 1.
func (r *Repository) parent(expression string, c *object.Commit, n int) (*object.Commit, error) {
	if r.shallow[c.Hash] {
		return nil, &ShallowError{What: fmt.Sprintf("the commit %q", expression)}
	}
	if have := len(c.ParentHashes); n > have {
		parents := [...]string{"has no parent", "has only one parent"}
		reason := fmt.Sprintf("has only %d parents", have)
		if have < len(parents) {
			reason = parents[have]
		}
		return nil, &UnknownRevisionError{Revision: expression,
			Reason: fmt.Sprintf("commit %s %s", c.Hash.String()[:10], reason)}
	}
	return r.load(c.ParentHashes[n-1])
}

// load reads the commit h, which something in the repository names.
func (r *Repository) load(h plumbing.Hash) (*object.Commit, error) {
	c, err := object.GetCommit(r.store, h)
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		if len(r.shallow) > 0 {
			return nil, &ShallowError{What: "the commit " + h.String()}
		}
		return nil, &MissingObjectError{Object: h.String(), What: "a commit", Partial: r.config.partialClone()}
	}
	if err != nil {
		return nil, fmt.Errorf("reading commit %s: %w", h, err)
	}
	return c, nil
}

// named finds the commit of a name without steps, with git's order of preference:
// a full hash, a reference, the output of git describe, an abbreviated hash.
func (r *Repository) named(expression, name string) (*object.Commit, error) {
	if fullHash.MatchString(name) {
		return r.byHash(expression, plumbing.NewHash(name))
	}
	if name == "@" {
		name = "HEAD"
	}
	if i := strings.Index(name, "@{"); i >= 0 {
		full, err := r.upstream(expression, name[:i], name[i:])
		if err != nil {
			return nil, err
		}
		name = full
	}
	if h, ok := r.reference(name); ok {
		return r.peel(expression, h)
	}
	if name == "HEAD" {
		return nil, ErrUnbornHead
	}
	short := ""
	if m := describedHash.FindStringSubmatch(name); m != nil {
		short = m[1]
	} else if shortHash.MatchString(name) {
		short = strings.ToLower(name)
	}
	if short != "" {
		if c, err := r.byPrefix(expression, short); c != nil || err != nil {
			return c, err
		}
	}
	return nil, r.unknown(expression, name)
}

// reference expands a name as git does, and follows symbolic references.
func (r *Repository) reference(name string) (plumbing.Hash, bool) {
	if name == "" || strings.ContainsAny(name, " \t\n:?*[\\") || strings.Contains(name, "..") {
		return plumbing.ZeroHash, false
	}
	for i, rule := range plumbing.RefRevParseRules {
		// A bare name is looked up at the top of the git directory only where
		// references live there, or `config` would be read as one.
		if i == 0 && !strings.HasPrefix(name, "refs/") && !pseudoRef.MatchString(name) {
			continue
		}
		ref, err := storer.ResolveReference(r.store, plumbing.ReferenceName(fmt.Sprintf(rule, name)))
		if err == nil && !ref.Hash().IsZero() {
			return ref.Hash(), true
		}
	}
	return plumbing.ZeroHash, false
}

// upstream expands branch@{upstream}.
func (r *Repository) upstream(expression, branch, suffix string) (string, error) {
	if s := strings.ToLower(suffix); s != "@{u}" && s != "@{upstream}" {
		return "", &UnknownRevisionError{Revision: expression,
			Reason: fmt.Sprintf("%q (reflog) is not understood, name the commit", suffix)}
	}
	if branch == "" || branch == "HEAD" || branch == "@" {
		head, err := r.store.Reference(plumbing.HEAD)
		if err != nil || head.Type() != plumbing.SymbolicReference {
			return "", &UnknownRevisionError{Revision: expression, Reason: "HEAD is not on a branch"}
		}
		branch = head.Target().Short()
	}
	remote, merge := r.config.get("branch", branch, "remote"), r.config.get("branch", branch, "merge")
	if remote == "" || merge == "" {
		return "", &UnknownRevisionError{Revision: expression,
			Reason: fmt.Sprintf("branch %q has no upstream", branch)}
	}
	if remote == "." {
		return merge, nil
	}
	return "refs/remotes/" + remote + "/" + strings.TrimPrefix(merge, "refs/heads/"), nil
}

// byHash finds the commit of a full hash that the user wrote.
func (r *Repository) byHash(expression string, h plumbing.Hash) (*object.Commit, error) {
	if err := r.store.HasEncodedObject(h); err != nil {
		if len(r.shallow) > 0 {
			return nil, &ShallowError{What: "the commit " + h.String()}
		}
		return nil, &UnknownRevisionError{Revision: expression, Reason: "no such commit in this repository",
			Hint: "run `git fetch` if it was made elsewhere"}
	}
	return r.peel(expression, h)
}

// byPrefix finds the only commit whose hash begins with short; nil without an
// error if there is none.
func (r *Repository) byPrefix(expression, short string) (*object.Commit, error) {
	var commits []plumbing.Hash
	for _, h := range r.store.hashesWithPrefix(short) {
		o, err := r.store.EncodedObject(plumbing.AnyObject, h)
		if err == nil && (o.Type() == plumbing.CommitObject || o.Type() == plumbing.TagObject) {
			commits = append(commits, h)
		}
	}
	switch len(commits) {
	case 0:
		if len(r.shallow) > 0 && len(short) >= 7 {
			return nil, &ShallowError{What: "a commit " + short}
		}
		return nil, nil
	case 1:
		return r.peel(expression, commits[0])
	}
	var names []string
	for _, h := range commits {
		names = append(names, h.String()[:min(len(short)+4, 40)])
	}
	return nil, &UnknownRevisionError{Revision: expression,
		Reason: "several commits begin like this, write more digits", Suggestions: names}
}

// peel follows tags from h to a commit.
func (r *Repository) peel(expression string, h plumbing.Hash) (*object.Commit, error) {
	for {
		o, err := r.store.EncodedObject(plumbing.AnyObject, h)
		if errors.Is(err, plumbing.ErrObjectNotFound) {
			return r.load(h) // reports what is missing
		}
		if err != nil {
			return nil, fmt.Errorf("reading object %s: %w", h, err)
		}
		switch o.Type() {
		case plumbing.CommitObject:
			return object.DecodeCommit(r.store, o)
		case plumbing.TagObject:
			tag, err := object.DecodeTag(r.store, o)
			if err != nil {
				return nil, fmt.Errorf("reading tag %s: %w", h, err)
			}
			h = tag.Target
		default:
			return nil, &UnknownRevisionError{Revision: expression, Reason: fmt.Sprintf("it is a %s, not a commit", o.Type())}
		}
	}
}
