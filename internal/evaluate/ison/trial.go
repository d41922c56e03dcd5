package ison

import (
	"context"
	"fmt"
	"time"

	"github.com/isodelta/isodelta/diff"
	"github.com/isodelta/isodelta/internal/evaluate/mutant"
	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/outcome"
)

// trial is one mutant as head, against the foundation as base.
type trial struct {
	*faulty
	ground  *foundation
	m       mutant.Mutant
	base    *execute.Lab
	head    *execute.Lab
	matched map[int]isomorph.Kind // how a condition is matched; none if it is not
	found   detection
	// gaveUp counts differences that were not confirmed; after some of them
	// the mutant is not worth more.
	gaveUp  int
	tests   []*standing
	covered outcome.Bits // branches that some test takes, on base or on head
	until   time.Time
}

// session is this mutant's process for a test. It stays open from list to
// list, because starting one costs more than most variants.
func (st *standing) session(head *execute.Lab) *execute.Session {
	if st.process == nil {
		st.process = st.based.session(head)
	}
	if st.answered++; st.answered%recycle == 0 {
		st.process.Close()
	}
	return st.process
}

func (t *trial) close() {
	for _, st := range t.tests {
		if st.process != nil {
			st.process.Close()
		}
	}
}

// standing is what a test is good for against this mutant.
type standing struct {
	*based
	usable  bool
	known   map[int]bool // sites that differ with nothing negated
	covered outcome.Bits // on base or on head

	process  *execute.Session // nil before the first command
	answered int              // commands
}

func (st *standing) masked(site int) bool { return st.unstable[site] || st.known[site] }

// hopeless is after how many failed confirmations a mutant is given up, as in
// the engine.
const hopeless = 12

// list is where a variant stands for a test, against this mutant.
type list int

const (
	covered       list = iota // on none: the mutant takes the branch by itself
	universalList             // no test takes the branch
	uniqueList                // this test does not
	bothList                  // this test takes both branches of the condition
)

func (t *trial) listOf(st *standing, v variant) list {
	switch {
	case v.both:
		return bothList
	case st.covered.Has(int(v.branch)):
		return covered
	case !t.covered.Has(int(v.branch)):
		return universalList
	}
	return uniqueList
}

// run looks for the mutant: with nothing negated, then by the universal list,
// then by the unique one. It ends with the first confirmed difference that the
// engine would report; until then it also takes those that are differences in
// output, as the paper counts them, but not plausible.
func (t *trial) run(ctx context.Context) error {
	defer t.close()
	if err := t.observe(ctx); err != nil {
		return err
	}
	for _, l := range []list{universalList, uniqueList, bothList} {
		// What is in the mutated function comes first.
		for _, near := range []bool{true, false} {
			if done, err := t.negate(ctx, l, near); err != nil || done {
				return err
			}
		}
	}
	return nil
}

// mustRun reports whether head may do something else than base did: it executed
// the mutated function, or what it executed is not known.
func (t *trial) mustRun(base outcome.Result) bool {
	k, marked := t.entry[t.m.ID]
	switch base.Outcome {
	case event.Hung:
		return false // as in the engine: it is no evidence, whatever head does
	case event.Died, event.Exhausted:
		return true
	}
	return t.m.Initial || !marked || base.Entered.Has(k)
}

