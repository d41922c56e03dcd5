package explore

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"github.com/isodelta/isodelta/diff"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/baseline"
	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/negation"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/stage"
	"github.com/isodelta/isodelta/runner/version"
)

// Space is what both versions have in common: see package matching.
type Space interface {
	// Count is how many pairs of conditions there are.
	Count() int
	// Identifier names a pair's condition, wherever it stands.
	Identifier(pair int) string
	// Negated are the conditions of a version that branches of pairs negate.
	Negated(version.Side, []outcome.Branch) []int
	// On is the branch of a version that stands for a branch of a pair.
	On(version.Side, outcome.Branch) outcome.Branch
	// Project turns branches of a version into those of pairs.
	Project(version.Side, outcome.Bits) outcome.Bits
	// Strict reports whether all branches are of conditions matched strictly.
	Strict([]outcome.Branch) bool
	// Rank orders a branch for a test, see negation.Options.
	Rank(b outcome.Branch, t *build.Test, reaches bool) int
	// Quiet reports whether an execution is proved to be the same on both
	// versions.
	Quiet(outcome.Result) bool
}

// Stage explores negation sets.
type Stage struct {
	Env      *stage.Env
	Space    Space
	Branches int // of head

	Depth       int  // of negation sets; 0 is any
	Universal   bool // explore the universal list only
	Both        bool // also invert conditions that a test takes both ways
	MaxVariants int  // 0 is no limit
	// Shard of Shards, counted from 1, is what is run; 0 of 0 for the whole.
	Shard, Shards int

	// Start starts a test on a version; nil for the laboratory's processes.
	Start func(*baseline.Test, version.Side) Process
	// Differs is given each plausible difference; nil for nobody.
	Differs func(Variant, diff.Difference)
	// Saw is given each variant; nil for nobody.
	Saw func(Variant)
	// Each is called after some variants of a test; nil for nobody.
	Each func(context.Context) error

	until time.Time // when to end
}

// Variant is what one negation set did to one test.
type Variant struct {
	Test *baseline.Test
	Set  negation.Set
	Fuel int64 // that was allowed
	Base outcome.Result
	Head *outcome.Result // nil where it was not run, being proved the same
}

// Difference is what head did otherwise than base: none where it was not run.
func (v Variant) Difference() diff.Difference {
	if v.Head == nil {
		return diff.Difference{}
	}
	return diff.Compare(v.Base, *v.Head, v.Test.Masked, v.Fuel)
}

// Result is what an exploration came to.
type Result struct {
	Variants              int
	Skipped               int // when the budget ended
	Pruned                int // proved to be the same, in part not even run on base
	Died, Hung, Exhausted int
	Implausible           int
	Hidden                int          // differ in what no test can look at
	Explored              outcome.Bits // of head's branches
	// Covered are the branches of pairs that any usable test covers.
	Covered outcome.Bits
}

// Covered returns the branches of pairs that usable tests cover.
func Covered(tests []*baseline.Test, pairs int) outcome.Bits {
	covered := outcome.NewBits(2 * pairs)
	for _, t := range tests {
		if t.Usable {
			covered.Union(t.Covered)
		}
	}
	return covered
}

// Run explores until nothing is left, or until time or the number of variants is
// over. The result holds what was explored until an error came up.
func (s *Stage) Run(ctx context.Context, tests []*baseline.Test) (Result, error) {
	s.until = s.Env.Plan.Negation(s.Env.Now())
	out := Result{Explored: outcome.NewBits(s.Branches), Covered: Covered(tests, s.Space.Count())}
	queues := s.queues(tests, out.Covered)
	defer func() {
		for _, q := range queues {
			q.close()
		}
	}()
	done, kept := 0, 0
	for {
		r, waiting, ok := nextRound(queues)
		if !ok {
			break
		}
		for _, q := range queues {
			sets := q.take(r)
			if len(sets) == 0 {
				continue
			}
			s.Env.Progress("explore", q.test.Name, done, done+waiting)
			ran, err := s.runSets(ctx, q, sets, &out)
			done += ran
			if err != nil {
				return out, err
			}
			kept = q.keep(kept)
			out.Skipped += len(sets) - ran
		}
	}
	for _, q := range queues {
		out.Pruned += q.open.LeftOut
	}
	if out.Skipped > 0 {
		s.Env.Limit(event.Limit{Kind: event.LimitBudget, What: "negation",
			Reason: fmt.Sprintf("%d (test, negation set) pairs were left when the budget ended", out.Skipped)})
	}
	return out, nil
}

// queues returns the queues of usable tests: those that execute the change first, and
// quicker ones before slower.
func (s *Stage) queues(tests []*baseline.Test, covered outcome.Bits) []*queue {
	var queues []*queue
	for _, t := range tests {
		if !t.Usable {
			continue
		}
		e := negation.New(t.Covered, covered, negation.Options{
			Depth: s.Depth, Universal: s.Universal, Both: s.Both,
			Rank: func(b outcome.Branch) int { return s.Space.Rank(b, t.Test, t.Reaches) },
		})
		queues = append(queues, &queue{test: t, open: e})
	}
	slices.SortStableFunc(queues, func(a, b *queue) int {
		if a.test.Reaches != b.test.Reaches {
			if a.test.Reaches {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.test.Fuel, b.test.Fuel)
	})
	return queues
}

// mine reports whether this shard runs a set. It depends on names alone.
func (s *Stage) mine(t *baseline.Test, set negation.Set) bool {
	if s.Shards < 2 {
		return true
	}
	h := fnv.New32a()
	h.Write([]byte(t.Suite.Side.String() + "\x00" + t.Package + "\x00" + t.Name))
	// Larger sets go where their first branch went, which found them.
	h.Write([]byte(s.Space.Identifier(set.Branches[0].Condition())))
	return int(h.Sum32()%uint32(s.Shards)) == s.Shard-1
}

// account books one variant.
func (s *Stage) account(q *queue, v Variant, out *Result) {
	out.Variants++
	covered := s.Space.Project(version.Base, v.Base.Covered)
	worst := v.Base.Outcome
	if v.Head != nil {
		covered.Union(s.Space.Project(version.Head, v.Head.Covered))
		if len(v.Head.Covered) == len(out.Explored) {
			out.Explored.Union(v.Head.Covered)
		}
		if v.Head.Outcome == event.Died || v.Head.Outcome == event.Hung || v.Head.Outcome == event.Exhausted {
			worst = v.Head.Outcome
		}
	} else {
		if v.Base.Outcome != event.Hung {
			out.Pruned++
		}
		// Head does what base does.
		for _, i := range covered.Members() {
			out.Explored.Add(int(s.Space.On(version.Head, outcome.Branch(i))))
		}
	}
	switch worst {
	case event.Died:
		out.Died++
	case event.Hung:
		out.Hung++
	case event.Exhausted:
		out.Exhausted++
	}
	if s.Saw != nil {
		s.Saw(v)
	}
	q.open.Ran(v.Set, covered)
	if v.Head == nil {
		return
	}
	d := v.Difference()
	switch {
	case d.Any() && !diff.Plausible(v.Base, *v.Head, s.Space.Strict(v.Set.Branches)):
		out.Implausible++
	case d.Any() && s.Differs != nil:
		s.Differs(v, d)
	case d.Hidden:
		out.Hidden++
	}
}
