package check

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/probe"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/relation/law"
)

const shapes = `package p

import "strings"

type ID string

func Name(id ID, n uint8) (string, error) { return "", nil }
func Sum(xs []int32, by float64) (int, []bool) { return 0, nil }
func None(b strings.Builder) int { return 0 }
func Bytes(b []byte) int { return 0 }
func Many(xs ...int) int { return 0 }
func Nothing(n int) {}
func Failing(n int) error { return nil }

type Fee struct {
	Cents int
	Note  string
	paid  bool
}

func Price(f Fee, n int) (*Fee, error) { return &f, nil }

type Point [2]float64

type Box struct {
	Min, Max Point
	id       int
}

func Pad(b Box, by float64) Box { return b }

func Count(p Point, text string) (map[string]*Fee, []Fee) { return nil, nil }

type Stack struct{ list []int }

func (s *Stack) Push(x int)  {}
func (s *Stack) Pop() int    { return 0 }
func (s *Stack) Len() int    { return 0 }
`

func subjectOf(t *testing.T, name string) *relation.Subject {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", shapes, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	pkg, err := conf.Check("p", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return relation.NewSubject(pkg.Scope().Lookup(name).(*types.Func), name, nil)
}

func TestShapeOf(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int{"Name": 2, "Sum": 2, "None": -1, "Bytes": -1, "Many": -1, "Nothing": 0, "Failing": 1, "Price": 3, "Count": 3, "Pad": 4} {
		of, ok := shapeOf(1, subjectOf(t, name))
		if ok != (want >= 0) || ok && of.outputs() != want {
			t.Errorf("%s: %+v, %t", name, of, ok)
		}
	}
}

// Inputs hold values of their parameters' types, fields of structs included, and what is
// put in comes out again.
func TestInputs(t *testing.T) {
	t.Parallel()
	for name, models := range map[string][]wire.Sequence{
		"Name": nil, "Sum": nil,
		"Price": {{{Op: 7, Args: []wire.Lit{{}, {Form: wire.Int, N: 1}}}}},
		"Pad":   {{{Op: 7, Args: []wire.Lit{{}, {}}}}},
		"Count": {{{Op: 7, Args: []wire.Lit{{}, {Form: wire.Text, S: "a"}}}}},
	} {
		of, _ := shapeOf(7, subjectOf(t, name))
		list := of.inputs(models, nil, literals{points: []float64{3, 1000}, texts: []string{"EUR", "é ", "\t"}}, 200, rand.New(rand.NewPCG(1, 0)))
		if len(list) != 200 {
			t.Errorf("%s: %d inputs", name, len(list))
		}
		for _, p := range list {
			values := of.values(p)
			if name == "Name" {
				if n := values[1].(int64); n < 0 || n > 255 {
					t.Errorf("%v for a uint8", n)
				}
			}
			back, _, err := wire.Decode(p.Encode(nil))
			if err != nil {
				t.Fatal(err)
			}
			q, ok := of.with(list[0], values)
			if !ok || fmt.Sprintf("%#v", of.values(back)) != fmt.Sprintf("%#v", values) || fmt.Sprintf("%#v", of.values(q)) != fmt.Sprintf("%#v", values) {
				t.Fatalf("%s: %v came back as %v and %v", name, values, of.values(back), of.values(q))
			}
		}
	}
}

// What a call gives stands in the row at its place, and beside an error there is nothing.
func TestObserved(t *testing.T) {
	t.Parallel()
	of, _ := shapeOf(7, subjectOf(t, "Price"))
	number := func(n int64) wire.Lit { return wire.Lit{Form: wire.Int, N: n} }
	fee := wire.Lit{Form: wire.Struct, E: []wire.Lit{number(3), {Form: wire.Text, S: "a"}, {}}}
	returned := func(results ...wire.Lit) []wire.Valued {
		return []wire.Valued{{Ran: true, Ending: probe.Returned, Results: results}}
	}
	for _, c := range []struct {
		list []wire.Valued
		want []any
	}{
		{returned(wire.Lit{Form: wire.Pointer, E: []wire.Lit{fee}}, wire.Lit{}), []any{int64(3), "a", false}},
		{returned(wire.Lit{Form: wire.Pointer, E: []wire.Lit{fee}}, wire.Lit{Form: wire.Text, S: "no"}), []any{nil, nil, true}},
		{returned(wire.Lit{}, wire.Lit{}), []any{nil, nil, false}},
	} {
		if got := of.observed(c.list); !slices.Equal(got.out, c.want) {
			t.Errorf("%v, want %v", got.out, c.want)
		}
	}
	if of.observed([]wire.Valued{{Ran: true, Ending: probe.Panicked}}) != nil {
		t.Error("a call that panics gives something")
	}
	variables, outputs, twins := of.variables(nil)
	var names []string
	for _, v := range variables {
		names = append(names, v.Math)
	}
	if want := []string{"f.Cents", "f.Note", "n", "Price(f, n).Cents", "Price(f, n).Note", "(Price(f, n) fails)"}; !slices.Equal(names, want) || len(outputs) != 3 || twins != nil {
		t.Errorf("%q, %v, %v", names, outputs, twins)
	}
}

