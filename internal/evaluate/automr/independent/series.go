package independent

import (
	"math/big"
)

// guard is how many bits are computed beyond those of the result.
const guard = 128

// num returns a number of prec bits.
func num(prec uint, x float64) *big.Float { return new(big.Float).SetPrec(prec).SetFloat64(x) }

func zero(prec uint) *big.Float { return new(big.Float).SetPrec(prec) }

func add(a, b *big.Float) *big.Float { return zero(a.Prec()).Add(a, b) }
func sub(a, b *big.Float) *big.Float { return zero(a.Prec()).Sub(a, b) }
func mul(a, b *big.Float) *big.Float { return zero(a.Prec()).Mul(a, b) }
func quo(a, b *big.Float) *big.Float { return zero(a.Prec()).Quo(a, b) }

// scale multiplies by a power of two.
func scale(x *big.Float, exp int) *big.Float { return zero(x.Prec()).SetMantExp(x, exp) }

// small reports whether a term adds nothing to a sum.
func small(term, sum *big.Float) bool {
	return term.Sign() == 0 || sum.Sign() != 0 && term.MantExp(nil) < sum.MantExp(nil)-int(sum.Prec())-2
}

// root is the square root by Newton's iteration on whole numbers, rounded down
// to prec bits.
func root(x *big.Float) *big.Float {
	if x.Sign() == 0 {
		return x
	}
	// x = m·2^e with whole m of twice the bits of the result, and even e.
	prec := x.Prec()
	shift := 2*int(prec) + 4 - x.MantExp(nil)
	if shift%2 != 0 {
		shift++
	}
	m, _ := scale(x, shift).Int(nil)
	r := new(big.Int).Lsh(big.NewInt(1), uint(m.BitLen()+1)/2)
	for {
		next := new(big.Int).Rsh(new(big.Int).Add(r, new(big.Int).Quo(m, r)), 1)
		if next.Cmp(r) >= 0 {
			return scale(zero(prec).SetInt(r), -shift/2)
		}
		r = next
	}
}

// arctanSmall and artanhSmall are x ∓ x³/3 + x⁵/5 ∓ … for small x.
func arctanSmall(x *big.Float) *big.Float { return oddSeries(x, -1) }
func artanhSmall(x *big.Float) *big.Float { return oddSeries(x, 1) }

func oddSeries(x *big.Float, sign float64) *big.Float {
	sum, power := add(x, zero(x.Prec())), x
	square := mul(mul(x, x), num(x.Prec(), sign))
	for n := 3.0; ; n += 2 {
		power = mul(power, square)
		term := quo(power, num(x.Prec(), n))
		if small(term, sum) {
			return sum
		}
		sum = add(sum, term)
	}
}

// pi by Machin's formula: 16 arctan 1/5 − 4 arctan 1/239.
func pi(prec uint) *big.Float {
	part := func(n float64) *big.Float { return arctanSmall(quo(num(prec, 1), num(prec, n))) }
	return sub(scale(part(5), 4), scale(part(239), 2))
}

// ln2 is 2 artanh 1/3.
func ln2(prec uint) *big.Float { return scale(artanhSmall(quo(num(prec, 1), num(prec, 3))), 1) }

// logarithm of a positive number: its mantissa, near 1, by artanh.
func (l *Library) logarithm(x *big.Float) *big.Float {
	prec := x.Prec()
	m := zero(prec)
	e := x.MantExp(m) // x = m·2^e, ½ ≤ m < 1
	if m.Cmp(num(prec, 0.75)) < 0 {
		m, e = scale(m, 1), e-1
	}
	one := num(prec, 1)
	s := quo(sub(m, one), add(m, one))
	sum := zero(prec)
	if s.Sign() != 0 {
		sum = scale(artanhSmall(s), 1)
	}
	if e == 0 {
		return sum
	}
	return add(sum, mul(l.constant("ln2", prec, ln2), num(prec, float64(e))))
}

// exponential: the argument less a multiple of ln 2, divided by 2¹⁰, its
// series, and ten squarings.
func (l *Library) exponential(x *big.Float) *big.Float {
	const halvings = 10
	prec := x.Prec() + 2*halvings + uint(max(0, x.MantExp(nil)))
	x = zero(prec).Set(x)
	ln2 := l.constant("ln2", prec, ln2)
	k, _ := nearest(quo(x, ln2)).Int64()
	r := scale(sub(x, mul(ln2, num(prec, float64(k)))), -halvings)
	sum, term := num(prec, 1), num(prec, 1)
	for n := 1.0; ; n++ {
		term = quo(mul(term, r), num(prec, n))
		if small(term, sum) {
			break
		}
		sum = add(sum, term)
	}
	for range halvings {
		sum = mul(sum, sum)
	}
	return scale(sum, int(k))
}

// nearest is the nearest whole number, halves upwards.
func nearest(x *big.Float) *big.Float {
	return floor(add(x, num(x.Prec(), 0.5)))
}

// floor is the greatest whole number that is not greater.
func floor(x *big.Float) *big.Float {
	i, _ := x.Int(nil)
	y := zero(x.Prec()).SetInt(i)
	if y.Cmp(x) > 0 {
		y = sub(y, num(x.Prec(), 1))
	}
	return y
}

// sineCosine of any number: a multiple of π/2 less, both series.
func (l *Library) sineCosine(x *big.Float) (sine, cosine *big.Float) {
	prec := x.Prec() + uint(max(0, x.MantExp(nil)))
	x = zero(prec).Set(x)
	quarter := scale(l.constant("pi", prec, pi), -1)
	turns := nearest(quo(x, quarter))
	r := sub(x, mul(turns, quarter))
	whole, _ := turns.Int(nil)
	q := new(big.Int).And(whole, big.NewInt(3)).Int64()
	s, c := alternating(r, r, 1), alternating(num(prec, 1), r, 0)
	switch q {
	case 0:
		return s, c
	case 1:
		return c, negative(s)
	case 2:
		return negative(s), negative(c)
	}
	return negative(c), s
}

func negative(x *big.Float) *big.Float { return zero(x.Prec()).Neg(x) }

// alternating is first − first·x²/(n+1)(n+2) + …
func alternating(first, x *big.Float, n float64) *big.Float {
	square := negative(mul(x, x))
	sum, term := first, first
	for ; ; n += 2 {
		term = quo(mul(term, square), num(x.Prec(), (n+1)*(n+2)))
		if small(term, sum) {
			return sum
		}
		sum = add(sum, term)
	}
}

// arctangent of any number: 1/x if it is large, then half the angle until it
// is small.
func (l *Library) arctangent(x *big.Float) *big.Float {
	prec := x.Prec()
	one := num(prec, 1)
	switch {
	case x.Sign() < 0:
		return negative(l.arctangent(negative(x)))
	case x.Cmp(one) > 0:
		return sub(scale(l.constant("pi", prec, pi), -1), l.arctangent(quo(one, x)))
	}
	halvings := 0
	for x.MantExp(nil) > -5 && x.Sign() != 0 {
		x = quo(x, add(one, root(add(one, mul(x, x)))))
		halvings++
	}
	return scale(arctanSmall(x), halvings)
}
