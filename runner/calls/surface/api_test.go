package surface

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/probe"
	"github.com/isodelta/isodelta/runner/version"
	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"
)

// A module with what an API can consist of. V stands for what differs.
const offering = `
-- go.mod --
module example.com/m

go 1.21
-- geo/geo.go --
package geo

type Point struct{ X, Y int }

func NewPoint(x, y int) Point { return Point{x, y} }

func (p Point) Move(by int) Point { return Point{p.X + by, p.Y + by} }

func (p *Point) reset() { *p = Point{} }

type grid struct{ n int }

func Grid() grid { return grid{} }

func Rows(g grid) int { return g.n }

func local() {}
-- m.go --
package m

import (
	"bytes"
	"math/big"
	"os"
	"testing"
	"unsafe"

	"example.com/m/geo"
)

func Area(p geo.Point) int { return p.X * p.Y }

func hidden(n int) int { return n }

func Changed(a VTYPE) int { return len([]VTYPE{a}) }

func VONLY() int { return 1 }

func Map[K comparable, V any](list []K, f func(K) V) map[K]V { return nil }

func Sum[T int | float64](list []T) T { return list[0] }

func Keys[M ~map[K]V, K comparable, V any](m M) []K { return nil }

func Stringers[T interface{ String() string }](list []T) int { return len(list) }

type List[T any] struct{ items []T }

func (l *List[T]) Add(x T) *List[T] { l.items = append(l.items, x); return l }

type Base struct{ N int }

func (b Base) ID() int       { return b.N }
func (b *Base) SetID(n int)  { b.N = n }
func (b *Base) secret() int  { return b.N }
func (b *Base) VMETHOD() int { return b.N }

type User struct {
	Base
	bytes.Buffer
	point geo.Point
}

func (u User) ID() int { return -u.N }

type Outer struct{ *Base }

type Shape interface{ Area() int }

type Color int

const (
	Red   Color = 1
	Green Color = VCONST
)

type number = int

func Alias(n number) int { return n }

var (
	Table   = map[string]int{}
	private = map[string]int{}
	Failure error
	Limit   = 3
	calls   int
)

func Count() int { calls++; private["x"] = 1; return calls }

func Spawn() { go hidden(1) }

func Money(n *big.Int) string { return n.String() }

func File(f *os.File) string       { return f.Name() }
func Test(t *testing.T)            { t.Log() }
func Raw(p unsafe.Pointer) uintptr { return uintptr(p) }
func Grid(n int) int               { return geo.Rows(geo.Grid()) + n }

type Door struct{}

func (Door) Lock()          {}
func (Door) Wait(n int) int { return n }

// Names that a careless import or variable would meet.
func fmt() int             { return 0 }
func isodeltaprobe() int   { return 0 }
func Harness(nil1 int) int { return nil1 }

var Functions = map[string]any{"shout": shout, "called": mutter("x")}

func Extended() map[string]interface{} {
	m := map[string]interface{}{}
	m["whisper"] = whisper
	return m
}

var typed = map[string]func(string) string{"mutter": mutter}

func shout(s string) string   { return s + "!" }
func whisper(s string) string { return s + "." }
func mutter(s string) string  { return s }

func init() {}
-- m_test.go --
package m

import "testing"

type fake struct{ n int }

func (fake) Area() int { return 0 }

type generic[T any] struct{ x T }

func TestNothing(*testing.T) { _ = fake{}; _ = generic[int]{} }
-- x_test.go --
package m_test

type other struct{}
`

func edition(archive, kind, only, method, constant string) string {
	return strings.NewReplacer("VTYPE", kind, "VONLY", only, "VMETHOD", method, "VCONST", constant).Replace(archive)
}

func lay(t testing.TB, archive string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		put(t, filepath.Join(root, filepath.FromSlash(f.Name)), f.Data)
	}
	return root
}

