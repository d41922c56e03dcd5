package instrument

import (
	"bytes"
	"errors"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"

	"github.com/isodelta/isodelta/internal/longtest"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/probe"
)

// probeStub has the signatures of what rewritten code calls.
const probeStub = `package probe
func B(i int, v bool) bool { return v }
func C(i int, v bool) bool { return v }
func N[T ~bool](i int, v T) T { return v }
func A(i int) {}
func F(k int) {}
var Watch bool
func LeaveInit() {}
func EndInit() {}
func Enter(hook int, f any, args ...any) {}
`

// alone type-checks files that import nothing but the probe.
type alone struct{ probe *types.Package }

func (a alone) Import(path string) (*types.Package, error) {
	if path == probe.Path {
		return a.probe, nil
	}
	return nil, errors.New("no imports here")
}

func check(fset *token.FileSet, name string, src []byte, from types.Importer) (*ast.File, *types.Info, error) {
	f, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	conf := types.Config{Importer: from, GoVersion: "go1.26"}
	_, err = conf.Check(f.Name.Name, fset, []*ast.File{f}, info)
	return f, info, err
}

// rewriteAlone holds for a source that is fit for the property: it type-checks
// by itself. Then the rewritten source must type-check too, on as many lines.
func rewriteAlone(t *testing.T, src []byte, from types.Importer) bool {
	t.Helper()
	fset := token.NewFileSet()
	f, info, err := check(fset, "/m/a.go", src, from)
	if err != nil {
		return false
	}
	tree := &load.Tree{
		Root: "/m", Dir: "/m", Module: "m", GoVersion: "1.26", Fset: fset,
		Packages: []*load.Package{{Path: "m", Dir: "/m", Code: &packages.Package{Syntax: []*ast.File{f}, TypesInfo: info}}},
	}
	functions := entries(tree, nil)
	prog, err := code(tree, Config{Entries: functions, Hooks: functions}, func(string) ([]byte, error) { return src, nil })
	if err != nil {
		t.Fatal(err)
	}
	after, ok := prog.Files["a.go"]
	if !ok {
		return true
	}
	if hooks := bytes.Count(after, []byte("probe.Watch {")) - bytes.Count(src, []byte("probe.Watch {")); hooks+len(prog.Unhooked) != len(functions) {
		t.Errorf("%d functions, %d hooks and %d without", len(functions), hooks, len(prog.Unhooked))
	}
	if a, b := bytes.Count(src, []byte("\n")), bytes.Count(after, []byte("\n")); a != b {
		t.Errorf("%d lines became %d:\n%s", a, b, after)
	}
	if _, _, err := check(token.NewFileSet(), "/m/a.go", after, from); err != nil {
		t.Errorf("no longer type-checks: %v\n--- before\n%s\n--- after\n%s", err, src, after)
	}
	seen := map[string]bool{}
	places := map[load.Place]bool{}
	for i, c := range prog.Conditions {
		if c.Index != i {
			t.Errorf("condition %d has index %d", i, c.Index)
		}
		if seen[c.ID] {
			t.Errorf("two conditions are %s", c.ID)
		}
		if places[c.Place] {
			t.Errorf("two conditions at %v: %s", c.Place, c.ID)
		}
		seen[c.ID], places[c.Place] = true, true
	}
	return true
}

func stubImporter(t testing.TB) types.Importer {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "probe.go", probeStub, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{}).Check(probe.Path, fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return alone{pkg}
}

// FuzzCode: what type-checks before must type-check after.
func FuzzCode(f *testing.F) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		f.Fatalf("no fixtures: %v", err)
	}
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if strings.HasSuffix(file.Name, ".go") && !strings.HasPrefix(file.Name, "want/") {
				f.Add(file.Data)
			}
		}
	}
	for _, s := range corners {
		f.Add([]byte("package p\n" + s))
	}
	from := stubImporter(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 1<<14 {
			t.Skip()
		}
		rewriteAlone(t, src, from)
	})
}