// observe runs every test on the mutant, unmodified.
func (t *trial) observe(ctx context.Context) error {
	t.covered = append(outcome.Bits(nil), t.ground.suite...)
	for _, b := range t.ground.tests {
		st := &standing{based: b, usable: true, known: map[int]bool{}, covered: b.covered}
		t.tests = append(t.tests, st)
		if t.mustRun(b.plain) {
			if err := t.observeOne(ctx, st); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *trial) observeOne(ctx context.Context, st *standing) error {
	h, err := st.session(t.head).Do(ctx, execute.Command{Fuel: unlimited})
	if err != nil {
		return err
	}
	d := diff.Compare(st.plain, h, st.masked, unlimited)
	if d.Any() && !t.found.Observed {
		t.found.Observed, err = t.confirm(ctx, st, nil, unlimited)
		if err != nil {
			return err
		}
	}
	for _, site := range d.Sites {
		st.known[site] = true
	}
	st.usable = st.plain.Outcome == h.Outcome
	if st.usable {
		st.covered = append(outcome.Bits(nil), st.covered...)
		st.covered.Union(t.negatable(h.Covered))
		t.covered.Union(st.covered)
	}
	return nil
}

// negate runs the sets of one list on the mutant and reports whether there is no
// need to go on.
func (t *trial) negate(ctx context.Context, l list, near bool) (done bool, err error) {
	for _, st := range t.tests {
		if !st.usable {
			continue
		}
		if done, err := t.negateOne(ctx, st, l, near); err != nil || done {
			return done, err
		}
	}
	return false, nil
}

func (t *trial) negateOne(ctx context.Context, st *standing, l list, near bool) (done bool, err error) {
	for _, v := range st.variants {
		c := t.Program.Conditions[v.branch.Condition()]
		if t.listOf(st, v) != l || (c.Function == t.m.Function) != near {
			continue
		}
		kind, ok := t.matched[c.Index]
		if !ok {
			t.found.Unmatched++
			continue
		}
		if !t.mustRun(v.result) {
			t.found.Pruned++
			continue
		}
		if time.Now().After(t.until) {
			t.found.Cut = true
			return true, nil
		}
		h, err := st.session(t.head).Do(ctx, execute.Command{Negations: []int{c.Index}, Fuel: st.limit})
		if err != nil {
			return false, err
		}
		t.found.Ran++
		plausible := diff.Plausible(v.result, h, kind == isomorph.Strict)
		if t.found.by(l) && !plausible || !diff.Compare(v.result, h, st.masked, st.limit).Any() {
			continue
		}
		ok, err = t.confirm(ctx, st, []int{c.Index}, st.limit)
		switch {
		case err != nil:
			return false, err
		case !ok:
			if t.gaveUp++; t.gaveUp >= hopeless {
				return true, nil
			}
		case plausible:
			t.found.report(l)
			t.found.By = fmt.Sprintf("%s, negated %q", st.name, c.ID)
			fallthrough
		default:
			t.found.detect(l)
		}
		if t.found.reported(l) {
			return true, nil
		}
	}
	return false, nil
}

// confirm runs a difference again, in five fresh processes on both sides, first
// with nothing negated: it counts only if it is the same each time.
func (t *trial) confirm(ctx context.Context, st *standing, negations []int, limit int64) (bool, error) {
	var results [2][]outcome.Result
	for range repetitions {
		var plain, forced [2]outcome.Result
		for side, lab := range []*execute.Lab{t.base, t.head} {
			s := st.based.session(lab)
			var err error
			if len(negations) > 0 {
				plain[side], err = s.Do(ctx, execute.Command{Fuel: unlimited})
			}
			if err == nil {
				forced[side], err = s.Do(ctx, execute.Command{Negations: negations, Fuel: limit})
			}
			s.Close()
			if err != nil {
				return false, err
			}
			results[side] = append(results[side], forced[side])
		}
		calm := len(negations) == 0 || !diff.Compare(plain[0], plain[1], st.masked, unlimited).Any()
		if !calm || !diff.Compare(forced[0], forced[1], st.masked, limit).Any() {
			return false, nil
		}
	}
	moving := map[int]bool{}
	for _, runs := range results {
		sites, moves := diff.Unstable(runs)
		if moves {
			return false, nil
		}
		for _, s := range sites {
			moving[s] = true
		}
	}
	masked := func(site int) bool { return moving[site] || st.masked(site) }
	return diff.Compare(results[0][0], results[1][0], masked, limit).Any(), nil
}
