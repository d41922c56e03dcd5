package revision

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Kinds of files that a commit may hold.
func TestMaterialiseCommit(t *testing.T) {
	t.Parallel()
	sub := newRepo(t)
	sub.write("s.go", "package s\n")
	sub.commit("sub")

	f := newRepo(t)
	f.write("go.mod", "module example.com/m\n")
	f.write("run.sh", "#!/bin/sh\n")
	if err := os.Chmod(filepath.Join(f.dir, "run.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	f.write("dos.txt", "one\r\ntwo\r\n")
	f.write("ünïcode/日本 語.go", "package x\n")
	f.write("odd/new\nline", "x")
	f.write("empty", "")
	f.write("vendor/example.com/v/v.go", "package v\n")
	f.write("vendor/modules.txt", "# example.com/v v1.0.0\n")
	f.write("model.bin", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n")
	f.write(".gitattributes", "*.txt eol=crlf\n")
	f.symlink("run.sh", "inside")
	f.symlink("../run.sh", "odd/up")
	f.symlink("nowhere", "dangling")
	f.symlink("turn", "turn")
	f.symlink("/etc/passwd", "absolute")
	f.symlink("../../outside", "odd/outside")
	// Each of these is harmless to the eye; followed one after the other they leave.
	f.write("p/q/file", "x")
	f.symlink("../..", "p/q/top")
	f.symlink("p/q/top/../../etc", "sly")
	f.git("-c", "core.autocrlf=false", "submodule", "--quiet", "add", "file://"+sub.dir, "third/sub")
	f.commit("all kinds")

	r := open(t, f.dir)
	v := resolve(t, r, "HEAD").Base
	tree, notes := layOut(t, r, v)
	want := map[string]string{
		"go.mod": "module example.com/m\n", "run.sh": "x #!/bin/sh\n", "dos.txt": "one\r\ntwo\r\n",
		"ünïcode/日本 語.go": "package x\n", "odd/new\nline": "x", "empty": "",
		"vendor/example.com/v/v.go": "package v\n", "vendor/modules.txt": "# example.com/v v1.0.0\n",
		"model.bin": "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
		"inside":    "-> run.sh", "odd/up": "-> ../run.sh", "dangling": "-> nowhere", "turn": "-> turn",
		"p/q/file": "x", "p/q/top": "-> ../..", ".gitattributes": "*.txt eol=crlf\n",
	}
	got := contents(t, tree)
	delete(got, ".gitmodules")
	// Attributes turn dos.txt into LF inside the object: that is what is written.
	want["dos.txt"] = "one\ntwo\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tree (-want +got):\n%s", diff)
	}
	for _, parts := range [][]string{
		{"submodule", "third/sub"}, {"absolute", "/etc/passwd"}, {"odd/outside", "outside the repository"},
		{"sly", "leads outside"}, {"model.bin", "Git LFS"},
	} {
		if !hasNote(notes, parts...) {
			t.Errorf("no note has %q: %q", parts, notes)
		}
	}
	if len(notes) != 5 {
		t.Errorf("%d notes: %q", len(notes), notes)
	}

	// The working tree is the same, with nothing changed, except for line ends.
	tree, _ = layOut(t, r, resolve(t, r, "HEAD").Head)
	worktree := contents(t, tree)
	delete(worktree, ".gitmodules")
	if diff := cmp.Diff(got, worktree); diff != "" {
		t.Errorf("the clean working tree differs from HEAD (-HEAD +working tree):\n%s", diff)
	}
}

// A tree made by hand can hold names that no file system should see.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	f := newRepo(t)
	f.write("good.go", "package good\n")
	f.commit("good")
	blob := f.git("rev-parse", "HEAD:good.go")
	hashObject := func(entries string) string {
		f.write("tree.raw", entries)
		defer f.remove("tree.raw")
		return f.git("hash-object", "-t", "tree", "-w", "--literally", "tree.raw")
	}
	raw := func(mode, name, hash string) string {
		b := make([]byte, 20)
		fmt.Sscanf(hash, "%x", &b)
		return mode + " " + name + "\x00" + string(b)
	}
	inner := hashObject(raw("100644", "evil", blob))
	tree := hashObject(raw("40000", "..", inner) + raw("40000", ".GIT", inner) + raw("40000", ".git", inner) +
		raw("100644", "../escape", blob) + raw("100644", "good.go", blob))
	commit := f.git("commit-tree", tree, "-m", "hostile")

	r := open(t, f.dir)
	dir, notes := layOut(t, r, resolve(t, r, commit).Base)
	if got := slices.Sorted(maps.Keys(contents(t, dir))); !slices.Equal(got, []string{"good.go"}) {
		t.Errorf("wrote %q", got)
	}
	if above := slices.Collect(maps.Keys(contents(t, filepath.Dir(dir)))); len(above) != 1 {
		t.Errorf("wrote outside: %q", above)
	}
	if len(notes) != 4 {
		t.Errorf("notes %q, want one for each hostile name", notes)
	}
}

