package harness

import (
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Where a limit is the length itself, which no number drawn by itself is: texts are long and of many lengths.
func TestNumbersAreLengths(t *testing.T) {
	at, beside := 0, 0
	r := newRegistry()
	r.register(Operation{Name: "Cut", Role: wire.Changed}, func(s string, limit int) string {
		if len(s) > 12 {
			switch limit - len(s) {
			case 0:
				at++
			case -1, 1:
				beside++
			}
		}
		return s
	})
	m := NewMachine(r)
	g := newGenerator(m, dictionaryOfTests(), 1)
	for range 10000 {
		if p := g.next(); p != nil {
			trace := m.Run(p)
			g.learn(p, &trace)
		}
	}
	if at < 50 || beside < 50 {
		t.Errorf("%d limits are the length of a long text, %d are beside it", at, beside)
	}
}
