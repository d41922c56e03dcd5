package independent

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Each function against package math: ulps is how far both together may be from
// each other. Package math states less than one unit in the last place for most,
// more for those composed of others. Where it subtracts from a multiple of π/2,
// its error is absolute: then the units are those of numbers near 1, or for the
// tangent those of its slope.
func TestAgainstPackageMath(t *testing.T) {
	t.Parallel()
	l := New()
	one := func(f func(float64) float64) func([]float64) float64 {
		return func(in []float64) float64 { return f(in[0]) }
	}
	two := func(f func(a, b float64) float64) func([]float64) float64 {
		return func(in []float64) float64 { return f(in[0], in[1]) }
	}
	unit := func(float64) float64 { return 1 }
	for _, test := range []struct {
		name string
		in   int
		want func([]float64) float64
		ulps uint64
		// min and max bound the inputs; 0, 0 are all magnitudes.
		min, max float64
		scale    func(want float64) float64 // the least magnitude whose units count
	}{
		{"abs", 1, one(math.Abs), 0, 0, 0, nil},
		{"asinh", 1, one(math.Asinh), 2, 0, 0, nil},
		{"atan", 1, one(math.Atan), 1, 0, 0, nil},
		{"cos", 1, one(math.Cos), 1, -1e8, 1e8, unit},
		{"cos", 1, one(math.Cos), 1, 0, 0, unit},
		{"log1p", 1, one(math.Log1p), 1, 0, 0, nil},
		{"log10", 1, one(math.Log10), 2, 0, 0, nil},
		{"sin", 1, one(math.Sin), 1, -1e8, 1e8, unit},
		{"sin", 1, one(math.Sin), 1, 0, 0, unit},
		{"tan", 1, one(math.Tan), 2, 0, 0, func(y float64) float64 { return 1 + y*y }},
		{"arccos", 1, one(math.Acos), 3, -1, 1, unit},
		{"arccosh", 1, one(math.Acosh), 2, 1, 20, nil},
		{"arcsin", 1, one(math.Asin), 4, -1, 1, nil},
		{"arctanh", 1, one(math.Atanh), 2, -1, 1, nil},
		{"ceil", 1, one(math.Ceil), 0, 0, 0, nil},
		{"ceil", 1, one(math.Ceil), 0, -20, 20, nil},
		{"arctan2", 2, two(math.Atan2), 2, -20, 20, nil},
		{"arctan2", 2, two(math.Atan2), 2, 0, 0, nil},
		{"cosh", 1, one(math.Cosh), 2, -30, 30, nil},
		{"hypot", 2, two(math.Hypot), 1, 0, 0, nil},
		{"exp", 1, one(math.Exp), 1, -700, 700, nil},
		{"floor", 1, one(math.Floor), 0, 0, 0, nil},
		{"floor", 1, one(math.Floor), 0, -20, 20, nil},
		{"amax", 3, func(in []float64) float64 { return slices.Max(in) }, 0, 0, 0, nil},
		{"amin", 3, func(in []float64) float64 { return slices.Min(in) }, 0, 0, 0, nil},
		{"log", 1, one(math.Log), 1, 0, 0, nil},
		{"round", 1, one(math.Round), 0, 0, 0, nil},
		{"round", 1, one(math.Round), 0, -20, 20, nil},
		{"sinh", 1, one(math.Sinh), 3, -30, 30, nil},
		{"sqrt", 1, one(math.Sqrt), 0, 0, 0, nil},
		{"tanh", 1, one(math.Tanh), 2, -20, 20, nil},
		{"power", 2, two(math.Pow), 16, 0, 20, nil},
		{"dot", 4, func(in []float64) float64 { return math.FMA(in[0], in[2], in[1]*in[3]) }, 2, 0, 20, nil},
	} {
		f := l.Function(test.name)
		r := rand.New(rand.NewPCG(1, 2))
		worst, at := uint64(0), []float64(nil)
		for i := range 600 {
			in := make([]float64, test.in)
			for j := range in {
				in[j] = draw(r, i, test.min, test.max)
			}
			got, want := f(slices.Clone(in))[0], test.want(in)
			if test.scale != nil && math.Abs(got-want) <= float64(test.ulps)*0x1p-52*test.scale(want) {
				continue
			}
			if d := distance(got, want); d > worst {
				worst, at = d, in
			}
		}
		if worst > test.ulps {
			t.Errorf("%s%v: %v, package math has %v: %d units apart, want at most %d", test.name, at, f(at), test.want(at), worst, test.ulps)
		}
	}
}

