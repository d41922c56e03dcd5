package confirm

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/isodelta/isodelta/diff"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/baseline"
	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/matching"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/stage"
	"github.com/isodelta/isodelta/runner/variation"
	"github.com/isodelta/isodelta/runner/version"
)

// Difference is a difference that has been seen once.
type Difference struct {
	Test       *baseline.Test
	Branches   []outcome.Branch     // negated, of pairs; none: as it is
	Varied     *variation.Variation // of the test; nil: as it is
	Diff       diff.Difference
	Base, Head outcome.Result
	Fuel       int64      // work that was allowed, 0 for any
	Kind       event.Kind // as far as it is known
}

// fuel returns the work that an execution may do.
func (d Difference) fuel() int64 {
	if d.Fuel == 0 {
		return baseline.MaxFuel
	}
	return d.Fuel
}

// Masked reports whether a site is left out: an unstable one, and for a variant also
// one that differs with nothing negated.
func (d Difference) Masked(site int) bool {
	if d.asItIs() {
		return d.Test.Unstable[site]
	}
	return d.Test.Masked(site)
}

// variedBy is how long what is varied is, in bytes: a short text is read sooner.
func (d Difference) variedBy() int {
	if d.Varied == nil {
		return 0
	}
	return len(d.Varied.Value)
}

// asItIs reports whether the test runs with nothing negated and nothing varied.
func (d Difference) asItIs() bool { return len(d.Branches) == 0 && d.Varied == nil }

// group returns what is known of a difference before it is explained.
func (d Difference) group() string {
	entered := matching.BothEntered(d.Base, d.Head)
	key := fmt.Sprintf("%t|%t|%s|%s|%s|%s|%x|%t", len(d.Branches) > 0, d.Varied != nil, d.Kind, d.Test.Suite.Side,
		d.Base.Outcome, d.Head.Outcome, entered, d.Diff.Outcome)
	if entered.Empty() {
		key += fmt.Sprintf("|%s|%s|%v", d.Test.Package, d.Test.Name, d.Branches)
	}
	return key
}

// Space is what both versions have in common: see package matching.
type Space interface {
	// Negated are the conditions of a version that branches of pairs negate.
	Negated(version.Side, []outcome.Branch) []int
	// Negation tells of a negated branch.
	Negation(outcome.Branch) event.Negation
	// Entered names functions of Δ, given by number.
	Entered(numbers []int) []string
	// Quiet reports whether an execution cannot differ between the versions by anything that
	// changed.
	Quiet(outcome.Result) bool
	// Aside reports whether what an execution shows may come from around the code.
	Aside(outcome.Result) bool
	// Where is the place of the first of some functions of Δ.
	Where(names []string) (function, file string, line int)
}

// Queue holds differences that wait for their confirmation.
type Queue struct {
	Env    *stage.Env
	Space  Space
	Suites *build.Suites
	// PerGroup is how many differences of a group are confirmed, 0 for all.
	PerGroup int
	// Universal reports whether no test takes a branch of a pair.
	Universal func(outcome.Branch) bool

	Unconfirmed int // did not repeat
	// Tests are what tests to paste are written of, for findings of varied tests, by their IDs.
	Tests map[string]variation.GoTest

	waiting map[string][]Difference
	later   map[string][]Difference // their group is full, or was given up
	tried   map[string]int
	good    map[string]int
	late    int // there was no time
}

// NewQueue makes an empty queue.
func NewQueue(env *stage.Env, space Space, suites *build.Suites, perGroup int) *Queue {
	return &Queue{Env: env, Space: space, Suites: suites, PerGroup: perGroup, Universal: func(outcome.Branch) bool { return false },
		waiting: map[string][]Difference{}, later: map[string][]Difference{}, tried: map[string]int{}, good: map[string]int{}}
}

// Add puts a difference into its group.
func (q *Queue) Add(d Difference) {
	key := d.group()
	q.waiting[key] = append(q.waiting[key], d)
}

// NotConfirmed counts differences that were not run again.
func (q *Queue) NotConfirmed() int {
	n := q.late
	for _, list := range q.later {
		n += len(list)
	}
	for _, list := range q.waiting {
		n += len(list)
	}
	return n
}

