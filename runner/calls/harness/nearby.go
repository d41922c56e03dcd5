//go:build go1.21

package harness

import "github.com/isodelta/isodelta/runner/calls/wire"

// entering is a text of a sequence, with the place that it stands at.
type entering struct {
	l  *wire.Lit
	at spot
}

// nearby is a kept sequence that executed something of the change with one of its texts
// varied: the calls around it have brought the change about already, as a test has mostly
// done, and stay as they are.
func (g *generator) nearby() wire.Sequence {
	r := g.r
	for try := 0; try < 6; try++ {
		k := g.close[r.Intn(len(g.close))]
		if n := len(g.close); n > maxFirst && r.Chance(50) {
			k = g.close[r.Intn(maxFirst)] // tests and what was found at first
		} else if scarce, ok := g.scant.draw(r); ok && r.Chance(shareScant) {
			k = scarce
		} else if rare, ok := g.ways.draw(r); ok && r.Chance(shareRare) {
			k = rare
		}
		b := g.builder(g.kept[k].Clone())
		texts := g.entering(b.p)
		if len(texts) == 0 {
			continue
		}
		x := texts[r.Intn(len(texts))]
		x.l.S = g.plain.varied(r, x.l.S, g.other(x.at))
		return b.p
	}
	return nil
}

const (
	maxFirst    = 64
	maxEntering = 64 // texts of one sequence
)

// entering are the texts of a sequence.
func (g *generator) entering(p wire.Sequence) []entering {
	var out []entering
	for i := range p {
		for k := range p[i].Args {
			at := spot{p[i].Op, k}
			(wire.Sequence{{Op: p[i].Op, Args: p[i].Args[k : k+1]}}).Walk(func(_ int, l *wire.Lit) {
				if l.Form == wire.Text && len(out) < maxEntering {
					out = append(out, entering{l, at})
				}
			})
		}
	}
	return out
}

// other is a text that is given at the same place elsewhere, or one of the dictionary.
func (g *generator) other(at spot) string {
	if list := g.seen[at]; len(list) > 0 && g.r.Chance(70) {
		if l := list[g.r.Intn(len(list))]; l.Form == wire.Text {
			return l.S
		}
	}
	return g.plain.known(g.r)
}
