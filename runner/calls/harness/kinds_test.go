package harness

import (
	"reflect"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

type page struct {
	Text, Language string
	Lines          int
}

// A text and the name of its language get into two places of one call. These are arguments, or fields of an earlier let, also
// empty ones. A call with one place stays as it is.
func TestOfKind(t *testing.T) {
	t.Parallel()
	r := newRegistry()
	r.addType(reflect.TypeOf(page{}))
	r.register(Operation{Name: "Show", Role: wire.Changed}, func(p page, n int) int { return n })
	r.register(Operation{Name: "Pair", Role: wire.Changed}, func(text []byte, language string) int { return 0 })
	r.register(Operation{Name: "Only", Role: wire.Changed}, func(s string) string { return s })
	m := NewMachine(r)
	plain := NewPlain()
	plain.kinds = [][2]string{{"json", "{1}"}}
	text, number := wire.Lit{Form: wire.Text, S: "a text"}, wire.Lit{Form: wire.Int, N: 1}
	written := wire.Lit{Form: wire.Struct, E: []wire.Lit{text, {}, number}}
	for name, p := range map[string]wire.Sequence{
		"fields":    {{Op: wire.OpAt(0), Args: []wire.Lit{written, number}}},
		"arguments": {{Op: wire.OpAt(1), Args: []wire.Lit{text, {Form: wire.Text}}}},
		"an earlier step's": {{Op: wire.OpLet, Args: []wire.Lit{{Form: wire.Dynamic, T: m.byType[reflect.TypeOf(page{})], E: []wire.Lit{written}}}},
			{Op: wire.OpAt(0), Args: []wire.Lit{wire.RefTo(0, 0), number}}},
		"one": {{Op: wire.OpAt(2), Args: []wire.Lit{text}}},
	} {
		right, wrong := 0, 0
		for seed := range uint64(40) {
			b := &builder{g: newGenerator(m, plain, seed), p: p.Clone()}
			changed := b.ofKind(len(p) - 1)
			texts := map[string]int{}
			b.p.Walk(func(_ int, l *wire.Lit) {
				if l.Form == wire.Text {
					texts[l.S]++
				}
			})
			switch {
			case changed != (name != "one"), changed && (texts["json"] != 1 || texts["{1}"] != 1), !changed && texts["a text"] != 1:
				wrong++
			case changed:
				right++
			}
		}
		if wrong > 0 || (right > 0) != (name != "one") {
			t.Errorf("%s: %d right, %d wrong", name, right, wrong)
		}
	}
}