// corners are small declarations from the corners of the language.
var corners = []string{
	"func f(a, b bool) bool { return a && b || !a && (b || a) }",
	"type B bool\nfunc f(a B, x int) B { if a && x == 1 { return x < 2 || a }; return a == (x > 1) }",
	"func f(x any) int { switch x { case nil, 1, 'a', 2.5, \"s\", 1i: return 1; default: return 2 } }",
	"func f(x any) int { switch { case x: return 1; case x == true: return 2 }; return 3 }",
	"func f(x int) (r int) { L: switch y := x; y { case 1: break L; case 2: fallthrough; default: r++; goto E }; E: return }",
	"func f(n uint) bool { switch uint8(1) << n { case 1 << n: return true }; switch 1 << n { case 2: }; return 1<<n == 2.0 }",
	"func f[T ~bool | bool](x, y T) T { for x && y { x = !x || y }; return x || y }",
	"func f[T interface{ ~bool; M() }](x T) { if x { return } }",
	"func f[T comparable](x T, ys ...T) int { for i, y := range ys { switch y { case x, ys[0]: return i } }; return -1 }",
	"var x, y = true && !z, z || f(); var z = len(\"a\") > 0; func f() bool { return z && y }",
	"const c = 1 < 2 && true; var a [1]int; func f() { if c || len(a) == 1 { }; for c { } }",
	"func f(m map[string]bool, c chan bool, p *bool) bool { return m[\"a\"] && <-c && *p || func() bool { return *p || m[\"\"] }() }",
	"func f(x interface{ M() }) bool { _, ok := x.(interface{ N() }); switch y := x.(type) { case nil: return y == nil || ok }; return ok && x != nil }",
	"func f() (n int) { for { select { default: return; } } }",
	"func f() { goto L; L: switch x := 1; x { case 1: goto M; M: } }",
	"type bool int; func f(a, b bool) { if a == b && b > 1 { switch a { case b: } } }",
	"func f(true int) { switch { case 1 < true: }; switch true { case 2: } }",
	"func f(g func()) { switch g { case nil: }; var s []int; switch s { case nil: default: } }",
	"func f(x struct{ a, b int }) { switch x { case (struct{ a, b int }{1, 2}): } ; if x == (struct{ a, b int }{}) {} }",
	"func f(a bool) { switch a && !a { case a || a, true: }; switch (a) { case (a) && a: } }",
	"type T = bool; type U T; func f(a T, b U) (T, U) { return a && a, b && (b == b) }",
	"func f(yield func(int) bool) { for x := range f { if !yield(x) || x > 1 { return } } }",
	"type S[T any] struct{ t T }; func (s S[T]) m(a bool) bool { return a && s.m(a) }; func (*S[_]) n(a bool) bool { return a && a }",
	"func f(int, ...string) {}; func (_ S[_, T]) m(_, a int, _ T) {}; type S[A, B any] struct{}; func (*S[A, _]) n(A) (n int) { return }",
	"func f[f any](f int) {}; func g(g int) {}; func h() (h int) { return }; type T int; func (T T) m(int) {}; func (t T) T(T T) {}",
	"func f[_ any, T interface{ ~[]E }, E any](T, ...E) (_ E) { panic(0) }; func int(string) {}; func any(any) {}",
	"func _(a bool) bool { return a && a }; func _(a bool) bool { return a && a }; func init() { for 0 < len(\"\") {} }; func init() {}",
}

// TestDistributionFiles puts the compiler's and the type checker's own test
// files through the same property.
func TestDistributionFiles(t *testing.T) {
	longtest.Plain(t)
	if testing.Short() {
		t.Skip("type-checks thousands of files")
	}
	root := build.Default.GOROOT
	from := fallback{stubImporter(t), importer.ForCompiler(token.NewFileSet(), "source", nil)}
	fit := 0
	dirs := []string{"src/internal/types/testdata", "test/typeparam"}
	if *all {
		dirs = append(dirs, "test", "src/cmd/compile/internal/types2/testdata")
	}
	for _, dir := range dirs {
		_ = filepath.WalkDir(filepath.Join(root, filepath.FromSlash(dir)), func(name string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(name) != ".go" {
				return nil
			}
			src, err := os.ReadFile(name)
			if err != nil || len(src) > 200_000 {
				return nil
			}
			t.Run(filepath.Base(name), func(t *testing.T) {
				if rewriteAlone(t, src, from) {
					fit++
				}
			})
			return nil
		})
	}
	if fit < 50 {
		t.Errorf("only %d files were fit", fit)
	}
	t.Logf("%d files", fit)
}

// fallback asks one importer, then another for what the distribution has.
type fallback struct{ first, second types.Importer }

func (f fallback) Import(path string) (*types.Package, error) {
	if p, err := f.first.Import(path); err == nil {
		return p, nil
	}
	switch path {
	case "fmt", "errors", "strings", "strconv", "reflect", "sort", "math", "bytes", "os", "runtime", "sync", "unsafe", "time", "io":
		return f.second.Import(path)
	}
	return nil, errors.New("not in the short list")
}
