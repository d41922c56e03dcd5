package check

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/relation/automr"
)

const numeric = `package m

type Length float64

func Abs(x float64) float64 { return x }
func Scale(n int, l Length) Length { return l }
func Sum(xs []int) int { return 0 }
func Mix(xs []int, n float64) float64 { return n }
func Half(x float64) (float64, error) { return x, nil }
func Even(x int) bool { return true }
func List(x int) []int { return nil }
func Reverse(xs []float64) {}
`

// of is a function of the source above.
func of(t *testing.T, name string) *relation.Subject {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "m.go", numeric, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: importer.Default()}
	pkg, err := conf.Check("example.com/m", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return relation.NewSubject(pkg.Scope().Lookup(name).(*types.Func), name, nil)
}

// same says that so many inputs, of which the second is the first times -1, give
// outputs that are the same.
func same(inputs int) automr.Relation {
	a := make([][]float64, inputs)
	for i := range a {
		a[i] = make([]float64, 1+inputs)
		a[i][1+i] = -1
	}
	return automr.Relation{Type: automr.TypeI, Inputs: inputs, Outputs: 1, InputOp: automr.Equal, InputDegree: 1, A: [][][]float64{a},
		OutputOp: automr.Equal, OutputDegree: 1, B: []float64{0, 1, -1}, Tolerance: 1e-9,
		Region: make([]automr.Interval, inputs), Integer: make([]bool, inputs)}
}

// Numbers are converted where a parameter is no float64, and elements are taken out of
// lists and put into lists again.
func TestPolynomialAsGo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		function string
		n        surface.Numeric
		args     [][]string
		copied   []bool
		results  []string
		when     string
		check    []string // occur in it
	}{
		{"Abs", surface.Numeric{Params: []string{"x"}, Out: 1, Slices: []int{0}},
			[][]string{{"x"}, {"-x"}}, []bool{false}, []string{"y0"}, "", []string{"y0", "y1"}},
		{"Scale", surface.Numeric{Params: []string{"n", "l"}, Out: 1, Slices: []int{0, 0}},
			[][]string{{"n", "l"}, {"int(-float64(n))", "Length(-float64(l))"}}, []bool{false, false}, []string{"y0"}, "", []string{"float64(y0)", "float64(y1)"}},
		{"Sum", surface.Numeric{Params: []string{"xs[0]", "xs[1]"}, Out: 1, Slices: []int{2}},
			[][]string{{"xs"}, {"[]int{int(-float64(xs[0])), int(-float64(xs[1]))}"}}, []bool{true}, []string{"y0"}, "len(xs) == 2", []string{"float64(y0)"}},
		{"Mix", surface.Numeric{Params: []string{"xs[0]", "xs[1]", "n"}, Out: 1, Slices: []int{2, 0}},
			[][]string{{"xs", "n"}, {"[]int{int(-float64(xs[0])), int(-float64(xs[1]))}", "-n"}}, []bool{true, false}, []string{"y0"}, "len(xs) == 2", []string{"y0"}},
		{"Half", surface.Numeric{Params: []string{"x"}, Out: 1, Slices: []int{0}},
			[][]string{{"x"}, {"-x"}}, []bool{false}, []string{"y0_0", "_"}, "", []string{"y0_0", "y1_0"}},
	} {
		got, err := polynomial(of(t, c.function), c.n, same(len(c.n.Params)))
		if err != nil {
			t.Errorf("%s: %v", c.function, err)
			continue
		}
		for j, call := range got.Form.Calls {
			if diff := cmp.Diff(c.args[j], call.Args); diff != "" || call.Function != c.function {
				t.Errorf("%s, call %d of %s: %s", c.function, j, call.Function, diff)
			}
			if diff := cmp.Diff(c.copied, call.Copied); diff != "" {
				t.Errorf("%s, copied: %s", c.function, diff)
			}
		}
		if diff := cmp.Diff(c.results, got.Form.Calls[0].Results); diff != "" {
			t.Errorf("%s, results: %s", c.function, diff)
		}
		if !strings.HasPrefix(got.Form.When, c.when) || c.when == "" && strings.Contains(got.Form.When, "len(") {
			t.Errorf("%s: when %q, want %q", c.function, got.Form.When, c.when)
		}
		for _, s := range c.check {
			if !strings.Contains(got.Form.Check, s) {
				t.Errorf("%s: %q has no %s", c.function, got.Form.Check, s)
			}
		}
		if got.Tolerance != 1e-9 || got.Package != "example.com/m" || got.Function != c.function {
			t.Errorf("%s: %+v", c.function, got)
		}
	}
}

// A function without results shows its output in the list that it was given.
func TestPolynomialOfWhatWasGiven(t *testing.T) {
	t.Parallel()
	r := same(2)
	r.Outputs, r.B = 2, []float64{0, 1, 0, -1, 0}
	got, err := polynomial(of(t, "Reverse"), surface.Numeric{Params: []string{"xs[0]", "xs[1]"}, Out: 2, Slices: []int{2}}, r)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"after1"}, got.Form.Calls[1].After); diff != "" || !strings.Contains(got.Form.Check, "after1[0]") {
		t.Errorf("%s in %s", diff, got.Form.Check)
	}
}

// What a test to paste could not check is no Go.
func TestPolynomialThatIsNoGo(t *testing.T) {
	t.Parallel()
	for function, want := range map[string]string{"Even": "a truth value", "List": "a list"} {
		_, err := polynomial(of(t, function), surface.Numeric{Params: []string{"x"}, Out: 1, Slices: []int{0}}, same(1))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", function, err)
		}
	}
}

func TestElementName(t *testing.T) {
	t.Parallel()
	n := surface.Numeric{Params: []string{"a", "xs[0]", "xs[1]", "xs[2]", "b"}, Slices: []int{0, 3, 0}}
	var got []string
	for i := range n.Slices {
		got = append(got, elementName(n, i))
	}
	if diff := cmp.Diff([]string{"a", "xs", "b"}, got); diff != "" {
		t.Error(diff)
	}
}
