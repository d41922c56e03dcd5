package harness

import (
	"errors"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// What decodes refuses all but a pointer to a map. Once one was taken, it is given in a good
// part of the calls; of the types that are known it is one of dozens. A function that refuses
// nothing is given all types as before.
func TestAcceptedTypesAreGivenAgain(t *testing.T) {
	const seeds, rounds = 4, 2000
	taken, refused := 0, 0
	r := stackRegistry(false)
	r.register(Operation{Name: "Decode", Role: wire.Changed}, func(into any) error {
		if _, ok := into.(*map[string]any); !ok {
			refused++
			return errors.New("it wants a pointer to a map")
		}
		taken++
		return nil
	})
	m := NewMachine(r)
	for seed := range uint64(seeds) {
		g := newGenerator(m, dictionaryOfTests(), seed)
		for range rounds {
			if p := g.next(); p != nil {
				trace := m.Run(p)
				g.learn(p, &trace)
			}
		}
	}
	if all := taken + refused; all < seeds*rounds/20 || taken*6 < all {
		t.Errorf("%d of %d calls were given a pointer to a map", taken, all)
	}
	if refused == 0 {
		t.Error("nothing else was given any more")
	}
}

// Texts that others tried are given whole, each in its turn.
func TestTriedTextsAreGivenInTurn(t *testing.T) {
	p := dictionaryOfTests()
	p.tried = []string{"tried one", "tried two", "tried three", "tried four"}
	r, seen := NewRand(1), map[string]int{}
	for range 1000 {
		seen[p.String(r, "like")]++
	}
	for _, s := range p.tried {
		if n := seen[s]; n < 10 || n > 60 {
			t.Errorf("%q was given %d times of 1000", s, n)
		}
	}
}
