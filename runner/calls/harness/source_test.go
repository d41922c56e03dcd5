package harness

import (
	"bytes"
	"container/list"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"
	"text/template"
	"time"
	"unicode/utf8"

	"github.com/isodelta/isodelta/runner/calls/harness/testdata/shapes"
	"github.com/isodelta/isodelta/runner/calls/wire"

	probe "github.com/isodelta/isodelta/runner/probe"
)

const shapesPath = "github.com/isodelta/isodelta/runner/calls/harness/testdata/shapes"

// shapesRegistry registers package shapes and a part of the standard library.
func shapesRegistry() *Registry {
	before := registry
	registry = newRegistry()
	defer func() { registry = before }()
	Package(shapesPath)
	function := func(pkg, expr string, fn any) {
		Func(Op{Name: expr, Expr: expr, Package: pkg, Exported: exportedName(expr), Hook: -1, Role: wire.Changed}, fn)
	}
	methods := func(pointers ...any) {
		for _, p := range pointers {
			t := reflect.TypeOf(p)
			if t.Elem().Kind() == reflect.Interface {
				t = t.Elem()
			}
			for i := 0; i < t.NumMethod(); i++ {
				m := t.Method(i)
				fn := m.Func
				if !fn.IsValid() { // of an interface
					in, out := []reflect.Type{t}, []reflect.Type{}
					for k := 0; k < m.Type.NumIn(); k++ {
						in = append(in, m.Type.In(k))
					}
					for k := 0; k < m.Type.NumOut(); k++ {
						out = append(out, m.Type.Out(k))
					}
					name := m.Name
					fn = reflect.MakeFunc(reflect.FuncOf(in, out, m.Type.IsVariadic()), func(a []reflect.Value) []reflect.Value {
						return a[0].MethodByName(name).Call(a[1:])
					})
				} else if e := t.Elem(); e.Kind() != reflect.Interface {
					if v, ok := e.MethodByName(m.Name); ok {
						fn = v.Func // declared for the value
					}
				}
				Func(Op{Name: t.String() + "." + m.Name, Expr: m.Name, Method: true, Exported: true, Hook: -1, Role: wire.Changed}, fn.Interface())
			}
			if t.Kind() == reflect.Pointer {
				Type(p)
			}
		}
	}
	for name, fn := range map[string]any{
		"Mixed": shapes.Mixed, "NewNode": shapes.NewNode, "ByValue": shapes.ByValue, "Split": shapes.Split, "Rows": shapes.Rows,
		"Join": shapes.Join, "Square": shapes.Square, "Total": shapes.Total, "WithName": shapes.WithName,
		"WithRetries": shapes.WithRetries, "New": shapes.New, "MakePair[string, int]": shapes.MakePair[string, int],
		"MakePair[Color, []Point]":        shapes.MakePair[shapes.Color, []shapes.Point],
		"MakePair[Point, time.Duration]":  shapes.MakePair[shapes.Point, time.Duration],
		"MakePair[[2]int, map[rune]List]": shapes.MakePair[[2]int, map[rune]shapes.List],
		"Read":                            shapes.Read, "Wait": shapes.Wait, "Look": shapes.Look, "Anonymous": shapes.Anonymous, "Pointers": shapes.Pointers,
		"Half": shapes.Half, "list": shapes.Unexported["list"], "newState": shapes.Unexported["newState"],
	} {
		function(shapesPath, name, fn)
	}
	for _, name := range []string{"flip", "hidden"} {
		Func(Op{Name: name, Expr: name, Method: true, Hook: -1}, shapes.Unexported[name])
	}
	Var(Op{Name: "Table", Expr: "Table", Package: shapesPath, Exported: true, Hook: -1}, &shapes.Table)
	Var(Op{Name: "origin", Expr: "origin", Package: shapesPath, Hook: -1}, shapes.Unexported["origin"])
	methods(new(shapes.Color), new(shapes.Weight), new(shapes.Point), new(shapes.Base), new(shapes.Node), new(shapes.List),
		new(shapes.Shape), new(shapes.Circle), new(shapes.Config), new(shapes.Stack[int]), new(shapes.Stack[*shapes.Point]),
		new(shapes.Stack[any]), new(shapes.Pair[string, int]), new(shapes.Failure))
	for _, c := range []struct {
		expr  string
		value any
	}{{"Red", shapes.Red}, {"Green", shapes.Green}, {"blue", shapes.Unexported["blue"]}} {
		Const(c.expr, shapesPath, c.value)
	}
	Const("Second", "time", time.Second)

	for name, fn := range map[string]any{
		"Fields": strings.Fields, "Index": strings.Index, "Map": strings.Map, "TrimFunc": strings.TrimFunc, "EqualFold": strings.EqualFold,
		"NewReplacer": strings.NewReplacer, "SplitN": strings.SplitN, "ToTitle": strings.ToTitle, "NewReader": strings.NewReader,
	} {
		function("strings", name, fn)
	}
	for name, fn := range map[string]any{
		"Quote": strconv.Quote, "Atoi": strconv.Atoi, "ParseFloat": strconv.ParseFloat, "FormatInt": strconv.FormatInt,
		"AppendQuoteRune": strconv.AppendQuoteRune, "Unquote": strconv.Unquote, "QuoteToASCII": strconv.QuoteToASCII,
	} {
		function("strconv", name, fn)
	}
	function("sort", "Strings", sort.Strings)
	function("sort", "SearchInts", sort.SearchInts)
	function("unicode/utf8", "DecodeRune", utf8.DecodeRune)
	function("encoding/hex", "DecodeString", hex.DecodeString)
	function("encoding/hex", "Dump", hex.Dump)
	function("encoding/json", "Marshal", json.Marshal)
	function("encoding/json", "Valid", json.Valid)
	function("encoding/json", "NewEncoder", json.NewEncoder)
	function("container/list", "New", list.New)
	function("text/tabwriter", "NewWriter", tabwriter.NewWriter)
	function("text/template", "HTMLEscapeString", template.HTMLEscapeString)
	function("time", "ParseDuration", time.ParseDuration)
	function("time", "Unix", time.Unix)
	function("bytes", "NewBuffer", bytes.NewBuffer)
	function("bytes", "Title", bytes.ToTitle)
	Func(Op{Name: "ToTitle", Expr: "ToTitle", Package: "bytes", Exported: true, Hook: -1}, bytes.ToTitle)
	methods(new(list.List), new(list.Element), new(bytes.Buffer), new(strings.Replacer), new(json.Encoder), new(time.Time), new(time.Duration))
	registry.seal()
	// Maps above give no order.
	sort.SliceStable(registry.Ops[wire.Builtins:], func(i, j int) bool {
		a, b := registry.Ops[wire.Builtins+i], registry.Ops[wire.Builtins+j]
		return a.Package+a.Name < b.Package+b.Name
	})
	for i := range registry.Ops {
		switch op := &registry.Ops[i]; op.Name {
		case "Title", "*bytes.Buffer.Grow", "*bytes.Buffer.ReadFrom", "*bytes.Buffer.WriteTo", "*time.Time.AppendFormat", "*time.Time.AppendText",
			"*bytes.Buffer.AvailableBuffer", "*bytes.Buffer.Cap", "*bytes.Buffer.Available": // no such name; too large; endless from itself; room by chance
			op.excluded = true
		}
	}
	return registry
}

