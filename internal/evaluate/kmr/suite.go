package kmr

import (
	"math/rand/v2"

	"github.com/isodelta/isodelta/diff/adequacy"
)

// suite is a metamorphic test suite: for each source input of the pool the
// number of its relations that are used, of an order of its own.
type suite struct {
	order [][]int // relations of each source input, in the order of use; nil until needed
	used  []int   // how many of them, |S_RO(t)|
}

func newSuite(s *study) *suite {
	return &suite{order: make([][]int, len(s.pool)), used: make([]int, len(s.pool))}
}

// take uses up to n relations of a source input.
func (x *suite) take(s *study, t, n int, r *rand.Rand) {
	if x.order[t] == nil {
		x.order[t] = s.diverse(t, r)
	}
	x.used[t] = min(n, len(x.order[t]))
}

// diverse returns the relations that apply to a source input in random order,
// those first whose output relation has a form that none before has: the
// paper wants the relations of one source input to be different in that.
func (s *study) diverse(t int, r *rand.Rand) []int {
	var first, rest []int
	seen := map[string]bool{}
	for _, k := range r.Perm(len(s.relations[t])) {
		relation := s.relations[t][k]
		if form := s.forms[relation]; seen[form] {
			rest = append(rest, relation)
		} else {
			seen[form] = true
			first = append(first, relation)
		}
	}
	return append(first, rest...)
}

// groups is the number of metamorphic groups.
func (x *suite) groups() int {
	n := 0
	for _, used := range x.used {
		n += used
	}
	return n
}

// detects returns the mutants that some group detects.
func (x *suite) detects(s *study) bits {
	out := newBits(s.mutants)
	for t, n := range x.used {
		for _, relation := range x.order[t][:n] {
			out.join(s.detected[t][relation])
		}
	}
	return out
}

// satisfying returns random source inputs that just satisfy a criterion: none can
// be left out.
func (s *study) satisfying(c adequacy.Criterion, r *rand.Rand) []int {
	covered := make([]int, len(s.required[c])) // how often
	var chosen []int
	for _, t := range r.Perm(len(s.pool)) {
		needed := false
		for _, requirement := range s.satisfies[c][t] {
			needed = needed || covered[requirement] == 0
		}
		if !needed {
			continue
		}
		chosen = append(chosen, t)
		for _, requirement := range s.satisfies[c][t] {
			covered[requirement]++
		}
	}
	var out []int
	for _, t := range chosen { // the earliest cover the most, and are given up first
		spare := true
		for _, requirement := range s.satisfies[c][t] {
			spare = spare && covered[requirement] > 1
		}
		if !spare {
			out = append(out, t)
			continue
		}
		for _, requirement := range s.satisfies[c][t] {
			covered[requirement]--
		}
	}
	return out
}

// levels is the number of intervals of equal size into which degrees of
// adequacy are divided.
const levels = 10

// greedy builds a suite whose degree is above level/levels and not above
// (level+1)/levels, of groups that each add to it, taken at random; nil if no
// order that was tried gets there.
func (s *study) greedy(c adequacy.Criterion, k, level int, r *rand.Rand) *suite {
	const orders = 20
	for range orders {
		if x := s.grow(c, k, level, r); x != nil {
			return x
		}
	}
	return nil
}

// grow tries one order of source inputs. The degree is met of whole, in whole
// numbers, so that no bound is a matter of rounding.
func (s *study) grow(c adequacy.Criterion, k, level int, r *rand.Rand) *suite {
	x := newSuite(s)
	best := make([]int, len(s.required[c])) // most relations of a source input that satisfies it, up to k
	whole := k * len(best)
	met := 0
	order := r.Perm(len(s.pool))
	for progress := true; progress; {
		progress = false
		for _, t := range order {
			n := x.used[t] + 1
			if n > k || n > len(s.relations[t]) {
				continue
			}
			gain := 0
			for _, requirement := range s.satisfies[c][t] {
				gain += max(0, n-best[requirement])
			}
			if gain == 0 || (met+gain)*levels > (level+1)*whole {
				continue
			}
			x.take(s, t, n, r)
			met += gain
			progress = true
			for _, requirement := range s.satisfies[c][t] {
				best[requirement] = max(best[requirement], n)
			}
			if met*levels > level*whole {
				return x
			}
		}
	}
	return nil
}
