package calls

import "testing"

// A search of which every hundredth sequence executes what changed knows its way; a short one may find it yet.
func TestLost(t *testing.T) {
	for _, of := range []struct {
		sequences, reaching int
		lost                bool
	}{{0, 0, false}, {1000, 0, false}, {2000, 0, true}, {2000, 19, true}, {2000, 21, false}} {
		c := &Search{Sequences: of.sequences, Reaching: of.reaching}
		if c.Lost() != of.lost {
			t.Errorf("%+v", of)
		}
	}
}