// writing makes sequences for the tests of what is written of them.
type writing struct {
	r *Registry
	m *machine
	g *generator
}

func newWriting(seed uint64) *writing {
	r := shapesRegistry()
	m := &machine{Registry: r}
	plain := NewPlain()
	for _, s := range []string{"a,b;c", `say "hi"\n`, "%d%%", "line one\nline two is longer\nline three\n", "é\xff\x00", strings.Repeat("ab ", 20), "`"} {
		plain.AddText(0, s)
	}
	for _, n := range []int64{0, 1, -1, 2, 7, 127, 255, 1000} {
		plain.AddNumber(0, n)
	}
	return &writing{r, m, newGenerator(m, plain, seed)}
}

// sequence makes one with a few steps and a place to look at.
func (x *writing) sequence() (wire.Sequence, wire.Place, bool) {
	r := x.g.r
	b := x.g.builder(nil)
	if r.Chance(40) {
		t := r.Intn(len(x.r.Types))
		l, ok := b.fresh(x.r.Types[t], spot{}, 0)
		if r.Chance(15) {
			l, ok = wire.Lit{}, true
		}
		if !ok {
			return nil, wire.Place{}, false
		}
		b.add(wire.Step{Op: wire.OpLet, Args: []wire.Lit{{Form: wire.Dynamic, T: t, E: []wire.Lit{l}}}})
	}
	if r.Chance(20) {
		for i, op := range x.r.Ops {
			if op.Variable && r.Chance(50) {
				b.add(wire.Step{Op: i})
				break
			}
		}
	}
	if !b.call(wire.Builtins+r.Intn(len(x.r.Ops)-wire.Builtins), 0) {
		return nil, wire.Place{}, false
	}
	for n := r.Intn(5); n > 0; n-- {
		if r.Chance(12) {
			for _, v := range b.vars {
				if v.t.Kind() == reflect.Slice {
					if e, ok := b.fresh(v.t.Elem(), spot{}, 0); ok {
						b.p = append(b.p, wire.Step{Op: wire.OpWrite + r.Intn(2), Args: []wire.Lit{wire.RefTo(v.step, v.result), e}})
					}
					break
				}
			}
			continue
		}
		b.further()
	}
	shapes.Reset()
	t := x.m.run(b.p)
	n := len(t.Steps)
	if t.Invalid || n == 0 {
		return nil, wire.Place{}, false
	}
	p, last := b.p[:n], t.Steps[n-1]
	switch {
	case last.Ending == probe.Exhausted:
		return nil, wire.Place{}, false
	case last.Ending == probe.Panicked:
		return p, wire.Place{Kind: wire.AtEnding, Step: n - 1, Index: 0}, true
	case len(t.After) > 0 && r.Chance(25):
		return p, wire.Place{Kind: wire.AtAfter, Step: 0, Index: r.Intn(len(t.After))}, true
	case len(last.Components) > 0:
		return p, wire.Place{Kind: wire.AtComponent, Step: n - 1, Index: r.Intn(len(last.Components))}, true
	}
	return nil, wire.Place{}, false
}

