//go:build go1.21

package harness

import (
	"strconv"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// What holds many things goes wrong where it is full, or where a search has to halve a list more than once. So
// now and then a call of a method is made many times in a row, with another argument each time, and what follows is
// given one of these.

// shareGrown is how many of a hundred sequences are of this kind.
const shareGrown = 2

// growths are how often such a call is made more.
var growths = []int{3, 4, 5, 6, 8, 16}

// longestGrown is how many steps such a sequence has at most: others are made of it.
const longestGrown = longest + 8

// grown is a kept sequence with one of its calls made more often; nil where it has none that could be.
func (g *generator) grown() wire.Sequence {
	p := g.pick().Clone()
	var steps []int
	for i, s := range p {
		if !s.Op.Builtin() && g.m.Ops[s.Op].Method && len(s.Args) > 1 && s.Args[0].Form == wire.Ref && plainArgument(s) > 0 {
			steps = append(steps, i)
		}
	}
	if len(steps) == 0 {
		return nil
	}
	r := g.r
	at := steps[r.Intn(len(steps))]
	n := growths[r.Intn(len(growths))]
	if n > longestGrown-len(p) {
		n = longestGrown - len(p)
	}
	if n <= 0 {
		return nil
	}
	arg := plainArgument(p[at])
	series := g.series(p[at].Args[arg], n+1)
	p[at].Args[arg] = series[0]
	q := p[:at+1].Clone()
	for _, l := range series[1:] {
		s := p[at : at+1].Clone()[0]
		s.Args[arg] = l
		q = append(q, s)
	}
	rest := p[at+1:].Clone()
	rest.Walk(func(_ int, l *wire.Lit) {
		if l.Form == wire.Ref && int(l.N) > at {
			l.N += int64(n)
		}
	})
	for _, s := range rest {
		if k := plainArgument(s); k > 0 && !s.Op.Builtin() && s.Args[0].Form == wire.Ref && s.Args[0].N == p[at].Args[0].N && s.Args[k].Form == series[0].Form && r.Chance(60) {
			s.Args[k] = series[r.Intn(len(series))]
		}
		q = append(q, s)
	}
	return q
}

// plainArgument is the last argument of a step, behind its receiver, that is a text or a whole number; 0 for none.
func plainArgument(s wire.Step) int {
	for k := len(s.Args) - 1; k > 0; k-- {
		switch s.Args[k].Form {
		case wire.Text, wire.Int, wire.Uint:
			return k
		}
	}
	return 0
}

// series are n literals like one, mostly one after the other in some order.
func (g *generator) series(like wire.Lit, n int) []wire.Lit {
	r := g.r
	out := make([]wire.Lit, n)
	down, mixed := r.Chance(20), r.Chance(20)
	for i := range out {
		l, k := like, i
		if down {
			k = n - 1 - i
		}
		switch {
		case l.Form == wire.Text && mixed:
			l.S = g.plain.String(r, like.S)
		case l.Form == wire.Text && k < 26:
			l.S = string(rune('a' + k))
		case l.Form == wire.Text:
			l.S = "z" + strconv.Itoa(k)
		case mixed:
			l.N = g.plain.Int(r, like.N, 31)
		default:
			l.N = int64(k)
		}
		out[i] = l
	}
	return out
}
