package calls

import "testing"

// A search is not lost if every hundredth sequence executes the change. A short search may still find it, unless nothing of what it made does.
func TestLost(t *testing.T) {
	for _, of := range []struct {
		sequences, reaching int
		lost                bool
	}{{0, 0, false}, {299, 0, false}, {300, 0, true}, {1000, 1, false}, {2000, 0, true}, {2000, 19, true}, {2000, 21, false}} {
		c := &Search{Sequences: of.sequences, Reaching: of.reaching}
		if c.Lost() != of.lost {
			t.Errorf("%+v", of)
		}
	}
}