// What is written of random sequences must compile, outside the package where
// it says that it can, and must show what the sequences showed.
func TestSourceShowsWhatSequencesDo(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	const sequences = 400 // most mistakes show with 100
	x := newWriting(28)
	inside, outside := newProof("shapes"), newProof("shapes_test")
	refused := map[string]int{}
	refusals, made := 0, 0
	for try := 0; try < 40*sequences && made < sequences; try++ {
		p, at, ok := x.sequence()
		if !ok {
			continue
		}
		made++
		shapes.Reset()
		views, err := x.r.Views(p, at)
		if err != nil {
			refused[err.Error()]++
			refusals++
			continue
		}
		shapes.Reset()
		code, err := x.r.Source(p, at)
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
	r := shapesRegistry()
	op := func(name string) int {
		for i, o := range r.Ops {
			if o.Name == name {
				return i
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
		{"readers and contexts", wire.Sequence{{Op: op("Read"), Args: []wire.Lit{special(wire.SpecialCanceled), special(wire.SpecialOneByte, text("x")), special(wire.SpecialBuffer, text(""))}}}, result(0),
			`ctx, cancel := context.WithCancel(context.Background()); cancel(); ` +
				`got, _ := shapes.Read(ctx, iotest.OneByteReader(strings.NewReader("x")), bytes.NewBufferString(""))`},
		{"a writer that takes nothing", wire.Sequence{{Op: op("Read"), Args: []wire.Lit{special(wire.SpecialContext), special(wire.SpecialReader, text("x")), special(wire.SpecialFull)}}}, result(0),
			`got, _ := shapes.Read(context.Background(), strings.NewReader("x"), (*os.File)(nil))`},
		{"composites leave out what is zero and what is known", wire.Sequence{
			{Op: op("NewNode"), Args: []wire.Lit{text("n"), seq(wire.Lit{Form: wire.Pointer, E: []wire.Lit{{Form: wire.Struct, E: []wire.Lit{{}, {}, integer(1),
				{Form: wire.Pointer, E: []wire.Lit{{Form: wire.Struct, E: []wire.Lit{integer(0), integer(2)}}}}, seq(wire.Lit{Form: wire.Pointer, E: []wire.Lit{{}}})}}}})}},
		}, result(0),
			`got := shapes.NewNode("n", &shapes.Node{Kind: shapes.Green, At: &shapes.Point{Y: 2}, Kids: []*shapes.Node{{}}})`},
		{"a function that gives what it gave", wire.Sequence{{Op: op("TrimFunc"), Args: []wire.Lit{text("aab"), special(wire.SpecialHashFunc, wire.Lit{Form: wire.Bool})}}}, result(0),
			`got := strings.TrimFunc("aab", func(r rune) bool { return r == 'a' })`},
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
			code, err := r.Source(c.p, c.at)
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
				if path == shapesPath && code.Internal {
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
	if path == shapesPath && p.pkg == "shapes" {
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
	fmt.Fprintf(&p.body, "\t%sReset()\n", p.qualify(shapesPath))
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
		fmt.Fprintf(&p.body, "\tprogram%d(t)\n", i)
	}
	fmt.Fprintf(&p.body, "}\n\nvar _ = %sSprint\nvar _ = %sDeepEqual\n", p.qualify("fmt"), p.qualify("reflect"))
	fmt.Fprintf(&b, "package %s\n\nimport (\n", p.pkg)
	for path, as := range p.imports {
		fmt.Fprintf(&b, "\t%s %q\n", as, path)
	}
	fmt.Fprintf(&b, ")\n%s", p.body.String())
	return b.Bytes()
}
