package check

import (
	"math/rand/v2"

	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/reach"
)

// literals are values that are written in the code, of which inputs are made.
type literals struct {
	points []float64 // of a function and what it calls, ascending
	texts  []string  // of the package and its tests
}

// Bounds of the texts; those of whole documents make everything slow.
const (
	maxWritten      = 400
	maxWrittenBytes = 40
)

// literalsOf returns those of a function of a package.
func (s *Stage) literalsOf(p *reach.Package, o surface.Operation) literals {
	l := literals{points: s.points(o)}
	for _, near := range p.API.Literals.Texts {
		for _, t := range near {
			if t != "" && len(t) <= maxWrittenBytes && len(l.texts) < maxWritten {
				l.texts = append(l.texts, t)
			}
		}
	}
	return l
}

// text is one that is written in the code, or, in half of the cases, is put together of it
// and another one: known values are texts, too.
func (l literals) text(known []any, random *rand.Rand) string {
	a := l.texts[random.IntN(len(l.texts))]
	if random.IntN(2) == 0 {
		return a
	}
	b := l.texts[random.IntN(len(l.texts))]
	if len(known) > 0 && random.IntN(2) == 0 {
		b = known[random.IntN(len(known))].(string)
	}
	x, y := []rune(a), []rune(b)
	if random.IntN(2) == 0 {
		x, y = x[:random.IntN(len(x)+1)], y[random.IntN(len(y)+1):]
	}
	between := []string{"", " ", "_", "-", ".", ","}
	return string(x) + between[random.IntN(len(between))] + string(y)
}