func put(t testing.TB, name string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

func loaded(t testing.TB, root string) *load.Tree {
	t.Helper()
	tree, err := load.Load(context.Background(), load.Options{Root: root, Dir: root})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func apiOf(t testing.TB, base, head, own *load.Tree, pkg string, wanted ...string) *API {
	t.Helper()
	hooks := NewHooks(base, head, func(name string) bool { return slices.Contains(wanted, name) })
	a, err := NewAPI(base, head, own, pkg, hooks)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// registered lists the names that the file registers as operations, in order.
func registered(file []byte) (names, rest []string) {
	op := regexp.MustCompile(`isodeltaH\.(Func|Var)\(isodeltaH\.Operation\{Name: ("[^"]*")`)
	for _, l := range strings.Split(string(file), "\n") {
		l = strings.TrimSpace(l)
		if m := op.FindStringSubmatch(l); m != nil {
			name, _ := strconv.Unquote(m[2])
			names = append(names, name)
		} else if strings.HasPrefix(l, "isodeltaH.") {
			rest = append(rest, l)
		}
	}
	return names, rest
}

func (a *API) names() []string {
	var out []string
	for _, o := range a.ops {
		out = append(out, o.Name)
	}
	return out
}

func (a *API) find(t *testing.T, name string) Operation {
	t.Helper()
	for _, o := range a.ops {
		if o.Name == name {
			return o
		}
	}
	t.Fatalf("no operation %s; there are %q", name, a.names())
	return Operation{}
}

// What both versions offer alike is registered once, under the names that the
// changed set has; the rest is said to be one-sided or ineligible, with the
// reason.
func TestAPI(t *testing.T) {
	t.Parallel()
	base := loaded(t, lay(t, edition(offering, "int", "Former", "Ago", "2")))
	head := loaded(t, lay(t, edition(offering, "string", "Latter", "Since", "3")))
	for suite, own := range map[string]*load.Tree{"base": base, "head": head} {
		a := apiOf(t, base, head, own, "example.com/m", "hidden")
		names, rest := registered(a.File())
		if !slices.Equal(names, a.names()) {
			t.Fatalf("registered are %q,\noperations are %q", names, a.names())
		}
		for _, want := range []string{
			"Area", "hidden", "Map", "Sum", "Keys", "(*List[T]).Add", "(Base).ID", "(*Base).SetID", "(*Base).secret", "(User).ID",
			"Alias", "Count", "Money", "Grid", "geo.NewPoint", "(geo.Point).Move", "geo.Grid", "fmt", "isodeltaprobe", "Harness",
			"math/big.NewInt", "Failure", "Stringers",
		} {
			if !slices.Contains(names, want) {
				t.Errorf("%s is not offered", want)
			}
		}
		for _, name := range names {
			for _, bad := range []string{
				"Changed", "Former", "Latter", "Ago", "Since", "Test", "File", "Raw", "geo.local", "reset", "geo.Rows", "init",
				"private", "Table", "Limit", "Lock", "(*bytes.Buffer)", "TestNothing", "os.", "testing.",
			} {
				if name == bad || strings.HasSuffix(name, ")."+bad) || strings.HasSuffix(bad, ".") && strings.HasPrefix(name, bad) {
					t.Errorf("%s is offered", name)
				}
			}
		}
		for _, want := range []string{"Changed", "Latter", "(*Base).Since"} {
			if !slices.Contains(a.OneSided, want) {
				t.Errorf("%s is not said to be one-sided: %q", want, a.OneSided)
			}
		}
		for name, why := range map[string]string{
			"Test": "takes testing.T", "File": "takes os.File", "Raw": "takes unsafe.Pointer", "(Door).Lock": "locks or waits",
			"geo.Rows": "takes or gives an unexported type of another package",
		} {
			if a.Ineligible[name] != why {
				t.Errorf("%s is ineligible because it %q, want %q", name, a.Ineligible[name], why)
			}
		}
		if _, ok := a.Ineligible["(Door).Wait"]; ok {
			t.Error("a method that takes a number and gives one does not wait")
		}
		types := strings.Join(rest, "\n")
		for _, want := range []string{"(*Base)(nil)", "(*User)(nil)", "(*List[int])(nil)", "(*List[string])(nil)", "(*fake)(nil)", "Point)(nil)", `Const("Red", "example.com/m", Red)`} {
			if !strings.Contains(types, want) {
				t.Errorf("%s is not registered:\n%s", want, types)
			}
		}
		for _, bad := range []string{"Green", "Shape", "grid", "other", "generic", "number"} {
			if strings.Contains(types, bad) {
				t.Errorf("%s is registered:\n%s", bad, types)
			}
		}
		counts := map[string]int{}
		for _, n := range names {
			counts[n]++
		}
		if text := `Expr: "Stringers[*User]"`; counts["Stringers"] != 1 || !strings.Contains(string(a.File()), text) {
			t.Errorf("Stringers %d times, not once as %s, for the only type that has String", counts["Stringers"], text)
		}
		if counts["Sum"] != 2 || counts["Area"] != 1 || counts["(Base).ID"] != 2 {
			t.Errorf("Sum %d times, Area %d times, (Base).ID %d times", counts["Sum"], counts["Area"], counts["(Base).ID"])
		}
		if o := a.find(t, "Count"); !o.Global || o.Spawns || !o.Exported || o.hook < 0 {
			t.Errorf("%+v", o)
		}
		if o := a.find(t, "Spawn"); !o.Spawns || o.Global {
			t.Errorf("%+v", o)
		}
		if o := a.find(t, "hidden"); o.Exported || o.Global || o.hook < 0 {
			t.Errorf("%+v", o)
		}
		for name, handed := range map[string]bool{"shout": true, "whisper": true, "mutter": false} {
			if o := a.find(t, name); o.Exported != handed || o.Handed != handed {
				t.Errorf("%+v", o)
			}
		}
		if o := a.find(t, "(*Base).secret"); o.Exported || o.hook >= 0 {
			t.Errorf("%+v", o)
		}
		if o := a.find(t, "Area"); !slices.Equal(o.Params(), []string{"example.com/m/geo.Point"}) || len(o.Results()) > 0 || o.At[version.Head].File != "m.go" || o.Line == 0 {
			t.Errorf("%+v", o)
		}
		if o := a.find(t, "(geo.Point).Move"); o.At[version.Head].File != "geo/geo.go" || !slices.Equal(o.Types(), []string{"example.com/m/geo.Point", "example.com/m/geo.Point"}) {
			t.Errorf("%+v", o)
		}
		placed(t, a, version.Both[*load.Tree]{base, head})
		compiles(t, own, map[string]*API{"example.com/m": a, "example.com/m/geo": apiOf(t, base, head, own, "example.com/m/geo")})
		if suite == "head" && t.Failed() {
			t.Log(string(a.File()))
		}
	}
	if _, err := NewAPI(base, head, head, "example.com/m/nowhere", NewHooks(base, head, func(string) bool { return true })); err == nil {
		t.Error("a package that is not there has an API")
	}
}

// placed checks that operations are where the trees have the func keyword of their
// declarations, and nowhere if they have none.
func placed(t *testing.T, a *API, trees version.Both[*load.Tree]) {
	t.Helper()
	declared := 0
	for _, o := range a.ops {
		if !o.Declared() {
			if o.At != (version.Both[load.Place]{}) || o.Line != 0 || !o.Variable && len(o.Dynamic) == 0 && strings.HasPrefix(o.Package, "example.com/m") {
				t.Errorf("%s is not declared, at %v, line %d", o.Name, o.At, o.Line)
			}
			continue
		}
		declared++
		for side, at := range o.At {
			text, err := os.ReadFile(filepath.Join(trees[side].Root, filepath.FromSlash(at.File)))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.HasPrefix(text[at.Offset:], []byte("func ")) {
				t.Errorf("%s is at %v on %s: %.20q", o.Name, at, version.Side(side), text[at.Offset:])
			}
			if line := 1 + bytes.Count(text[:at.Offset], []byte("\n")); version.Side(side) == version.Head && o.Line != line {
				t.Errorf("%s is in line %d, not %d", o.Name, line, o.Line)
			}
		}
	}
	if declared == 0 || declared == len(a.ops) {
		t.Errorf("%d of %d operations are declared: the test guards nothing", declared, len(a.ops))
	}
}

// compiles builds the registering files as the engine does, from an overlay,
// and lets vet look at them.
func compiles(t *testing.T, tree *load.Tree, apis map[string]*API) {
	t.Helper()
	if testing.Short() {
		return
	}
	scratch := t.TempDir()
	replace := map[string]string{}
	// Vet wants to stand in a package's folder, so what is injected is a module here.
	injected := filepath.Join(scratch, "injected")
	if _, err := probe.Overlay(scratch, injected, false); err != nil {
		t.Fatal(err)
	}
	if _, err := harness.Overlay(scratch, injected); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(injected, "go.mod"), []byte("module "+probe.Path+"\n\ngo 1.21\n"))
	module, err := os.ReadFile(filepath.Join(tree.Dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(scratch, "vet.mod"), fmt.Appendf(module, "\nrequire %[1]s v0.0.0\nreplace %[1]s => %[2]s\n", probe.Path, injected))
	args := []string{"vet", "-overlay", filepath.Join(scratch, "overlay.json"), "-modfile", filepath.Join(scratch, "vet.mod")}
	for i, pkg := range slices.Sorted(maps.Keys(apis)) {
		file := filepath.Join(scratch, fmt.Sprint("calls", i, ".go"))
		put(t, file, apis[pkg].File())
		replace[filepath.Join(find(tree, pkg).Dir, FileName)] = file
		args = append(args, pkg)
	}
	if err := execute.WriteOverlay(args[2], replace); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("go", args...)
	c.Dir = tree.Dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// The registering file compiles for packages as people write them.
func TestRegisteringFilesOfTheDistribution(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("copies and builds packages of the distribution")
	}
	root := lay(t, "-- go.mod --\nmodule example.com/d\n\ngo 1.26\n")
	packages := []string{
		"container/list", "container/heap", "container/ring", "encoding/csv", "encoding/hex", "encoding/ascii85", "encoding/pem",
		"text/tabwriter", "text/scanner", "text/template/parse", "path", "html", "index/suffixarray", "regexp/syntax", "compress/lzw",
		"go/scanner", "go/printer", "image/color", "math/cmplx", "bufio", "errors", "container/list", "sort", "expvar", "flag", "net/textproto",
	}
	for _, p := range packages {
		from := filepath.Join(build.Default.GOROOT, "src", filepath.FromSlash(p))
		found, err := build.ImportDir(from, 0)
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(found.Imports, func(s string) bool { return strings.HasPrefix(s, "internal/") || strings.Contains(s, "/internal/") }) {
			continue // stands not alone
		}
		files := map[string][]byte{}
		alone := true
		for _, f := range found.GoFiles {
			if files[f], err = os.ReadFile(filepath.Join(from, f)); err != nil {
				t.Fatal(err)
			}
			alone = alone && !bytes.Contains(files[f], []byte("go:linkname"))
		}
		for f, b := range files {
			if alone {
				put(t, filepath.Join(root, filepath.FromSlash(p), f), b)
			}
		}
	}
	tree := loaded(t, root)
	apis := map[string]*API{}
	ops := 0
	for _, p := range tree.Packages {
		apis[p.Path] = apiOf(t, tree, tree, tree, p.Path)
		ops += len(apis[p.Path].ops)
	}
	if len(apis) < 12 || ops < 500 {
		t.Fatalf("only %d packages with %d operations", len(apis), ops)
	}
	compiles(t, tree, apis)
}

// What does not compile can be dropped by its line, in any order, and what is
// left stays whole: the same operations in the file and in the list, and no
// import without use.
func TestDrop(t *testing.T) {
	t.Parallel()
	tree := loaded(t, lay(t, edition(offering, "int", "Former", "Ago", "2")))
	rapid.Check(t, func(t *rapid.T) {
		hooks := NewHooks(tree, tree, func(string) bool { return true })
		a, err := NewAPI(tree, tree, tree, "example.com/m", hooks)
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(0, 120).Draw(t, "times") {
			lines := strings.Split(string(a.File()), "\n")
			n := rapid.IntRange(-1, len(lines)+1).Draw(t, "line")
			before := a.names()
			i := a.registration(n)
			ok, name := i >= 0, ""
			if ok {
				name = a.drop(i)
			}
			registers := n >= 1 && n <= len(lines) && strings.HasPrefix(lines[n-1], "\tisodeltaH.") && !strings.Contains(lines[n-1], "isodeltaH.Package(")
			if strings.Contains(name, "\n") && strings.Contains(name, strings.TrimSpace(lines[n-1])) {
				continue // a line of a stub, which goes as a whole
			}
			if ok != registers {
				t.Fatalf("line %d of %d dropped: %t", n, len(lines), ok)
			}
			if !ok {
				continue
			}
			if !strings.Contains(lines[n-1], name) {
				t.Fatalf("dropped %s, the line was %s", name, lines[n-1])
			}
			if strings.Contains(lines[n-1], "isodeltaH.Operation{") != (len(a.ops) == len(before)-1) {
				t.Fatalf("%d operations of %d after %s", len(a.ops), len(before), lines[n-1])
			}
			names, _ := registered(a.File())
			if !slices.Equal(names, a.names()) {
				t.Fatalf("registered are %q,\noperations are %q", names, a.names())
			}
		}
		file, err := parser.ParseFile(token.NewFileSet(), "", a.File(), 0)
		if err != nil {
			t.Fatal(err)
		}
		used := map[string]bool{}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok {
					used[x.Name] = true
				}
			}
			return true
		})
		for _, i := range file.Imports {
			if i.Name == nil || !used[i.Name.Name] {
				t.Fatalf("import %s is not used", i.Path.Value)
			}
		}
	})
}