// Every state a file of the working tree can be in.
func TestMaterialiseWorkingTree(t *testing.T) {
	t.Parallel()
	f := newRepo(t)
	for _, name := range []string{"same", "unstaged", "staged", "both", "deleted", "removed", "gone/x", "tracked.log", "build/kept", "moved"} {
		f.write(name, "old\n")
	}
	f.commit("first")
	f.write(".gitignore", "*.log\n/build/\n!wanted.log\n")
	f.write("unstaged", "new\n")
	f.write("staged", "new\n")
	f.git("add", "staged")
	f.write("both", "middle\n")
	f.git("add", "both")
	f.write("both", "new\n")
	f.remove("deleted")
	f.remove("gone")
	f.git("rm", "--quiet", "--cached", "removed") // still on disk: untracked
	f.git("mv", "moved", "moved.to")
	f.write("tracked.log", "new\n")
	f.write("untracked", "new\n")
	f.write("sub/untracked.go", "package sub\n")
	f.write("sub/.gitignore", "*.tmp\n")
	f.write("sub/a.tmp", "no")
	f.write("a.tmp", "new\n")
	f.write("a.log", "no")
	f.write("wanted.log", "new\n")
	f.write("build/out", "no")
	f.write("secret", "no")
	f.write(".git/info/exclude", "secret\n")
	f.write("mine", "no")
	f.git("config", "core.excludesFile", filepath.Join(f.dir, ".git", "excluded"))
	f.write(".git/excluded", "mine\n")
	f.write("intended", "new\n")
	f.git("add", "--intent-to-add", "intended")
	nested := &fixture{t: t, dir: filepath.Join(f.dir, "nested"), now: f.now}
	f.write("nested/x", "no")
	nested.git("init", "--quiet")

	r := open(t, f.dir)
	v := resolve(t, r, "HEAD").Head
	tree, notes := layOut(t, r, v)
	want := map[string]string{
		".gitignore": "*.log\n/build/\n!wanted.log\n", "sub/.gitignore": "*.tmp\n", "sub/untracked.go": "package sub\n",
		"same": "old\n", "removed": "old\n", "build/kept": "old\n", "moved.to": "old\n",
	}
	for _, name := range []string{"unstaged", "staged", "both", "tracked.log", "untracked", "a.tmp", "wanted.log", "intended"} {
		want[name] = "new\n"
	}
	if diff := cmp.Diff(want, contents(t, tree)); diff != "" {
		t.Errorf("working tree (-want +got):\n%s", diff)
	}
	if len(notes) != 1 || !hasNote(notes, "nested repository nested") {
		t.Errorf("notes: %q", notes)
	}

	// git itself, asked what it would commit, agrees.
	f.remove("nested")
	before := f.git("status", "--porcelain")
	index := filepath.Join(t.TempDir(), "index")
	f.git("-c", "core.fsmonitor=false", "read-tree", "--index-output="+index, "HEAD")
	f.git("add", "--all")
	var names []string
	for name := range strings.SplitSeq(f.git("-c", "core.quotePath=false", "ls-files"), "\n") {
		names = append(names, name)
	}
	if got := slices.Sorted(maps.Keys(want)); !slices.Equal(got, names) {
		t.Errorf("git would commit %q (status was %s), written was %q", names, before, got)
	}
}

// Line ends that git changed on checkout are no changes.
func TestConvertedLineEnds(t *testing.T) {
	t.Parallel()
	origin := newRepo(t)
	origin.write("a.go", "package a\n\nvar A = 1\n")
	origin.write("b.go", "package a\n\nvar B = 1\n")
	origin.write("dos", "a\r\nb\r\n")
	origin.commit("first")
	f := origin.clone("--config", "core.autocrlf=true")
	if content, err := os.ReadFile(filepath.Join(f.dir, "a.go")); err != nil || !strings.Contains(string(content), "\r\n") {
		t.Fatalf("git did not convert line ends: %q %v", content, err)
	}
	f.write("b.go", "package a\r\n\r\nvar B = 2\r\n")
	r := open(t, f.dir)
	got := resolve(t, r, "HEAD")
	base, _ := layOut(t, r, got.Base)
	head, _ := layOut(t, r, got.Head)
	changes, err := Changes(base, head)
	if err != nil {
		t.Fatal(err)
	}
	if len(changes) != 1 || changes[0].Path != "b.go" {
		t.Errorf("changes %+v, want b.go only", changes)
	}
}

