package surface

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

const numeric = `
-- go.mod --
module example.com/m

go 1.21
-- m.go --
package m

type Celsius float64

func Scale(x float64, by int8) float64       { return x * float64(by) }
func Warm(c Celsius) (Celsius, error)         { return c + 1, nil }
func Dot(a, b []float64) (sum float64)        { return a[0] * b[0] }
func Sort(list []int)                         {}
func Swap(list []float32) []float32           { return list }
func Same(a, b float64) bool                  { return a == b }
func Both(x float64) (float64, float64)       { return x, -x }
func Text(x float64) string                   { return "" }
func Named(s string) float64                  { return 0 }
func Many(xs ...float64) float64              { return 0 }
func Three(a, b, c []float64) float64         { return 0 }
func Fails(x float64) error                   { return nil }
func None() float64                           { return 0 }
func Two(a, b []int)                          {}
func Larger[T int | float64](a, b T) T        { return max(a, b) }
func (c Celsius) Add(by float64) Celsius      { return c + Celsius(by) }
`

// What takes and gives numbers alone gets an adapter, and nothing else does.
func TestNumeric(t *testing.T) {
	t.Parallel()
	tree := loaded(t, lay(t, numeric))
	a := apiOf(t, tree, tree, tree, "example.com/m")
	got := map[string]string{}
	for i, o := range a.All() {
		if a.AddNumeric(i) {
			n := a.Numeric[len(a.Numeric)-1]
			got[o.call] = fmt.Sprintf("%s → %d %v", strings.Join(n.Params, " "), n.Out, n.Integer)
			if len(n.Min) != len(n.Params) || len(n.Max) != len(n.Params) || len(n.Slices) != o.sig.Params().Len() {
				t.Errorf("%s: %+v", o.Name, n)
			}
		}
	}
	want := map[string]string{
		"Scale":           "x by → 1 [false true]",
		"Warm":            "c → 1 [false]",
		"Dot":             "a[0] a[1] a[2] b[0] b[1] b[2] → 1 [false false false false false false]",
		"Sort":            "list[0] list[1] list[2] → 3 [true true true]",
		"Swap":            "list[0] list[1] list[2] → 3 [false false false]",
		"Same":            "a b → 1 [false false]",
		"Both":            "x → 2 [false]",
		"Larger[int]":     "a b → 1 [true true]",
		"Larger[float64]": "a b → 1 [false false]",
		"Celsius.Add":     "c by → 1 [false false]",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	text := string(a.File())
	for _, part := range []string{
		`isodeltaH.Numeric("Scale", "Scale", 2, 1,`, `int8(isodeltaH.Whole(in[1], -128, 127))`, `list0 := []float64{in[0], in[1], in[2]}`, `Celsius(in[0])`,
	} {
		if !strings.Contains(text, part) {
			t.Errorf("the file lacks %s", part)
		}
	}
}

// Inputs go to sequences and back without loss.
func TestNumbersAndSequences(t *testing.T) {
	t.Parallel()
	tree := loaded(t, lay(t, numeric))
	a := apiOf(t, tree, tree, tree, "example.com/m")
	for i := range a.All() {
		a.AddNumeric(i)
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom(a.Numeric).Draw(t, "function")
		in := make([]float64, len(n.Params))
		for i := range in {
			in[i] = rapid.Float64Range(math.Max(n.Min[i], -1e15), math.Min(n.Max[i], 1e15)).Draw(t, "number")
			if n.Integer[i] {
				in[i] = math.Trunc(in[i])
			}
		}
		p := a.SequenceOf(n, in)
		if got, ok := a.NumbersOf(n, p); !ok || !slices.Equal(got, in) {
			t.Fatalf("%v became %v", in, got)
		}
		if _, ok := a.NumbersOf(n, append(p, p[0])); ok {
			t.Fatal("two calls are no input")
		}
		if _, ok := a.NumbersOf(n, wire.Sequence{{Op: p[0].Op, Args: []wire.Lit{{Form: wire.Text, S: "1"}}}}); ok {
			t.Fatal("a text is no number")
		}
	})
}
