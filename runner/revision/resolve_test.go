package revision

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
)

// history makes
//
//	a --- b --- d        main, tag v1 (annotated) on b, tag light on a
//	 \           \
//	  c --------- e      feature (a merge of d into c)
//
// and returns the hashes.
func history(t *testing.T) (*fixture, map[string]string) {
	f := newRepo(t)
	h := map[string]string{}
	f.write("a.go", "package a\n")
	h["a"] = f.commit("first\n\nwith a body")
	f.git("tag", "light")
	f.git("branch", "feature")
	f.write("b.go", "package a\n")
	h["b"] = f.commit("second")
	f.git("tag", "-a", "v1", "-m", "version one")
	f.write("d.go", "package a\n")
	h["d"] = f.commit("third")
	f.git("checkout", "--quiet", "feature")
	f.write("c.go", "package a\n")
	h["c"] = f.commit("on feature")
	f.now += 60
	f.git("merge", "--quiet", "--no-edit", "main")
	h["e"] = f.git("rev-parse", "HEAD")
	f.git("branch", "feed", h["b"])                   // also looks like a short hash
	f.git("tag", "-a", "nested", "-m", "of v1", "v1") // a tag of a tag
	f.git("update-ref", "refs/remotes/other/topic", h["c"])
	return f, h
}

// Every way to name a commit gives what git rev-parse gives.
func TestNames(t *testing.T) {
	t.Parallel()
	f, h := history(t)
	r := open(t, f.dir)
	for name, want := range map[string]string{
		"HEAD": "e", "@": "e", "HEAD~1": "c", "HEAD~": "c", "HEAD^": "c", "HEAD^1": "c", "HEAD^2": "d", "HEAD^0": "e",
		"HEAD^2~1": "b", "HEAD^^": "a", "HEAD~2": "a", "main": "d", "main~2": "a", "refs/heads/main": "d", "heads/main": "d",
		"v1": "b", "v1^{}": "b", "v1^{commit}~1": "a", "nested": "b", "light": "a", "tags/v1": "b",
		"other/topic": "c", "feed": "b", h["a"]: "a", h["c"][:7]: "c", strings.ToUpper(h["d"][:9]): "d",
		h["e"][:11] + "^2": "d", "v1-1-g" + h["d"][:8]: "d",
	} {
		got := resolve(t, r, name, "HEAD")
		if got.Base.Commit != h[want] {
			t.Errorf("%s is %s, want %s (%s)", name, got.Base.Commit, h[want], want)
		}
		if direct := f.git("rev-parse", name+"^{commit}"); direct != got.Base.Commit {
			t.Errorf("%s is %s, but git says %s", name, got.Base.Commit, direct)
		}
	}
}

func TestRanges(t *testing.T) {
	t.Parallel()
	f, h := history(t)
	r := open(t, f.dir)
	tests := []struct {
		args       string
		base, head string // "" is the working tree
		mergeBase  bool
	}{
		{"main..HEAD", "d", "e", false},
		{"main..", "d", "e", false},
		{"..main", "e", "d", false},
		{"main HEAD~1", "d", "c", false},
		{"main...HEAD~1", "a", "c", true},
		{"main...", "d", "e", true},
		{"light...main", "a", "d", true},
		{"v1", "b", "", false},
		{"", "d", "", true}, // main is the default branch, merged into feature
	}
	for _, test := range tests {
		got := resolve(t, r, strings.Fields(test.args)...)
		if got.Base.Commit != h[test.base] || got.MergeBase != test.mergeBase || got.Base.Worktree {
			t.Errorf("%q: base %+v (merge base %v), want %s", test.args, got.Base, got.MergeBase, test.base)
		}
		if got.Head.Worktree != (test.head == "") || !got.Head.Worktree && got.Head.Commit != h[test.head] {
			t.Errorf("%q: head %+v, want %q", test.args, got.Head, test.head)
		}
		if got.Head.Worktree && got.Head.Commit != h["e"] {
			t.Errorf("%q: the working tree's commit is %s, want HEAD", test.args, got.Head.Commit)
		}
	}
	if got := resolve(t, r, "light").Base; got.Asked != "light" || got.Subject != "first" {
		t.Errorf("version %+v, want asked light and the subject only", got)
	}
	for _, args := range [][]string{{".."}, {"a", "b", "c"}, {"--all"}, {""}, {"^main"}, {"a..b", "c"}} {
		_, err := r.Resolve(t.Context(), args)
		if e := (*ArgumentsError)(nil); !errors.As(err, &e) {
			t.Errorf("%q: %v, want an ArgumentsError", args, err)
		}
	}
}

