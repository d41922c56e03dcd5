package checkout

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/internal/scratch"
	"github.com/isodelta/isodelta/runner/revision"
)

// Options say where the checkout is and where what it lacks comes from.
type Options struct {
	Dir        string // any folder of the checkout
	Temp       string // where the store is made; "" is the system's folder for temporary files
	Server     string // address of the workflow's server, GITHUB_SERVER_URL; "" for none
	Repository string // owner/name on that server; "" for none
	Token      string // for that server; "" for none
	Log        func(string)
}

// Checkout is a repository that a workflow checked out, with a store for what
// it lacks. It is not safe for concurrent use.
type Checkout struct {
	user   *revision.Repository // as the workflow made it
	head   string
	remote *remote

	folder *scratch.Folder
	dir    string               // of the store, in folder
	store  *revision.Repository // the user's objects and those fetched
	ends   map[string]bool      // commits that a shallow fetch may have ended at
	log    func(string)
}

var hash = lazyregexp.New(`^[0-9a-f]{40}$`)

// Open opens the checkout that holds a folder.
func Open(o Options) (*Checkout, error) {
	user, err := revision.Open(o.Dir)
	if err != nil {
		return nil, fmt.Errorf("%w; a workflow needs the step actions/checkout before this one", err)
	}
	at, err := user.Resolve(context.Background(), []string{"HEAD", "HEAD"})
	if err != nil {
		return nil, fmt.Errorf("what is checked out cannot be told: %w", err)
	}
	c := &Checkout{user: user, head: at.Head.Commit, ends: map[string]bool{}, log: o.Log}
	if c.log == nil {
		c.log = func(string) {}
	}
	c.remote = newRemote(user, o)
	for _, h := range user.Boundary() {
		c.ends[h] = true
	}
	if err := c.makeStore(o.Temp); err != nil {
		c.Close()
		return nil, fmt.Errorf("making a place for fetched commits: %w", err)
	}
	return c, nil
}

// makeStore makes a bare repository that borrows the checkout's objects.
func (c *Checkout) makeStore(temp string) error {
	folder, err := scratch.Make(temp)
	if err != nil {
		return err
	}
	dir := filepath.Join(folder.Path(), "fetched.git")
	c.folder, c.dir = folder, dir
	for _, sub := range []string{"objects/info", "objects/pack", "refs/heads"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			return err
		}
	}
	for name, text := range map[string]string{
		"HEAD":                    c.head + "\n",
		"config":                  "[core]\n\trepositoryformatversion = 0\n\tbare = true\n",
		"objects/info/alternates": filepath.Join(c.user.CommonDir(), "objects") + "\n",
		"shallow":                 lines(c.user.Boundary()),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	c.store, err = revision.Open(dir)
	return err
}

func lines(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return strings.Join(list, "\n") + "\n"
}

// Close removes what was fetched.
func (c *Checkout) Close() {
	if c.folder != nil {
		c.folder.Close()
	}
}

// Objects are the object directories that the engine has to read beside the
// checkout's own.
func (c *Checkout) Objects() []string { return []string{filepath.Join(c.dir, "objects")} }

// Head is the full hash of the commit that is checked out.
func (c *Checkout) Head() string { return c.head }

// Prefix is the slash path inside the repository of the folder that was opened.
func (c *Checkout) Prefix() string { return c.user.Prefix() }

// KeepsCredentials reports whether the checkout's configuration holds a token for
// its remote, where every process of the job may read it.
func (c *Checkout) KeepsCredentials() bool { return c.remote.stored }

// Parents are the full hashes of a commit's parents, which need not be here.
func (c *Checkout) Parents(commit string) ([]string, error) { return c.store.Parents(commit) }

// Tree is the hash of a commit's files.
func (c *Checkout) Tree(commit string) (string, error) { return c.store.Tree(commit) }

// Commit finds the full hash of a commit by its hash, by a branch or tag of the
// remote, or by any expression that the checkout itself understands. The commit
// is then here, its files need not be.
func (c *Checkout) Commit(ctx context.Context, name string) (string, error) {
	if hash().MatchString(name) {
		return name, c.requireCommit(ctx, name)
	}
	// What the remote calls main is what is meant: a runner that is kept has
	// branches of its own that nobody moves.
	advertised, remoteErr := c.remote.references(ctx)
	for _, rule := range []string{"%s", "refs/%s", "refs/tags/%s", "refs/heads/%s"} {
		full := fmt.Sprintf(rule, name)
		if h := advertised[full+"^{}"]; h != "" {
			return h, c.requireCommit(ctx, h)
		}
		if h := advertised[full]; h != "" && strings.HasPrefix(full, "refs/") {
			return h, c.requireCommit(ctx, h)
		}
	}
	rng, err := c.user.Resolve(ctx, []string{name, name})
	if err == nil {
		return rng.Head.Commit, nil
	}
	if remoteErr != nil && ctx.Err() == nil && !errors.Is(remoteErr, errNoRemote) {
		return "", fmt.Errorf("%w (and the remote could not be asked: %v)", err, remoteErr)
	}
	return "", err
}

// requireCommit makes sure that the commit itself is here.
func (c *Checkout) requireCommit(ctx context.Context, h string) error {
	if c.store.Has(h) {
		return nil
	}
	return c.fetchWhole(ctx, h)
}

// Require makes sure that a commit is here with all its files.
func (c *Checkout) Require(ctx context.Context, commit string) error {
	whole, err := c.store.Whole(ctx, commit)
	if err != nil || whole {
		return err
	}
	return c.fetchWhole(ctx, commit)
}