// Hooks have the same number on both versions, in the order of their names;
// only functions that both declare alike have one.
func TestHooks(t *testing.T) {
	t.Parallel()
	base := loaded(t, lay(t, edition(offering, "int", "Former", "Ago", "2")))
	head := loaded(t, lay(t, strings.Replace(edition(offering, "string", "Latter", "Since", "3"), "func Area", "// It moves down.\nfunc Area", 1)))
	h := NewHooks(base, head, func(name string) bool { return name == "hidden" })
	if !slices.IsSorted(h.Names) || len(slices.Compact(slices.Clone(h.Names))) != len(h.Names) {
		t.Errorf("%q", h.Names)
	}
	for _, name := range []string{"Area", "hidden", "(*Base).SetID", "(geo.Point).Move", "Map"} {
		n := h.Number(name)
		if n < 0 || h.Names[n] != name {
			t.Errorf("%s has number %d", name, n)
			continue
		}
		var at version.Both[load.Place]
		for side, m := range h.At {
			for place, v := range m {
				if v == n {
					at[side] = place
				}
			}
		}
		if at[version.Base].File == "" || at[version.Base].File != at[version.Head].File {
			t.Errorf("%s is at %v", name, at)
		}
		if moved := at[version.Head].Offset - at[version.Base].Offset; name == "Area" && moved != len("// It moves down.\n") {
			t.Errorf("Area is at %v", at)
		}
	}
	for _, name := range []string{"Changed", "Former", "Latter", "(*Base).Ago", "(*Base).secret", "fmt", "init", "geo.local"} {
		if n := h.Number(name); n >= 0 {
			t.Errorf("%s has number %d", name, n)
		}
	}
	for side, m := range h.At {
		if len(m) != len(h.Names) {
			t.Errorf("%d names, %d places on %s", len(h.Names), len(m), version.Side(side))
		}
	}
}

