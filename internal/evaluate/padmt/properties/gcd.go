package properties

import (
	"math"
	"math/rand/v2"

	"github.com/isodelta/isodelta/internal/evaluate/kmr/properties"
	"github.com/isodelta/isodelta/internal/evaluate/padmt/programs"
)

func gcd() properties.Subject {
	return properties.Definition[programs.Pair, programs.Divisor]{
		Name: "gcd", Run: programs.GreatestDivisor, Random: randomPair, Relations: gcdRelations(),
	}
}

func randomPair(r *rand.Rand) programs.Pair {
	one := func() int32 {
		switch r.IntN(10) {
		case 0:
			return 0
		case 1:
			return []int32{1, -1, math.MaxInt32, math.MinInt32}[r.IntN(4)]
		case 2:
			return int32(r.Uint32())
		case 3:
			return math.MinInt32 >> r.IntN(31)
		}
		return int32(between(r, -5000, 5000))
	}
	p := programs.Pair{A: one(), B: one()}
	if r.IntN(2) == 0 {
		factor := int32(between(r, 1, 200))
		p = programs.Pair{A: p.A % 5000 * factor, B: p.B % 5000 * factor}
	}
	return p
}

// pairOf is two numbers, if 32 bits hold them with either sign.
func pairOf(a, b int64) (programs.Pair, bool) {
	fits := max(a, -a, b, -b) <= math.MaxInt32
	return programs.Pair{A: int32(a), B: int32(b)}, fits
}

func gcdRelations() []relation[programs.Pair, programs.Divisor] {
	type (
		in  = programs.Pair
		out = programs.Divisor
	)
	divides := func(a, b out) bool {
		return a.Known && b.Known && (b.Value == 0 || a.Value != 0 && b.Value%a.Value == 0)
	}
	return []relation[in, out]{
		pair("the other way round", func(p in, _ *rand.Rand) (in, bool) { return in{A: p.B, B: p.A}, true }, equal[out]),
		pair("the first with the other sign", func(p in, _ *rand.Rand) (in, bool) { return in{A: -p.A, B: p.B}, true }, equal[out]),
		pair("the second with the other sign", func(p in, _ *rand.Rand) (in, bool) { return in{A: p.A, B: -p.B}, true }, equal[out]),
		pair("the first added to the second", func(p in, _ *rand.Rand) (in, bool) { return pairOf(int64(p.A), int64(p.A)+int64(p.B)) }, equal[out]),
		pair("the second taken from the first", func(p in, _ *rand.Rand) (in, bool) { return pairOf(int64(p.A)-int64(p.B), int64(p.B)) }, equal[out]),
		pair("a multiple of one added to the other", func(p in, r *rand.Rand) (in, bool) {
			return pairOf(int64(p.A), int64(p.B)+int64(between(r, 2, 9))*int64(p.A))
		}, equal[out]),
		pair("the rest of a division", func(p in, _ *rand.Rand) (in, bool) {
			if p.A == 0 {
				return p, false
			}
			return in{A: p.A, B: p.B % p.A}, true
		}, equal[out]),
		relation[in, out]{Name: "both times a number", Follow: func(p in, r *rand.Rand) []in {
			k := int64(between(r, 2, 12))
			q, ok := pairOf(k*int64(p.A), k*int64(p.B))
			if !ok || p.A == 0 && p.B == 0 {
				return nil
			}
			return []in{q}
		}, Holds: func(i []in, o []out) bool {
			k := int32(1)
			if i[0].A != 0 {
				k = i[1].A / i[0].A
			} else {
				k = i[1].B / i[0].B
			}
			return o[0].Known && o[1].Known && o[1].Value == k*o[0].Value
		}},
		pair("halves of even numbers", func(p in, _ *rand.Rand) (in, bool) {
			return in{A: p.A / 2, B: p.B / 2}, p.A%2 == 0 && p.B%2 == 0
		}, func(a, b out) bool {
			double := 2 * int64(b.Value)
			return b.Known && a.Known == (double <= math.MaxInt32) && (!a.Known || int64(a.Value) == double)
		}),
		pair("an odd number and twice the other", func(p in, _ *rand.Rand) (in, bool) {
			q, ok := pairOf(int64(p.A), 2*int64(p.B))
			return q, ok && p.A%2 != 0
		}, equal[out]),
		pair("with a multiple", func(p in, r *rand.Rand) (in, bool) {
			return pairOf(int64(p.A), int64(p.B)*int64(between(r, 2, 9)))
		}, divides),
		pair("with nothing", func(p in, _ *rand.Rand) (in, bool) {
			_, ok := pairOf(int64(p.A), int64(p.B))
			return in{A: p.A}, ok
		}, divides),
		several("with itself and with nothing", func(p in, _ *rand.Rand) []in {
			return []in{{A: p.A, B: p.A}, {A: p.A}, {B: p.A}}
		}, func(o []out) bool { return o[1] == o[2] && o[2] == o[3] }),
		several("neighbours have no divisor", func(p in, _ *rand.Rand) []in {
			q, ok := pairOf(int64(p.A), int64(p.A)+1)
			if !ok {
				return nil
			}
			return []in{q, {A: 1, B: p.B}}
		}, func(o []out) bool { return o[1] == o[2] }),
	}
}
