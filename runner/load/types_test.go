package load

import (
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"
)

// Package packages is the reference: what it says of a module, its types and its
// mistakes, is what is loaded here.
func TestLikePackages(t *testing.T) {
	t.Parallel()
	for name, archive := range map[string]string{
		"variants": `
-- go.mod --
module example.com/m

go 1.21
-- a/a.go --
package a

import "strings"

type T struct{ words []string }

func (t T) Join() string { return strings.Join(t.words, " ") }
-- a/export_test.go --
package a

func New(words ...string) T { return T{words} }
-- a/x_test.go --
package a_test

import (
	"testing"

	"example.com/m/a"
	"example.com/m/b"
)

func TestJoin(t *testing.T) {
	if b.Of(a.New("x", "y")) != "x y" {
		t.Error("wrong")
	}
}
-- b/b.go --
package b

import "example.com/m/a"

func Of(t a.T) string { return t.Join() }
-- c/c_test.go --
package c

import "testing"

func TestNothing(t *testing.T) {}
`,
		"mistakes": `
-- go.mod --
module example.com/m

go 1.21
-- a/a.go --
package a

import "example.com/none"

func F() int { return "no" + undefined }
-- b/b.go --
package b

func F( {
-- c/c.go --
package c

import "example.com/m/a"

var X = a.F()
-- c/c_test.go --
package c

var Y = undefined
-- d/d.go --
package d

import "no/such/package"

var X = no.X
-- e/e.go --
package e

import _ "example.com/m/e"
`,
		"cgo": `
-- go.mod --
module example.com/m

go 1.21
-- a.go --
package m

// static int one(void) { return 1; }
import "C"

import "unsafe"

func One() int { return int(C.one()) }

var P unsafe.Pointer
`,
		"vendored": `
-- go.mod --
module example.com/m

go 1.21

require example.com/dep v1.0.0
-- vendor/modules.txt --
# example.com/dep v1.0.0
## explicit; go 1.21
example.com/dep
-- vendor/example.com/dep/dep.go --
package dep

import "time"

type T struct{ At time.Time }
-- a.go --
package m

import (
	"time"

	"example.com/dep"
)

func At(t dep.T) time.Time { return t.At }
`,
		"imported by a dependency": `
-- go.mod --
module example.com/m

go 1.21

require example.com/dep v0.0.0

replace example.com/dep => ./dep
-- dep/go.mod --
module example.com/dep

go 1.21

require example.com/m v0.0.0
-- dep/dep.go --
package dep

import "example.com/m/x"

func Of(t x.T) x.T { return t }
-- x/x.go --
package x

type T struct{}
-- x/x_test.go --
package x_test

import (
	"testing"

	"example.com/dep"
	"example.com/m/x"
)

func Test(t *testing.T) {
	var _ x.T = dep.Of(x.New())
}
-- x/export_test.go --
package x

func New() T { return T{} }
-- y/y.go --
package y

import (
	"example.com/dep"
	"example.com/m/x"
)

var T x.T = dep.Of(x.T{})
`,
		"newer language": `
-- go.mod --
module example.com/m

go 1.17
-- a.go --
package m

func F[T any](x T) T { return x }
`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			compare(t, write(t, archive))
		})
	}
	t.Run("this module", func(t *testing.T) {
		t.Parallel()
		if testing.Short() {
			t.Skip("slow: type-checks a large module twice")
		}
		compare(t, filepath.Join("..", "..", "report"))
	})
}

// write writes an archive's files to a folder of the test, and returns the folder.
// A module that cannot be had concerns what imports it. Nothing is compiled for that, which a compiler that fails shows.
func TestMissingModule(t *testing.T) {
	t.Parallel()
	dir := write(t, `
-- go.mod --
module example.com/m

go 1.21

require example.com/gone v1.0.0
-- a/a.go --
package a

import "strings"

func Up(text string) string { return strings.ToUpper(text) }
-- b/b.go --
package b

import (
	"example.com/gone"
	"sync"
)

var mu sync.Mutex

func F() { gone.F() }
`)
	broken := filepath.Join(t.TempDir(), "broken.sh")
	if err := os.WriteFile(broken, []byte("#!/bin/sh\ncase \"$*\" in *-V=full*) exec \"$@\" ;; esac\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "GOFLAGS=-mod=mod -toolexec="+broken, "GOPROXY=off", "GOCACHE="+t.TempDir())
	tree, err := Load(t.Context(), Options{Root: dir, Dir: dir, Env: env, Partly: true, sourceOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(tree.Packages) != 1 || tree.Packages[0].Path != "example.com/m/a" || tree.Packages[0].Code.IllTyped {
		t.Errorf("loaded %v, want a alone", tree.Packages)
	}
	if len(tree.Broken) != 1 || !strings.Contains(tree.Broken[0].Messages[0], "example.com/gone") {
		t.Errorf("broken: %v, want b, for want of example.com/gone", tree.Broken)
	}
}

func write(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		file := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func compare(t *testing.T, dir string) {
	t.Helper()
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := packages.Load(&packages.Config{Context: t.Context(), Dir: dir, Tests: true,
		Mode: mode&^packages.NeedDeps | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	for _, sourceOnly := range []bool{false, true} {
		ours, err := List(t.Context(), Options{Root: dir, Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		if err := typeCheck(t.Context(), ours.cfg, ours.pkgs, extent{sourceOnly: sourceOnly}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(told(theirs, dir), told(ours.pkgs, dir)); diff != "" {
			t.Errorf("only from source %t (-packages +ours):\n%s", sourceOnly, diff)
		}
	}
}

// told is what packages are, as text: what they declare, how many expressions have
// which type, and their mistakes.
func told(pkgs []*packages.Package, dir string) []string {
	var out []string
	for _, p := range pkgs {
		if isTestMain(p) {
			continue
		}
		lines := []string{p.ID, strings.Join(p.CompiledGoFiles, " ")}
		if len(p.Errors) == 0 {
			scope := p.Types.Scope()
			for _, name := range scope.Names() {
				lines = append(lines, types.ObjectString(scope.Lookup(name), nil))
			}
			byType := map[string]int{}
			for _, tv := range p.TypesInfo.Types {
				byType[types.TypeString(tv.Type, nil)]++
			}
			for name, n := range byType {
				lines = append(lines, strings.Repeat("|", n)+" "+name)
			}
			for path, q := range p.Imports {
				if q.Types == nil || !q.Types.Complete() {
					lines = append(lines, path+" is not complete")
				}
			}
			slices.Sort(lines[2:])
		}
		for _, e := range p.Errors {
			// The go command's own words hold the compiler's where that was asked, a
			// second time, and why an import fails is told from what it says, too.
			if e.Kind != packages.ListError {
				what, _, _ := strings.Cut(e.Error(), " (")
				lines = append(lines, strings.ReplaceAll(what, dir+string(filepath.Separator), ""))
			}
		}
		out = append(out, strings.Join(lines, "\n"))
	}
	slices.Sort(out)
	return out
}
