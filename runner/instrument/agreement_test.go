package instrument

import (
	"context"
	"go/build"
	"path/filepath"
	"testing"

	"github.com/isodelta/isodelta/internal/longtest"
	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/runner/load"
)

// Package isomorph pairs the conditions of two versions and this package rewrites
// them, and they meet by position alone: what only one of them calls a condition is
// dropped without a word. So both must find the same. A version is compared with
// itself, where isomorph pairs each condition that it knows with itself.
func TestLeavesAgree(t *testing.T) {
	longtest.Plain(t)
	t.Parallel()
	if testing.Short() {
		t.Skip("type-checks a dozen packages with all that they import")
	}
	own, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Run("this module", func(t *testing.T) {
		leavesAgree(t, load.Options{Root: own, Dir: own, Patterns: []string{
			"./isomorph", "./runner/negation", "./runner/probe", "./runner/relation", "./runner/relation/declare", "./runner/relation/goexpr", "./diff/...",
		}})
	})
	for _, path := range []string{"text/tabwriter", "encoding/csv", "container/list", "regexp/syntax", "text/template/parse"} {
		t.Run(path, func(t *testing.T) {
			files := map[string]string{"go.mod": "module example.com/corpus\n\ngo 1.26\n"}
			copyPackage(t, files, filepath.Join(build.Default.GOROOT, "src", filepath.FromSlash(path)), path, nil)
			dir := writeFiles(t, files)
			leavesAgree(t, load.Options{Root: dir, Dir: dir})
		})
	}
}

func leavesAgree(t *testing.T, opt load.Options) {
	t.Helper()
	tree, err := load.Load(context.Background(), opt)
	if err != nil {
		t.Fatal(err)
	}
	match, err := isomorph.Match(t.Context(), tree, tree, isomorph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	paired := map[load.Place]bool{}
	for _, c := range match.Conditions {
		paired[c.Head] = true
	}
	program, err := Code(tree, Config{})
	if err != nil {
		t.Fatal(err)
	}
	rewritten := map[load.Place]bool{}
	for _, c := range program.Conditions {
		rewritten[c.Place] = true
		if !paired[c.Place] {
			t.Errorf("%s:%d: %s of kind %s is rewritten and not paired", c.File, c.Line, c.Text, c.Kind)
		}
	}
	for _, c := range match.Conditions {
		if !rewritten[c.Head] {
			t.Errorf("%v is paired and not rewritten", c.Head)
		}
	}
	if len(rewritten) < 20 {
		t.Errorf("only %d conditions", len(rewritten))
	}
	t.Logf("%d conditions", len(rewritten))
}
