package independent

import (
	"math"
	"math/big"
	"sync"
)

// Library holds constants in the precisions that were needed so far. It may be
// used by several goroutines.
type Library struct {
	mu        sync.Mutex // guards constants
	constants map[precise]*big.Float
}

// precise is a constant with so many bits.
type precise struct {
	name string
	prec uint
}

// New makes an empty library.
func New() *Library { return &Library{constants: map[precise]*big.Float{}} }

func (l *Library) constant(name string, prec uint, compute func(uint) *big.Float) *big.Float {
	l.mu.Lock()
	defer l.mu.Unlock()
	// Steps of 64 bits, so that few are computed.
	prec = (prec + 127) / 64 * 64
	if l.constants[precise{name, prec}] == nil {
		l.constants[precise{name, prec}] = compute(prec)
	}
	return l.constants[precise{name, prec}]
}

// Function returns a program of the paper (sin, arctan2, sort …) or a fee by its
// name, nil if there is none. It takes the input's elements and gives the output's.
func (l *Library) Function(name string) func(in []float64) []float64 {
	one := func(f func(float64) float64) func([]float64) []float64 {
		return func(in []float64) []float64 { return []float64{f(in[0])} }
	}
	two := func(f func(a, b float64) float64) func([]float64) []float64 {
		return func(in []float64) []float64 { return []float64{f(in[0], in[1])} }
	}
	switch name {
	case "abs":
		return one(abs)
	case "asinh", "arcsinh":
		return one(l.asinh)
	case "atan", "arctan":
		return one(l.atan)
	case "cos":
		return one(l.cos)
	case "log1p":
		return one(l.log1p)
	case "log10":
		return one(l.log10)
	case "sin":
		return one(l.sin)
	case "tan":
		return one(l.tan)
	case "array_equal":
		return arrayEqual
	case "dot":
		return dot
	case "arccos":
		return one(l.acos)
	case "arccosh":
		return one(l.acosh)
	case "arcsin":
		return one(l.asin)
	case "arctanh":
		return one(l.atanh)
	case "ceil":
		return one(ceil)
	case "arctan2":
		return two(l.atan2)
	case "cosh":
		return one(l.cosh)
	case "hypot":
		return two(hypot)
	case "exp":
		return one(l.exp)
	case "floor":
		return one(floorOf)
	case "amax":
		return func(in []float64) []float64 { s := sorted(in); return s[len(s)-1:] }
	case "log":
		return one(l.log)
	case "amin":
		return func(in []float64) []float64 { return sorted(in)[:1] }
	case "round":
		return one(round)
	case "sinh":
		return one(l.sinh)
	case "sqrt":
		return one(sqrt)
	case "tanh":
		return one(l.tanh)
	case "power":
		return two(l.pow)
	case "sort":
		return sorted
	}
	if f := fee(name); f != nil {
		return func(in []float64) []float64 { return []float64{f(in)} }
	}
	return nil
}

// special reports whether there is anything to compute: NaN and infinities are
// left to the caller's table.
func special(x float64) bool { return x != x || x-x != 0 }

// wide takes a number with more bits than the result needs: cancellation next
// to 0 or 1 costs as many as the number's exponent says.
func wide(x float64) *big.Float {
	_, e := math.Frexp(x)
	if e < 0 {
		e = -e
	}
	return num(uint(guard+53+2*e), x)
}

func rounded(x *big.Float) float64 {
	f, _ := x.Float64()
	return f
}

func abs(x float64) float64 {
	if x > 0 {
		return x
	}
	return 0 - x
}

// odd computes an odd function of finite numbers that are not 0.
func odd(x float64, atInfinity float64, f func(*big.Float) *big.Float) float64 {
	switch {
	case x == 0 || x != x:
		return x
	case special(x) && x < 0:
		return -atInfinity
	case special(x):
		return atInfinity
	}
	return rounded(f(wide(x)))
}

func (l *Library) asinh(x float64) float64 {
	return odd(x, math.Inf(1), func(x *big.Float) *big.Float {
		if x.Sign() < 0 {
			return negative(l.asinhPositive(negative(x)))
		}
		return l.asinhPositive(x)
	})
}

func (l *Library) asinhPositive(x *big.Float) *big.Float {
	return l.logarithm(add(x, root(add(mul(x, x), num(x.Prec(), 1)))))
}

func (l *Library) atan(x float64) float64 { return odd(x, math.Pi/2, l.arctangent) }

