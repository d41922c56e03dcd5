package negation

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/runner/outcome"
)

func bits(n int, members ...int) outcome.Bits {
	b := outcome.NewBits(n)
	for _, m := range members {
		b.Add(m)
	}
	return b
}

func TestCandidatesAreSiblingsOfCoveredBranches(t *testing.T) {
	t.Parallel()
	// Pair 0: false only; pair 1: both; pair 2: never evaluated; pair 3: true only.
	test := bits(8, 0, 2, 3, 7)
	suite := bits(8, 0, 1, 2, 3, 7)
	e := New(test, suite, Options{Depth: 1})
	var got []outcome.Branch
	for {
		s, ok := e.Next()
		if !ok {
			break
		}
		got = append(got, s.Branches...)
	}
	// Branch 6 is universal (nobody takes it) and comes first; 1 is unique.
	if len(got) != 2 || got[0] != 6 || got[1] != 1 {
		t.Fatalf("got %v, want [6 1]", got)
	}
	if e := New(test, suite, Options{Depth: 1, Universal: true}); len(e.waiting) != 1 {
		t.Errorf("universal list has %d sets, want 1", len(e.waiting))
	}
}

func TestDepthGrowsFromWhatAVariantReached(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ depth, sets int }{{1, 1}, {2, 2}, {3, 3}, {0, 4}} {
		// A ladder: taking branch 1 of pair k shows branch 0 of pair k+1.
		e := New(bits(8, 0), bits(8, 0), Options{Depth: c.depth})
		n := 0
		for {
			s, ok := e.Next()
			if !ok {
				break
			}
			n++
			if len(s.Branches) != n {
				t.Errorf("set %d has depth %d", n, len(s.Branches))
			}
			covered := outcome.NewBits(8)
			for _, b := range s.Branches {
				covered.Add(int(b))
			}
			if n < 4 {
				covered.Add(2 * n)
			}
			e.Ran(s, covered)
		}
		if n != c.sets {
			t.Errorf("depth %d: %d sets, want %d", c.depth, n, c.sets)
		}
	}
}

// Whatever a program does, the queue ends, asks for no branch twice, and never
// negates a condition twice in one set.
func TestQueueEnds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		const pairs = 24
		draw := func(name string) outcome.Bits {
			b := outcome.NewBits(2 * pairs)
			for _, i := range rapid.SliceOf(rapid.IntRange(0, 2*pairs-1)).Draw(t, name) {
				b.Add(i)
			}
			return b
		}
		test := draw("test")
		suite := draw("suite")
		suite.Union(test)
		e := New(test, suite, Options{Depth: rapid.IntRange(0, 4).Draw(t, "depth")})
		asked := map[outcome.Branch]bool{}
		for {
			s, ok := e.Next()
			if !ok {
				break
			}
			last := s.Branches[len(s.Branches)-1]
			if asked[last] || test.Has(int(last)) {
				t.Fatalf("branch %d asked for again, or covered already", last)
			}
			asked[last] = true
			in := map[int]bool{}
			for _, b := range s.Branches {
				if in[b.Condition()] {
					t.Fatalf("pair %d twice in %v", b.Condition(), s.Branches)
				}
				in[b.Condition()] = true
			}
			e.Ran(s, draw("variant"))
		}
	})
}
