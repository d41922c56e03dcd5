package calls

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/diff"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/probe"
)

// Difference is a confirmed difference between two versions on one sequence.
type Difference struct {
	Op        string // name of the operation that shows it, as in Δ
	Exported  bool
	Sequence  wire.Sequence
	Place     wire.Place
	Kind      event.Kind
	Component string // in words
	// Differs are the parts of the value that are not the same, unexported ones too.
	Differs []event.PartDiffers
	// Beside is what the same call shows in an error that one version alone gives; nil for
	// none. The value that comes with it is nothing of its own.
	Beside  *Difference
	errorAt int              // result that is that error, -1 without one
	last    []int            // changed functions that the last call ran by itself, on either version
	of      wire.ValueAnswer // the component, as base has it
	ran     uint32           // see Discrepancy
	// Printed says that the value is the same, and only a method tells of it in another way.
	Printed bool
	// Apart says that it goes another way than what was known to differ there: see ExamineWays.
	Apart bool
	// Example says that it is a further input, as it was found, of what was known to differ there: see ExamineWays.
	Example bool
	// Random says that the calls draw random numbers on both versions.
	Random bool
	// Sends says that the calls send something to other machines: what comes of that hangs on where they are made.
	Sends bool
	// AfterError says that an earlier call on the same receiver gives an error on both versions.
	AfterError bool
	// BesideError says that what differs is a result, or an argument, of a call that also gives an error, on both versions.
	BesideError bool
	Base        Shown
	Head        Shown
	// Code is the sequence as Go, as base writes it; the views are what each
	// version shows at the place. NoCode says why there is none.
	Code                 wire.Code
	BaseViews, HeadViews wire.Views
	NoCode               string
	// Branches taken on base and on head, as package probe numbers them.
	Branches [2][]int
	Entered  []int // changed functions that ran, on either version
}

// Shown is what one version showed at the place.
type Shown struct {
	Ending  probe.Ending
	Message string      // of a panic
	At      probe.Frame // where it panicked
	Text    string      // of the component
	// Exits says that the call asked for the end of the process, and the component is of what
	// it did until then.
	Exits bool
}

// Examination says what became of the witnesses.
type Examination struct {
	Found       []Difference
	Unconfirmed int // did not repeat in fresh processes
	Unexported  int // discrepancies of unexported operations, which are not looked into
	Implausible int // a crash on arguments that nobody would give
	// Known says that what was tried differs at a discrepancy that is known already.
	Known bool
}

const (
	perDiscrepancy = 5 // witnesses tried before a discrepancy is given up
	maxVaried      = 2 // of those tried that are not the same each time, before a discrepancy is given up
	maxUnstable    = 4 // discrepancies of one operation that do not repeat, before it is left alone
	maxFailed      = 6 // discrepancies in a row that do not repeat, before all others are left
	perSpotOfOne   = 2 // of them at one component, of different changed functions
)

// Pending reports whether there is something to examine.
func (c *Search) Pending() bool {
	return slices.ContainsFunc(c.order, func(at Discrepancy) bool {
		return c.open(at) && c.concerns(at)
	})
}

// Left counts the discrepancies that were observed and that nothing was made of so far.
func (c *Search) Left() int {
	n := 0
	for _, at := range c.order {
		if c.concerns(at) && !c.unstable[at.Op] && (c.open(at) || c.discrepancies[at].forgotten) {
			n++
		}
	}
	return n
}

// concerns reports whether a discrepancy is one of what callers of the package can see.
func (c *Search) concerns(at Discrepancy) bool {
	op := c.API.Op(at.Op)
	return c.outward(at.Op) && !op.OfTest && !op.Seam
}

// outward reports whether what an operation shows is for others to see. Of what is handed to
// them in a table, and of what tests alone call, that is what has to do with the change.
func (c *Search) outward(n wire.Op) bool {
	op := c.API.Op(n)
	return c.widened[n] || op.Exported && (!op.Handed || c.setup.Roles[n] >= wire.Caller)
}

// open reports whether something was observed at a discrepancy since the last time.
func (c *Search) open(at Discrepancy) bool {
	st := c.discrepancies[at]
	return !st.settled && !c.unstable[at.Op] && len(st.witnesses) != st.looked
}

// Glance is Examine for the first difference that is confirmed.
func (c *Search) Glance(ctx context.Context, repetitions int, more func() bool) (Examination, error) {
	return c.examine(ctx, repetitions, 1, more)
}

// Examine confirms what was observed since the last time: the simplest witness
// of each discrepancy is shrunk and run again in fresh processes. more reports whether
// there is time.
func (c *Search) Examine(ctx context.Context, repetitions int, more func() bool) (Examination, error) {
	return c.examine(ctx, repetitions, math.MaxInt, more)
}

