package surface

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// What callers of one version can do with the other is adapted, and nothing else.
func TestPlanOfAdaptation(t *testing.T) {
	t.Parallel()
	const source = `package m
import ("context"; "io"; "bytes"; "strings")
type T struct{ N int }
type Option func(*T)
type Name string
type Names []string
var _ context.Context
var _ io.Reader
var _ bytes.Buffer
var _ strings.Reader
`
	imports := importer.ForCompiler(token.NewFileSet(), "source", nil)
	signatureOf := func(text, extra string) (*types.Signature, *types.Package) {
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, "m.go", source+extra+"\nfunc F"+text+" { panic(0) }\n", 0)
		if err != nil {
			t.Fatal(err)
		}
		p, err := (&types.Config{Importer: imports}).Check("example.com/m", set, []*ast.File{f}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return p.Scope().Lookup("F").(*types.Func).Signature(), p
	}
	for name, c := range map[string]struct {
		base, head string
		extra      string // of head
		want       string // "" for none
		alike      bool
	}{
		"options":                        {"(a int) *T", "(a int, o ...Option) *T", "", "func(int) *m.T", true},
		"options gone":                   {"(a int, o ...Option) *T", "(a int) *T", "", "func(int) *m.T", true},
		"a struct of options":            {"(a int)", "(a int, o T)", "", "func(int)", false},
		"a pointer to one":               {"(a int)", "(a int, o *T)", "", "func(int)", false},
		"a function":                     {"(a int)", "(a int, o Option)", "", "func(int)", false},
		"a number more":                  {"(a int)", "(a int, b int)", "", "", false},
		"an interface more":              {"(a int)", "(a int, r io.Reader)", "", "", false},
		"a part more":                    {"(a int) *T", "(r io.Reader, a int) *T", "", "func(io.Reader, int) *m.T", false},
		"a part less":                    {"(a int, b *bytes.Buffer, r io.Reader) (*T, error)", "(a int, r io.Reader) (*T, error)", "", "func(int, *bytes.Buffer, io.Reader) (*m.T, error)", false},
		"a part at the end":              {"(a int) *T", "(a int, b *bytes.Buffer) *T", "", "func(int, *bytes.Buffer) *m.T", false},
		"options of a constructor":       {"(a int) *T", "(a int, o *T)  *T", "", "func(int) *m.T", false},
		"a number among parts":           {"(r io.Reader) *T", "(a int, r io.Reader) *T", "", "", false},
		"a part that only one has":       {"(a int) *T", "(a int, n *New) *T", "type New struct{ r io.Reader }", "func(int) *m.T", false},
		"a context":                      {"(a int)", "(ctx context.Context, a int)", "", "func(int)", false},
		"a context in the middle":        {"(a int)", "(a int, ctx context.Context)", "", "", false},
		"an error":                       {"(a int) int", "(a int) (int, error)", "", "func(int) (int, error)", false},
		"an error alone":                 {"(a int)", "(a int) error", "", "func(int) error", false},
		"an error gone":                  {"(a int) (int, error)", "(a int) int", "", "func(int) (int, error)", false},
		"a result":                       {"(a int) (int, error)", "(a int) (int, bool, error)", "", "func(int) (int, error)", false},
		"a number among numbers":         {"(a int) (string, int, int)", "(a int) (string, int, int, int)", "", "func(int) string", false},
		"a number after one with a name": {"(a int) (sum int)", "(a int) (sum, count int)", "", "func(int) int", false},
		"a result gone":                  {"(a int) (int, int, error)", "(a int) (int, error)", "", "func(int) error", false},
		"another result":                 {"(a int) int", "(a int) string", "", "", false},
		"text as bytes":                  {"(a []byte) string", "(a string) string", "", "func(string) string", false},
		"a named type":                   {"(a string)", "(a Name)", "", "func(string)", true},
		"a list of a name":               {"(a []string)", "(a Names)", "", "func([]string)", true},
		"a new name":                     {"(a string)", "(a New)", "type New string", "func(string)", true},
		"another number":                 {"(a int)", "(a int64)", "", "", false},
		"a wider interface":              {"(a *bytes.Buffer)", "(a io.Reader)", "", "func(*bytes.Buffer)", true},
		"any":                            {"(a string)", "(a any)", "", "func(string)", true},
		"what does not implement":        {"(a T)", "(a io.Reader)", "", "", false},
		"a type that only one has":       {"(a io.Reader)", "(a *New)", "type New struct{ io.Reader }", "", false},
		"any number":                     {"(a string)", "(a ...string)", "", "func(string)", true},
		"any number of others":           {"(a string)", "(a ...int)", "", "", false},
		"one more before any number":     {"(a int, o ...Option)", "(a, b int, o ...Option)", "", "", false},
		"a pointer for a struct":         {"(a T)", "(a *T)", "", "", false},
		"type parameters":                {"(a int)", "[E any](a E)", "", "", false},
		"the order of parameters":        {"(a int, b string)", "(b string, a int)", "", "", false},
		"options, a context, an error":   {"(a int) int", "(ctx context.Context, a int, o ...Option) (int, error)", "", "func(int) (int, error)", false},
		"a result of a type, and alike":  {"(a int) string", "(a int) Name", "", "func(int) string", true},
	} {
		b, bp := signatureOf(c.base, "")
		h, hp := signatureOf(c.head, c.extra)
		names := func(p *types.Package) *names {
			n := &names{map[string]*types.Package{p.Path(): p}}
			for _, q := range p.Imports() {
				n.packages[q.Path()] = q
			}
			return n
		}
		got, alike := "", false
		if p := (adapter{names(bp), names(hp)}).plan(b, h); p != nil {
			got, alike = signatureText(p.sig), p.alike
		}
		if got != c.want || alike != c.alike {
			t.Errorf("%s: %q, alike %t; want %q, %t", name, got, alike, c.want, c.alike)
		}
	}
}