// A sparse checkout turns on an extension that git.PlainOpen refuses, and leaves
// files out that are not deleted. The three kinds of index say so differently.
func TestSparseCheckout(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"--no-sparse-index", "--sparse-index"} {
		f := newRepo(t)
		f.write("in/a.go", "package in\n")
		f.write("out/deep/b.go", "package deep\n")
		f.write("top.go", "package top\n")
		f.commit("first")
		f.git("sparse-checkout", "set", "--cone", kind, "in")
		f.write("in/a.go", "package in // changed\n")
		if _, err := os.Stat(filepath.Join(f.dir, "out")); err == nil {
			t.Fatal("the checkout is not sparse")
		}
		r := open(t, f.dir)
		tree, notes := layOut(t, r, resolve(t, r, "HEAD").Head)
		want := map[string]string{"in/a.go": "package in // changed\n", "out/deep/b.go": "package deep\n", "top.go": "package top\n"}
		if diff := cmp.Diff(want, contents(t, tree)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", kind, diff)
		}
		if !hasNote(notes, "sparse", "1 entry") {
			t.Errorf("%s: notes %q", kind, notes)
		}
	}
}

// Indexes that go-git reads only in part, or takes for broken.
func TestUnusualIndexes(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"version 4": {"update-index", "--index-version", "4"},
		"split":     {"update-index", "--split-index"},
		"untracked": {"update-index", "--untracked-cache"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newRepo(t)
			f.write("a.log", "old")
			f.write("b/c.go", "package b\n")
			f.commit("first")
			f.write(".gitignore", "*.log\n")
			f.write("b.log", "no")
			f.git(args...)
			f.write("d.go", "package d\n")
			f.git("add", "d.go")
			r := open(t, f.dir)
			tree, _ := layOut(t, r, resolve(t, r, "HEAD").Head)
			got := slices.Sorted(maps.Keys(contents(t, tree)))
			if want := []string{".gitignore", "a.log", "b/c.go", "d.go"}; !slices.Equal(got, want) {
				t.Errorf("files %q, want %q", got, want)
			}
		})
	}
}

func TestPartialClone(t *testing.T) {
	t.Parallel()
	origin := newRepo(t)
	origin.git("config", "uploadpack.allowFilter", "true")
	origin.git("config", "uploadpack.allowAnySHA1InWant", "true")
	origin.write("a.go", "package a\n")
	origin.commit("first")
	origin.write("a.go", "package a // new\n")
	origin.commit("second")
	f := origin.clone("--filter=blob:none")
	r := open(t, f.dir)
	v := resolve(t, r, "HEAD~1").Base
	_, err := r.Materialise(t.Context(), v, filepath.Join(t.TempDir(), "tree"))
	e := (*MissingObjectError)(nil)
	if !errors.As(err, &e) || !e.Partial || e.What != "a.go" || !strings.Contains(err.Error(), "git archive "+v.Commit) {
		t.Fatalf("missing blob: %v", err)
	}
	// The message's own advice helps.
	f.git("archive", "--output="+filepath.Join(t.TempDir(), "x.tar"), v.Commit)
	r = open(t, f.dir)
	tree, _ := layOut(t, r, v)
	if got := contents(t, tree); got["a.go"] != "package a\n" {
		t.Errorf("after fetching: %v", got)
	}
}

// otherSystem is one that the tests do not run on.
func otherSystem() string {
	if runtime.GOOS == "plan9" {
		return "windows"
	}
	return "plan9"
}

