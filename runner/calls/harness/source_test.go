package harness_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/calls/harness/gosource"
	"github.com/isodelta/isodelta/runner/calls/harness/testdata/shapes"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// What is written of random sequences must compile, outside the package where
// it says that it can, and must show what the sequences showed.
func TestSourceShowsWhatSequencesDo(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	const sequences = 400 // most mistakes show with 100
	x := harness.NewWriting(28)
	inside, outside := newProof("shapes"), newProof("shapes_test")
	refused := map[string]int{}
	refusals, made := 0, 0
	for try := 0; try < 40*sequences && made < sequences; try++ {
		p, at, ok := x.Sequence()
		if !ok {
			continue
		}
		made++
		shapes.Reset()
		views, err := gosource.Views(x.Registry, p, at)
		if err != nil {
			refused[err.Error()]++
			refusals++
			continue
		}
		shapes.Reset()
		code, err := gosource.Source(x.Registry, p, at)
		if err != nil {
			refused[err.Error()]++
			refusals++
			continue
		}
		if code.Internal {
			inside.add(code, views, at)
		} else {
			outside.add(code, views, at)
		}
	}
	if made < sequences || refusals > made/10 {
		t.Errorf("%d sequences, of which %d could not be written: %v", made, refusals, refused)
	}
	t.Parallel() // only now: running sequences is for one at a time
	t.Logf("%d sequences inside, %d outside, %d views; refused: %v", inside.n, outside.n, inside.views+outside.views, refused)
	dir, err := filepath.Abs("testdata/shapes")
	if err != nil {
		t.Fatal(err)
	}
	scratch := t.TempDir()
	replace := map[string]string{}
	for name, p := range map[string]*proof{"inside_test.go": inside, "outside_test.go": outside} {
		file := filepath.Join(scratch, name)
		if err := os.WriteFile(file, p.file(), 0o644); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(dir, name)] = file
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(scratch, "overlay.json"), overlay, 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "test", "-count=1", "-v", "-gcflags=-e", "-overlay", filepath.Join(scratch, "overlay.json"), ".")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, clipped(string(out)))
		if dir := os.Getenv("ISODELTA_KEEP"); dir != "" {
			os.CopyFS(dir, os.DirFS(scratch))
		}
		return
	}
	if n := strings.Count(string(out), "--- PASS"); n != 2 {
		t.Errorf("%d of 2 tests ran:\n%s", n, clipped(string(out)))
	}
}

