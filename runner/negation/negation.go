package negation

import (
	"sort"

	"github.com/isodelta/isodelta/runner/outcome"
)

// Set is a negation set in the order in which it grew. Its size is the depth.
type Set struct {
	Branches []outcome.Branch // each is taken because its condition is negated
	// Universal says that no test of the suite takes the last branch.
	Universal bool
	// Both says that the test takes both branches of the first condition, so that
	// negating it inverts what is taken each time. It is on neither list.
	Both bool
	Rank int // as given by Options.Rank for the last branch
}

// Options of an exploration.
type Options struct {
	Depth     int  // largest set; 0 is any
	Universal bool // the universal list only
	Both      bool // after the unique list, conditions that the test takes both ways
	// Rank orders candidates: lower is earlier, negative is left out (it is
	// proved that the branch cannot make a difference).
	Rank func(outcome.Branch) int
}

// Exploration is the negation queue of one test.
type Exploration struct {
	opt     Options
	suite   outcome.Bits // branches covered by any test of the suite
	seen    outcome.Bits // covered, queued or taken
	waiting []Set
	LeftOut int // candidates that Rank turned down
}

// New fills the queue with the sets of depth 1. test holds the branches of
// matched pairs that the test covers on base or on head, suite those that any
// test of the suite covers.
func New(test, suite outcome.Bits, opt Options) *Exploration {
	e := &Exploration{opt: opt, suite: suite, seen: append(outcome.Bits(nil), test...)}
	e.grow(Set{}, test)
	if opt.Both && !opt.Universal {
		e.invert(test)
	}
	return e
}

// Len is the number of sets that wait.
func (e *Exploration) Len() int { return len(e.waiting) }

// Next takes the best set from the queue.
func (e *Exploration) Next() (Set, bool) {
	if len(e.waiting) == 0 {
		return Set{}, false
	}
	s := e.waiting[0]
	e.waiting = e.waiting[1:]
	return s, true
}

// Ran tells what a variant covered, and queues the larger sets that follow.
func (e *Exploration) Ran(s Set, covered outcome.Bits) {
	if len(covered) == 0 {
		return
	}
	if e.opt.Depth == 0 || len(s.Branches) < e.opt.Depth {
		e.grow(s, covered)
	}
	e.seen.Union(covered)
}

// invert queues the conditions that the test takes both ways. One set
// stands for both branches of a condition, and has the better of their ranks.
func (e *Exploration) invert(test outcome.Bits) {
	for _, i := range test.Members() {
		b := outcome.Branch(i)
		if b.Value() || !test.Has(int(b.Sibling())) {
			continue
		}
		rank := e.rank(b)
		if other := e.rank(b.Sibling()); rank < 0 || other >= 0 && other < rank {
			rank = other
		}
		if rank < 0 {
			e.LeftOut++
			continue
		}
		e.waiting = append(e.waiting, Set{Branches: []outcome.Branch{b}, Both: true, Rank: rank})
	}
	e.sort()
}

func (e *Exploration) rank(b outcome.Branch) int {
	if e.opt.Rank == nil {
		return 0
	}
	return e.opt.Rank(b)
}

// grow queues base plus one more branch, for each branch that is new and
// whose sibling is covered.
func (e *Exploration) grow(base Set, covered outcome.Bits) {
	negated := map[int]bool{}
	for _, b := range base.Branches {
		negated[b.Condition()] = true
	}
	var found []Set
	for _, i := range covered.Members() {
		b := outcome.Branch(i).Sibling()
		if e.seen.Has(int(b)) || covered.Has(int(b)) || negated[b.Condition()] {
			continue
		}
		universal := !e.suite.Has(int(b))
		if e.opt.Universal && !universal {
			continue
		}
		rank := e.rank(b)
		e.seen.Add(int(b))
		if rank < 0 {
			e.LeftOut++
			continue
		}
		branches := append(append([]outcome.Branch(nil), base.Branches...), b)
		found = append(found, Set{Branches: branches, Universal: universal, Both: base.Both, Rank: rank})
	}
	e.waiting = append(e.waiting, found...)
	e.sort()
}

func (e *Exploration) sort() {
	sort.SliceStable(e.waiting, func(i, j int) bool { return before(e.waiting[i], e.waiting[j]) })
}

// before reports whether a set comes first: the smaller one, then what is on the
// lists, then what can reach the change, then the universal list, then the source's
// order.
func before(a, b Set) bool {
	if len(a.Branches) != len(b.Branches) {
		return len(a.Branches) < len(b.Branches)
	}
	if a.Both != b.Both {
		return b.Both
	}
	if a.Rank != b.Rank {
		return a.Rank < b.Rank
	}
	if a.Universal != b.Universal {
		return a.Universal
	}
	return a.Branches[len(a.Branches)-1] < b.Branches[len(b.Branches)-1]
}
