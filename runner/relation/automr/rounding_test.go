package automr

import (
	"math"
	"testing"
)

// Rounding is told from a case of its own by what a move of a follow-up input does.
func TestByRounding(t *testing.T) {
	t.Parallel()
	equal := func(degree int, b []float64, a ...[]float64) Relation {
		r := Relation{Inputs: 1, Outputs: 1, InputOp: Equal, InputDegree: len(a[0]) - 1, OutputOp: Equal, OutputDegree: degree, B: b,
			Tolerance: 1e-9, Region: []Interval{{-1e9, 1e9}}, Integer: []bool{false}}
		for _, row := range a {
			r.A = append(r.A, [][]float64{row})
		}
		return r
	}
	period := equal(1, []float64{0, 1, -1}, []float64{2 * math.Pi, 1})
	cofunction := equal(2, []float64{-1, 0, 0, 0, 1, 0}, []float64{math.Pi / 2, -1})
	square := equal(2, []float64{0, 0, 1, 50, 0, 0}, []float64{0, 0, -1}) // f(−x²) = −50 f²(x)
	double := equal(1, []float64{0, 2, -1}, []float64{0, 2})
	commission := func(x float64) float64 {
		if x > 250_000 {
			return 5000 + 0.01*(x-250_000)
		}
		return 0.02 * x
	}
	for _, c := range []struct {
		name string
		r    Relation
		f    func(float64) float64
		x    float64
		want bool
	}{
		{"a period far out", period, math.Sin, 1e8 + 0.3, true},
		{"next to a pole", period, math.Tan, math.Pi / 2, true},
		{"where no number is the pole", cofunction, math.Tan, 1e-19, true},
		{"another period", period, func(x float64) float64 { return math.Sin(1.1 * x) }, 2, false},
		{"a threshold met by a large source", square, commission, 260_000, false},
		{"a threshold met by a follow-up input", double, commission, 200_000, false},
		{"a threshold met exactly", double, func(x float64) float64 {
			if x == 10 {
				return 0
			}
			return x
		}, 5, false},
	} {
		in := append([][]float64{{c.x}}, c.r.FollowUps([]float64{c.x}, nil)...)
		outputs := func(in [][]float64) (out [][]float64) {
			for _, x := range in {
				out = append(out, []float64{c.f(x[0])})
			}
			return out
		}
		out := outputs(in)
		if holds, applicable := c.r.Holds(in, out); holds || !applicable {
			t.Errorf("%s: the group does not fail", c.name)
		}
		var moved [][][]float64
		for _, m := range c.r.Moves(in) {
			moved = append(moved, outputs(m))
		}
		if got := c.r.ByRounding(out, moved); got != c.want {
			t.Errorf("%s: by rounding %t, %d moves", c.name, got, len(moved))
		}
	}
}

// What is exact is not moved.
func TestMoves(t *testing.T) {
	t.Parallel()
	r := Relation{Inputs: 1, Outputs: 1, InputOp: Equal, InputDegree: 1, OutputOp: Equal, OutputDegree: 1, B: []float64{0, 1, -1},
		Region: []Interval{{-1e9, 1e9}}, Integer: []bool{false}}
	for _, c := range []struct {
		name  string
		a     []float64
		x     float64
		whole bool
		want  int
	}{
		{"a whole number doubled", []float64{1, 2}, 250, false, 0},
		{"a half added", []float64{0.5, 1}, 0.25, false, 0},
		{"digits lost", []float64{1, 1}, 1e-17, false, 4},
		{"a rounded constant", []float64{math.Pi, 1}, 1, false, 4},
		{"a parameter of whole numbers", []float64{math.Pi, 1}, 1, true, 0},
	} {
		r.A, r.Integer = [][][]float64{{c.a}}, []bool{c.whole}
		in := [][]float64{{c.x}, {c.a[0] + c.a[1]*c.x}}
		if got := r.Moves(in); len(got) != c.want {
			t.Errorf("%s: %d moves, want %d", c.name, len(got), c.want)
		}
	}
	r.InputOp = Greater
	if got := r.Moves([][]float64{{1}, {5}}); got != nil {
		t.Errorf("moves %v of inputs that are chosen freely", got)
	}
}