// maxFailures is after how many failed confirmations a group is given up.
const maxFailures = 12

// maxVaried is how many of a group of varied tests are confirmed: they are as many as there are values.
const maxVaried = 2

// maxVariedFailures is the same for varied tests, whose differences were seen twice.
const maxVariedFailures = 4

// Run confirms what has come up since the last time.
func (q *Queue) Run(ctx context.Context) ([]event.Finding, error) {
	var found []event.Finding
	for _, key := range slices.Sorted(maps.Keys(q.waiting)) {
		list := q.waiting[key]
		delete(q.waiting, key)
		simplestFirst(list)
		for i, d := range list {
			wanted, failures := q.PerGroup, maxFailures
			if d.Varied != nil && wanted > 0 {
				wanted, failures = min(wanted, maxVaried), maxVariedFailures
			}
			full := wanted > 0 && q.good[key] >= wanted
			if full || q.tried[key]-q.good[key] >= failures {
				if d.Varied != nil {
					q.late += len(list[i:]) // more of them say nothing more
				} else {
					q.later[key] = append(q.later[key], list[i:]...)
				}
				break
			}
			f, err := q.confirm(ctx, key, d)
			if found = append(found, f...); err != nil {
				q.later[key] = append(q.later[key], list[i:]...)
				return found, err
			}
		}
	}
	return found, nil
}

// maxRest bounds what Rest confirms where no budget does.
const maxRest = 100

// Rest confirms, until a time, what is left over: of each group one, then of each
// the next.
func (q *Queue) Rest(ctx context.Context, until time.Time) ([]event.Finding, error) {
	var found []event.Finding
	for _, list := range q.later {
		simplestFirst(list)
	}
	for n := 0; len(q.later) > 0; {
		for _, key := range slices.Sorted(maps.Keys(q.later)) {
			if q.Env.Past(until) || n >= maxRest {
				return found, nil
			}
			n++
			d := q.later[key][0]
			if q.later[key] = q.later[key][1:]; len(q.later[key]) == 0 {
				delete(q.later, key)
			}
			f, err := q.confirm(ctx, key, d)
			if found = append(found, f...); err != nil {
				q.late++
				return found, err
			}
		}
	}
	return found, nil
}

func simplestFirst(list []Difference) {
	slices.SortStableFunc(list, func(a, b Difference) int {
		return cmp.Or(cmp.Compare(len(a.Branches), len(b.Branches)), cmp.Compare(a.variedBy(), b.variedBy()), cmp.Compare(a.Base.Fuel, b.Base.Fuel))
	})
}

// How much of the time that is left confirming one difference may take: most of it where a test
// ends in another way, and little where a test that ends alike sees another value, which others
// see as well or calls show.
const (
	shareOfEnding = 0.7
	shareOfValue  = 0.15
)

// tooSlow reports whether confirming would take more of the time that there is for
// it than the difference is worth.
func (q *Queue) tooSlow(d Difference) bool {
	if q.Env.Plan.Unlimited() {
		return false
	}
	share := shareOfValue
	if d.Base.Outcome != d.Head.Outcome {
		share = shareOfEnding
	}
	cost := float64(2*q.Env.Repetitions) * (d.Test.Seconds + 0.05)
	return cost > q.Env.Until(q.Env.Plan.LastConfirmation()).Seconds()*share
}

// confirm runs a difference again if there is time, and books what came of it. It
// returns the finding, or none.
func (q *Queue) confirm(ctx context.Context, key string, d Difference) ([]event.Finding, error) {
	if q.tooSlow(d) {
		q.late++
		return nil, nil
	}
	q.Env.Progress("confirm", d.Test.Name, 0, 0)
	again, ok, err := q.Rerun(ctx, d)
	if err != nil {
		return nil, err
	}
	q.tried[key]++
	switch {
	case ok:
		q.good[key]++
		f := q.Finding(d, again)
		q.Env.Found(f)
		return []event.Finding{f}, nil
	case q.Env.Past(q.Env.Plan.LastConfirmation()):
		q.late++ // its processes may have been ended
	default:
		q.Unconfirmed++
	}
	return nil, nil
}
