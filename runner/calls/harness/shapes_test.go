package harness

import (
	"bytes"
	"container/list"
	"encoding/hex"
	"encoding/json"
	"go/token"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"text/tabwriter"
	"text/template"
	"time"
	"unicode/utf8"

	"github.com/isodelta/isodelta/runner/calls/harness/testdata/shapes"
	"github.com/isodelta/isodelta/runner/calls/wire"
	probe "github.com/isodelta/isodelta/runner/probe"
)

const ShapesPath = "github.com/isodelta/isodelta/runner/calls/harness/testdata/shapes"

// ShapesRegistry registers package shapes and a part of the standard library.
func ShapesRegistry() *Registry {
	before := registry
	registry = newRegistry()
	defer func() { registry = before }()
	Package(ShapesPath)
	function := func(pkg, expr string, fn any) {
		Func(Operation{Name: expr, Expr: expr, Package: pkg, Exported: token.IsExported(expr), Hook: -1, Role: wire.Changed}, fn)
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
				Func(Operation{Name: t.String() + "." + m.Name, Expr: m.Name, Method: true, Exported: true, Hook: -1, Role: wire.Changed}, fn.Interface())
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
		function(ShapesPath, name, fn)
	}
	for _, name := range []string{"flip", "hidden"} {
		Func(Operation{Name: name, Expr: name, Method: true, Hook: -1}, shapes.Unexported[name])
	}
	Var(Operation{Name: "Table", Expr: "Table", Package: ShapesPath, Exported: true, Hook: -1}, &shapes.Table)
	Var(Operation{Name: "origin", Expr: "origin", Package: ShapesPath, Hook: -1}, shapes.Unexported["origin"])
	methods(new(shapes.Color), new(shapes.Weight), new(shapes.Point), new(shapes.Base), new(shapes.Node), new(shapes.List),
		new(shapes.Shape), new(shapes.Circle), new(shapes.Config), new(shapes.Stack[int]), new(shapes.Stack[*shapes.Point]),
		new(shapes.Stack[any]), new(shapes.Pair[string, int]), new(shapes.Failure))
	for _, c := range []struct {
		expr  string
		value any
	}{{"Red", shapes.Red}, {"Green", shapes.Green}, {"blue", shapes.Unexported["blue"]}} {
		Const(c.expr, ShapesPath, c.value)
	}
	Const("Second", "time", time.Second)
	type Place = struct{ Street string }
	Type((*struct {
		Own string `json:"own"`
		Place
	})(nil))
	Type((*struct{ *Place })(nil))

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
	Func(Operation{Name: "ToTitle", Expr: "ToTitle", Package: "bytes", Exported: true, Hook: -1}, bytes.ToTitle)
	methods(new(list.List), new(list.Element), new(bytes.Buffer), new(strings.Replacer), new(json.Encoder), new(time.Time), new(time.Duration))
	registry.seal()
	// Maps above give no order.
	sort.SliceStable(registry.Ops[wire.Builtins:], func(i, j int) bool {
		a, b := registry.Ops[wire.OpAt(i)], registry.Ops[wire.OpAt(j)]
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

// Writing makes sequences for the tests of what is written of them.
type Writing struct {
	Registry *Registry
	m        *Machine
	g        *generator
}

func NewWriting(seed uint64) *Writing {
	r := ShapesRegistry()
	m := NewMachine(r)
	plain := NewPlain()
	for _, s := range []string{"a,b;c", `say "hi"\n`, "%d%%", "line one\nline two is longer\nline three\n", "é\xff\x00", strings.Repeat("ab ", 20), "`"} {
		plain.AddText(0, s)
	}
	for _, n := range []int64{0, 1, -1, 2, 7, 127, 255, 1000} {
		plain.AddNumber(0, n)
	}
	return &Writing{r, m, newGenerator(m, plain, seed)}
}

// Sequence makes one with a few steps and a place to look at.
func (x *Writing) Sequence() (wire.Sequence, wire.Place, bool) {
	r := x.g.r
	b := x.g.builder(nil)
	if r.Chance(40) {
		t := r.Intn(len(x.Registry.Types))
		l, ok := b.fresh(x.Registry.Types[t], spot{}, 0)
		if r.Chance(15) {
			l, ok = wire.Lit{}, true
		}
		if !ok {
			return nil, wire.Place{}, false
		}
		b.add(wire.Step{Op: wire.OpLet, Args: []wire.Lit{{Form: wire.Dynamic, T: t, E: []wire.Lit{l}}}})
	}
	if r.Chance(20) {
		for i, op := range x.Registry.Ops {
			if op.Variable && r.Chance(50) {
				b.add(wire.Step{Op: wire.Op(i)})
				break
			}
		}
	}
	if !b.call(wire.OpAt(r.Intn(x.Registry.end().Index())), 0) {
		return nil, wire.Place{}, false
	}
	for n := r.Intn(5); n > 0; n-- {
		if r.Chance(12) {
			for _, v := range b.vars {
				if v.t.Kind() == reflect.Slice {
					if e, ok := b.fresh(v.t.Elem(), spot{}, 0); ok {
						b.p = append(b.p, wire.Step{Op: wire.OpWrite + wire.Op(r.Intn(2)), Args: []wire.Lit{wire.RefTo(v.step, v.result), e}})
					}
					break
				}
			}
			continue
		}
		b.further()
	}
	shapes.Reset()
	t := x.m.Run(b.p)
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
	}
	// What is written to the streams is no expression: script printed is about that.
	values := len(last.Components)
	if op := p[n-1].Op; !op.Builtin() && x.Registry.Ops[op].Stream(values-1) >= 0 {
		values -= probe.Streams
	}
	if values == 0 {
		return nil, wire.Place{}, false
	}
	return p, wire.Place{Kind: wire.AtComponent, Step: n - 1, Index: r.Intn(values)}, true
}
