package build

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/revision"
	"github.com/isodelta/isodelta/runner/stage"
	"github.com/isodelta/isodelta/runner/version"
)

// editedTests is a package on base and on head, and head's tests, of which only some
// fit base.
const editedTests = `
-- base/m.go --
package m

import "strings"

type Stack struct{ items []int }

func (s *Stack) Push(x int) { s.items = append(s.items, x) }

func Double(x int) int { return 2 * x }

func Touch(s *Stack) { s.Push(1) }

func Join(words []string) string { return strings.Join(words, " ") }
-- head/m.go --
package m

import "strings"

type Stack struct{ items []int }

func (s *Stack) Push(x int) { s.items = append(s.items, x) }

func (s *Stack) Pop() int { return s.items[len(s.items)-1] }

func Double(x int) (int, error) { return 2 * x, nil }

func Touch(s *Stack) int { s.Push(1); return len(s.items) }

func Triple(x int) int { return 3 * x }

func Join(words []string) string { return strings.Join(words, " ") }
-- head/m_test.go --
package m

import (
	"encoding/hex"
	"testing"
)

func TestFits(t *testing.T) {
	if got := Join([]string{"a", "b"}); got != "a b" {
		t.Error(got)
	}
}

func TestOfAPackageThatOnlyHeadImports(t *testing.T) {
	if hex.EncodeToString([]byte(Join([]string{"a"}))) != "61" {
		t.Error("wrong")
	}
}

func TestGone(t *testing.T) {
	if Triple(1) != 3 {
		t.Error("wrong")
	}
}

func TestArity(t *testing.T) {
	if x, err := Double(2); x != 4 || err != nil {
		t.Error(x)
	}
}

// Without observations it fits.
func TestUnusedResult(t *testing.T) {
	Touch(new(Stack))
}

type popper interface{ Pop() int }

var _ popper = (*Stack)(nil)

func pop(s *Stack) int { return s.Pop() }

func TestThatNeedsAHelperThatDoesNotFit(t *testing.T) {
	s := new(Stack)
	s.Push(1)
	if pop(s) != 1 {
		t.Error("wrong")
	}
}

// Only two rows and a subtest do not fit.
func TestTable(t *testing.T) {
	for _, tc := range []struct {
		f    func(int) int
		want int
	}{
		{func(x int) int { y, _ := Double(x); return y }, 2},
		{
			Triple,
			3,
		},
		{func(x int) int { return x }, 1},
		{func(x int) int { return -x }, -1},
	} {
		if got := tc.f(1); got != tc.want {
			t.Error(got)
		}
	}
	t.Run("triple", func(t *testing.T) {
		if Triple(2) != 6 {
			t.Error("wrong")
		}
	})
	t.Run("joined", func(t *testing.T) {
		if got := Join([]string{"a"}); got != "a" {
			t.Error(got)
		}
	})
}

func exported(s *Stack) int { return len(s.items) }

var Exported = exported

func (s *Stack) Len() int { return len(s.items) }
-- head/x_test.go --
package m_test

import (
	"testing"

	"example.com/m"
)

func TestExported(t *testing.T) {
	s := new(m.Stack)
	m.Touch(s)
	if m.Exported(s) != s.Len() {
		t.Error("wrong")
	}
}

func TestGoneOutside(t *testing.T) {
	t.Log(m.Triple(1))
}
`

// What the type-checker of this process finds is what builds find, one after the
// other; after it the first build succeeds.
func TestFit(t *testing.T) {
	t.Parallel()
	const pkg = "example.com/m"
	want := map[string][]string{
		"m_test.go": {"TestArity", "TestGone", "TestTable: row of line 57", "TestTable: row of line 58", "TestTable: subtest of line 69", "TestThatNeedsAHelperThatDoesNotFit", "_", "pop"},
		"x_test.go": {"TestGoneOutside"},
	}
	fitted, s := builderOf(t, editedTests)
	if err := fitted.fit(s, pkg); err != nil {
		t.Fatal(err)
	}
	for file := range s.Dropped {
		slices.Sort(s.Dropped[file])
	}
	if diff := cmp.Diff(want, s.Dropped); diff != "" {
		t.Errorf("dropped (-want +got):\n%s", diff)
	}
	if err := fitted.buildBinary(t.Context(), s, ordinary(s.Other), pkg); err != nil {
		t.Errorf("after the types fit: %v", err)
	}

	compiled, u := builderOf(t, editedTests)
	rounds := 0
	for ; rounds < maxRounds; rounds++ {
		err := compiled.buildBinary(t.Context(), u, ordinary(u.Other), pkg)
		var broken *execute.BuildError
		if !errors.As(err, &broken) {
			break
		}
		if !compiled.dropFailing(u, broken) {
			t.Fatal(err)
		}
		if err := compiled.instrumentAgain(u); err != nil {
			t.Fatal(err)
		}
	}
	for file := range u.Dropped {
		slices.Sort(u.Dropped[file])
	}
	if diff := cmp.Diff(u.Dropped, s.Dropped); diff != "" {
		t.Errorf("dropped by %d builds and by types (-builds +types):\n%s", rounds, diff)
	}
	if diff := cmp.Diff(said(compiled), said(fitted)); diff != "" {
		t.Errorf("what is listed (-builds +types):\n%s", diff)
	}
}