func TestUnknownRevisions(t *testing.T) {
	t.Parallel()
	f, h := history(t)
	blob := f.git("rev-parse", "HEAD:a.go")
	r := open(t, f.dir)
	tests := []struct{ name, message string }{
		{"mian", "did you mean main"},
		{"featur", "did you mean feature"},
		{"topic", "did you mean other/topic"},
		{"v2", "did you mean v1"},
		{"no-such-thing", "git fetch --all --tags"},
		{"main~9", "has no parent"},
		{"HEAD^3", "has only 2 parents"},
		{"main^2", "has only one parent"},
		{"main@{1}", "reflog"},
		{"main@{u}", "no upstream"},
		{"HEAD^{/first}", "not understood"},
		{"config", "no branch, tag or commit"},
		{"../../etc/passwd", ""},
		{blob, "not a commit"},
		{strings.Repeat("1", 40), "no such commit"},
	}
	for _, test := range tests {
		_, err := r.Resolve(t.Context(), []string{test.name, "HEAD"})
		if strings.Contains(test.name, "..") {
			if err == nil {
				t.Errorf("%s: no error", test.name)
			}
			continue
		}
		if e := (*UnknownRevisionError)(nil); !errors.As(err, &e) {
			t.Errorf("%s: %v, want an UnknownRevisionError", test.name, err)
		} else if !strings.Contains(err.Error(), test.message) || e.Revision != test.name {
			t.Errorf("%s: message %q lacks %q", test.name, err, test.message)
		}
	}
	// An odd number of digits.
	if got := r.store.hashesWithPrefix(h["a"][:5]); len(got) != 1 || got[0].String() != h["a"] {
		t.Errorf("objects that begin with %s: %v", h["a"][:5], got)
	}
}

// Two commits that begin alike: their common digits name neither.
func TestAmbiguousHash(t *testing.T) {
	t.Parallel()
	f, h := history(t)
	tree := f.git("rev-parse", "HEAD^{tree}")
	known := map[string]string{}
	var prefix string
	for i := 0; prefix == ""; i++ {
		text := fmt.Sprintf("tree %s\nauthor A <a@example.com> %[2]d +0000\ncommitter A <a@example.com> %[2]d +0000\n\nx\n", tree, i)
		start := plumbing.ComputeHash(plumbing.CommitObject, []byte(text)).String()[:4]
		if other, ok := known[start]; ok {
			prefix = start
			for _, one := range []string{other, text} {
				f.write("commit.raw", one)
				f.git("hash-object", "-t", "commit", "-w", "commit.raw")
			}
		}
		known[start] = text
	}
	r := open(t, f.dir)
	_, err := r.Resolve(t.Context(), []string{prefix})
	if e := (*UnknownRevisionError)(nil); !errors.As(err, &e) || len(e.Suggestions) < 2 || !strings.Contains(err.Error(), "several commits") {
		t.Fatalf("%s: %v, want both commits named", prefix, err)
	}
	// A branch of that name is preferred, as git prefers it.
	f.git("branch", prefix, h["b"])
	if got := resolve(t, open(t, f.dir), prefix); got.Base.Commit != h["b"] {
		t.Errorf("branch %s: %+v", prefix, got.Base)
	}
}

// The default branch is the remote's, whatever it is called, and a clone that is
// ahead of it is compared with it.
func TestDefaultBranch(t *testing.T) {
	t.Parallel()
	origin := newRepo(t)
	origin.write("a.go", "package a\n")
	first := origin.commit("first")
	origin.git("branch", "-m", "trunk")
	c := origin.clone("-o", "upstream")
	r := open(t, c.dir)
	if got := resolve(t, r); got.Base.Commit != first || got.MergeBase || got.Base.Asked != "HEAD" {
		t.Errorf("without a difference to the remote: %+v, want HEAD", got)
	}
	c.write("b.go", "package a\n")
	second := c.commit("second")
	if got := resolve(t, r); got.Base.Commit != first || !got.MergeBase || got.Base.Asked != "upstream/trunk" || got.Head.Commit != second {
		t.Errorf("ahead of the remote: %+v, want the remote's trunk", got)
	}
	if got := resolve(t, r, "trunk@{upstream}"); got.Base.Commit != first {
		t.Errorf("trunk@{upstream}: %+v", got)
	}

	// No remote, no main, no master: the configuration names the branch.
	local := newRepo(t)
	local.write("a.go", "package a\n")
	start := local.commit("first")
	local.git("branch", "-m", "stem")
	local.git("checkout", "--quiet", "-b", "work")
	local.write("b.go", "package a\n")
	tip := local.commit("second")
	if got := resolve(t, open(t, local.dir)); got.Base.Commit != tip || got.MergeBase {
		t.Errorf("without a default branch: %+v, want HEAD", got)
	}
	local.git("config", "init.defaultBranch", "stem")
	if got := resolve(t, open(t, local.dir)); got.Base.Commit != start || !got.MergeBase {
		t.Errorf("with init.defaultBranch: %+v, want %s", got, start)
	}
}

