package revision

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A clone that lacks commits or files reads them from a store beside it, and
// knows which of its commits are whole.
func TestObjectsBeside(t *testing.T) {
	t.Parallel()
	f, h := history(t)
	c := f.clone("--depth=1")
	beside := filepath.Join(f.dir, ".git", "objects")
	alone := open(t, c.dir)
	both, err := Open(c.dir, beside)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		r    *Repository
		base bool
	}{{"alone", alone, false}, {"beside", both, true}} {
		if got := test.r.Has(h["a"]); got != test.base {
			t.Errorf("%s: has the first commit: %v", test.name, got)
		}
		for commit, want := range map[string]bool{h["a"]: test.base, h["e"]: true} {
			if got, err := test.r.Whole(t.Context(), commit); err != nil || got != want {
				t.Errorf("%s: %s is whole: %v, %v", test.name, commit, got, err)
			}
		}
	}
	tree, _ := layOut(t, both, resolve(t, both, h["a"], h["e"]).Base)
	if got := contents(t, tree); got["a.go"] != "package a\n" {
		t.Errorf("files of the first commit: %v", got)
	}
	// What is beside a shallow clone does not move its boundary.
	if got := both.Boundary(); !slices.Equal(got, []string{h["e"]}) {
		t.Errorf("boundary %v, want %s", got, h["e"])
	}
	parents, err := alone.Parents(h["e"])
	if want := []string{h["c"], h["d"]}; err != nil || !slices.Equal(parents, want) {
		t.Errorf("parents %v, %v; want %v", parents, err, want)
	}
	if tree, err := alone.Tree(h["e"]); err != nil || tree != f.git("rev-parse", h["e"]+"^{tree}") {
		t.Errorf("tree %s, %v", tree, err)
	}
}

func TestWholeInPartialClone(t *testing.T) {
	t.Parallel()
	origin := newRepo(t)
	origin.git("config", "uploadpack.allowFilter", "true")
	origin.write("sub/a.go", "package a\n")
	first := origin.commit("first")
	origin.write("sub/a.go", "package a // new\n")
	second := origin.commit("second")
	r := open(t, origin.clone("--filter=blob:none").dir)
	for commit, want := range map[string]bool{first: false, second: true} {
		if got, err := r.Whole(t.Context(), commit); err != nil || got != want {
			t.Errorf("%s is whole: %v, %v; want %v", commit, got, err, want)
		}
	}
}

// The commit of a submodule is not missing: it is another repository's.
func TestWholeWithSubmodule(t *testing.T) {
	t.Parallel()
	f := newRepo(t)
	f.write("a.go", "package a\n")
	f.git("add", "--all")
	f.git("update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("ab", 20)+",sub")
	f.git("commit", "--quiet", "-m", "with a submodule")
	if got, err := open(t, f.dir).Whole(t.Context(), f.git("rev-parse", "HEAD")); err != nil || !got {
		t.Errorf("whole: %v, %v", got, err)
	}
}
