package automr

import (
	"context"
	"math"
	"testing"

	"github.com/isodelta/isodelta/runner/relation/automr"
)

// A period is rounded far out, which is no false law; a case of its own is one.
func TestBeyondRounding(t *testing.T) {
	t.Parallel()
	period := related(1, []float64{0, 1, -1}, [2]float64{1, 2 * math.Pi})
	period.Floor = 1e-4
	for _, test := range []struct {
		name            string
		f               func(x float64) float64
		x               float64
		failing, beyond int
	}{
		{"in the domain", math.Sin, 2, 0, 0},
		{"another period", func(x float64) float64 { return math.Sin(1.1 * x) }, 2, 1, 1},
		{"rounded", math.Tan, 1e6*math.Pi - math.Pi/2, 1, 0},
		{"a case", func(x float64) float64 {
			if x > 3 {
				return 0
			}
			return math.Sin(x)
		}, 2, 1, 1},
		{"no output where there was one", func(x float64) float64 {
			if x > 3 {
				return math.NaN()
			}
			return math.Sin(x)
		}, 2, 1, 1},
	} {
		r := period
		r.Region = []automr.Interval{{Min: -1e7, Max: 1e7}}
		r.Defined = r.Region
		g := &groups{relations: []automr.Relation{r}, told: []automr.Relation{r}, index: map[string]int{}}
		g.add(0, []float64{test.x}, nil)
		eval := func(_ context.Context, in [][]float64) ([][]float64, error) {
			out := make([][]float64, len(in))
			for i, x := range in {
				out[i] = []float64{test.f(x[0])}
			}
			return out, nil
		}
		var got tally
		if err := got.count(t.Context(), g, automr.Program{Name: "f", Params: []string{"x"}}, eval); err != nil {
			t.Fatal(err)
		}
		if got.groups != 1 || got.failing != test.failing || got.beyond != test.beyond || got.sentences != test.beyond {
			t.Errorf("%s: %+v", test.name, got)
		}
	}
}

// Groups of relations as they are printed go beyond the region of the inference.
func TestPrintedGroups(t *testing.T) {
	t.Parallel()
	odd := related(1, []float64{0, 1, 1}, [2]float64{-1, 0})
	odd.Rounding = true // so that ±100 is left out of its notation
	odd.Region = []automr.Interval{{Min: -100, Max: 100}}
	s := automr.Program{In: 1, Out: 1, Integer: []bool{false}}
	far := func(g *groups) (n int) {
		for _, in := range g.inputs {
			if math.Abs(in[0]) > 100 {
				n++
			}
		}
		return n
	}
	if n := far(newGroups(s, []automr.Relation{odd}, 1, 200)); n != 0 {
		t.Errorf("%d inputs beyond the region", n)
	}
	if n := far(printedGroups(s, []automr.Relation{odd}, 1, 200)); n < 50 {
		t.Errorf("%d inputs beyond the region that is not printed", n)
	}
}
