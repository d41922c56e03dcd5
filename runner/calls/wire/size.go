//go:build go1.21

package wire

import (
	"math"
	"math/bits"
	"unicode/utf8"
)

// Size says how much there is to read of a sequence. A step weighs as much as a
// longish argument.
func (p Sequence) Size() int {
	n := 0
	for _, s := range p {
		n += 60
		for _, a := range s.Args {
			n += a.size()
		}
	}
	return n
}

// Magnitude is the sum of all numbers' sizes: of two sequences of the same
// Size, the one with the smaller numbers is the simpler one.
func (p Sequence) Magnitude() float64 {
	sum := 0.0
	p.Walk(func(_ int, l *Lit) {
		switch l.Form {
		case Int:
			sum += math.Abs(float64(l.N))
		case Uint:
			sum += float64(uint64(l.N))
		case Float:
			if f := math.Abs(l.Float64()); f < math.MaxFloat32 {
				sum += f
			}
		}
	})
	return sum
}

func (l Lit) size() int {
	n := 0
	switch l.Form {
	case Zero:
		return 1
	case Bool:
		return 1 + int(l.N&1)
	case Int, Uint:
		return 1 + numberSize(l.N)
	case Float:
		return 1 + floatSize(l.Float64())
	case Text:
		return 1 + textSize(l.S)
	case Ref, Hole:
		return 3
	case Pointer, Dynamic, Hidden:
		n = 3
	case Special:
		n = 3
		switch l.S {
		case SpecialReader, SpecialContext, SpecialBuffer, SpecialError, SpecialTime:
		case SpecialHashFunc:
			n = 9
		default:
			n = 6
		}
	default:
		n = 2
	}
	for _, e := range l.E {
		n += 1 + e.size()
	}
	return n
}

func numberSize(n int64) int {
	if n < 0 {
		if n == math.MinInt64 {
			return 130
		}
		return 1 + numberSize(-n)
	}
	return 2 * bits.Len64(uint64(n))
}

func floatSize(f float64) int {
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return 60
	case math.Signbit(f) && f == 0:
		return 20
	case f == math.Trunc(f) && math.Abs(f) < 1<<53:
		return numberSize(int64(f))
	}
	m, _ := math.Frexp(math.Abs(f))
	return 30 + 52 - bits.TrailingZeros64(math.Float64bits(m)|1<<52)
}

// textSize counts characters, odd ones more.
func textSize(s string) int {
	n := 0
	for len(s) > 0 {
		r, k := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && k == 1:
			n += 12
		case r >= utf8.RuneSelf:
			n += 9
		case r == 'a':
			n += 2
		case r == '0', r == ' ':
			n += 3
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			n += 4
		case r > ' ' && r < 0x7f:
			n += 5
		case r == '\n' || r == '\t':
			n += 6
		default:
			n += 8
		}
		s = s[k:]
	}
	return n
}
