package calls

import (
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/execute/sandbox"
	"github.com/isodelta/isodelta/runner/probe"
)

// Two versions of a package, which differ where V is asked.
const twoVersions = `// Package m differs.
package m

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

const V = %d

type Point struct{ X, Y int }

type List []*Point

func (l List) String() string { return fmt.Sprint(len(l)+V) }

type Kind string

// strings is a name that an import in the package must not have.
func strings() int { return V }

func Text(s string) string            { return fmt.Sprint(s, V) }
func Named() Kind                     { return Kind(fmt.Sprint("k", V)) }
func Truth() bool                     { return V == 1 }
func Number() (int8, error)           { return V, nil }
func Fails(n int) (n2 int, err error) { if V == 2 { err = errors.New("bad") }; return n, err }
func Passes() error                   { if V == 1 { return errors.New("bad") }; return nil }
func Says() error                     { return fmt.Errorf("bad: %%d", V) }
func Points() []*Point                { return []*Point{{1, V}} }
func Maybe() *Point                   { if V == 1 { return nil }; return &Point{} }
func Values() map[string]int          { return map[string]int{"a": V} }
func Fill(list []int)                 { list[0] = V }
func Any() any                        { return uint8(V) }
func Left() io.Reader                 { return bytes.NewBufferString(fmt.Sprint("a", V)) }
func All(n int) List                  { return make(List, n) }

func PanicsInHead(s string) { if V == 2 { panic("boom") } }
func PanicsInBase(s string) { if V == 1 { panic("boom") } }
func Panics()               { panic(fmt.Sprint("boom ", V)) }
func Spins()                { for V == 2 { } }
`

const own = "\x00example.com/m\x00"

// codeOf is the code of one call of the package under test.
func codeOf(text, subject string, before ...string) wire.Code {
	c := wire.Code{Lines: before, Setup: len(before), Call: own + text, Subject: subject,
		Imports: map[string]string{"example.com/m": "m"}, Vars: []string{}}
	switch subject {
	case "got":
		c.Lines, c.Vars = append(c.Lines, "got := "+c.Call), []string{"got"}
	case "err":
		c.Lines, c.Vars = append(c.Lines, "err := "+c.Call), []string{"err"}
	case "n, err":
		c.Lines, c.Vars, c.Subject = append(c.Lines, "_, err := "+c.Call), []string{"err"}, "err"
	case "got, _":
		c.Lines, c.Vars, c.Subject = append(c.Lines, "got, _ := "+c.Call), []string{"got"}, "got"
	default:
		c.Lines = append(c.Lines, c.Call)
	}
	return c
}

func views(style wire.Style, expr string, literals ...string) [2]wire.Views {
	var out [2]wire.Views
	for i := range out {
		// One that does not differ, and one that may not be believed, go first.
		out[i].List = []wire.View{
			{Style: wire.StyleEqual, Expr: "len(" + wire.SubjectMark + ")", Literal: "7", Text: "7"},
			{Style: wire.StyleText, Expr: "0", Literal: fmt.Sprint(i), Address: true},
			{Style: style, Expr: expr, Literal: literals[i], Text: literals[i]},
		}
	}
	return out
}

func endings(base, head probe.Ending, messages ...string) [2]wire.Views {
	messages = append(messages, "", "")
	return [2]wire.Views{{Ending: base, Message: messages[0]}, {Ending: head, Message: messages[1]}}
}