func (l *Library) sin(x float64) float64 {
	return odd(x, math.NaN(), func(x *big.Float) *big.Float { s, _ := l.sineCosine(x); return s })
}

func (l *Library) tan(x float64) float64 {
	return odd(x, math.NaN(), func(x *big.Float) *big.Float { s, c := l.sineCosine(x); return quo(s, c) })
}

func (l *Library) cos(x float64) float64 {
	if special(x) {
		return math.NaN()
	}
	if x == 0 {
		return 1
	}
	_, c := l.sineCosine(wide(x))
	return rounded(c)
}

func (l *Library) log1p(x float64) float64 {
	switch {
	case x == 0 || x != x || x > 0 && special(x):
		return x
	case x < -1:
		return math.NaN()
	case x == -1:
		return math.Inf(-1)
	}
	w := wide(x)
	return rounded(l.logarithm(add(w, num(w.Prec(), 1))))
}

// positive computes a function of the logarithm's domain.
func positive(x float64, f func(*big.Float) *big.Float) float64 {
	switch {
	case x != x || x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	case special(x):
		return x
	}
	return rounded(f(wide(x)))
}

func (l *Library) log(x float64) float64 { return positive(x, l.logarithm) }

func (l *Library) log10(x float64) float64 {
	return positive(x, func(x *big.Float) *big.Float {
		return quo(l.logarithm(x), l.logarithm(num(x.Prec(), 10)))
	})
}

func (l *Library) exp(x float64) float64 {
	switch {
	case x != x || x > 0 && special(x):
		return x
	case x > 710:
		return math.Inf(1)
	case x < -746:
		return 0
	case x == 0:
		return 1
	}
	return rounded(l.exponential(wide(x)))
}

// sinh is (eˣ − e⁻ˣ)/2; e^712 is beyond all float64s.
func (l *Library) sinh(x float64) float64 {
	return odd(x, math.Inf(1), func(w *big.Float) *big.Float {
		if x > 711 || x < -711 {
			return infinite(w)
		}
		e := l.exponential(w)
		return scale(sub(e, quo(num(w.Prec(), 1), e)), -1)
	})
}

func infinite(like *big.Float) *big.Float { return zero(like.Prec()).SetInf(like.Signbit()) }

func (l *Library) cosh(x float64) float64 {
	x = abs(x)
	switch {
	case x != x:
		return x
	case x > 711:
		return math.Inf(1)
	case x == 0:
		return 1
	}
	w := wide(x)
	e := l.exponential(w)
	return rounded(scale(add(e, quo(num(w.Prec(), 1), e)), -1))
}

func (l *Library) tanh(x float64) float64 {
	return odd(x, 1, func(w *big.Float) *big.Float {
		switch {
		case x > 30:
			return num(53, 1)
		case x < -30:
			return num(53, -1)
		}
		e := l.exponential(scale(w, 1))
		one := num(w.Prec(), 1)
		return quo(sub(e, one), add(e, one))
	})
}

// asin x is arctan x/√(1−x²).
func (l *Library) asin(x float64) float64 {
	switch {
	case x != x || x > 1 || x < -1:
		return math.NaN()
	case x == 0:
		return x
	case x == 1 || x == -1:
		return x * (math.Pi / 2)
	}
	w := wide(x)
	return rounded(l.arctangent(quo(w, root(l.complement(w)))))
}

// complement is 1−x², exact for a float64's x.
func (l *Library) complement(x *big.Float) *big.Float {
	return sub(num(x.Prec(), 1), mul(x, x))
}

// acos x is 2 arctan √((1−x)/(1+x)).
func (l *Library) acos(x float64) float64 {
	switch {
	case x != x || x > 1 || x < -1:
		return math.NaN()
	case x == -1:
		return math.Pi
	case x == 1:
		return 0
	}
	w := wide(x)
	one := num(w.Prec(), 1)
	return rounded(scale(l.arctangent(root(quo(sub(one, w), add(one, w)))), 1))
}

func (l *Library) acosh(x float64) float64 {
	switch {
	case x != x || x < 1:
		return math.NaN()
	case special(x):
		return x
	case x == 1:
		return 0
	}
	w := wide(x)
	return rounded(l.logarithm(add(w, root(negative(l.complement(w))))))
}