func (c *Search) examine(ctx context.Context, repetitions, wanted int, more func() bool) (Examination, error) {
	var out Examination
	b := c.newBench(ctx, Discrepancy{})
	defer b.close()
	for _, at := range c.inOrder() {
		st := c.discrepancies[at]
		if op := c.API.Op(at.Op); !c.open(at) || op.OfTest || op.Seam {
			continue
		}
		if len(out.Found) >= wanted {
			break
		}
		switch {
		case !c.outward(at.Op):
			out.Unexported++
			st.settled = true
			continue
		case c.perSpot[at.spot] >= c.several(perSpotOfOne), c.perSpot[at.spot] > 0 && at.Ran == parted:
			st.settled = true
			continue
		case c.perOp[c.doneBy(at, st.witnesses[0].Sequence[:st.witnesses[0].Step+1])] >= c.several(mostOfHarm[at.harm()]) || c.failedInARow >= maxFailed || !more():
			continue
		}
		if st.nilGiven && !c.anyWithoutNil(st.witnesses) {
			st.looked = len(st.witnesses)
			continue
		}
		d, result, err := c.examineOne(ctx, b, at, st, repetitions, more)
		if err != nil {
			return out, err
		}
		switch result {
		case late:
			continue
		case slow:
			st.looked, st.forgotten = len(st.witnesses), true
			continue
		}
		st.forgotten = false
		switch result {
		case confirmed:
			c.failedInARow = 0
			// A weak difference must not hide a stronger one, nor calls that nobody makes
			// others that somebody may.
			little := d.weakness() > 0
			st.nilGiven = !st.weak && !little && c.nilGiven(d.Sequence)
			st.settled = (!little || st.weak) && !st.nilGiven
			st.weak = true
			st.looked = len(st.witnesses)
			if _, err := c.take(ctx, at, d, repetitions, &out); err != nil {
				return out, err
			}
		case implausible:
			out.Implausible++
			st.looked = len(st.witnesses)
		case explained:
			st.settled = true
		case alike:
			st.looked = len(st.witnesses)
		default:
			out.Unconfirmed++
			st.looked = len(st.witnesses)
			c.failedInARow++
			if !c.failedAt[at.spot] || result == varying {
				c.failures[at.Op]++
			}
			c.failedAt[at.spot] = true
			if c.failures[at.Op] >= maxUnstable {
				c.unstable[at.Op] = true // varies by itself, or hangs on what ran before
			}
		}
	}
	if c.failedInARow >= maxFailed {
		// What one version keeps from earlier sequences has parted from what the
		// other keeps: the rest is hardly better. What is real is seen again.
		for _, st := range c.discrepancies {
			if !st.settled {
				st.forgotten = st.forgotten || len(st.witnesses) != st.looked
				st.witnesses, st.looked = nil, 0
			}
		}
		c.failedInARow = 0
	}
	return out, nil
}

// take books a confirmed difference, as one of the method that says what is printed if it is of that, and adds it
// to an examination. It reports false where such a one is known already.
func (c *Search) take(ctx context.Context, at Discrepancy, d Difference, repetitions int, to *Examination) (bool, error) {
	if d.Printed {
		said, place, ok, err := c.asSaid(ctx, d, repetitions)
		if err != nil {
			return false, err
		}
		if ok {
			st := c.stateOf(place)
			st.settled, st.weak = true, true
			if c.perSpot[place.spot] >= c.several(perSpotOfOne) {
				return false, nil
			}
			at, d = place, said
		}
	}
	c.perOp[c.doneBy(at, d.Sequence)]++
	c.perSpot[at.spot]++
	c.know(at, d)
	to.Found = append(to.Found, d)
	if d.Beside != nil {
		to.Found = append(to.Found, *d.Beside)
	}
	c.differing = append(c.differing, d.Sequence.Encode(nil))
	return true, nil
}

// inOrder returns the discrepancies, those to be examined first first.
func (c *Search) inOrder() []Discrepancy {
	order := slices.Clone(c.order)
	slices.SortStableFunc(order, func(a, b Discrepancy) int {
		return cmp.Or(cmp.Compare(c.urgency(a), c.urgency(b)), cmp.Compare(b.harm(), a.harm()), cmp.Compare(a.Component, b.Component))
	})
	return order
}

// know books a difference that was confirmed: with what ran at last, too, for shrinking may
// have left out some of it.
func (c *Search) know(at Discrepancy, d Difference) {
	c.known[at.spot] = append(c.known[at.spot], c.wayOf(d))
	smaller := Discrepancy{at.spot, d.ran}
	if smaller == at {
		return
	}
	st := c.stateOf(smaller)
	st.settled, st.weak = st.settled || d.weakness() == 0 || st.weak, true
}

