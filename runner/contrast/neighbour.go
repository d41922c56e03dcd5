package contrast

import (
	"math"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// neighbours are sequences that differ from one in one literal of the last call, or of a
// call that makes its arguments.
func neighbours(p wire.Sequence) []wire.Sequence {
	var out []wire.Sequence
	literals := 0
	p.Walk(func(int, *wire.Lit) { literals++ })
	for n := range literals {
		for _, l := range others(literal(p, n)) {
			q := p.Clone()
			at := 0
			q.Walk(func(_ int, x *wire.Lit) {
				if at == n {
					*x = l
				}
				at++
			})
			out = append(out, q)
		}
	}
	return out
}

// literal is the nth of a sequence.
func literal(p wire.Sequence, n int) wire.Lit {
	var out wire.Lit
	at := 0
	p.Walk(func(_ int, l *wire.Lit) {
		if at == n {
			out = *l
		}
		at++
	})
	return out
}

// others are literals of the same type that are near to one, and some that are not.
func others(l wire.Lit) []wire.Lit {
	var out []wire.Lit
	switch l.Form {
	case wire.Bool:
		out = append(out, wire.Lit{Form: wire.Bool, N: 1 - l.N})
	case wire.Int:
		for _, n := range []int64{l.N - 1, l.N + 1, -l.N, 0, 1, -1, 2, 3, 7, l.N / 2, l.N * 2, -5, 10, 100, -100} {
			if n != l.N {
				out = append(out, wire.Lit{Form: wire.Int, N: n})
			}
		}
	case wire.Uint:
		for _, n := range []int64{l.N - 1, l.N + 1, 0, 1, 2, 3, 7, l.N / 2, l.N * 2, 63, 64, 65, 127, 128} {
			if n != l.N && n >= 0 {
				out = append(out, wire.Lit{Form: wire.Uint, N: n})
			}
		}
	case wire.Float:
		f := l.Float64()
		for _, x := range []float64{-f, f + 1, f - 1, f / 2, 2 * f, 0, 1, -1, 0.5, 100, math.Trunc(f)} {
			if x != f {
				out = append(out, wire.FloatLit(x))
			}
		}
	case wire.Text:
		for _, s := range texts(l.S) {
			if s != l.S {
				out = append(out, wire.Lit{Form: wire.Text, S: s})
			}
		}
	case wire.Seq:
		for i := range l.E {
			out = append(out, wire.Lit{Form: wire.Seq, E: append(append([]wire.Lit{}, l.E[:i]...), l.E[i+1:]...)})
		}
		for i, e := range l.E {
			if i < 3 {
				out = append(out, wire.Lit{Form: wire.Seq, E: append(append([]wire.Lit{}, l.E...), e)})
			}
		}
	}
	return out
}

// maxText bounds the text that is changed letter by letter.
const maxText = 12

func texts(s string) []string {
	out := []string{"", s + s, s + "a", "a" + s, s + " ", " " + s, s + "0", "a", "A", "1", "-", "abc"}
	r := []rune(s)
	for i := range r[:min(len(r), maxText)] {
		out = append(out, string(r[:i])+string(r[i+1:]), string(r[:i])+"x"+string(r[i+1:]), string(r[:i])+"0"+string(r[i+1:]), string(r[:i]))
	}
	return out
}