// Literals that only one version has, or has more often, are nearest; what a
// reader of the code would not call a value is none.
func TestLiterals(t *testing.T) {
	t.Parallel()
	const module = `
-- go.mod --
module example.com/m

go 1.21
-- m.go --
package m

import _ "embed"

type T struct {
	A int "json:\"tagged\""
}

const kilo = 1 << 10

func F(s string) (int, float64) {
	if s == "everywhere" || s == V {
		return kilo - 1, 2.5
	}
	return W, X
}
-- m_test.go --
package m

import "testing"

func TestF(t *testing.T) { F("from a test"); _ = "suite/cases.yaml" }
-- x_test.go --
package m_test

const _ = "from outside"
-- testdata/a.txt --
from a file
-- suite/cases.yaml --
- program: from a file that a test names
-- user/user.go --
package user

import "example.com/m"

func Use() { m.F("from a user") }
-- user/user_test.go --
package user

import (
	"testing"

	"example.com/m/cases"
)

func TestUse(t *testing.T) { Use(); _ = cases.Files; _ = "from a sibling's test" }
-- cases/cases.go --
package cases

import "embed"

//go:embed texts
var Files embed.FS
-- cases/texts/one --
from an embedded file
`
	base := loaded(t, lay(t, strings.NewReplacer("V", `"former"`, "W", "-77", "X", "0.125").Replace(module)))
	head := loaded(t, lay(t, strings.NewReplacer("V", `"lat" + "ter" || s == "everywhere" || s[0] == '~'`, "W", "12345678901", "X", "1e300").Replace(module)))
	l := CollectLiterals(base, head, "example.com/m", Change{}, nil)
	for _, c := range []struct {
		near int
		want string
	}{
		{wire.NearDiff, "former"}, {wire.NearDiff, "latter"}, {wire.NearDiff, "everywhere"}, {wire.NearDiff, "~"}, {wire.NearCode, "everywhere"},
		{wire.NearCode, "tagged"}, {wire.NearTests, "from a test"}, {wire.NearTests, "from outside"}, {wire.NearTests, "from a file\n"},
		{wire.NearTests, "from a sibling's test"}, {wire.NearTests, "from an embedded file\n"},
		{wire.NearTests, "from a file that a test names"},
	} {
		if !slices.Contains(l.Texts[c.near], c.want) {
			t.Errorf("%q is not at distance %d: %q", c.want, c.near, l.Texts)
		}
	}
	for near, list := range l.Texts {
		for _, bad := range []string{"embed", "json", "testing", "lat", "from a user", `json:"tagged"`} {
			if slices.Contains(list, bad) {
				t.Errorf("%q is at distance %d", bad, near)
			}
		}
	}
	if slices.Contains(l.Texts[wire.NearDiff], "from a test") {
		t.Error("a test's text is near the change")
	}
	if !slices.Contains(l.Numbers[wire.NearDiff], -77) || !slices.Contains(l.Numbers[wire.NearDiff], 12345678901) || slices.Contains(l.Numbers[wire.NearDiff], 1023) {
		t.Errorf("near the change are %v", l.Numbers[wire.NearDiff])
	}
	if !slices.Contains(l.Numbers[wire.NearCode], 1023) || !slices.Contains(l.Numbers[wire.NearCode], 1024) {
		t.Errorf("in the code are %v", l.Numbers[wire.NearCode])
	}
	if !slices.Contains(l.Floats, "1e+300") || !slices.Contains(l.Floats, "2.5") {
		t.Errorf("%v", l.Floats)
	}
	if l := CollectLiterals(base, head, "example.com/other", Change{}, nil); len(l.Texts[0])+len(l.Texts[1])+len(l.Texts[2]) > 0 {
		t.Errorf("a package that is not there has %v", l)
	}
}

