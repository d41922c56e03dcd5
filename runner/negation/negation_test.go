package negation

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
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
		e := New(test, suite, Options{Depth: rapid.IntRange(0, 4).Draw(t, "depth"), Both: rapid.Bool().Draw(t, "both")})
		asked := map[outcome.Branch]bool{}
		for {
			s, ok := e.Next()
			if !ok {
				break
			}
			last := s.Branches[len(s.Branches)-1]
			if inverted := s.Both && len(s.Branches) == 1; asked[last] || test.Has(int(last)) != inverted {
				t.Fatalf("branch %d of %+v asked for again, or covered already", last, s)
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

// A condition that the test takes both ways comes once, behind the lists,
// with the better rank of its branches; not at all where neither can reach the
// change, with the universal list, or unasked.
func TestBothBranchesTaken(t *testing.T) {
	t.Parallel()
	// Pair 0: false only; pairs 1, 2 and 3: both.
	test := bits(8, 0, 2, 3, 4, 5, 6, 7)
	ranks := map[outcome.Branch]int{1: 3, 2: -1, 3: 2, 4: 1, 5: 0, 6: -1, 7: -1}
	opt := Options{Depth: 1, Both: true, Rank: func(b outcome.Branch) int { return ranks[b] }}
	e := New(test, test, opt)
	var got []Set
	for s, ok := e.Next(); ok; s, ok = e.Next() {
		got = append(got, s)
	}
	want := []Set{
		{Branches: []outcome.Branch{1}, Universal: true, Rank: 3},
		{Branches: []outcome.Branch{4}, Both: true},
		{Branches: []outcome.Branch{2}, Both: true, Rank: 2},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if e.LeftOut != 1 {
		t.Errorf("%d left out, want pair 3", e.LeftOut)
	}
	opt.Universal = true
	if n := New(test, test, opt).Len(); n != 1 {
		t.Errorf("the universal list has %d sets, want 1", n)
	}
}

// Asking for both branches changes nothing about the lists: the same sets come in
// the same order, and in front of all others of their depth. What comes beyond them
// is each condition that the test takes both ways, once.
func TestBothBranchesComeBehindTheLists(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		const pairs = 16
		draw := func(name string) outcome.Bits {
			b := outcome.NewBits(2 * pairs)
			for _, i := range rapid.SliceOf(rapid.IntRange(0, 2*pairs-1)).Draw(t, name) {
				b.Add(i)
			}
			return b
		}
		test, suite := draw("test"), draw("suite")
		suite.Union(test)
		rank := rapid.SliceOfN(rapid.IntRange(0, 3), 2*pairs, 2*pairs).Draw(t, "rank")
		opt := Options{Depth: 1, Rank: func(b outcome.Branch) int { return rank[b] }}
		var lists, all, beyond []Set
		for e := New(test, suite, opt); e.Len() > 0; {
			s, _ := e.Next()
			lists = append(lists, s)
		}
		opt.Both = true
		for e := New(test, suite, opt); e.Len() > 0; {
			s, _ := e.Next()
			all = append(all, s)
		}
		for i := range pairs {
			if test.Has(2*i) && test.Has(2*i+1) {
				beyond = append(beyond, Set{Branches: []outcome.Branch{outcome.Of(i, false)}, Both: true, Rank: min(rank[2*i], rank[2*i+1])})
			}
		}
		slices.SortStableFunc(beyond, func(a, b Set) int { return a.Rank - b.Rank })
		if diff := cmp.Diff(append(lists, beyond...), all); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}
