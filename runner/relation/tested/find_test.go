package tested

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/relation/relationtest"
)

// A snippet is the body of a test file, and what it states of testdata/code.go.
type snippet struct {
	name    string
	imports string // of the test file; "testing" is always imported
	outside bool   // the file is outside the package
	test    string
	want    []string // relations as they are told
	left    string   // why a fuzz test is left out
}

var snippets = []snippet{
	{name: "round trip of a constant", test: `func TestX(t *testing.T) {
		y := Encode("abc")
		z, err := Decode(y)
		if err != nil { t.Fatal(err) }
		if z != "abc" { t.Errorf("%s", z) }
	}`, want: []string{"Decode(Encode(s)) = s"}},
	{name: "comparison in one condition with the error", test: `func TestX(t *testing.T) {
		x := "a"
		if z, err := Decode(Encode(x)); err != nil || x != z { t.Fail() }
	}`, want: []string{"Decode(Encode(s)) = s"}},
	{name: "table and subtests", imports: `"reflect"`, test: `func TestX(t *testing.T) {
		for _, tt := range []struct{name string; p Point}{{"a", Point{1, 2}}} {
			t.Run(tt.name, func(t *testing.T) {
				data, err := Marshal(tt.p)
				if err != nil { t.Fatal(err) }
				var q Point
				if err := Unmarshal(data, &q); err != nil { t.Fatal(err) }
				if !reflect.DeepEqual(q, tt.p) { t.Error("x") }
			})
		}
	}`, want: []string{"what Unmarshal(Marshal(p), new(Point)) makes = p"}},
	{name: "method that fills its receiver", test: `func TestX(t *testing.T) {
		p := Point{1, 2}
		b, _ := p.MarshalText()
		q := new(Point)
		if err := q.UnmarshalText(b); err != nil { t.Fatal(err) }
		if *q != p { t.Fatal() }
	}`, want: []string{"what new(Point).UnmarshalText(p.MarshalText()) makes = p"}},
	{name: "a constant that both calls get becomes a parameter", test: `func TestX(t *testing.T) {
		for _, x := range []int64{1, 2} {
			y, err := Parse(Format(x, 10), 10)
			if err != nil || y != x { t.Fatal() }
		}
	}`, want: []string{"Parse(Format(x, base), base) = x"}},
	{name: "arguments exchanged", test: `func TestX(t *testing.T) {
		if Add(2, 3) != Add(3, 2) { t.Fatal() }
	}`, want: []string{"Add(b, a) = Add(a, b)"}},
	{name: "two functions", test: `func TestX(t *testing.T) {
		if got, want := Sum(2, 3), Add(2, 3); got != want { t.Fatal() }
	}`, want: []string{"Add(a, b) = Sum(a, b)"}},
	{name: "an argument through a library", imports: `"strings"`, test: `func TestX(t *testing.T) {
		s := "Abc"
		if Fold(strings.ToUpper(s)) != Fold(s) { t.Fatal() }
	}`, want: []string{"Fold(strings.ToUpper(s)) = Fold(s)"}},
	{name: "methods that say the opposite", test: `func TestX(t *testing.T) {
		a, b := Point{1, 2}, Point{2, 3}
		if a.Less(b) != b.Greater(a) { t.Fatal() }
		if !a.Mirror().Mirror().Equal(a) { t.Fatal() }
	}`, want: []string{"q.Greater(p) = p.Less(q)", "p.Mirror().Mirror().Equal(p)"}},
	{name: "order", test: `func TestX(t *testing.T) {
		for i := range 10 {
			if Add(i, 1) <= Add(i, 0) { t.Fatal() }
		}
	}`, want: []string{"Add(a, 0) < Add(a, 1)"}},
	{name: "state", test: `func TestX(t *testing.T) {
		s := NewStack()
		n := s.Len()
		s.Push(7)
		if s.Len() != n + 1 { t.Fatal() }
		if got := s.Pop(); got != 7 { t.Fatal() }
	}`, want: []string{"(s after s.Push(x)).Pop() = x", "(s after s.Push(7)).Len() = s.Len() + 1"}},
	{name: "tolerance", imports: `"math"`, test: `func TestX(t *testing.T) {
		if math.Abs(Half(3) - Twice(3) / 4) > 1e-9 { t.Fatal() }
	}`, want: []string{"Twice(x) / 4 = Half(x)"}},
	{name: "precedence", test: `func TestX(t *testing.T) {
		for _, x := range []int{1, 2} {
			if Add(x, x) != 2 * (x + Sum(x, 0) * 3) - x { t.Fatal() }
		}
	}`, want: []string{"2 * (a + Sum(a, 0) * 3) - a = Add(a, a)"}},
	{name: "quick", imports: `"testing/quick"`, test: `func TestX(t *testing.T) {
		f := func(x int) bool { return Unmap(Map(x)) == x }
		if err := quick.Check(f, nil); err != nil { t.Fatal(err) }
	}`, want: []string{"Unmap(Map(x)) = x"}},
	{name: "guards", test: `func check(t *testing.T, s string, n int) {
		if s == "" { return }
		if z, err := Decode(Encode(s)); n > 3 && z != s { t.Fatal(err) }
	}`, want: []string{"s ≠ \"\" ⇒ Decode(Encode(s)) = s"}},
	{name: "outside, another name, and a shadowed function", outside: true, imports: `geo "example.com/m/CASE"`, test: `func TestX(t *testing.T) {
		x := "a"
		z, _ := geo.Decode(geo.Encode(x))
		if z != x { t.Fatal() }
		geo := struct{ Encode, Decode func(string) string }{}
		if geo.Encode(geo.Decode(x)) != x { t.Fatal() }
	}`, want: []string{"Decode(Encode(s)) = s"}},
	{name: "dot import", outside: true, imports: `. "example.com/m/CASE"`, test: `func TestX(t *testing.T) {
		if Add(2, 3) != Add(3, 2) { t.Fatal() }
	}`, want: []string{"Add(b, a) = Add(a, b)"}},
	{name: "assertions", test: `type assertions struct{}
	func (assertions) Equal(t *testing.T, want, got any, text ...string) {}
	func (assertions) True(t *testing.T, got bool) {}
	func TestX(t *testing.T) {
		var assert assertions
		s := "a"
		z, _ := Decode(Encode(s))
		assert.Equal(t, s, z, "text")
		p := Point{1, 2}
		assert.True(t, p.Mirror().Equal(p.Mirror().Mirror()))
	}`, want: []string{"Decode(Encode(s)) = s", "p.Mirror().Equal(p.Mirror().Mirror())"}},
	{name: "example", imports: `"fmt"`, test: `func Example() {
		x := "a"
		s, _ := Decode(Encode(x))
		fmt.Println(s == x)
		fmt.Println(Add(1, 2) == Sum(1, 2))
		// Output:
		// true
		// false
	}`, want: []string{"Decode(Encode(s)) = s"}},
	{name: "rows that are permutations", test: `func TestX(t *testing.T) {
		tests := map[string]struct{a, b, want int}{"a": {1,2,3}, "b": {a: 2, b: 1, want: 3}, "c": {4,5,9}, "d": {5,4,9}}
		for _, tt := range tests {
			if got := Sum(tt.a, tt.b); got != tt.want { t.Error(got) }
		}
	}`, want: []string{"Sum(b, a) = Sum(a, b)"}},
	{name: "rows of which the negative is expected", test: `func TestX(t *testing.T) {
		if Compare(1, 2) != -1 || Compare(2, 1) != 1 || Compare(4, 2) != 1 || Compare(2, 4) != -1 || Compare(3, 3) != 0 { t.Fatal() }
	}`, want: []string{"-Compare(b, a) = Compare(a, b)"}},
	{name: "one pair of rows is chance", test: `func TestX(t *testing.T) {
		if Sum(1, 2) != 3 || Sum(2, 1) != 3 { t.Fatal() }
	}`},
	{name: "a pair of rows that says otherwise", test: `func TestX(t *testing.T) {
		if Sum(1, 2) != 3 || Sum(2, 1) != 3 || Sum(4, 2) != 6 || Sum(2, 4) != 6 || Sum(0, 1) != 1 || Sum(1, 0) != 7 { t.Fatal() }
	}`},
	{name: "what is expected of one value", test: `func TestX(t *testing.T) {
		if z, _ := Decode(Encode("abc")); z != "xyz" { t.Fatal() }
		if _, err := Decode(Encode("abc")); err != nil { t.Fatal() }
		if Add(1, 2) != Add(4, 5) { t.Fatal() }
	}`},
	{name: "a variable that changes between", test: `func TestX(t *testing.T) {
		x := "a"
		y := Encode(x)
		x += "b"
		if z, _ := Decode(y); z != x { t.Fatal() }
	}`},
	{name: "a variable that a loop changes", test: `func TestX(t *testing.T) {
		y := Encode("a")
		for i := 0; i < 3; i++ {
			if z, _ := Decode(y); z != "a" { t.Log(z) }
			y = y + "x"
			_ = i
		}
		if z, _ := Decode(y); z != "a" { t.Fatal() }
	}`},
	{name: "no failure", test: `func TestX(t *testing.T) {
		if z, _ := Decode(Encode("a")); z != "a" { t.Log(z) }
		if Add(1, 2) == Add(2, 1) { t.Fatal() }
	}`},
	{name: "functions of the tests, and of random values", imports: `"math/rand"`, test: `func unseal(s string) string { return s }
	func TestX(t *testing.T) {
		if unseal(Encode("a")) != "a" { t.Fatal() }
		if Add(rand.Int(), 1) != Sum(rand.Int(), 1) { t.Fatal() }
	}`},
	{name: "does not type-check", test: `func TestX(t *testing.T) {
		if z, _ := Decode(Encode("a")); z != "a" { t.Fatal(nothing) }
	}`},
	{name: "fuzz test", imports: `str "strings"`, test: `func FuzzX(f *testing.F) {
		f.Add([]byte("a"), 1)
		f.Fuzz(func(t *testing.T, b []byte, n int) {
			if n < 0 { t.Skip() }
			got := Repeat(string(b), n)
			t.Run("length", func(t *testing.T) {
				if len(got) != n * len(b) || str.HasPrefix(got, "x") { t.Errorf("%q", got) }
			})
		})
	}`, want: []string{"FuzzX passes for s, n"}},
	{name: "fuzz test with a constant of the tests", test: `const most = 1 << 4
	func FuzzX(f *testing.F) {
		f.Fuzz(func(t *testing.T, s string) { if len(Encode(s)) > most { t.Skip("long") } })
	}`, want: []string{"FuzzX passes for s"}},
	{name: "fuzz test of what the tests declare", test: `func helper(s string) string { return s }
	func FuzzX(f *testing.F) {
		f.Fuzz(func(t *testing.T, s string) { Encode(helper(s)) })
	}`, left: "it uses helper, which the tests declare"},
	{name: "fuzz test with a variable around it", test: `func FuzzX(f *testing.F) {
		n := 0
		f.Fuzz(func(t *testing.T, s string) { n += len(Encode(s)) })
	}`, left: "it uses n of the test around it"},
	{name: "fuzz test that hands its T on", test: `func FuzzX(f *testing.F) {
		f.Fuzz(func(t *testing.T, s string) { use(t); Encode(s) })
	}
	func use(t *testing.T) {}`, left: "it uses use, which the tests declare"},
	{name: "fuzz test with a folder", test: `func FuzzX(f *testing.F) {
		f.Fuzz(func(t *testing.T, s string) { Encode(t.TempDir() + s) })
	}`, left: "it uses t.TempDir"},
	{name: "fuzz test of no single function", test: `func FuzzX(f *testing.F) {
		f.Fuzz(func(t *testing.T, a, b string) { Encode(a); Encode(b) })
	}`, left: "it calls no function of the package with all that it is given"},
}