// What only made-up values of unexported functions show, and what writes
// package-level variables, is left alone as long as something else reaches the
// change.
func TestLeftOut(t *testing.T) {
	t.Parallel()
	op := func(exported, global bool) Operation { return Operation{Exported: exported, Global: global} }
	conn := types.NewPointer(types.NewStruct(nil, nil))
	giving := func(global bool) Operation {
		return Operation{Exported: true, Global: global, results: []types.Type{conn}}
	}
	taking := Operation{Exported: true, params: []types.Type{conn}}
	for name, c := range map[string]struct {
		ops   []Operation
		roles []wire.Role
		want  []int
	}{
		"an exported caller":          {[]Operation{op(false, false), op(true, false), op(true, false)}, []wire.Role{wire.Changed, wire.Caller, wire.Other}, []int{0}},
		"changed and exported":        {[]Operation{op(true, false), op(false, false)}, []wire.Role{wire.Changed, wire.Caller}, []int{1}},
		"nothing exported reaches it": {[]Operation{op(false, false), op(true, false)}, []wire.Role{wire.Changed, wire.Consumer}, nil},
		"writes a variable":           {[]Operation{op(true, true), op(true, false)}, []wire.Role{wire.Caller, wire.Caller}, []int{0}},
		"changed, writes a variable":  {[]Operation{op(true, true), op(true, true)}, []wire.Role{wire.Changed, wire.Caller}, []int{1}},
		"all callers write variables": {[]Operation{op(true, true), op(false, false)}, []wire.Role{wire.Caller, wire.Changed}, nil},
		"alone gives what is called":  {[]Operation{giving(true), taking}, []wire.Role{wire.Caller, wire.Caller}, nil},
		"gives what others give":      {[]Operation{giving(true), giving(false), taking}, []wire.Role{wire.Caller, wire.Other, wire.Caller}, []int{0}},
		"gives what nothing takes":    {[]Operation{giving(true), op(true, false)}, []wire.Role{wire.Caller, wire.Caller}, []int{0}},
		"nothing":                     {nil, nil, nil},
	} {
		roles := map[wire.Op]wire.Role{}
		for i, r := range c.roles {
			roles[wire.OpAt(i)] = r
		}
		var want []wire.Op
		for _, i := range c.want {
			want = append(want, wire.OpAt(i))
		}
		if got := (&API{ops: c.ops}).LeftOut(roles, true); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	command := []Operation{{Exported: true, Global: true, Command: true}, op(false, false)}
	for name, c := range map[string]struct {
		restricted bool
		of         wire.Role // of what is not exported
		want       []wire.Op
	}{
		"a command that alone reaches the change":    {true, wire.Other, []wire.Op{wire.OpAt(1)}},
		"the same, where nothing restricts it":       {false, wire.Other, []wire.Op{wire.OpAt(0)}},
		"one beside others, where nothing restricts": {false, wire.Changed, []wire.Op{wire.OpAt(0)}},
	} {
		roles := map[wire.Op]wire.Role{wire.OpAt(0): wire.Changed, wire.OpAt(1): c.of}
		if got := (&API{ops: command}).LeftOut(roles, c.restricted); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// The compiler's complaints about single registrations are mended, all at once
// and whatever their order; one about anything else in the file is not.
func TestMend(t *testing.T) {
	t.Parallel()
	tree := loaded(t, lay(t, edition(offering, "int", "Former", "Ago", "2")))
	a := apiOf(t, tree, tree, tree, "example.com/m", "hidden")
	lines := strings.Split(string(a.File()), "\n")
	at := func(text string) execute.Position {
		for i, l := range lines {
			if strings.Contains(l, text) {
				return execute.Position{File: filepath.Join("gen", FileName), Line: i + 1, Message: "undefined"}
			}
		}
		t.Fatalf("nothing registers %s", text)
		return execute.Position{}
	}
	mended, whole := a.Mend([]execute.Position{at(`Name: "Area"`), at(`Name: "Count"`), {File: "m.go", Line: 1}})
	if !mended || !whole {
		t.Errorf("mended %t, whole %t", mended, whole)
	}
	for _, name := range []string{"Area", "Count"} {
		if slices.Contains(a.names(), name) || a.Ineligible[name] == "" {
			t.Errorf("%s is still offered, or nothing says why not: %q", name, a.Ineligible[name])
		}
	}
	if !slices.Contains(a.names(), "Grid") {
		t.Error("Grid is gone too")
	}
	if mended, whole = a.Mend([]execute.Position{at("package m")}); mended || whole {
		t.Errorf("a complaint about the package clause: mended %t, whole %t", mended, whole)
	}
}

// What the harness, which cannot import package event, calls results is what
// events call them.
func TestResultsAreNamedAsInEvents(t *testing.T) {
	for want, got := range map[string]string{
		event.ComponentError:  wire.ResultName(1, []bool{false, true}),
		event.ComponentResult: wire.ResultName(0, []bool{false, true}),
		"result 2":            wire.ResultName(1, []bool{false, false}),
	} {
		if got != want {
			t.Errorf("a result is called %q, want %q", got, want)
		}
	}
}

// What a test embeds in a function of its own is given a name; and structs are made that
// embed those of tests, and that have the options of their tags on each kind of field.
func TestStructsOfTestsAreEmbedded(t *testing.T) {
	t.Parallel()
	tree := loaded(t, lay(t, `
-- go.mod --
module example.com/m

go 1.21
-- m.go --
package m

func Fill(into any) {}
-- m_test.go --
package m

import "testing"

func TestFill(t *testing.T) {
	type place struct {
		Street string "fill:\"way,must\""
	}
	type person struct {
		*place
		Name string "fill:\"name\""
	}
	Fill(&person{})
}
`))
	file := string(apiOf(t, tree, tree, tree, "example.com/m", "none").File())
	for _, want := range []string{
		"isodeltaH.Type(func() any { type place = struct{Street string \"fill:\\\"way,must\\\"\"}; return (*struct{*place; Name string \"fill:\\\"name\\\"\"})(nil) }())\n",
		"isodeltaH.Type(func() any { type inner = struct{Street string \"fill:\\\"way,must\\\"\"}; return (*struct{inner \"fill:\\\"inner\\\"\"; Own string \"fill:\\\"own\\\"\"})(nil) }())\n",
		"; F *int \"fill:\\\"f,must\\\"\"; ",
	} {
		if !strings.Contains(file, want) {
			t.Errorf("not registered is\n%s\nin\n%s", want, file)
		}
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "", file, 0); err != nil {
		t.Error(err)
	}
}

// Time passes where the module asks for it, and variables of the environment are set where it asks for
// some, with the names that are constants; of what it does not ask for nothing is offered.
func TestSurroundings(t *testing.T) {
	t.Parallel()
	const files = "-- go.mod --\nmodule example.com/m\n\ngo 1.21\n-- m.go --\npackage m\n\nimport (\n\t\"os\"\n\t\"time\"\n)\n\n" +
		"const home = \"M_\" + \"HOME\"\n\nfunc F(name string) (string, time.Duration) { return BODY }\n\n" +
		"func lookup(in func(string) string, name string) string { return in(name) }\n"
	for body, want := range map[string][]string{
		`os.Getenv(home) + os.Getenv(name), time.Since(time.Time{})`: {"isodeltaH.Sleep)", "isodeltaH.Setenv)", `isodeltaH.Environment("M_HOME")`},
		`lookup(os.Getenv, name), time.Second`:                       {"isodeltaH.Setenv)", "isodeltaH.Environment()"},
		`os.TempDir() + name, time.Second`:                           nil,
	} {
		tree := loaded(t, lay(t, strings.ReplaceAll(files, "BODY", body)))
		file := string(apiOf(t, tree, tree, tree, "example.com/m", "none").File())
		for _, w := range want {
			if !strings.Contains(file, w) {
				t.Errorf("%s: not registered is %s in\n%s", body, w, file)
			}
		}
		if want == nil && (strings.Contains(file, "isodeltaH.Sleep") || strings.Contains(file, "isodeltaH.Setenv")) {
			t.Errorf("%s: registered is\n%s", body, file)
		}
	}
}