// settledAt reports whether a discrepancy is known.
func (c *Search) settledAt(at Discrepancy) bool {
	st := c.discrepancies[at]
	return st != nil && st.settled
}

// urgency orders discrepancies: operations of Δ first, and of each kind first how calls
// end and what they return, then what is different afterwards.
func (c *Search) urgency(s Discrepancy) int {
	u := 2 * (4 - int(c.setup.Roles[s.Op]))
	if s.After {
		u++
	}
	return u
}

// harm is what head does at a spot that base does not.
type harm uint8

const (
	differs harm = iota // it gives another value, or none that base has failed to give
	fails               // it gives an error
	breaks              // it does not return
	harms
)

// mostOfHarm bounds the differences that are confirmed of one operation, by what head does: what is meant is mostly met first,
// and must not hide that head fails elsewhere.
var mostOfHarm = [harms]int{differs: 4, fails: 3, breaks: 3}

// several is a bound on differences, twice as high where there are several effects.
func (c *Search) several(most int) int {
	if c.Several {
		return 2 * most
	}
	return most
}

func (s spot) harm() harm {
	switch {
	case s.Base == probe.Returned && s.Head != probe.Returned:
		return breaks
	case s.Fails == headFails:
		return fails
	}
	return differs
}

// doing is an operation that shows the change, and what head does there.
type doing struct {
	op   wire.Op
	harm harm
}

// doneBy returns what a sequence does at a discrepancy.
func (c *Search) doneBy(at Discrepancy, p wire.Sequence) doing { return doing{c.culprit(p), at.harm()} }

// examination is what examining a discrepancy came to.
type examination int

const (
	unconfirmed examination = iota
	varying                 // not the same in fresh processes, each time
	confirmed
	implausible
	explained // by a difference that is known
	late      // there was no time to find out
	slow      // the same, for each time it takes seconds
	alike     // both versions end in the same way, or neither; or print the value otherwise, which is known
)

// examineOne confirms the most telling witness on a bench. What comes to nothing where others have left
// something behind is examined once more without that.
func (c *Search) examineOne(ctx context.Context, b *bench, at Discrepancy, st *discrepancyState, repetitions int, more func() bool) (Difference, examination, error) {
	list := st.witnesses
	if crashes(at) || st.nilGiven {
		list = slices.DeleteFunc(slices.Clone(list), func(s Witness) bool { return c.nilGiven(s.Sequence) })
	}
	onlyNil := len(list) == 0 && len(st.witnesses) > 0
	switch {
	case onlyNil && (st.nilGiven || died(at)):
		return Difference{}, implausible, nil
	case onlyNil:
		list = st.witnesses // a crash may have to do with something else that is given
	case died(at):
		return c.examineDeath(ctx, at, list, 0, repetitions, more)
	}
	if endless(at) {
		b = c.newBench(ctx, at)
		defer b.close()
	}
	before, err := b.started()
	if err != nil {
		return Difference{}, unconfirmed, ignoreEnded(err)
	}
	d, result, err := c.examineOn(ctx, b, at, list, onlyNil, repetitions, more)
	if err == nil && before && (result == unconfirmed || result == implausible) && more() {
		if err := b.renew(); err != nil {
			return d, unconfirmed, ignoreEnded(err)
		}
		return c.examineOn(ctx, b, at, list, onlyNil, repetitions, more)
	}
	return d, result, err
}

// examineOn confirms the most telling of some witnesses on a bench that has a pair.
func (c *Search) examineOn(ctx context.Context, b *bench, at Discrepancy, list []Witness, onlyNil bool, repetitions int, more func() bool) (Difference, examination, error) {
	ranked, dead, told, err := c.rank(ctx, b, at, list, more)
	if err != nil {
		return Difference{}, unconfirmed, err
	}
	if len(ranked) == 0 && !dead && !told && more() {
		// What the witnesses left in the processes may be what it takes.
		if ranked, dead, told, err = c.rank(ctx, b, at, list, more); err != nil {
			return Difference{}, unconfirmed, err
		}
		for i := range ranked {
			ranked[i].again = true
		}
	}
	if len(ranked) == 0 && dead && endless(at) && !onlyNil {
		return c.examineDeath(ctx, deathInstead(at), upToStep(list), wire.MuchFuel, repetitions, more)
	}
	switch {
	case len(ranked) == 0 && len(list) > 0 && !more():
		return Difference{}, late, nil
	case len(ranked) == 0 && told:
		return Difference{}, alike, nil
	case len(ranked) == 0 && onlyNil:
		return Difference{}, implausible, nil
	}
	varied := 0
	for i, s := range ranked[:min(len(ranked), perDiscrepancy)] {
		if i > 0 && !more() {
			return Difference{}, late, nil
		}
		if !s.again && !endless(at) {
			worth, err := c.worthShrinking(ctx, b, at, s, more)
			if errors.Is(err, errLate) {
				return Difference{}, slow, nil
			}
			if err != nil {
				return Difference{}, unconfirmed, ignoreEnded(err)
			}
			if !worth {
				if varied++; varied == maxVaried {
					return Difference{}, varying, nil
				}
				continue
			}
		}
		d, ok, err := c.confirm(ctx, b, at, s.Witness, s.weakness, repetitions, more)
		switch {
		case errors.Is(err, errExplained):
			return d, explained, nil
		case errors.Is(err, errLate):
			return d, slow, nil
		case err != nil:
			return d, unconfirmed, err
		case ok:
			return d, confirmed, nil
		}
	}
	return Difference{}, unconfirmed, nil
}