// movedTests is a package whose tests import packages that base lacks: what code imports, too, fakes that fit base, and
// fakes that do not.
const movedTests = `
-- base/m.go --
package m

func Double(x int) int { return 2 * x }
-- head/m.go --
package m

import "example.com/m/inner"

func Double(x int) int { return inner.Twice(x) }

func Triple(x int) int { return 3 * x }
-- head/inner/inner.go --
package inner

func Twice(x int) int { return x + x }
-- head/fakes/fakes.go --
package fakes

import (
	"strings"

	"example.com/m"
	"example.com/m/fakes/deep"
)

func Four() int { return m.Double(deep.Two) + strings.Count("", "x") }
-- head/fakes/deep/deep.go --
package deep

const Two = 2
-- head/unfit/unfit.go --
package unfit

import "example.com/m"

func Six() int { return m.Triple(2) }
-- head/m_test.go --
package m

import (
	"testing"

	"example.com/m/inner"
)

func TestDouble(t *testing.T) {
	if Double(1) != 2 {
		t.Error("wrong")
	}
}

func TestInner(t *testing.T) {
	if Double(1) != inner.Twice(1) {
		t.Error("wrong")
	}
}
-- head/x_test.go --
package m_test

import (
	"testing"

	"example.com/m"
	"example.com/m/fakes"
	"example.com/m/unfit"
)

func TestFakes(t *testing.T) {
	if m.Double(2) != fakes.Four() {
		t.Error("wrong")
	}
}

func TestUnfit(t *testing.T) {
	if m.Double(3) != unfit.Six() {
		t.Error("wrong")
	}
}
`

// A test that imports what the other version lacks is dropped, and the others are built. A package that tests alone
// import belongs to them, where it fits.
func TestFitPackages(t *testing.T) {
	t.Parallel()
	b, s := builderOf(t, movedTests)
	if err := b.fit(s, "example.com/m"); err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{
		"m_test.go": {`import "example.com/m/inner"`},
		"x_test.go": {`import "example.com/m/unfit"`},
	}
	if diff := cmp.Diff(want, s.Dropped); diff != "" {
		t.Errorf("dropped (-want +got):\n%s", diff)
	}
	if err := b.buildBinary(t.Context(), s, ordinary(s.Other), "example.com/m"); err != nil {
		t.Errorf("after the packages fit: %v", err)
	}
}

// said returns what a builder has listed, sorted.
func said(b *Builder) []string {
	var out []string
	for _, e := range *b.Env.Sink.(*events) {
		out = append(out, cmp.Diff(nil, e))
	}
	slices.Sort(out)
	return out
}

// builderOf lays a module out in two versions, and returns a builder of them with
// head's suite, instrumented.
func builderOf(t *testing.T, archive string) (*Builder, *Suite) {
	t.Helper()
	folder := t.TempDir()
	if folder, err := filepath.EvalSymlinks(folder); err != nil {
		t.Fatal(folder, err)
	}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(folder, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		side, _, _ := strings.Cut(f.Name, "/")
		for name, text := range map[string][]byte{name: f.Data, filepath.Join(folder, side, "go.mod"): []byte("module example.com/m\n\ngo 1.21\n")} {
			if err := os.WriteFile(name, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	b := &Builder{Env: &stage.Env{Sink: new(events)}, Chain: &Toolchain{Tmp: filepath.Join(folder, "tmp")}}
	for _, side := range []version.Side{version.Base, version.Head} {
		dir := filepath.Join(folder, side.String())
		tree, err := load.Load(t.Context(), load.Options{Root: dir, Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		v := &Version{Side: side, Root: dir, Module: dir, Tree: tree}
		if err := v.Instrument(instrument.Config{}); err != nil {
			t.Fatal(err)
		}
		b.Versions[side] = v
		if err := b.Chain.Find(t.Context(), dir); err != nil {
			t.Fatal(err)
		}
	}
	s := &Suite{Side: version.Head, Own: b.Versions[version.Head], Other: b.Versions[version.Base],
		Dropped: map[string][]string{}, bare: map[string][]string{}}
	var err error
	if s.foreign, err = revision.Overlay(s.Own.Root, s.Other.Root); err != nil {
		t.Fatal(err)
	}
	b.keepTestOnly(s)
	if err := b.instrument(s); err != nil {
		t.Fatal(err)
	}
	return b, s
}