// Every kind of test that can be pasted passes on one version and fails on the
// other, by the real toolchain, and the two kinds of package go side by side.
func TestTestsToPasteTellVersionsApart(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds programs")
	}
	const at, after = wire.AtComponent, wire.AtEnding
	self := wire.SubjectMark
	inPackage := func(c wire.Code) wire.Code {
		c.Internal = true
		return c
	}
	cases := []struct {
		function string
		kind     wire.PlaceKind
		code     wire.Code
		views    [2]wire.Views
		has      string
	}{
		{"Text", at, codeOf("Text(`say \"100%d\"`)", "got"), views(wire.StyleEqual, self, "`say \"100%d\"1`", "`say \"100%d\"2`"),
			"const want = `say"},
		{"Named", at, codeOf("Named()", "got"), views(wire.StyleEqual, self, `"k1"`, `"k2"`), ""},
		{"Truth", at, codeOf("Truth()", "got"), views(wire.StyleEqual, self, "true", "false"), "if !got {"},
		{"Number", at, codeOf("Number()", "got, _"), views(wire.StyleEqual, self, "1", "2"), "got != 1"},
		{"Fails", at, codeOf("Fails(n)", "n, err", "n := 3"), views(wire.StyleNil, self, "true", "false"), "want no error"},
		{"Passes", at, codeOf("Passes()", "err"), views(wire.StyleNil, self, "false", "true"), "no error, want one"},
		{"Says", at, codeOf("Says()", "err"), views(wire.StyleText, self+".Error()", `"bad: 1"`, `"bad: 2"`), ""},
		{"Points", at, codeOf("Points()", "got"), views(wire.StyleEqual, self+"[0].Y", "1", "2"), "got := got[0].Y; got != 1"},
		{"Maybe", at, codeOf("Maybe()", "got"), views(wire.StyleNil, self, "true", "false"), "want nil"},
		{"Values", at, codeOf("Values()", "got"), views(wire.StyleDeep, self, `map[string]int{"a": 1}`, `map[string]int{"a": 2}`),
			"reflect.DeepEqual(got, want)"},
		{"Left", at, codeOf("Left()", "got"), views(wire.StyleRead, self, `"a1"`, `"a2"`), "io.ReadAll(got)"},
		{"Any", at, codeOf("Any()", "got"), views(wire.StyleEqual, self, "byte(1)", "byte(2)"), ""},
		{"All", at, codeOf("All(3)", "got"), views(wire.StyleText, "\x00fmt\x00Sprintf(\"%v\", "+self+")", `"4"`, `"5"`), ""},
		{"Fill", at, func() wire.Code {
			c := codeOf("Fill(list)", "", "list := []int{0}")
			c.Subject, c.Vars = "list", []string{"list"}
			return c
		}(), views(wire.StyleEqual, self+"[0]", "1", "2"), ""},
		{"strings", at, inPackage(wire.Code{Lines: []string{"got := " + own + "strings() + len(\x00strings\x00Repeat(\"a\", 0))"}, Call: own + "strings()",
			Subject: "got", Vars: []string{"got"}, Imports: map[string]string{"example.com/m": "m", "strings": "strings"}}),
			views(wire.StyleEqual, self, "1", "2"), "stringspkg"},
		{"(*T[int]).PanicsInHead", after, codeOf(`PanicsInHead("%d")`, ""), endings(probe.Returned, probe.Panicked, "", "boom"), "panics with head"},
		{"PanicsInBase", after, codeOf(`PanicsInBase("%d")`, ""), endings(probe.Panicked, probe.Returned, "boom"), "recover() == nil"},
		{"Panics", after, codeOf("Panics()", ""), endings(probe.Panicked, probe.Panicked, "boom 1", "boom 2"), `"boom 1"`},
		{"Spins", after, codeOf("Spins()", ""), endings(probe.Returned, probe.Exhausted), "does not return"},
	}
	tmp := t.TempDir()
	lab := &execute.Lab{Level: sandbox.None, Env: os.Environ(), Tmp: tmp}
	var files [][]byte
	for i, c := range cases {
		file, err := WriteTest(TestSpec{
			ID: fmt.Sprintf("case-%04d-%s", i, c.function), Function: c.function, Package: "example.com/m", Name: "m",
			Place: wire.Place{Kind: c.kind}, Code: c.code, BaseViews: c.views[0], HeadViews: c.views[1],
			Declares: func(name string) bool { return name == "strings" },
		})
		if err != nil {
			t.Fatalf("%s: %v", c.function, err)
		}
		if !strings.Contains(string(file), c.has) {
			t.Errorf("%s: no %q in\n%s", c.function, c.has, file)
		}
		files = append(files, file)
	}
	// All in one binary for each version.
	binaries := map[string]execute.Target{}
	for v, version := range []string{VersionBase, VersionHead} {
		dir := filepath.Join(tmp, version)
		write(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.21\n")
		write(t, filepath.Join(dir, "m.go"), fmt.Sprintf(twoVersions, v+1))
		for i, f := range files {
			write(t, filepath.Join(dir, fmt.Sprintf("case%d_test.go", i)), string(f))
		}
		overlay := filepath.Join(tmp, "overlay.json")
		write(t, overlay, `{"Replace":{}}`)
		b := execute.Build{Dir: dir, Package: "example.com/m", Out: filepath.Join(tmp, version+".test"), Overlay: overlay, Env: os.Environ()}
		if err := execute.Test(context.Background(), b); err != nil {
			t.Fatal(err)
		}
		binaries[version] = execute.Target{Binary: b.Out, Dir: dir}
	}
	for i, c := range cases {
		t.Run(c.function, func(t *testing.T) {
			t.Parallel()
			name := TestName(c.function, fmt.Sprintf("case-%04d-%s", i, c.function))
			run := func(ctx context.Context, version string, file []byte) (bool, string, error) {
				target := binaries[version]
				target.Test = name
				return lab.RunTest(ctx, target, 20*time.Second)
			}
			if err := VerifyTest(context.Background(), files[i], run); err != nil {
				t.Errorf("%v\n%s", err, files[i])
			}
			// The other way round it must not be shown.
			swapped := func(ctx context.Context, version string, file []byte) (bool, string, error) {
				return run(ctx, map[string]string{VersionBase: VersionHead, VersionHead: VersionBase}[version], file)
			}
			if c.function != "Spins" { // which takes its time
				if err := VerifyTest(context.Background(), files[i], swapped); !errors.Is(err, ErrNotTelling) {
					t.Errorf("versions swapped: %v", err)
				}
			}
		})
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// What a maintainer gets to see.
func TestTestToPaste(t *testing.T) {
	t.Parallel()
	v := views(wire.StyleEqual, wire.SubjectMark, `"a\x00"`, `"b"`)
	v[0].List[2].Text, v[1].List[2].Text = "a\x00", "b"
	file, err := WriteTest(TestSpec{ID: "0123456789", Function: "(*Buffer[T]).read_line", Package: "example.com/m/v2", Name: "strings",
		Base: "v1.2.0", Head: "v1.3.0", Place: wire.Place{Kind: wire.AtComponent}, BaseViews: v[0], HeadViews: v[1],
		Code: wire.Code{
			Lines: []string{"r := \x00strings\x00NewReader(\"x\")", "var v any = r", "got := \x00example.com/m/v2\x00Read(v)"},
			Setup: 2, Call: "\x00example.com/m/v2\x00Read(v)", Subject: "got", Vars: []string{"got", "r", "v"},
			Imports: map[string]string{"example.com/m/v2": "strings", "strings": "strings2"},
		},
		Language: "1.17",
	})
	if err != nil {
		t.Fatal(err)
	}
	const want = `package strings_test

import (
	strings2 "strings"
	"testing"

	strings "example.com/m/v2"
)

// TestIsodeltaBufferTReadLine_01234567: strings.Read(v) gives "a\x00" with v1.2.0 and "b" with v1.3.0.
func TestIsodeltaBufferTReadLine_01234567(t *testing.T) {
	r := strings2.NewReader("x")
	var v interface{} = r
	got := strings.Read(v)
	const want = "a\x00"
	if got != want {
		t.Errorf("strings.Read(v) = %q, want %q", got, want)
	}
}
`
	if string(file) != want {
		t.Errorf("got\n%s", file)
	}
}

func TestNamesOfTests(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, f := range []string{"", "f", "(*Ring).Push", "Map[int,string]", "Größe", "init.func1", "日本", strings.Repeat("Long", 50), "a_b", "type"} {
		for _, id := range []string{"", "0123abcd-ef", "x"} {
			name := TestName(f, id)
			if !token.IsIdentifier(name) || len(name) > 80 || !strings.HasPrefix(name, "TestIsodelta") {
				t.Errorf("%q, %q: %q", f, id, name)
			}
			if _, err := parser.ParseFile(token.NewFileSet(), TestFile(id), "package p\nfunc "+name+"() {}", 0); err != nil {
				t.Error(err)
			}
			if seen[name] {
				t.Errorf("%q twice", name)
			}
			seen[name] = true
		}
	}
}

// What no test can see is said so.
func TestNoTestWithoutAView(t *testing.T) {
	t.Parallel()
	same := views(wire.StyleEqual, wire.SubjectMark, "1", "1")
	spec := TestSpec{Function: "F", Package: "example.com/m", Name: "m", Place: wire.Place{Kind: wire.AtComponent},
		Code: codeOf("F()", "got"), BaseViews: same[0], HeadViews: same[1]}
	if _, err := WriteTest(spec); !errors.Is(err, ErrNoView) {
		t.Errorf("error %v", err)
	}
	spec.Code.Internal, spec.Code.External = true, true
	differ := views(wire.StyleEqual, wire.SubjectMark, "1", "2")
	spec.BaseViews, spec.HeadViews = differ[0], differ[1]
	if _, err := WriteTest(spec); !errors.Is(err, ErrNoView) {
		t.Errorf("error %v", err)
	}
}