// What people should get to read.
func TestSourceReadsWell(t *testing.T) {
	r := harness.ShapesRegistry()
	r.Ops = append(slices.Clone(r.Ops),
		harness.Operation{Name: "time.Sleep", Expr: "Sleep", Package: "time", Fn: reflect.ValueOf(harness.Sleep), In: []reflect.Type{reflect.TypeFor[time.Duration]()}},
		harness.Operation{Name: "os.Setenv", Expr: "Setenv", Package: "os", Fn: reflect.ValueOf(harness.Setenv),
			In: []reflect.Type{reflect.TypeFor[string](), reflect.TypeFor[string]()}, Out: []reflect.Type{reflect.TypeFor[error]()}})
	op := func(name string) wire.Op {
		for i, o := range r.Ops {
			if o.Name == name {
				return wire.Op(i)
			}
		}
		t.Fatalf("no operation %s", name)
		return 0
	}
	number := func(v any) int {
		n, ok := r.TypeNumber(reflect.TypeOf(v))
		if !ok {
			t.Fatalf("no type %T", v)
		}
		return n
	}
	text := func(s string) wire.Lit { return wire.Lit{Form: wire.Text, S: s} }
	integer := func(n int64) wire.Lit { return wire.Lit{Form: wire.Int, N: n} }
	special := func(name string, e ...wire.Lit) wire.Lit { return wire.Lit{Form: wire.Special, S: name, E: e} }
	let := func(v any, l wire.Lit) wire.Step {
		return wire.Step{Op: wire.OpLet, Args: []wire.Lit{{Form: wire.Dynamic, T: number(v), E: []wire.Lit{l}}}}
	}
	type Place = struct{ Street string }
	var embedding struct {
		Own string `json:"own"`
		Place
	}
	seq := func(e ...wire.Lit) wire.Lit { return wire.Lit{Form: wire.Seq, E: e} }
	result := func(step int) wire.Place { return wire.Place{Kind: wire.AtComponent, Step: step, Index: 0} }
	for _, c := range []struct {
		name string
		p    wire.Sequence
		at   wire.Place
		want string
	}{
		{"a call", wire.Sequence{{Op: op("Quote"), Args: []wire.Lit{text("a\x00`b`")}}}, result(0),
			`got := strconv.Quote("a\x00` + "`b`" + `")`},
		{"a method on a constructed value, an error", wire.Sequence{
			{Op: op("NewNode"), Args: []wire.Lit{text("n"), seq()}},
			{Op: op("*shapes.Base.Set"), Args: []wire.Lit{{Form: wire.Pointer, E: []wire.Lit{{}}}, text("k"), {Form: wire.Dynamic, T: number(int64(0)), E: []wire.Lit{integer(3)}}}},
			{Op: op("Atoi"), Args: []wire.Lit{text("x")}},
		}, wire.Place{Kind: wire.AtComponent, Step: 2, Index: 1},
			`shapes.NewNode("n", []*shapes.Node{}...); var base shapes.Base; base.Set("k", int64(3)); _, err := strconv.Atoi("x")`},
		{"a struct without a name that embeds another", wire.Sequence{
			{Op: op("*shapes.Base.Set"), Args: []wire.Lit{{Form: wire.Pointer, E: []wire.Lit{{}}}, text("k"), {Form: wire.Dynamic, T: number(embedding),
				E: []wire.Lit{{Form: wire.Struct, E: []wire.Lit{text("o"), {Form: wire.Struct, E: []wire.Lit{text("s")}}}}}}}},
		}, wire.Place{Kind: wire.AtEnding},
			"type Place = struct { Street string }; var base shapes.Base; " +
				"base.Set(\"k\", struct { Own string `json:\"own\"`; Place }{Own: \"o\", Place: struct { Street string }{Street: \"s\"}})"},
		{"a path that is given twice", wire.Sequence{
			let("", special(wire.SpecialPath, integer(1), text("a"), text("b"))),
			{Op: op("Quote"), Args: []wire.Lit{wire.RefTo(0, 0)}},
			{Op: op("Atoi"), Args: []wire.Lit{wire.RefTo(0, 0)}},
		}, wire.Place{Kind: wire.AtComponent, Step: 2, Index: 1},
			`s := filepath.Join(folder(t, "a", "b"), "a"); strconv.Quote(s); _, err := strconv.Atoi(s)`},
		{"what surrounds calls", wire.Sequence{
			{Op: op("os.Setenv"), Args: []wire.Lit{text("NAME"), text("v")}},
			{Op: op("time.Sleep"), Args: []wire.Lit{integer(int64(time.Second))}},
			{Op: op("Atoi"), Args: []wire.Lit{text("x")}},
		}, wire.Place{Kind: wire.AtComponent, Step: 2, Index: 1},
			`t.Setenv("NAME", "v"); time.Sleep(time.Second); _, err := strconv.Atoi("x")`},
		{"a let that is written to", wire.Sequence{
			let([]int(nil), seq(integer(3), integer(1))),
			{Op: wire.OpWrite, Args: []wire.Lit{wire.RefTo(0, 0), integer(7)}},
			{Op: wire.OpExtend, Args: []wire.Lit{wire.RefTo(0, 0), integer(8)}},
			{Op: op("SearchInts"), Args: []wire.Lit{wire.RefTo(0, 0), integer(2)}},
		}, result(3),
			// The package declares list.
			`list2 := []int{3, 1}; list2[0] = 7; _ = append(list2, 8); got := sort.SearchInts(list2, 2)`},
		{"what an argument holds afterwards", wire.Sequence{{Op: op("Strings"), Args: []wire.Lit{seq(text("b"), text("a"))}}}, result(0),
			`names := []string{"b", "a"}; sort.Strings(names)`},
		{"numbers, constants, durations, times", wire.Sequence{
			{Op: op("Mixed"), Args: []wire.Lit{integer(-128), integer(65535), integer(-1 << 63), {Form: wire.Uint, N: -1}, wire.FloatLit(0.5),
				{Form: wire.Complex, E: []wire.Lit{wire.FloatLit(1), wire.FloatLit(0)}}, integer('a'), integer('é'), {}}},
			{Op: op("Wait"), Args: []wire.Lit{integer(int64(90 * time.Second)), special(wire.SpecialTime, integer(86400)), special(wire.SpecialZone, integer(3600)),
				special(wire.SpecialError, text("bad")), special(wire.SpecialChan, integer(1))}},
		}, result(1),
			`shapes.Mixed(-128, 65535, math.MinInt64, math.MaxUint64, 0.5, complex(1.0, 0.0), 'a', 'é', 0); ` +
				`ch := make(chan int, 2); ch <- 1; close(ch); ` +
				`got := shapes.Wait(90 * time.Second, time.Unix(86400, 0).UTC(), time.FixedZone("", 3600), errors.New("bad"), ch)`},
		{"an error beneath another", wire.Sequence{
			{Op: op("Wait"), Args: []wire.Lit{integer(int64(90 * time.Second)), special(wire.SpecialTime, integer(0), integer(0), integer(-1800)), special(wire.SpecialZone, integer(0)),
				special(wire.SpecialWrapped, special(wire.SpecialError, text("bad"))), special(wire.SpecialChan)}},
		}, result(0),
			`ch := make(chan int, 1); close(ch); ` +
				`got := shapes.Wait(90 * time.Second, time.Unix(0, 0).In(time.FixedZone("", -1800)), time.FixedZone("", 0), fmt.Errorf("failed: %w", errors.New("bad")), ch)`},
		{"readers and contexts", wire.Sequence{{Op: op("Read"), Args: []wire.Lit{special(wire.SpecialCanceled), special(wire.SpecialOneByte, text("x")), special(wire.SpecialBuffer, text(""))}}}, result(0),
			`ctx, cancel := context.WithCancel(context.Background()); cancel(); ` +
				`got, _ := shapes.Read(ctx, iotest.OneByteReader(strings.NewReader("x")), bytes.NewBufferString(""))`},
		{"a writer that takes nothing", wire.Sequence{{Op: op("Read"), Args: []wire.Lit{special(wire.SpecialContext), special(wire.SpecialReader, text("x")), special(wire.SpecialFull)}}}, result(0),
			`got, _ := shapes.Read(context.Background(), strings.NewReader("x"), (*os.File)(nil))`},
		{"a writer that takes two bytes", wire.Sequence{{Op: op("Read"), Args: []wire.Lit{special(wire.SpecialContext), special(wire.SpecialReader, text("x")), special(wire.SpecialLateFull, integer(2))}}}, result(0),
			`got, _ := shapes.Read(context.Background(), strings.NewReader("x"), bufio.NewWriterSize((*os.File)(nil), 2))`},
		{"composites leave out what is zero and what is known", wire.Sequence{
			{Op: op("NewNode"), Args: []wire.Lit{text("n"), seq(wire.Lit{Form: wire.Pointer, E: []wire.Lit{{Form: wire.Struct, E: []wire.Lit{{}, {}, integer(1),
				{Form: wire.Pointer, E: []wire.Lit{{Form: wire.Struct, E: []wire.Lit{integer(0), integer(2)}}}}, seq(wire.Lit{Form: wire.Pointer, E: []wire.Lit{{}}})}}}})}},
		}, result(0),
			`got := shapes.NewNode("n", &shapes.Node{Kind: shapes.Green, At: &shapes.Point{Y: 2}, Kids: []*shapes.Node{{}}})`},
		{"a function that gives what it gave", wire.Sequence{{Op: op("TrimFunc"), Args: []wire.Lit{text("aab"), special(wire.SpecialHashFunc, wire.Lit{Form: wire.Bool})}}}, result(0),
			`got := strings.TrimFunc("aab", func(r rune) bool { return r == 'a' })`},
		{"a function that tells of its calls", wire.Sequence{
			let([]string(nil), wire.Lit{}),
			{Op: op("TrimFunc"), Args: []wire.Lit{text("aab"), special(wire.SpecialTelling, wire.Lit{Form: wire.Bool}, wire.RefTo(0, 0), text("100%"))}},
		}, wire.Place{Kind: wire.AtAfter, Step: 1, Index: 0},
			`var called []string; strings.TrimFunc("aab", func(r rune) bool { called = append(called, fmt.Sprintf("100%% %v", r)); return false })`},
		{"a function that panics", wire.Sequence{
			{Op: op("TrimFunc"), Args: []wire.Lit{text(""), special(wire.SpecialPanic, text("boom"))}},
		}, result(0), `got := strings.TrimFunc("", func(rune) bool { panic("boom") })`},
		{"a function that sets a field", wire.Sequence{
			{Op: op("NewNode"), Args: []wire.Lit{text("n"), seq()}},
			{Op: op("*shapes.Node.Walk"), Args: []wire.Lit{wire.RefTo(0, 0), special(wire.SpecialSetting, text("Kind"), integer(1), wire.Lit{Form: wire.Bool, N: 1})}},
		}, result(1),
			`node := shapes.NewNode("n", []*shapes.Node{}...); got := node.Walk(func(node2 *shapes.Node) bool { node2.Kind = shapes.Green; return true })`},
		{"a function that calls back once", wire.Sequence{
			let(shapes.Point{}, wire.Lit{Form: wire.Struct, E: []wire.Lit{integer(1)}}),
			{Op: op("TrimFunc"), Args: []wire.Lit{text("aab"), special(wire.SpecialBack, text("*shapes.Point.Move"), wire.RefTo(0, 0), seq(integer(3), integer(4)), wire.Lit{Form: wire.Bool, N: 1})}},
		}, result(1),
			`point := shapes.Point{X: 1}; inside := false; got := strings.TrimFunc("aab", func(rune) bool { if !inside { inside = true; point.Move(3, 4) }; return true })`},
		{"one without a name", wire.Sequence{
			let([]string(nil), wire.Lit{}),
			{Op: op("TrimFunc"), Args: []wire.Lit{text("aab"), special(wire.SpecialTelling, wire.Lit{Form: wire.Bool, N: 1}, wire.RefTo(0, 0), text(""))}},
		}, wire.Place{Kind: wire.AtAfter, Step: 1, Index: 0},
			`var called []string; strings.TrimFunc("aab", func(r rune) bool { called = append(called, fmt.Sprint(r)); return true })`},
		{"an address of what is there", wire.Sequence{
			let(shapes.Point{}, wire.Lit{Form: wire.Struct, E: []wire.Lit{integer(1)}}),
			{Op: op("*shapes.Point.Move"), Args: []wire.Lit{wire.RefTo(0, 0), integer(1), integer(2)}},
		}, wire.Place{Kind: wire.AtAfter, Step: 0, Index: 0}, ""},
		{"something unexported", wire.Sequence{
			{Op: op("newState"), Args: []wire.Lit{{Form: wire.Bool, N: 1}}},
			{Op: op("flip"), Args: []wire.Lit{wire.RefTo(0, 0)}},
		}, result(1), `state2 := newState(true); got := state2.flip()`},
		{"a format is kept from vet", wire.Sequence{
			{Op: op("*shapes.Config.Format"), Args: []wire.Lit{{}, text("%d"), seq(wire.Lit{Form: wire.Dynamic, T: number(""), E: []wire.Lit{text("x")}})}},
		}, result(0), `var cfg shapes.Config; format := "%d"; got := cfg.Format(format, "x")`},
		{"a call that does not return", wire.Sequence{
			{Op: op("Quote"), Args: []wire.Lit{text("unused")}},
			{Op: op("Half"), Args: []wire.Lit{integer(3)}},
		}, wire.Place{Kind: wire.AtEnding, Step: 1, Index: 0}, `strconv.Quote("unused"); shapes.Half(3)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, err := gosource.Source(r, c.p, c.at)
			if c.want == "" {
				if err == nil {
					t.Errorf("no error, but %q", code.Lines)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got := wire.Qualify(strings.Join(code.Lines, "; "), func(path string) string {
				if path == harness.ShapesPath && code.Internal {
					return ""
				}
				return code.Imports[path] + "."
			})
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func clipped(s string) string {
	if len(s) > 6000 {
		return s[:6000] + "…"
	}
	return s
}

// proof is a test file that runs sequences and compares what they show.
type proof struct {
	pkg     string
	body    strings.Builder
	imports map[string]string
	n       int
	views   int
}

func newProof(pkg string) *proof {
	p := &proof{pkg: pkg, imports: map[string]string{}}
	for _, path := range []string{"testing", "fmt", "reflect"} {
		p.qualify(path)
	}
	return p
}

func (p *proof) qualify(path string) string {
	if path == harness.ShapesPath && p.pkg == "shapes" {
		return ""
	}
	if p.imports[path] == "" {
		p.imports[path] = fmt.Sprintf("imported%d", len(p.imports))
	}
	return p.imports[path] + "."
}

func (p *proof) add(c wire.Code, v wire.Views, at wire.Place) {
	p.n++
	show := func(text string) string {
		return wire.Qualify(strings.ReplaceAll(text, wire.SubjectMark, c.Subject), p.qualify)
	}
	fmt.Fprintf(&p.body, "\nfunc sequence%d(t *%sT) {\n", p.n, p.qualify("testing"))
	call := show(c.Call)
	fmt.Fprintf(&p.body, "\t%sReset()\n", p.qualify(harness.ShapesPath))
	if at.Kind == wire.AtEnding {
		fmt.Fprintf(&p.body, "\tdefer func() {\n\t\tif recover() == nil {\n\t\t\tt.Errorf(\"sequence %d: %%s returns\", %q)\n\t\t}\n\t}()\n", p.n, call)
	}
	for _, l := range c.Lines {
		fmt.Fprintf(&p.body, "\t%s\n", show(l))
	}
	if c.Subject != "" {
		fmt.Fprintf(&p.body, "\t_ = %s\n", show(c.Subject))
	}
	for _, w := range v.List {
		if w.Internal && p.pkg != "shapes" {
			continue
		}
		p.views++
		expr, lit := show(w.Expr), show(w.Literal)
		differs := ""
		switch w.Style {
		case wire.StyleNil:
			differs = "(" + expr + " == nil) != " + lit
		case wire.StyleEqual:
			differs = expr + " != " + lit
		case wire.StyleText:
			differs = expr + " != " + lit
		case wire.StyleDeep:
			differs = "!" + p.qualify("reflect") + "DeepEqual(" + expr + ", " + lit + ")"
		}
		if w.Address {
			differs = "false && " + differs
		}
		// In a function of its own: literals need no brackets there.
		fmt.Fprintf(&p.body, "\tif func() bool { return %s }() {\n\t\tt.Errorf(\"sequence %d: %%s: %%s = %%v, want %%s\", %q, %q, %s, %q)\n\t}\n",
			differs, p.n, call, expr, expr, lit)
	}
	fmt.Fprintf(&p.body, "}\n")
}

func (p *proof) file() []byte {
	var b bytes.Buffer
	name := "TestInside"
	if p.pkg != "shapes" {
		name = "TestOutside"
	}
	fmt.Fprintf(&p.body, "\nfunc %s(t *%sT) {\n", name, p.qualify("testing"))
	for i := 1; i <= p.n; i++ {
		fmt.Fprintf(&p.body, "\tsequence%d(t)\n", i)
	}
	fmt.Fprintf(&p.body, "}\n\nvar _ = %sSprint\nvar _ = %sDeepEqual\n", p.qualify("fmt"), p.qualify("reflect"))
	fmt.Fprintf(&b, "package %s\n\nimport (\n", p.pkg)
	for path, as := range p.imports {
		fmt.Fprintf(&b, "\t%s %q\n", as, path)
	}
	fmt.Fprintf(&b, ")\n%s", p.body.String())
	return b.Bytes()
}