// upToStep are witnesses without the steps behind the one that differs.
func upToStep(list []Witness) []Witness {
	out := slices.Clone(list)
	for i, w := range out {
		out[i].Sequence = w.Sequence[:w.Step+1]
	}
	return out
}

// rankedWitness is a witness that differs in fresh processes too, with the
// weakness of the difference.
type rankedWitness struct {
	Witness
	weakness   int
	base, head Shown
}

// rank runs witnesses in one pair of processes and puts the most telling
// first; what does not differ there is left out, and so is what more leaves no time
// for: a call that needs much work takes seconds. It reports whether a process ended, and whether values
// are printed otherwise as is known already, which are left out, too.
func (c *Search) rank(ctx context.Context, b *bench, at Discrepancy, list []Witness, more func() bool) (out []rankedWitness, ends, told bool, err error) {
	for _, s := range list {
		if !more() {
			break
		}
		d, ok, err := c.explain(ctx, b.pair, at, s.Sequence[:s.Step+1])
		if _, dead := ended(err); dead {
			ends = true
			if err = b.renew(); err != nil {
				return out, ends, told, ignoreEnded(err)
			}
			continue
		}
		if err != nil {
			return out, ends, told, err
		}
		if ok && c.saidAlready(d) {
			told = true
			continue
		}
		if ok {
			out = append(out, rankedWitness{s, d.weakness(), d.Base, d.Head})
		}
	}
	little := func(w rankedWitness) int {
		if c.nilGiven(w.Sequence) {
			return 2*w.weakness + 1
		}
		return 2 * w.weakness
	}
	slices.SortStableFunc(out, func(a, b rankedWitness) int { return cmp.Compare(little(a), little(b)) })
	return out, ends, told, nil
}

// weak says how little a kind of difference tells.
func weak(kind event.Kind) int {
	switch kind {
	case event.KindNilEmpty:
		return 1
	case event.KindErrorText:
		return 2
	}
	return 0
}

// weakness says how little a difference tells: one that only a method shows is like nil against something empty,
// and so is one of calls that draw random numbers, which no test repeats.
func (d Difference) weakness() int {
	if d.Printed || d.Random {
		return max(weak(d.Kind), weak(event.KindNilEmpty))
	}
	return weak(d.Kind)
}

// anyWithoutNil reports whether the calls of a witness are given no nil.
func (c *Search) anyWithoutNil(list []Witness) bool {
	return slices.ContainsFunc(list, func(w Witness) bool { return !c.nilGiven(w.Sequence) })
}

func crashes(at Discrepancy) bool { return at.Component < 0 && !at.After }

// describe names the component and the kind of the difference.
func (d *Difference) describe(base, head wire.ValueAnswer) {
	d.Component = base.Name
	switch {
	case d.Place.Kind == wire.AtEnding && d.Head.Ending != probe.Returned:
		d.Kind = event.KindPanic
		if strings.HasPrefix(d.Head.Message, wire.FailedTest) {
			d.Kind = event.KindValueToError
		}
		if d.Base.Ending != probe.Returned && (d.Base.Ending == probe.Died || d.Head.Ending != probe.Died) {
			d.Kind = event.KindErrorText
		}
	case d.Place.Kind == wire.AtEnding:
		d.Kind = event.KindErrorToValue
	default:
		d.Kind = diff.ValueKind(text(base), text(head))
	}
}

func text(v wire.ValueAnswer) outcome.Text {
	t := outcome.Text{Category: 'v', Value: v.Text}
	if v.Category != "" {
		t.Category = v.Category[0]
	}
	return t
}
