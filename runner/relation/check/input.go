package check

import (
	"go/types"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/relation/law"
)

// maxPrefix bounds the calls that lead to an input.
const maxPrefix = 24

// maxBefore bounds the calls that are put before an input.
const maxBefore = 4

// inputs returns calls of the function: those that are given, and those with others of
// their values, with what is written in the code and with usual ones, until there are enough. An object that calls make has
// some more of its methods called in half of them: before are such calls.
func (h *shape) inputs(of []wire.Sequence, before []wire.Step, written literals, most int, random *rand.Rand) []wire.Sequence {
	var out, models []wire.Sequence
	seen := map[string]bool{}
	pool := make([][]any, len(h.in))
	add := func(p wire.Sequence) {
		if key := string(p.Encode(nil)); h.takes(p) && !seen[key] {
			seen[key] = true
			out = append(out, p)
		}
	}
	for _, p := range of {
		if len(p) == 0 || len(p) > maxPrefix || len(p[len(p)-1].Args) != len(h.params) {
			continue
		}
		models = append(models, p)
		for i, v := range h.values(p) {
			if v != nil {
				pool[i] = append(pool[i], v)
			}
		}
		add(p)
	}
	if len(models) == 0 && h.plain() {
		models = append(models, wire.Sequence{{Op: h.op, Args: make([]wire.Lit, len(h.params))}})
	}
	for range 4 * most {
		if len(out) >= most || len(models) == 0 {
			break
		}
		p := models[random.IntN(len(models))].Clone()
		if last := len(p) - 1; len(before) > 0 && random.IntN(2) == 0 && p[last].Args[0].Form == wire.Ref {
			for range 1 + random.IntN(maxBefore) {
				p = slices.Insert(p, len(p)-1, calledOn(p[len(p)-1].Args[0], before[random.IntN(len(before))]))
			}
		}
		args := p[len(p)-1].Args
		for i, c := range h.in {
			switch at := random.IntN(6); {
			case c.kind == law.Text && len(written.texts) > 0 && at < 2:
				c.set(args, written.text(pool[i], random))
			case len(pool[i]) > 0 && at < 3:
				c.set(args, pool[i][random.IntN(len(pool[i]))])
			default:
				c.set(args, usualValue(c.kind, written.points, random))
			}
		}
		h.relate(args, random)
		add(p)
	}
	return out[:min(len(out), most)]
}

// relate makes a value of a call out of another one, now and then: separators occur in texts,
// and numbers lie beside each other, less often by chance than where functions are called.
func (h *shape) relate(args []wire.Lit, random *rand.Rand) {
	if len(h.in) < 2 {
		return
	}
	for i, c := range h.in {
		if random.IntN(4) > 0 {
			continue
		}
		other := random.IntN(len(h.in) - 1)
		if other >= i {
			other++
		}
		if v := madeOf(c.kind, h.in[other].get(args), random); v != nil {
			c.set(args, v)
		}
	}
}

// calledOn is a method call on another object.
func calledOn(receiver wire.Lit, s wire.Step) wire.Step {
	s.Args = slices.Clone(s.Args)
	s.Args[0] = receiver
	return s
}

// methodCalls are calls of the other methods of the receiver's type, with arguments that no
// earlier call gave.
func (h *shape) methodCalls(list []relatedFunction, subject func(wire.Op) *relation.Subject) []wire.Step {
	var out []wire.Step
	if !h.subject.Receiver {
		return nil
	}
	for _, f := range list {
		of := subject(f.op)
		if of == nil || !of.Receiver || !types.Identical(of.Sig.Params().At(0).Type(), h.subject.Sig.Params().At(0).Type()) {
			continue
		}
		for _, p := range f.sources {
			if s := p[len(p)-1]; len(s.Args) > 1 && !slices.ContainsFunc(s.Args[1:], wire.Lit.RefersBack) {
				out = append(out, s)
			}
		}
	}
	return out
}

// plain reports whether all arguments are cells.
func (h *shape) plain() bool {
	n := 0
	for _, c := range h.in {
		if !c.isPart() {
			n++
		}
	}
	return n == len(h.params)
}

// values returns what an input has in the cells.
func (h *shape) values(p wire.Sequence) []any {
	out := make([]any, len(h.in))
	for i, c := range h.in {
		out[i] = c.get(p[len(p)-1].Args)
	}
	return out
}

// with returns an input with other values in the cells; false if that cannot be built.
func (h *shape) with(p wire.Sequence, values []any) (wire.Sequence, bool) {
	q := p.Clone()
	for i, c := range h.in {
		if v := c.get(p[len(p)-1].Args); v != nil && law.EqualValues(v, values[i]) {
			continue
		}
		if !c.set(q[len(q)-1].Args, values[i]) {
			return nil, false
		}
	}
	return q, true
}

// takes reports whether the parameters' types hold an input.
func (h *shape) takes(p wire.Sequence) bool {
	for i, v := range h.values(p) {
		if v != nil && !h.in[i].fits(v) {
			return false
		}
	}
	return true
}

// usualValue returns a value as people use them, small and in part at points.
func usualValue(kind law.Kind, points []float64, random *rand.Rand) any {
	number := func() float64 {
		if len(points) > 0 && random.IntN(4) == 0 {
			return points[random.IntN(len(points))] + float64(random.IntN(3)-1)
		}
		return math.Round((2*random.Float64()-1)*math.Pow(10, 3*random.Float64())) + 0 // no −0
	}
	size := random.IntN(7)
	switch kind {
	case law.Bool:
		return random.IntN(2) == 0
	case law.Int:
		return int64(number())
	case law.Float:
		return number() / []float64{1, 2, 10, 8}[random.IntN(4)]
	case law.Text:
		return usualText(random)
	case law.Bools:
		return listOf(size, func() bool { return random.IntN(2) == 0 })
	case law.Ints:
		return withRepeats(listOf(size, func() int64 { return int64(number()) }), random)
	case law.Floats:
		return withRepeats(listOf(size, func() float64 { return number() / 2 }), random)
	case law.Texts:
		return withRepeats(listOf(size, func() string { return usualText(random) }), random)
	}
	return nil
}

func listOf[T any](n int, element func() T) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = element()
	}
	return out
}

// withRepeats puts earlier elements of a list in the place of a quarter of them.
func withRepeats[T any](list []T, random *rand.Rand) []T {
	for i := range list {
		if i > 0 && random.IntN(4) == 0 {
			list[i] = list[random.IntN(i)]
		}
	}
	return list
}

// usualText returns a few letters, digits, blanks and marks, of a small alphabet so that
// repetition is likely, in either case.
func usualText(random *rand.Rand) string {
	const alphabet = "aab bcABXxYZ019 _-./,äßı\t"
	runes := []rune(alphabet)
	return string(listOf(random.IntN(10), func() rune { return runes[random.IntN(len(runes))] }))
}