// What the repository does not have is left out and named, but for what is built.
func TestAbsentObjects(t *testing.T) {
	t.Parallel()
	f := newRepo(t)
	for _, name := range []string{"a.go", "a.png", "testdata/big.go", "_old/b.go", "b_" + otherSystem() + ".go", "web/1.js", "web/2.js", "web/3.js", "web/4.js"} {
		f.write(name, "package a // "+name+"\n")
	}
	f.commit("first")
	lose := func(name string) {
		h := strings.TrimSpace(f.git("rev-parse", "HEAD:"+name))
		if err := os.Remove(filepath.Join(f.dir, ".git", "objects", h[:2], h[2:])); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a.png", "testdata", "_old/b.go", "b_" + otherSystem() + ".go", "web/1.js", "web/2.js", "web/3.js", "web/4.js"} {
		lose(name)
	}
	r := open(t, f.dir)
	v := resolve(t, r, "HEAD").Base // Head is the working tree
	tree := filepath.Join(t.TempDir(), "tree")
	notes, err := r.Materialise(t.Context(), v, tree)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"_old/b.go left out: the repository does not have its content",
		"a.png left out: the repository does not have its content",
		"b_" + otherSystem() + ".go left out: the repository does not have its content",
		"testdata left out: the repository does not have its content",
		"web/1.js left out: the repository does not have its content",
		"3 more files or folders left out, too, since the repository does not have their content",
	}
	if !slices.Equal(notes, want) {
		t.Errorf("notes %q, want %q", notes, want)
	}
	if got := slices.Sorted(maps.Keys(contents(t, tree))); !slices.Equal(got, []string{"a.go"}) {
		t.Errorf("files %q", got)
	}
	lose("a.go")
	var missing *MissingObjectError
	if _, err := open(t, f.dir).Materialise(t.Context(), v, filepath.Join(t.TempDir(), "tree")); !errors.As(err, &missing) || missing.What != "a.go" {
		t.Errorf("without a.go: %v", err)
	}
}

// Large blobs are streamed, also where they are stored as a difference to another.
func TestLargeBlobs(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("writes some 40 MB")
	}
	random := rand.New(rand.NewPCG(1, 2))
	big := make([]byte, 2*streamAbove)
	for i := range big {
		big[i] = byte(random.Uint32())
	}
	f := newRepo(t)
	f.write("big.bin", string(big))
	f.commit("first")
	f.write("big.bin", string(big)+"more")
	f.commit("second")
	f.git("gc", "--quiet")
	r := open(t, f.dir)
	got := resolve(t, r, "HEAD~1", "HEAD")
	for v, want := range map[Version]string{got.Base: string(big), got.Head: string(big) + "more"} {
		tree, _ := layOut(t, r, v)
		if contents(t, tree)["big.bin"] != want {
			t.Errorf("%s: the large file is not what was committed", v.Asked)
		}
	}
}

// Reading a repository in every way there is leaves all of it as it was: contents,
// permissions and times, of the working tree and of the git directory.
func TestNothingChanges(t *testing.T) {
	t.Parallel()
	f, h := history(t)
	f.git("gc", "--quiet") // packs and packed references ...
	f.write("loose.go", "package a\n")
	f.commit("loose") // ... and loose ones
	f.write("a.go", "package a // changed\n")
	f.write("staged.go", "package a\n")
	f.git("add", "staged.go")
	f.write("untracked.go", "package a\n")
	f.remove("b.go")
	// The index's times are stale: git status would write it anew.
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(f.dir, "c.go"), later, later); err != nil {
		t.Fatal(err)
	}
	before := snapshot(t, f.dir)

	for _, dir := range []string{f.dir, filepath.Join(f.dir, ".git")} {
		r := open(t, dir)
		for _, args := range [][]string{{}, {"HEAD"}, {"v1"}, {"main..HEAD"}, {"light...main"}, {h["a"][:8], "feature"}, {"nonsense"}, {"HEAD~99"}, {"main", "other/topic"}} {
			got, err := r.Resolve(t.Context(), args)
			if err != nil {
				continue
			}
			base, _ := layOut(t, r, got.Base)
			head, _ := layOut(t, r, got.Head)
			for _, call := range []func(string, string) error{
				func(a, b string) error { _, err := Overlay(a, b); return err },
				func(a, b string) error { _, err := Changes(a, b); return err },
				func(a, _ string) error { _, err := Modules(a); return err },
			} {
				if err := call(base, head); err != nil {
					t.Error(err)
				}
			}
		}
		if _, err := r.Materialise(t.Context(), Version{Asked: "HEAD", Commit: h["a"]}, filepath.Join(f.dir, "tmp")); !errors.Is(err, ErrInsideRepository) {
			t.Errorf("writing into the repository: %v", err)
		}
	}
	if diff := cmp.Diff(before, snapshot(t, f.dir)); diff != "" {
		t.Errorf("the repository changed:\n%s", diff)
	}
}

func TestMaterialiseFails(t *testing.T) {
	t.Parallel()
	f, _ := history(t)
	r := open(t, f.dir)
	got := resolve(t, r, "HEAD")
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "x"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Materialise(t.Context(), got.Base, full); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("into a folder that is not empty: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, v := range []Version{got.Base, got.Head} {
		if _, err := r.Materialise(ctx, v, filepath.Join(t.TempDir(), "tree")); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, cancelled: %v", v.Asked, err)
		}
	}
}