// draw returns numbers of all magnitudes, or within bounds, and simple ones.
func draw(r *rand.Rand, i int, low, high float64) float64 {
	simple := []float64{0, 1, -1, 0.5, -0.5, 2, 1.5, 2.5, 3, 10, 1e-9, -1e-9, math.Pi}
	if i < len(simple) && (low == high || simple[i] >= low && simple[i] <= high) {
		return simple[i]
	}
	if low < high {
		return low + (high-low)*r.Float64()
	}
	x := math.Pow(10, -20+40*r.Float64())
	if r.IntN(2) == 0 {
		return -x
	}
	return x
}

// distance counts the numbers between two; NaN is like NaN only.
func distance(a, b float64) uint64 {
	switch {
	case a == b || a != a && b != b:
		return 0
	case a != a || b != b:
		return math.MaxUint64
	}
	order := func(x float64) int64 {
		i := int64(math.Float64bits(x))
		if i < 0 {
			return math.MinInt64 - i
		}
		return i
	}
	d := order(a) - order(b)
	if d < 0 {
		d = -d
	}
	return uint64(d)
}

func TestSlices(t *testing.T) {
	t.Parallel()
	l := New()
	if got := l.Function("sort")([]float64{3, -1, 2}); !slices.Equal(got, []float64{-1, 2, 3}) {
		t.Errorf("sort: %v", got)
	}
	for _, test := range []struct {
		in   []float64
		want float64
	}{{[]float64{1, 2, 1, 2}, 1}, {[]float64{1, 2, 2, 1}, 0}, {[]float64{0, math.NaN(), 0, math.NaN()}, 0}} {
		if got := l.Function("array_equal")(test.in); got[0] != test.want {
			t.Errorf("array_equal%v: %v, want %v", test.in, got, test.want)
		}
	}
	if l.Function("no such") != nil {
		t.Error("a function of no name")
	}
}

// Overflow, and arguments that are no numbers, as package math has them.
func TestSpecialArguments(t *testing.T) {
	t.Parallel()
	l := New()
	inf, nan := math.Inf(1), math.NaN()
	for name, want := range map[string]func(float64) float64{
		"abs": math.Abs, "asinh": math.Asinh, "atan": math.Atan, "cos": math.Cos, "log1p": math.Log1p, "log10": math.Log10,
		"sin": math.Sin, "tan": math.Tan, "arccos": math.Acos, "arccosh": math.Acosh, "arcsin": math.Asin, "arctanh": math.Atanh,
		"ceil": math.Ceil, "cosh": math.Cosh, "exp": math.Exp, "floor": math.Floor, "log": math.Log, "round": math.Round,
		"sinh": math.Sinh, "sqrt": math.Sqrt, "tanh": math.Tanh,
	} {
		for _, x := range []float64{0, math.Copysign(0, -1), inf, -inf, nan, 1, -1, -2, 1000, -1000} {
			got := l.Function(name)([]float64{x})[0]
			if distance(got, want(x)) > 3 {
				t.Errorf("%s(%v) = %v, package math has %v", name, x, got, want(x))
			}
		}
	}
	for _, in := range [][]float64{{0, -1}, {1, 0}, {0, 0}, {inf, inf}, {-1, -inf}, {math.Copysign(0, -1), -1}, {nan, 1}, {1e300, 1e-300}} {
		if got, want := l.Function("arctan2")(in)[0], math.Atan2(in[0], in[1]); distance(got, want) > 1 {
			t.Errorf("arctan2%v = %v, package math has %v", in, got, want)
		}
		if got, want := l.Function("hypot")(in)[0], math.Hypot(in[0], in[1]); distance(got, want) > 1 {
			t.Errorf("hypot%v = %v, package math has %v", in, got, want)
		}
	}
}