// Criss-cross merges have two merge bases; unrelated histories none. Every pair of
// commits gives a merge base that git names too.
func TestMergeBaseAgreesWithGit(t *testing.T) {
	t.Parallel()
	f, _ := history(t)
	f.git("checkout", "--quiet", "-b", "left", "main~1")
	f.write("l", "l")
	f.commit("left")
	f.git("checkout", "--quiet", "-b", "right", "main~1")
	f.write("r", "r")
	f.commit("right")
	f.git("tag", "r0")
	f.now += 60
	f.git("merge", "--quiet", "--no-edit", "left")
	f.git("checkout", "--quiet", "left")
	f.now += 60
	f.git("merge", "--quiet", "--no-edit", "r0")
	// A clock that went back.
	f.now -= 100_000
	f.write("old", "old")
	f.commit("in the past")
	r := open(t, f.dir)
	all := strings.Fields(f.git("rev-list", "--all"))
	for _, a := range all {
		for _, b := range all {
			got := resolve(t, r, a+"..."+b).Base.Commit
			if want := strings.Fields(f.git("merge-base", "--all", a, b)); !slices.Contains(want, got) {
				t.Errorf("merge base of %s and %s is %s, git says %v", a[:7], b[:7], got, want)
			}
		}
	}
	f.git("checkout", "--quiet", "--orphan", "island")
	f.commit("unrelated")
	if _, err := r.Resolve(t.Context(), []string{"main...island"}); !errors.Is(err, ErrNoCommonAncestor) {
		t.Errorf("unrelated histories: %v", err)
	}
}

func TestShallowClones(t *testing.T) {
	t.Parallel()
	f, h := history(t)
	c := f.clone("--depth=1", "--no-single-branch")
	c.git("remote", "set-head", "origin", "main")
	r := open(t, c.dir)
	for _, args := range [][]string{{"HEAD~1"}, {h["c"]}, {h["c"][:10]}, {"origin/main...HEAD"}, {}} {
		_, err := r.Resolve(t.Context(), args)
		e := (*ShallowError)(nil)
		if !errors.As(err, &e) {
			t.Errorf("%q: %v, want a ShallowError", args, err)
			continue
		}
		for _, part := range []string{"git fetch --unshallow", "git fetch --deepen=", "fetch-depth: 0"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q: %q lacks %q", args, err, part)
			}
		}
	}
	if got := resolve(t, r, "origin/main..HEAD"); got.Base.Commit != h["d"] || got.Head.Commit != h["e"] {
		t.Errorf("commits that are there: %+v", got)
	}
	_, err := r.Resolve(t.Context(), []string{"release"})
	if e := (*UnknownRevisionError)(nil); !errors.As(err, &e) || !strings.Contains(err.Error(), "git fetch origin release") {
		t.Errorf("unknown name in a shallow clone: %v", err)
	}
	// The message's own advice helps.
	c.git("fetch", "--quiet", "--unshallow")
	if got := resolve(t, open(t, c.dir), "HEAD~1"); got.Base.Commit != h["c"] {
		t.Errorf("after --unshallow: %+v", got)
	}
}

