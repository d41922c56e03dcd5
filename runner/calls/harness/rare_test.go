package harness

import "testing"

// A branch that few sequences take is drawn more often than one that all take.
func TestRareBranchesAreDrawnMore(t *testing.T) {
	var s scant
	r := NewRand(1)
	if _, ok := s.draw(r); ok {
		t.Error("drawn from nothing")
	}
	for i := range 100 {
		branches := []int{1, 2, 3}
		if i == 60 {
			branches = []int{1, 9}
		}
		kept := -1
		if i%20 == 0 {
			kept = i / 20
		}
		s.note(branches, kept)
	}
	rare := 0
	for range 1000 {
		if k, ok := s.draw(r); ok && k == 3 {
			rare++
		}
	}
	if rare < 600 { // of four branches, each as likely: 250
		t.Errorf("the sequence of the rare branch was drawn %d times of 1000", rare)
	}
}
