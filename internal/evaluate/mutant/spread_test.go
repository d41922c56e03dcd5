package mutant_test

import (
	"testing"

	"github.com/isodelta/isodelta/internal/evaluate/mutant"
)

// What is taken is evenly spread, in order and without repetition, and where it
// begins decides what it is.
func TestSpread(t *testing.T) {
	t.Parallel()
	list := make([]int, 100)
	for i := range list {
		list[i] = i
	}
	begins := map[int]bool{}
	for i := range 20 {
		from := float64(i) / 20
		got := mutant.Spread(list, 7, from)
		if len(got) != 7 {
			t.Fatalf("from %v: %v", from, got)
		}
		for i, x := range got {
			if i > 0 && (x-got[i-1] < 14 || x-got[i-1] > 15) {
				t.Errorf("from %v: %v is not evenly spread", from, got)
			}
		}
		begins[got[0]] = true
	}
	if len(begins) < 14 {
		t.Errorf("20 distances begin at %d places only", len(begins))
	}
	for n := 1; n < 100; n++ {
		for i, x := range mutant.Spread(list, n, 0) {
			if x != i*100/n {
				t.Errorf("%d of 100: member %d is %d", n, i, x)
			}
		}
	}
	for _, n := range []int{100, 101} {
		if got := mutant.Spread(list, n, 0.5); len(got) != len(list) {
			t.Errorf("%d of 100 are %d, want all", n, len(got))
		}
	}
	if got := mutant.Spread([]int(nil), 3, 0.5); len(got) != 0 {
		t.Errorf("of nothing it takes %v", got)
	}
}