// Of a map and of a list of structs the length is seen, and a map's keys in order.
func TestReadOff(t *testing.T) {
	t.Parallel()
	of, _ := shapeOf(7, subjectOf(t, "Count"))
	text := func(s string) wire.Lit { return wire.Lit{Form: wire.Text, S: s} }
	byName := wire.Lit{Form: wire.Map, E: []wire.Lit{text("b"), {}, text("a"), {Form: wire.Hole}}}
	seen := of.observed([]wire.Valued{{Ran: true, Ending: probe.Returned, Results: []wire.Lit{byName, {Form: wire.Seq, E: make([]wire.Lit, 3)}}}})
	if got, want := fmt.Sprintf("%#v", seen.out), `[]interface {}{2, []string{"a", "b"}, 3}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	seen = of.observed([]wire.Valued{{Ran: true, Ending: probe.Returned, Results: []wire.Lit{{}, {Form: wire.Hole}}}})
	if got, want := fmt.Sprintf("%#v", seen.out), `[]interface {}{0, []string{}, interface {}(nil)}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	var names []string
	variables, _, _ := of.variables(nil)
	for _, v := range variables {
		names = append(names, v.Math)
	}
	if want := []string{"p[0]", "p[1]", "text", "len(Count(p, text)₁)", "keys(Count(p, text)₁)", "len(Count(p, text)₂)"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}

func TestValueOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		l    wire.Lit
		kind law.Kind
		want string
	}{
		{wire.Lit{}, law.Text, `""`},
		{wire.Lit{}, law.Ints, `[]int64{}`},
		{wire.Lit{Form: wire.Hole}, law.Text, `<nil>`},
		{wire.Lit{Form: wire.Uint, N: -1}, law.Int, `<nil>`}, // more than an int64 holds
		{wire.Lit{Form: wire.Text, S: "a"}, law.Int, `<nil>`},
		{wire.Lit{Form: wire.Seq, E: []wire.Lit{{Form: wire.Int, N: 3}, {Form: wire.Hole}}}, law.Ints, `<nil>`},
		{wire.Lit{Form: wire.Seq, E: []wire.Lit{{Form: wire.Int, N: 3}, {}}}, law.Ints, `[]int64{3, 0}`},
	} {
		if got := fmt.Sprintf("%#v", valueOf(c.l, c.kind)); got != c.want {
			t.Errorf("%+v as %s is %s, want %s", c.l, c.kind, got, c.want)
		}
	}
}

// Half of the inputs whose object an earlier call made have further methods called on it.
func TestInputsWithMethodsBefore(t *testing.T) {
	t.Parallel()
	of, _ := shapeOf(7, subjectOf(t, "Price"))
	made := wire.Sequence{{Op: 3}, {Op: 7, Args: []wire.Lit{wire.RefTo(0, 0), {Form: wire.Int, N: 1}}}}
	other := wire.Step{Op: 8, Args: []wire.Lit{{Form: wire.Hole}, {Form: wire.Int, N: 5}}}
	longer := 0
	for _, p := range of.inputs([]wire.Sequence{made}, []wire.Step{other}, literals{}, 100, rand.New(rand.NewPCG(1, 0))) {
		for _, s := range p[1 : len(p)-1] {
			if s.Op != 8 || s.Args[0].Form != wire.Ref || s.Args[0].N != 0 || s.Args[1].N != 5 {
				t.Fatalf("%v before the call", s)
			}
		}
		if len(p) > 2 {
			longer++
		}
	}
	if longer < 30 || longer > 70 || other.Args[0].Form != wire.Hole {
		t.Errorf("%d of 100 inputs have calls before; %v", longer, other)
	}
}

// TestMadeOf: related values are of the kind, and no value where nothing fits.
func TestMadeOf(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 1))
	for _, other := range []any{int64(3), 2.5, "häuser", "", []int64{1, 2}, []int64{}, []float64{0}, []string{"a"}} {
		for _, kind := range []law.Kind{law.Bool, law.Int, law.Float, law.Text, law.Bools, law.Ints, law.Floats, law.Texts} {
			for range 20 {
				if v := madeOf(kind, other, random); v != nil && law.KindOf(v) != kind {
					t.Fatalf("%#v was made of %#v for kind %v", v, other, kind)
				}
			}
		}
	}
	if v, ok := madeOf(law.Text, "ab", random).(string); !ok || !strings.Contains("ab", v) {
		t.Errorf("%q is no part of a text", v)
	}
	if v := madeOf(law.Ints, "ab", random); v != nil {
		t.Errorf("a list of numbers was made of a text: %v", v)
	}
}