func TestOpen(t *testing.T) {
	t.Parallel()
	f, h := history(t)
	f.write("deep/er/x.go", "package er\n")
	for dir, prefix := range map[string]string{".": ".", "deep": "deep", "deep/er": "deep/er"} {
		r := open(t, filepath.Join(f.dir, dir))
		if r.Root() != f.dir || r.Prefix() != prefix {
			t.Errorf("%s: root %s prefix %s", dir, r.Root(), r.Prefix())
		}
	}
	away := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(filepath.Join(f.dir, "deep"), away); err != nil {
		t.Fatal(err)
	}
	if r := open(t, away); r.Root() != f.dir || r.Prefix() != "deep" {
		t.Errorf("through a link: root %s prefix %s", r.Root(), r.Prefix())
	}

	linked := filepath.Join(t.TempDir(), "linked")
	f.git("worktree", "add", "--quiet", "--detach", linked, "v1")
	linked, err := filepath.EvalSymlinks(linked)
	if err != nil {
		t.Fatal(err)
	}
	r := open(t, linked)
	if got := resolve(t, r, "main..HEAD"); r.Root() != linked || got.Base.Commit != h["d"] || got.Head.Commit != h["b"] {
		t.Errorf("linked worktree at %s: %+v", r.Root(), got)
	}
	tree, _ := layOut(t, r, resolve(t, r, "HEAD").Head)
	if got := contents(t, tree); len(got) != 2 || got["b.go"] == "" {
		t.Errorf("linked worktree has %v", got)
	}

	bare := f.clone("--bare")
	r = open(t, bare.dir)
	if got := resolve(t, r, "main..feature"); !r.bare || got.Base.Commit != h["d"] {
		t.Errorf("bare: %+v", got)
	}
	for _, args := range [][]string{{}, {"main"}} {
		if _, err := r.Resolve(t.Context(), args); !errors.Is(err, ErrBare) {
			t.Errorf("bare, %q: %v", args, err)
		}
	}
	layOut(t, r, resolve(t, r, "main..feature").Base)

	// A folder of linked worktrees around a bare repository.
	hub := &fixture{t: t, dir: t.TempDir(), now: f.now}
	hub.git("clone", "--quiet", "--bare", "file://"+f.dir, ".git")
	hub.git("worktree", "add", "--quiet", "work", "main")
	if r := open(t, hub.dir); !r.bare {
		t.Errorf("a bare .git is taken for one with a working tree at %s", r.Root())
	}
	if r := open(t, filepath.Join(hub.dir, "work")); r.bare || filepath.Base(r.Root()) != "work" {
		t.Errorf("worktree of a bare repository: bare %v, root %s", r.bare, r.Root())
	}
}

func TestOpenFails(t *testing.T) {
	t.Parallel()
	empty := t.TempDir()
	for _, dir := range []string{empty, filepath.Join(empty, "missing")} {
		if _, err := Open(dir); !errors.As(err, new(*NotRepositoryError)) {
			t.Errorf("%s: %v", dir, err)
		}
	}
	stray := t.TempDir()
	if err := os.WriteFile(filepath.Join(stray, ".git"), []byte("gitdir: /no/such/place\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(stray); !errors.As(err, new(*NotRepositoryError)) || !strings.Contains(err.Error(), "git worktree repair") {
		t.Errorf("stray link: %v", err)
	}
	modern := newRepo(t, "--object-format=sha256")
	if _, err := Open(modern.dir); !errors.As(err, new(*UnsupportedError)) || !strings.Contains(err.Error(), "sha256") {
		t.Errorf("sha256: %v", err)
	}
	fresh := newRepo(t)
	fresh.write("a.go", "package a\n")
	for _, args := range [][]string{{}, {"HEAD"}, {"HEAD..HEAD"}} {
		if _, err := open(t, fresh.dir).Resolve(t.Context(), args); !errors.Is(err, ErrUnbornHead) {
			t.Errorf("unborn, %q: %v", args, err)
		}
	}
}

// Objects may come from another repository, whose path may be relative, and which
// may borrow in turn.
func TestBorrowedObjects(t *testing.T) {
	t.Parallel()
	f, h := history(t)
	b := f.clone("--shared")
	c := b.clone("--shared")
	r := open(t, c.dir)
	if got := resolve(t, r, h["a"][:8]+"..HEAD"); got.Base.Commit != h["a"] {
		t.Errorf("borrowed: %+v", got)
	}
	tree, _ := layOut(t, r, resolve(t, r, "HEAD~2", "HEAD").Base)
	if got := contents(t, tree); got["a.go"] != "package a\n" {
		t.Errorf("borrowed tree: %v", got)
	}
	relative, err := filepath.Rel(filepath.Join(c.dir, ".git", "objects"), filepath.Join(b.dir, ".git", "objects"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(c.dir, ".git", "objects", "info", "alternates"), []byte(relative+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := resolve(t, open(t, c.dir), h["a"]); got.Base.Commit != h["a"] {
		t.Errorf("relative alternate: %+v", got)
	}
}
