package harness

import (
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// What is written into a buffer leaves bytes of it as they are, which shows only where they are not zero: here
// those behind the sixth of a buffer that has room for them.
func TestBuffersHoldSomething(t *testing.T) {
	used, empty := 0, 0
	r := newRegistry()
	r.register(Operation{Name: "Put", Role: wire.Changed}, func(to []byte) int {
		if len(to) < 10 {
			return 0
		}
		if to[6] == 0xff && to[7] == 0xff {
			used++
		}
		if to[6] == 0 && to[7] == 0 {
			empty++
		}
		return copy(to, "abcdef")
	})
	m := NewMachine(r)
	g := newGenerator(m, dictionaryOfTests(), 1)
	for range 1000 {
		if p := g.next(); p != nil {
			trace := m.Run(p)
			g.learn(p, &trace)
		}
	}
	if used < 30 || empty < 10 {
		t.Errorf("%d buffers held something, and %d zeros", used, empty)
	}
}
