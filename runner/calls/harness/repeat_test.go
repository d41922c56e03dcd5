package harness

import (
	"strings"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// What was stored under a long key is asked for under the same key often enough, and not always.
func TestKeysAreGivenAgain(t *testing.T) {
	type store struct{ kept map[string]int }
	found, missed := 0, 0
	r := newRegistry()
	r.register(Operation{Name: "New", Role: wire.Caller}, func() *store { return &store{map[string]int{}} })
	r.register(Operation{Name: "(*store).Set", Method: true, Role: wire.Caller}, func(s *store, key string, n int) {
		if len(key) > 8 {
			s.kept[key] = n
		}
	})
	r.register(Operation{Name: "(*store).Get", Method: true, Role: wire.Changed}, func(s *store, key string) int {
		if n, ok := s.kept[key]; ok {
			found++
			return n
		}
		if len(s.kept) > 0 && !strings.Contains(key, "\x00") {
			missed++
		}
		return 0
	})
	m := NewMachine(r)
	g := newGenerator(m, dictionaryOfTests(), 1)
	for range 6000 {
		if p := g.next(); p != nil {
			trace := m.Run(p)
			g.learn(p, &trace)
		}
	}
	if found < 100 || missed < found/4 {
		t.Errorf("%d keys were found, and %d not", found, missed)
	}
}
