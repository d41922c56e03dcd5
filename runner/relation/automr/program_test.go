package automr

import (
	"context"
	"math"
	"sort"
)

// unary is a program of one element.
func unary(name string, f func(float64) float64, domain ...Interval) Program {
	return vector(name, 1, 1, func(x []float64) []float64 { return []float64{f(x[0])} }, domain...)
}

func vector(name string, in, out int, f func(x []float64) []float64, domain ...Interval) Program {
	return Program{Name: name, In: in, Out: out, Domain: domain, Eval: func(_ context.Context, rows [][]float64) ([][]float64, error) {
		o := make([][]float64, len(rows))
		for i, x := range rows {
			o[i] = f(append([]float64(nil), x...))
		}
		return o, nil
	}}
}

func binary(name string, f func(x, y float64) float64, domain ...Interval) Program {
	return vector(name, 2, 1, func(x []float64) []float64 { return []float64{f(x[0], x[1])} }, domain...)
}

func sorted(x []float64) []float64 {
	sort.Float64s(x)
	return x
}

func swapped(x []float64) []float64 { // bubble sort
	for range x {
		for i := 1; i < len(x); i++ {
			if x[i] < x[i-1] {
				x[i], x[i-1] = x[i-1], x[i]
			}
		}
	}
	return x
}

// A subject is a program and the same function by another formula, and laws that
// have to be found.
type subject struct {
	program, other Program
	laws           []string
	equalities     int // at most so many are kept; 0: not counted
}

