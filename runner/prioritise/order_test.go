package prioritise

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestOrderOfThePaper: Table 2's paths by lines, in the order of Table 3.
func TestOrderOfThePaper(t *testing.T) {
	t.Parallel()
	paths := [][]int{
		{1, 2, 3, 4, 5, 16},
		{1, 2, 3, 4, 6, 7, 16},
		{1, 2, 3, 9, 10, 11, 16},
		{1, 2, 3, 9, 10, 12, 13, 16},
	}
	if diff := cmp.Diff([]int{3, 1, 0, 2}, Order(paths, nil)); diff != "" {
		t.Error(diff)
	}
	covered := map[int]bool{}
	var first []int
	for _, p := range paths {
		first = append(first, Distance(p, covered, nil))
	}
	if diff := cmp.Diff([]int{6, 7, 7, 8}, first); diff != "" {
		t.Errorf("distances of the first round: %s", diff)
	}
}

func TestDistance(t *testing.T) {
	t.Parallel()
	// The paper's example of Definition 4.
	if d := Distance([]int{1, 3, 5, 3, 7}, map[int]bool{1: true, 2: true, 6: true, 7: true, 8: true}, nil); d != 2 {
		t.Errorf("%d, want 2", d)
	}
}

// TestNothingIsAdded: what adds nothing is ordered anew among itself, and what has no path
// comes last in the order of its numbers.
func TestNothingIsAdded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		paths [][]int
		want  []int
	}{
		{[][]int{{1}, {1, 2}, {1}, {2, 1}}, []int{1, 3, 0, 2}},
		{[][]int{nil, {1}, nil}, []int{1, 0, 2}},
		{nil, []int{}},
	} {
		if diff := cmp.Diff(c.want, Order(c.paths, nil)); diff != "" {
			t.Errorf("%v: %s", c.paths, diff)
		}
	}
}

func TestWeights(t *testing.T) {
	t.Parallel()
	weight := func(unit int) int {
		if unit == 9 {
			return 10
		}
		return 1
	}
	if diff := cmp.Diff([]int{1, 0}, Order([][]int{{1, 2, 3}, {9}}, weight)); diff != "" {
		t.Error(diff)
	}
}

// TestOrderIsGreedy: the order has each path once, none of the first round adds less than the
// one behind it would have, and it is the same each time.
func TestOrderIsGreedy(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		paths := rapid.SliceOfN(rapid.SliceOfN(rapid.IntRange(0, 9), 0, 6), 0, 12).Draw(t, "paths")
		order := Order(paths, nil)
		sorted := slices.Sorted(slices.Values(order))
		for i, n := range sorted {
			if n != i {
				t.Fatalf("%v is no permutation", order)
			}
		}
		if len(order) != len(paths) || !slices.Equal(order, Order(paths, nil)) {
			t.Fatalf("%v of %d paths", order, len(paths))
		}
		covered := map[int]bool{}
		for i, n := range order {
			gain := Distance(paths[n], covered, nil)
			if gain == 0 {
				break
			}
			for _, later := range order[i+1:] {
				if Distance(paths[later], covered, nil) > gain {
					t.Fatalf("%d comes before %d, which adds more: %v", n, later, order)
				}
			}
			for _, unit := range paths[n] {
				covered[unit] = true
			}
		}
	})
}
