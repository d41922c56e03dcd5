package build

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/stage"
	"github.com/isodelta/isodelta/runner/version"
)

func test(pkg, name, digest string) instrument.Test {
	return instrument.Test{Package: module + "/" + pkg, Name: name, Digest: digest, File: pkg + "/" + pkg + "_test.go"}
}

func suite(side version.Side, packages []string, tests ...instrument.Test) *Suite {
	s := &Suite{Side: side, Text: &instrument.Suite{Tests: tests}}
	for _, p := range packages {
		s.Packages = append(s.Packages, module+"/"+p)
	}
	return s
}

func names(tests []instrument.Test) []string {
	var out []string
	for _, t := range tests {
		out = append(out, t.Name)
	}
	return out
}

func TestKeepEdited(t *testing.T) {
	t.Parallel()
	head := []instrument.Test{test("a", "TestSame", "1"), test("a", "TestEdited", "2"), test("b", "TestSame", "1"), test("a", "TestNew", "5")}
	for _, c := range []struct {
		name     string
		testdata map[string]bool
		base     []instrument.Test
		chosen   []string
		tests    []string
		packages []string
	}{
		{"all the same", nil, head[:3], []string{"a", "b"}, nil, nil},
		{"edited", nil, []instrument.Test{test("a", "TestSame", "1"), test("a", "TestEdited", "1")}, []string{"a", "b"}, []string{"TestEdited"}, []string{"a"}},
		{"removed", nil, []instrument.Test{test("a", "TestGone", "1"), test("b", "TestSame", "1")}, []string{"a", "b"}, []string{"TestGone"}, []string{"a"}},
		{"of the same name in another package", nil, []instrument.Test{test("b", "TestEdited", "2")}, []string{"b"}, []string{"TestEdited"}, []string{"b"}},
		{"edited, in a package that does not run", nil, []instrument.Test{test("a", "TestEdited", "1")}, []string{"b"}, nil, nil},
		{"its folder has other testdata", map[string]bool{"a": true}, head[:3], []string{"a", "b"}, []string{"TestSame", "TestEdited"}, []string{"a"}},
	} {
		base := suite(version.Base, c.chosen, c.base...)
		keepEdited(base, suite(version.Head, []string{"a", "b"}, head...), c.testdata)
		if diff := cmp.Diff(c.tests, names(base.Text.Tests)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
		want := suite(version.Base, c.packages).Packages
		if len(want)+len(base.Packages) > 0 && !cmp.Equal(want, base.Packages) {
			t.Errorf("%s: packages %v, want %v", c.name, base.Packages, want)
		}
	}
}

func TestSuitesKnowEachOther(t *testing.T) {
	t.Parallel()
	head := suite(version.Head, nil, test("a", "TestEdited", "2"), test("a", "TestNew", "1"))
	base := suite(version.Base, nil, test("a", "TestEdited", "1"), test("a", "TestSame", "1"))
	s := NewSuites(head, base)
	base.Text.Tests = base.Text.Tests[:1]
	base.Tests = []*Test{{Test: base.Text.Tests[0], Suite: base}}
	edited, fresh := &Test{Test: head.Text.Tests[0], Suite: head}, &Test{Test: head.Text.Tests[1], Suite: head}
	same := &Test{Test: test("a", "TestSame", "1"), Suite: head}
	if s.IsNew(edited) || s.IsNew(same) || !s.IsNew(fresh) {
		t.Error("new is what base's whole suite does not have")
	}
	if !s.InBase(edited) || s.InBase(same) || s.InBase(fresh) {
		t.Error("of base's suite, as it is left, only what is edited can run")
	}
	if twin, ok := s.Twin(edited); !ok || twin.Digest != "1" {
		t.Errorf("%+v, %t", twin, ok)
	}
	if _, ok := s.Twin(fresh); ok {
		t.Error("a new test has no twin")
	}
	if twin, ok := s.Twin(base.Tests[0]); !ok || twin.Digest != "2" {
		t.Errorf("base's test has the twin %+v, %t", twin, ok)
	}
}

func TestPlainWords(t *testing.T) {
	t.Parallel()
	const said = "/tmp/x/gen/head-base/tests/a/a_test.go:3: undefined: F\n/tmp/x/gen/base-head/code/b.go:1: no"
	if got, want := Plain(said), "a/a_test.go:3: undefined: F\nb.go:1: no"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Plain("a/gen/other/tests/b.go"); got != "a/gen/other/tests/b.go" {
		t.Errorf("%q was no generated folder", got)
	}
}

// events are what was emitted.
type events []event.Event

func (e *events) Emit(x event.Event) { *e = append(*e, x) }

// A declaration that does not compile goes without observations first, is dropped and
// listed the second time, and is not mended a third time.
func TestDropFailing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module example.com/m\n\ngo 1.21\n",
		"m.go":      "package m\n",
		"m_test.go": "package m\n\nimport \"testing\"\n\nfunc TestOne(t *testing.T) {\n\tt.Log(1)\n}\n\nfunc TestTwo(t *testing.T) {}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := load.Load(context.Background(), load.Options{Root: dir, Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	own, other := &Version{Side: version.Head, Root: dir, Tree: tree}, &Version{Side: version.Base}
	var said events
	b := &Builder{Env: &stage.Env{Sink: &said}, Versions: version.Both[*Version]{other, own}, Chain: &Toolchain{Tmp: filepath.Join(dir, "tmp")}}
	s := &Suite{Side: version.Head, Own: own, Other: other, Dropped: map[string][]string{}, bare: map[string][]string{}}
	// The compiler names the generated file; twice, for two mistakes in a line.
	generated := execute.Position{File: filepath.Join(dir, "tmp", "gen", "head-base", "tests", "m_test.go"), Line: 6, Message: "undefined: F"}
	complaint := &execute.BuildError{At: []execute.Position{generated, generated}}
	if !b.dropFailing(s, complaint) || len(s.Dropped) > 0 {
		t.Fatalf("the first time, %v is dropped", s.Dropped)
	}
	if diff := cmp.Diff(map[string][]string{"m_test.go": {"TestOne"}}, s.bare); diff != "" {
		t.Fatal(diff)
	}
	if !b.dropFailing(s, complaint) {
		t.Fatal("nothing is mended the second time")
	}
	if diff := cmp.Diff(map[string][]string{"m_test.go": {"TestOne"}}, s.Dropped); diff != "" {
		t.Fatal(diff)
	}
	want := events{event.Limit{Type: "limit", Kind: event.LimitDroppedTest, Suite: "head", What: "m_test.go: TestOne", Reason: "does not build against base: undefined: F"}}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Error(diff)
	}
	if b.dropFailing(s, complaint) {
		t.Error("what is dropped cannot be mended again")
	}
	if b.dropFailing(s, &execute.BuildError{At: []execute.Position{{File: filepath.Join(dir, "m.go"), Line: 1}}}) {
		t.Error("a package clause is no test declaration")
	}
	// A module that the compiler no longer takes was told of as a test that does not fit.
	dependency := filepath.Join(t.TempDir(), "pkg", "mod", "example.com", "x@v1.0.0", "x.go")
	if err := os.MkdirAll(filepath.Dir(dependency), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dependency, []byte("package x\n\nfunc X() {\n\tY()\n}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	abroad := &execute.BuildError{At: []execute.Position{{File: dependency, Line: 4, Message: "undefined: Y"}, {File: dependency, Line: 5, Message: "no"}}}
	if b.dropFailing(s, abroad) {
		t.Error("another module's function is no test declaration")
	}
	if got, want := b.complaint(s, abroad), "example.com/x@v1.0.0/x.go:4: undefined: Y, and 1 more"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A package that one version does not have is refused before anything is built.
func TestPlainWithoutThePackage(t *testing.T) {
	t.Parallel()
	b := &Builder{Versions: version.Both[*Version]{versionOf(version.Base), versionOf(version.Head, chain...)}, Chain: &Toolchain{Tmp: t.TempDir()}}
	_, err := b.Plain(context.Background(), module+"/a", nil)
	var broken *execute.BuildError
	if !errors.As(err, &broken) || broken.Output != "there is no such package on base" {
		t.Errorf("%v", err)
	}
}