// fetchWhole fetches one commit and its files, without its history if possible.
func (c *Checkout) fetchWhole(ctx context.Context, commit string) error {
	c.log("fetching commit " + commit)
	err := c.fetch(ctx, request{wants: []string{commit}, depth: 1, have: c.haveFor(ctx, commit)})
	if refused(err) && ctx.Err() == nil {
		err = c.deepenUntil(ctx, err, func() (bool, error) { return c.store.Whole(ctx, commit) })
	}
	if err == nil {
		var whole bool
		if whole, err = c.store.Whole(ctx, commit); err == nil && !whole {
			err = errors.New("the server sent the commit without all of its files")
		}
	}
	if err != nil {
		return unreachable("commit "+commit, err)
	}
	return nil
}

// haveFor names the checked-out commit if the server may leave out the files
// that are in it.
func (c *Checkout) haveFor(ctx context.Context, commit string) string {
	if commit == c.head {
		return ""
	}
	if whole, err := c.user.Whole(ctx, c.head); err != nil || !whole {
		return ""
	}
	return c.head
}

// steps are the depths of history that are tried; 0 is all of it.
var steps = []int{20, 200, 2000, 0}

// deepenUntil fetches the branches, ever deeper, for a server that gives no
// commit by its hash.
func (c *Checkout) deepenUntil(ctx context.Context, cause error, enough func() (bool, error)) error {
	tips, err := c.remote.tips(ctx)
	if err != nil {
		return err
	}
	for _, depth := range steps {
		c.log(fmt.Sprintf("the server gives no commit by its hash; fetching %s", depthText(depth)))
		if err := c.fetch(ctx, request{wants: tips, depth: depth}); err != nil {
			return err
		}
		if ok, err := enough(); ok || err != nil {
			return err
		}
	}
	return fmt.Errorf("no branch or tag of the remote holds it (%w)", cause)
}

func depthText(depth int) string {
	if depth == 0 {
		return "all of the history"
	}
	return fmt.Sprintf("the last %d commits", depth)
}

// MergeBase finds the best common ancestor of two commits, given by their full
// hashes, and fetches as much history as that takes.
func (c *Checkout) MergeBase(ctx context.Context, a, b string) (string, error) {
	what := fmt.Sprintf("the merge base of %.10s and %.10s", a, b)
	if c.store.Has(a) && c.store.Has(b) {
		base, err := c.mergeBaseHere(ctx, a, b)
		if !shallow(err) {
			return base, err
		}
	}
	for _, depth := range steps {
		c.log(fmt.Sprintf("fetching %s of both sides, to find %s", depthText(depth), what))
		err := c.fetch(ctx, request{wants: []string{a, b}, depth: depth, history: true})
		if refused(err) && ctx.Err() == nil {
			err = c.deepenUntil(ctx, err, func() (bool, error) {
				_, err := c.mergeBaseHere(ctx, a, b)
				return !shallow(err), nil
			})
		}
		if err != nil {
			return "", unreachable(what, err)
		}
		base, err := c.mergeBaseHere(ctx, a, b)
		if !shallow(err) {
			return base, err
		}
	}
	return "", unreachable(what, errors.New("the remote is itself a shallow clone that ends before it"))
}

func (c *Checkout) mergeBaseHere(ctx context.Context, a, b string) (string, error) {
	rng, err := c.store.Resolve(ctx, []string{a + "..." + b})
	if err != nil {
		return "", err
	}
	return rng.Base.Commit, nil
}

func shallow(err error) bool {
	var e *revision.ShallowError
	return errors.As(err, &e)
}

// Tags maps the short names of the remote's tags, or of the checkout's where
// there is no remote, to the full hashes of what they stand for.
func (c *Checkout) Tags(ctx context.Context) (map[string]string, error) {
	advertised, err := c.remote.references(ctx)
	if errors.Is(err, errNoRemote) {
		return c.user.Tags()
	}
	if err != nil {
		return nil, err
	}
	tags := map[string]string{}
	for name, h := range advertised {
		short, isTag := strings.CutPrefix(name, "refs/tags/")
		if !isTag {
			continue
		}
		if peeled, ok := strings.CutSuffix(short, "^{}"); ok {
			tags[peeled] = h
		} else if advertised[name+"^{}"] == "" {
			tags[short] = h
		}
	}
	return tags, nil
}

// fetch asks the remote and opens the store anew with what came.
func (c *Checkout) fetch(ctx context.Context, r request) error {
	ends, err := c.remote.fetch(ctx, c.dir, r)
	if err != nil {
		return err
	}
	for _, h := range ends {
		c.ends[h] = true
	}
	if c.store, err = revision.Open(c.dir); err != nil {
		return err
	}
	// A commit ends the history here if a parent of it is still missing,
	// whatever a single fetch said.
	var boundary []string
	for h := range c.ends {
		if c.store.Has(h) && !c.hasParents(h) {
			boundary = append(boundary, h)
		}
	}
	slices.Sort(boundary)
	if err := os.WriteFile(filepath.Join(c.dir, "shallow"), []byte(lines(boundary)), 0o644); err != nil {
		return err
	}
	c.store, err = revision.Open(c.dir)
	return err
}

func (c *Checkout) hasParents(h string) bool {
	parents, err := c.store.Parents(h)
	if err != nil {
		return false
	}
	return !slices.ContainsFunc(parents, func(p string) bool { return !c.store.Has(p) })
}