// atanh x is half the logarithm of (1+x)/(1−x).
func (l *Library) atanh(x float64) float64 {
	switch {
	case x != x || x > 1 || x < -1:
		return math.NaN()
	case x == 1 || x == -1:
		return math.Inf(int(x))
	case x == 0:
		return x
	}
	w := wide(x)
	one := num(w.Prec(), 1)
	return rounded(scale(l.logarithm(quo(add(one, w), sub(one, w))), -1))
}

// atan2 by quadrants; axes and infinities are told apart by signs.
func (l *Library) atan2(y, x float64) float64 {
	if x != x || y != y {
		return math.NaN()
	}
	sign := 1.0
	if math.Signbit(y) {
		sign, y = -1, -y
	}
	back := math.Signbit(x)
	var angle float64
	switch {
	case special(x) && special(y):
		angle = math.Pi / 4
		if back {
			angle = 3 * math.Pi / 4
		}
	case y == 0 || special(x):
		if back {
			angle = math.Pi
		}
	case x == 0 || special(y):
		angle = math.Pi / 2
	default:
		prec := wide(y).Prec() + wide(x).Prec()
		a := l.arctangent(quo(num(prec, y), num(prec, abs(x))))
		if back {
			a = sub(l.constant("pi", prec, pi), a)
		}
		angle = rounded(a)
	}
	return sign * angle
}

func hypot(x, y float64) float64 {
	switch {
	case x-x != 0 && x == x || y-y != 0 && y == y:
		return math.Inf(1)
	case x != x || y != y:
		return math.NaN()
	}
	a, b := num(4400, x), num(4400, y) // enough for exact squares of any two
	return rounded(root(add(mul(a, a), mul(b, b)).SetPrec(256)))
}

func sqrt(x float64) float64 {
	switch {
	case x == 0 || x != x || x > 0 && special(x):
		return x
	case x < 0:
		return math.NaN()
	}
	return rounded(root(num(guard, x)))
}

// pow is exp(y log x); the sign of a negative x counts if y is whole.
func (l *Library) pow(x, y float64) float64 {
	switch {
	case y == 0 || x == 1:
		return 1
	case special(x) || special(y) || x == 0:
		return math.Pow(x, y) // a table of conventions, nothing is computed there
	}
	sign := 1.0
	if x < 0 {
		whole, accuracy := new(big.Float).SetFloat64(y).Int(nil)
		if accuracy != big.Exact {
			return math.NaN()
		}
		if whole.Bit(0) == 1 {
			sign = -1
		}
		x = -x
	}
	w := wide(x)
	w = zero(w.Prec() + wide(y).Prec()).Set(w)
	z := mul(l.logarithm(w), num(w.Prec(), y))
	switch approximate := rounded(z); {
	case approximate > 710:
		return sign * math.Inf(1)
	case approximate < -746:
		return sign * 0
	case z.Sign() == 0:
		return sign
	}
	return sign * rounded(l.exponential(z))
}

// keepSign returns a zero the sign of what it was rounded from.
func keepSign(y, x float64) float64 {
	if y == 0 && math.Signbit(x) {
		return math.Copysign(0, -1)
	}
	return y
}

func floorOf(x float64) float64 {
	if special(x) || x == 0 {
		return x
	}
	return keepSign(rounded(floor(num(guard, x))), x)
}

func ceil(x float64) float64 { return -floorOf(-x) }

// round rounds halves away from zero.
func round(x float64) float64 {
	switch {
	case special(x) || x == 0:
		return x
	case x < 0:
		return -round(-x)
	}
	w := num(1200, x) // exact, whatever is added
	return rounded(nearest(w))
}

func arrayEqual(in []float64) []float64 {
	n := len(in) / 2
	for i := range n {
		if !(in[i] <= in[n+i] && in[i] >= in[n+i]) {
			return []float64{0}
		}
	}
	return []float64{1}
}

// dot adds exact products and rounds once.
func dot(in []float64) []float64 {
	n := len(in) / 2
	sum := num(5000, 0) // holds any sum of products exactly
	for i := range n {
		a, b := in[i], in[n+i]
		if special(a) || special(b) {
			return []float64{math.NaN()}
		}
		sum = add(sum, mul(num(5000, a), num(5000, b)))
	}
	return []float64{rounded(sum)}
}

// sorted selects the least of what is left, again and again.
func sorted(in []float64) []float64 {
	out := make([]float64, 0, len(in))
	taken := make([]bool, len(in))
	for range in {
		least := -1
		for i, x := range in {
			if !taken[i] && (least < 0 || x < in[least]) {
				least = i
			}
		}
		taken[least] = true
		out = append(out, in[least])
	}
	return out
}
