package instrument

import (
	"bytes"
	"context"
	"errors"
	"go/build"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/isodelta/isodelta/internal/longtest"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/probe"
)

func TestTestName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"Test": true, "TestX": true, "Test_x": true, "Test1": true, "TestÄ": true,
		"Testx": false, "Testä": false, "TesT": false, "XTest": false,
	} {
		if got := testName(name, "Test"); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func suiteOf(t *testing.T, files map[string]string) (*load.Tree, *Suite) {
	t.Helper()
	files["go.mod"] = "module example.com/m\n\ngo 1.22\n"
	tree := loadTree(t, writeFiles(t, files))
	s, err := Tests(tree, Config{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return tree, s
}

func find(t *testing.T, s *Suite, source string) Test {
	t.Helper()
	for _, test := range s.Tests {
		if test.Source == source {
			return test
		}
	}
	t.Fatalf("no test %s among %d", source, len(s.Tests))
	return Test{}
}

// TestDigest wants a digest to follow the text of a test and of what it uses,
// in whatever file, and nothing else.
func TestDigest(t *testing.T) {
	longtest.Plain(t)
	t.Parallel()
	const test = `package m
import ("testing"; "fmt")
func TestA(t *testing.T) { if f(table[0]) != limit { t.Error(table) } }
func f(x int) int { return x }
const ( unused = iota; limit )
func ExampleF() { fmt.Println(f(1)); 
// Output: 1
}
func TestB(t *testing.T) {}
`
	const other = `package m
import "testing"
var table = []int{ 1, 2 }
type kind struct{}
func (kind) Get() int { return 3 }
func TestC(t *testing.T) { var k any = kind{}; _ = k }
`
	const external = `package m_test
import ("testing"; "example.com/m")
func TestD(t *testing.T) { m.F() }
`
	const export = `package m
func F() int { return table[0] }
`
	all := []string{"TestA", "TestB", "TestC", "TestD", "ExampleF"}
	digests := func(replace ...string) map[string]string {
		r := strings.NewReplacer(replace...)
		_, s := suiteOf(t, map[string]string{
			"a.go": "package m\n", "a_test.go": r.Replace(test), "b_test.go": r.Replace(other),
			"c_test.go": r.Replace(external), "export_test.go": r.Replace(export),
		})
		out := map[string]string{}
		for _, name := range all {
			out[name] = find(t, s, name).Digest
		}
		return out
	}
	plain := digests()
	for _, c := range []struct {
		name    string
		replace []string
		changed []string
	}{
		{"white space", []string{"{ 1, 2 }", "{\n\t1,\n\t2,\n}", "{ if", "{\n\n\tif"}, nil},
		{"comments", []string{"func f(", "// f is documented.\nfunc f(", "const (", "const ( /* numbers */"}, nil},
		{"own text", []string{"TestB(t *testing.T) {}", "TestB(t *testing.T) { t.Log() }"}, []string{"TestB"}},
		{"helper", []string{"return x }", "return x + 1 }"}, []string{"TestA", "ExampleF"}},
		{"variable of another file", []string{"{ 1, 2 }", "{ 1, 3 }"}, []string{"TestA", "TestD"}},
		{"constant above", []string{"( unused", "( before = iota; unused"}, []string{"TestA"}},
		{"output", []string{"Output: 1", "Output: 2"}, []string{"ExampleF"}},
		{"method behind an interface", []string{"return 3", "return 4"}, []string{"TestC"}},
	} {
		now := digests(c.replace...)
		for _, name := range all {
			if (plain[name] != now[name]) != slices.Contains(c.changed, name) {
				t.Errorf("%s: %s changed: %t", c.name, name, plain[name] != now[name])
			}
		}
	}
}

func TestDeclAt(t *testing.T) {
	t.Parallel()
	const src = `package m

import (
	"os"
	. "testing"
)

// T is documented.
type T[K any] struct {
	a int
}

func (t *T[K]) Push() {
}

var _ = os.Args

var (
	a, b = 1, 2
	_    = ` + "`\n`" + `
)

func init() {}

func init() {
}
func TestX(t *B) {}
`
	tree := &load.Tree{Root: writeFiles(t, map[string]string{"d/a_test.go": src})}
	for line, want := range map[int]string{
		1: "", 3: "", 4: `import "os"`, 5: `import "testing"`, 8: "T", 10: "T", 13: "(*T).Push", 14: "(*T).Push",
		16: "_", 19: "a", 20: "_#1", 21: "_#1", 24: "init", 26: "init#1", 27: "init#1", 28: "TestX", 99: "",
	} {
		got, ok := DeclAt(tree, "d/a_test.go", line)
		if got != want || ok != (want != "") {
			t.Errorf("line %d: %q, %t; want %q", line, got, ok, want)
		}
	}
	if name, ok := DeclAt(tree, "d/missing_test.go", 1); ok {
		t.Errorf("missing file: %s", name)
	}
}

// TestDropEach drops each declaration of the fixtures by itself: what is left
// parses, on the same lines, and no longer declares it.
func TestDropEach(t *testing.T) {
	longtest.Plain(t)
	t.Parallel()
	for _, fixture := range []string{"observations", "prologues", "drop"} {
		archive, err := txtar.ParseFile("testdata/" + fixture + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		tree := loadTree(t, writeFiles(t, inputs(archive)))
		for _, half := range [][]string{{"a_test.go"}, {"external_test.go"}} {
			rel := half[0]
			src, err := os.ReadFile(filepath.Join(tree.Root, rel))
			if os.IsNotExist(err) {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), rel, src, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			for _, u := range units(f) {
				s, err := Tests(tree, Config{}, map[string][]string{rel: {u.name}})
				if err != nil {
					t.Fatal(err)
				}
				after := s.Files[rel]
				if bytes.Count(after, []byte("\n")) != bytes.Count(src, []byte("\n")) {
					t.Errorf("%s: without %s: other lines", fixture, u.name)
				}
				left, err := parser.ParseFile(token.NewFileSet(), rel, after, parser.ParseComments)
				if err != nil {
					t.Errorf("%s: without %s: %v\n%s", fixture, u.name, err, after)
					continue
				}
				for _, v := range units(left) {
					if v.name == u.name {
						t.Errorf("%s: %s is still there", fixture, u.name)
					}
				}
			}
		}
	}
}

// TestMending drops what does not fit another version of the code, as told by
// the compiler, until the rest builds and passes.
func TestMending(t *testing.T) {
	longtest.Plain(t)
	t.Parallel()
	if testing.Short() {
		t.Skip("builds several times")
	}
	files := map[string]string{
		"go.mod":     "module example.com/m\n\ngo 1.22\n",
		"a.go":       "package m\n\nfunc Kept() int { return 1 }\n\nfunc Gone() int { return 2 }\n\nfunc Quiet() int { return 3 }\n",
		"sub/sub.go": "package sub\n\nconst X = 1\n",
		"a_test.go": `package m

import (
	"strings"
	"testing"

	"example.com/m/sub"
)

var wanted = strings.Count("aa", "a") - Gone() + 1

func TestKept(t *testing.T) {
	if Kept() != 1 {
		t.Error("kept")
	}
}

func TestGone(t *testing.T) {
	if Gone() != 2 {
		t.Error("gone")
	}
}

func TestSub(t *testing.T) {
	if sub.X != wanted {
		t.Error("sub")
	}
}

// The other version's Quiet has no result.
func TestQuiet(t *testing.T) {
	Quiet()
}
`,
	}
	tree := loadTree(t, writeFiles(t, files))
	// The other version, which the suite is built against.
	other := filepath.Join(t.TempDir(), "a.go")
	write(t, other, []byte("package m\n\nfunc Kept() int { return 1 }\n\nfunc Quiet() {}\n"))

	cfg := Config{Bare: map[string][]string{}}
	drop := map[string][]string{}
	for range 10 {
		p := instrumented(t, tree, cfg, drop)
		replace := map[string]string{filepath.Join(tree.Root, "a.go"): other, filepath.Join(tree.Root, "sub/sub.go"): ""}
		p.overwrite(t, replace)
		out := filepath.Join(t.TempDir(), "suite.test")
		err := execute.Test(context.Background(), execute.Build{
			Dir: tree.Dir, Package: "example.com/m", Out: out, Overlay: p.overlay, Module: tree.Module, Env: os.Environ(),
		})
		if err == nil {
			if got := verdicts(t, out, tree.Dir); len(got) != 2 || got["TestKept"] != "PASS" || got["TestQuiet"] != "PASS" {
				t.Errorf("ran %v", got)
			}
			if got := drop["a_test.go"]; !slices.Contains(got, "TestGone") || slices.Contains(got, "TestQuiet") {
				t.Errorf("dropped %v", got)
			}
			return
		}
		var build *execute.BuildError
		if !errors.As(err, &build) || len(build.At) == 0 {
			t.Fatal(err)
		}
		for _, at := range build.At {
			name, ok := DeclAt(tree, "a_test.go", at.Line)
			if !ok {
				t.Fatalf("no declaration at %v", at)
			}
			if slices.Contains(cfg.Bare["a_test.go"], name) {
				drop["a_test.go"] = append(drop["a_test.go"], name)
			} else {
				cfg.Bare["a_test.go"] = append(cfg.Bare["a_test.go"], name)
			}
			if strings.HasPrefix(name, "import ") {
				drop["a_test.go"] = append(drop["a_test.go"], name)
			}
		}
	}
	t.Errorf("does not build after ten attempts; dropped %v", drop)
}

// overwrite adds another version's files to a project's overlay.
func (p *project) overwrite(t *testing.T, replace map[string]string) {
	t.Helper()
	scratch := filepath.Dir(p.overlay)
	probes, err := probe.Overlay(build.Default.GOROOT, filepath.Join(scratch, "probe"), false)
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(replace, probes)
	for rel := range p.suite.Files {
		replace[filepath.Join(p.tree.Root, rel)] = filepath.Join(scratch, "src", rel)
	}
	if err := execute.WriteOverlay(p.overlay, replace); err != nil {
		t.Fatal(err)
	}
}

// TestLeftAlone covers what a configuration leaves out, and cgo.
func TestLeftAlone(t *testing.T) {
	longtest.Plain(t)
	t.Parallel()
	files := map[string]string{
		"go.mod":    "module example.com/m\n\ngo 1.22\n",
		"a.go":      "package m\n\nfunc A(x bool) int { if x { return 1 }; return C(2) }\n",
		"b.go":      "package m\n\nfunc B(x bool) int { if x { return 1 }; return 2 }\n",
		"made.go":   "// Code generated by x. DO NOT EDIT.\n\npackage m\n\nfunc M(x bool) int { if x { return 1 }; return 2 }\n",
		"a_test.go": "package m\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { A(true) }\n",
		"b_test.go": "package m\n\nimport \"testing\"\n\nfunc TestB(t *testing.T) { B(true) }\n",
		"c.go":      "package m\n\n// static int twice(int x) { return 2 * x; }\nimport \"C\"\n\nfunc C(x int) int { if x > 1 { return int(C.twice(C.int(x))) }; return 0 }\n",
	}
	if !usesCgo(t) {
		files["c.go"] = "package m\n\nfunc C(x int) int { return x }\n"
	}
	tree := loadTree(t, writeFiles(t, files))
	cfg := Config{Generated: true, Exclude: func(rel string) bool { return strings.HasPrefix(rel, "b") }}
	prog, err := Code(tree, cfg)
	if err != nil {
		t.Fatal(err)
	}
	suite, err := Tests(tree, cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := []int{len(prog.Files), len(suite.Files), len(prog.Conditions), len(suite.Tests)}; !slices.Equal(got, []int{2, 1, 2, 1}) {
		t.Errorf("files, test files, conditions and tests: %v", got)
	}
	for _, c := range prog.Conditions {
		if !c.Negatable {
			t.Errorf("%s: %s", c.ID, c.Reason)
		}
	}
	want := []Skip{{"b.go", 1, "excluded by configuration"}}
	if usesCgo(t) {
		want = append(want, Skip{"c.go", 1, `imports "C"`})
	}
	if !slices.Equal(prog.Skipped, want) {
		t.Errorf("skipped %v", prog.Skipped)
	}
	if want := []Skip{{"b_test.go", 1, "excluded by configuration"}}; !slices.Equal(suite.Skipped, want) {
		t.Errorf("skipped %v", suite.Skipped)
	}
}