// TestFind: what tests state of some values is told as relations, and nothing that they do
// not state. All that is found is Go that compiles where it is registered.
func TestFind(t *testing.T) {
	t.Parallel()
	code := relationtest.Read(t, "testdata/code.go")
	archive := "-- go.mod --\nmodule example.com/m\n\ngo 1.22\n"
	for i, s := range snippets {
		dir := fmt.Sprintf("case%d", i)
		pkg := "code"
		if s.outside {
			pkg += "_test"
		}
		archive += fmt.Sprintf("-- %s/code.go --\n%s\n-- %[1]s/x_test.go --\npackage %[3]s\n\nimport \"testing\"\nimport (%[4]s)\n\nvar _ testing.TB\n\n%[5]s\n",
			dir, code, pkg, strings.ReplaceAll(s.imports, "CASE", dir), s.test)
	}
	dir, tree := relationtest.Module(t, archive)
	for i, s := range snippets {
		t.Run(s.name, func(t *testing.T) {
			list, left := Find(tree, packageOf(t, tree, fmt.Sprintf("example.com/m/case%d", i)))
			var got []string
			for _, r := range list {
				got = append(got, r.Notation)
				if r.Source != event.FromTest || !strings.HasPrefix(r.At, fmt.Sprintf("case%d/x_test.go:", i)) {
					t.Errorf("%s is from %s at %s", r.Notation, r.Source, r.At)
				}
			}
			if strings.Join(got, "\n") != strings.Join(s.want, "\n") {
				t.Errorf("stated is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(s.want, "\n"))
			}
			reasons := ""
			for _, l := range left {
				reasons += l.Reason
			}
			if s.left == "" && reasons != "" || !strings.HasSuffix(reasons, s.left) {
				t.Errorf("left out is %q, want %q", reasons, s.left)
			}
		})
	}
	compiles(t, dir, tree)
}

// compiles compiles the closures of all relations, against a harness without bodies.
func compiles(t *testing.T, dir string, tree *load.Tree) {
	if testing.Short() {
		t.Skip("runs the compiler")
	}
	relationtest.Write(t, filepath.Join(dir, "h/h.go"), []byte(relationtest.Read(t, "testdata/harness.go")))
	for _, p := range tree.Packages {
		list, _ := Find(tree, p)
		aliases := relationtest.Aliases{}
		var lines []string
		for _, r := range list {
			line, _, err := relation.Registration(r, aliases.Qualify)
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, line)
		}
		if len(lines) == 0 {
			continue
		}
		text := relationtest.Registering("code", "example.com/m/h", lines, aliases)
		relationtest.Write(t, filepath.Join(p.Dir, "registered.go"), []byte(text))
		if err := os.Remove(filepath.Join(p.Dir, "x_test.go")); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := relationtest.Go(t, dir, "build", "./..."); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func packageOf(t *testing.T, tree *load.Tree, path string) *load.Package {
	t.Helper()
	for _, p := range tree.Packages {
		if p.Path == path {
			return p
		}
	}
	t.Fatalf("no package %s", path)
	return nil
}
