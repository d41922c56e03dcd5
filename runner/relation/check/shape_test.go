package check

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
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
	for name, want := range map[string]int{"Name": 1, "Sum": 2, "None": -1, "Bytes": -1, "Many": -1, "Nothing": -1, "Failing": -1} {
		of, ok := shapeOf(subjectOf(t, name))
		if ok != (want >= 0) || ok && len(of.out) != want || ok && of.err != (name == "Name") {
			t.Errorf("%s: %+v, %t", name, of, ok)
		}
	}
}

// Inputs become literals and back, and none is too large for its parameter.
func TestSources(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Name", "Sum"} {
		of, _ := shapeOf(subjectOf(t, name))
		list := of.sources(nil, []float64{3, 1000}, 200, rand.New(rand.NewPCG(1, 0)))
		if len(list) != 200 {
			t.Errorf("%s: %d inputs", name, len(list))
		}
		for _, in := range list {
			if n, ok := in[len(in)-1].(int64); ok && (n < 0 || n > 255) {
				t.Errorf("%s: %v for a uint8", name, n)
			}
			p, _, err := wire.Decode(of.sequence(7, in).Encode(nil))
			if err != nil {
				t.Fatal(err)
			}
			back := make([]any, len(in))
			for i, l := range p[0].Args {
				back[i] = valueOf(l, of.in[i])
			}
			if keyOf(back) != keyOf(in) {
				t.Fatalf("%s: %v came back as %v", name, in, back)
			}
		}
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
		if got := keyOf([]any{valueOf(c.l, c.kind)}); got != `[]interface {}{`+map[bool]string{true: "interface {}(nil)", false: c.want}[c.want == "<nil>"]+`}` {
			t.Errorf("%+v as %s is %s, want %s", c.l, c.kind, got, c.want)
		}
	}
}

// Only equalities are told, and that one text holds another.
func TestTells(t *testing.T) {
	t.Parallel()
	a, b := law.Var(0, law.Bool), law.Var(1, law.Bool)
	s, y, n := law.Var(2, law.Text), law.Var(3, law.Text), law.Var(4, law.Int)
	length, one := law.Apply(law.Len, y), law.Const(int64(1))
	for _, c := range []struct {
		x    *law.Expr
		want bool
	}{
		{law.Apply(law.Equal, a, b), true},
		{law.Apply(law.Equal, y, law.Apply(law.Upper, s)), true},
		{law.Apply(law.HasPrefix, y, s), true},
		{law.Apply(law.Equal, length, law.Apply(law.Max, length, length)), true},
		{law.Apply(law.Not, a), false},
		{law.Apply(law.Implies, a, b), false},
		{law.Apply(law.Equal, law.Apply(law.HasPrefix, s, y), law.Apply(law.Contains, y, s)), false},
		{law.Apply(law.Less, y, law.Apply(law.Reverse, y)), false},
		{law.Apply(law.AtMost, one, length), false},
		{law.Apply(law.AtMost, n, length), false},
		{law.Apply(law.Equal, law.Apply(law.Min, n, length), length), false},
	} {
		if c.x == nil || tells(c.x, []int{0, 1, 3}) != c.want {
			t.Errorf("%v: want %t", c.x, c.want)
		}
	}
}