func subjects() []subject {
	return []subject{
		{unary("sin", math.Sin), unary("sin", func(x float64) float64 { _, y := reduced(x); return y }), []string{
			// Table I of the paper.
			"sin(x + 2π) = sin(x)",
			"sin(x + π) = −sin(x)",
			"sin²(x) + sin²(π/2 − x) = 1",
			"sin(2x) = 2 sin(x) sin(π/2 − x)",
			"sin(3x) = 3 sin(x) − 4 sin³(x)",
			"sin(−x) = −sin(x)",
			"sin(x) ≤ 1",
			"sin(x) ≥ −1",
		}, 0},
		{unary("cos", math.Cos), unary("cos", func(x float64) float64 { y, _ := reduced(x); return y }), []string{
			"cos(−x) = cos(x)", "cos(x + 2π) = cos(x)", "cos(x + π) = −cos(x)",
			"cos(2x) = 2 cos²(x) − 1", "cos(3x) = 4 cos³(x) − 3 cos(x)", "cos²(x) + cos²(π/2 − x) = 1",
		}, 0},
		{unary("tan", math.Tan), unary("tan", func(x float64) float64 { c, s := reduced(x); return s / c }), []string{
			"tan(−x) = −tan(x)", "tan(x + π) = tan(x)", "tan(x) tan(π/2 − x) = 1",
			"tan(2x) = 2 tan(x) + tan²(x) tan(2x)",
		}, 0},
		{unary("atan", math.Atan), unary("atan", func(x float64) float64 { return math.Asin(x / math.Hypot(1, x)) }), []string{
			"atan(−x) = −atan(x)", "x′ > x ⇒ atan(x) − atan(x′) ≤ 0", "atan(x) ≤ π/2",
		}, 1},
		{unary("asinh", math.Asinh), unary("asinh", func(x float64) float64 {
			a := math.Abs(x)
			if a > 1e8 {
				return math.Copysign(math.Log(a)+math.Ln2, x)
			}
			return math.Copysign(math.Log1p(a+a*a/(1+math.Hypot(1, a))), x)
		}), []string{"asinh(−x) = −asinh(x)", "asinh(3x + 4x³) = 3 asinh(x)", "x′ > x ⇒ asinh(x) − asinh(x′) ≤ 0"}, 2},
		{unary("log1p", math.Log1p), unary("log1p", func(x float64) float64 {
			if u := 1 + x; math.Abs(x) < 0.5 && u != 1 {
				return math.Log(u) * x / (u - 1) // Kahan
			} else if u == 1 {
				return x
			}
			return math.Log(1 + x)
		}), []string{"log1p(2x + 1) = log1p(x) + ln 2", "log1p(2x + x²) = 2 log1p(x)"}, 6},
		{unary("log10", math.Log10), unary("log10", func(x float64) float64 { return math.Log2(x) / math.Log2(10) }), []string{
			"log10(10x) = log10(x) + 1 for x ≥ 0", "log10(x²) = 2 log10(x) for x ≥ 0", "log10(2x) = log10(x) + log₁₀2 for x ≥ 0",
		}, 8},
		{unary("exp", math.Exp), unary("exp", func(x float64) float64 { return math.Exp2(math.Floor(x)/math.Ln2) * math.Exp(x-math.Floor(x)) }), []string{
			"exp(x + 1) = e exp(x)", "exp(x) exp(−x) = 1", "exp(2x) = exp²(x)", "exp(3x) = exp³(x)",
		}, 12},
		{unary("sqrt", math.Sqrt), unary("sqrt", func(x float64) float64 { return math.Pow(x, 0.5) }), []string{
			"sqrt(2x) = √2 sqrt(x) for x ≥ 0", "sqrt²(x + 1) − sqrt²(x) = 1 for x ≥ 0", "sqrt(x²) = sqrt²(x) for x ≥ 0",
		}, 14},
		{unary("abs", math.Abs), unary("abs", func(x float64) float64 { return math.Max(x, -x) }), []string{
			"abs(−x) = abs(x)", "abs(2x) = 2 abs(x)", "abs(x²) = abs²(x)",
		}, 0},
		{unary("floor", math.Floor), unary("floor", func(x float64) float64 { t := math.Trunc(x); return t - b2f(t > x) }), []string{
			"floor(x + 1) = floor(x) + 1", "x′ > x ⇒ floor(x) − floor(x′) ≤ 0",
		}, 0},
		{binary("hypot", math.Hypot), binary("hypot", func(x, y float64) float64 {
			x, y = math.Max(math.Abs(x), math.Abs(y)), math.Min(math.Abs(x), math.Abs(y))
			if x == 0 {
				return 0
			}
			return x * math.Sqrt(1+y/x*(y/x))
		}), []string{"hypot(y, x) = hypot(x, y)", "hypot(2x, 2y) = 2 hypot(x, y)", "hypot(x + y, x − y) = √2 hypot(x, y)"}, 0},
		{binary("max", math.Max), binary("max", func(x, y float64) float64 {
			if x > y {
				return x
			}
			return y
		}), []string{"max(y, x) = max(x, y)", "max(x + 1, y + 1) = max(x, y) + 1", "max(2x, 2y) = 2 max(x, y)"}, 0},
		{binary("pow", math.Pow), binary("pow", func(x, y float64) float64 {
			if x <= 0 {
				return math.Pow(x, y)
			}
			return math.Pow(math.Sqrt(x), y) * math.Pow(math.Sqrt(x), y)
		}), []string{"pow(x, 2y) = pow²(x, y)"}, 0},
		{vector("dot", 4, 1, func(x []float64) []float64 { return []float64{x[0]*x[2] + x[1]*x[3]} }),
			vector("dot", 4, 1, func(x []float64) []float64 { return []float64{math.FMA(x[0], x[2], x[1]*x[3])} }), []string{
				"dot(2x1, 2x2, x3, x4) = 2 dot(x1, x2, x3, x4)", "dot(−x1, −x2, x3, x4) = −dot(x1, x2, x3, x4)",
			}, 0},
		{vector("sort", 3, 3, sorted), vector("sort", 3, 3, swapped), []string{
			"sort(y, x, z)₁ = sort(x, y, z)₁", "sort(−x, −y, −z)₁ = −sort(x, y, z)₃", "sort(2x, 2y, 2z)₂ = 2 sort(x, y, z)₂",
		}, 0},
	}
}

func b2f(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// reduced are cosine and sine from the complex exponential of a reduced angle.
func reduced(x float64) (cos, sin float64) {
	if math.Abs(x) > 1e5 {
		return math.Cos(x), math.Sin(x) // reduction is not what is compared
	}
	n := math.Round(x / (math.Pi / 2))
	// Two parts of π/2, the first with 33 bits: n times it is exact.
	r := (x - n*1.57079632673412561417e+00) - n*6.07710050650619224932e-11
	c, s := 0.0, 0.0
	term := 1.0
	for k := range 24 { // Taylor, |r| ≤ π/4
		switch k % 4 {
		case 0:
			c += term
		case 1:
			s += term
		case 2:
			c -= term
		case 3:
			s -= term
		}
		term *= r / float64(k+1)
	}
	switch int64(n) & 3 {
	case 1:
		return -s, c
	case 2:
		return -c, -s
	case 3:
		return s, -c
	}
	return c, s
}