// What only one version of a constructor takes is a hole where the other one's tests gave the rest.
func TestGivenToWhole(t *testing.T) {
	t.Parallel()
	number := newVar(types.Typ[types.Int])
	p := &adaptation{sig: types.NewSignatureType(nil, nil, nil, types.NewTuple(number, number, number), nil, false), whole: true}
	p.takes = [2][]int{{0, 1, 2}, {0, 2}}
	got, ok := p.given([]wire.Lit{{Form: wire.Int, N: 1}, {Form: wire.Int, N: 2}}, 0)
	if !ok || len(got) != 3 || got[0].N != 1 || got[1].Form != wire.Hole || got[2].N != 2 {
		t.Errorf("%v, %t", got, ok)
	}
}

// Of what one version's tests gave, what both take is kept.
func TestGivenToAdapted(t *testing.T) {
	t.Parallel()
	word := wire.Lit{Form: wire.Text, S: "a"}
	p := &adaptation{sig: types.NewSignatureType(nil, nil, nil, types.NewTuple(newVar(types.Typ[types.String])), nil, false)}
	p.takes = [2][]int{{0}, {-1, 0, -1}}
	for name, c := range map[string]struct {
		args []wire.Lit
		want int
	}{
		"base":             {[]wire.Lit{{}, word}, 2},
		"head":             {[]wire.Lit{{}, {Form: wire.Special}, word, {Form: wire.Seq}}, 2},
		"in an interface":  {[]wire.Lit{{}, {Form: wire.Dynamic, E: []wire.Lit{word}}}, 2},
		"the only element": {[]wire.Lit{{}, {Form: wire.Seq, E: []wire.Lit{word}}}, 2},
		"neither":          {[]wire.Lit{{}, word, word}, 0},
	} {
		got, ok := p.given(c.args, 1)
		if ok != (c.want > 0) || len(got) != c.want || ok && got[1].S != "a" {
			t.Errorf("%s: %v, %t", name, got, ok)
		}
	}
}
