package calls

import (
	"cmp"
	"context"
	"slices"

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
	Base      Shown
	Head      Shown
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
	Message string // of a panic
	Text    string // of the component
}

// Examination says what became of the sightings.
type Examination struct {
	Found       []Difference
	Unconfirmed int // did not repeat in fresh processes
	Left        int // spots not looked into
	Unexported  int // spots of unexported operations, which are not looked into
	Implausible int // a crash on arguments that nobody would give
	// Known says that what was tried differs at a spot that is known already.
	Known bool
}

const (
	perSpot      = 2 // sightings tried before a spot is given up
	maxUnstable  = 4 // spots of one operation that do not repeat, before it is left alone
	maxFailed    = 6 // spots in a row that do not repeat, before all others are left
	perOperation = 4 // differences confirmed of one operation
)

// Examine confirms what was sighted since the last time: the simplest sighting
// of each spot is shrunk and run again in fresh processes. more reports whether
// there is time.
func (c *Campaign) Examine(ctx context.Context, repetitions int, more func() bool) (Examination, error) {
	var out Examination
	order := slices.Clone(c.order)
	slices.SortStableFunc(order, func(a, b Spot) int {
		return cmp.Or(cmp.Compare(c.urgency(a), c.urgency(b)), cmp.Compare(a.Component, b.Component))
	})
	for _, at := range order {
		st := c.spots[at]
		if st.settled || c.unstable[at.Op] || len(st.sightings) == st.looked { // nothing new
			continue
		}
		switch {
		case !c.API.Op(at.Op).Exported:
			out.Unexported++
			st.settled = true
			continue
		case c.perOp[c.culprit(st.sightings[0].Sequence[:st.sightings[0].Step+1])] >= perOperation || c.astray >= maxFailed || !more():
			out.Left++
			continue
		}
		d, verdict, err := c.examineSpot(ctx, at, st, repetitions, more)
		if err != nil {
			return out, err
		}
		switch verdict {
		case confirmed:
			c.astray = 0
			// A weak difference must not hide a stronger one.
			st.settled = weak(d.Kind) == 0 || st.weak
			st.weak = true
			st.looked = len(st.sightings)
			c.perOp[c.culprit(d.Sequence)]++
			out.Found = append(out.Found, d)
		case implausible:
			out.Implausible++
			st.looked = len(st.sightings)
		default:
			out.Unconfirmed++
			st.looked = len(st.sightings)
			c.astray++
			if c.failures[at.Op]++; c.failures[at.Op] >= maxUnstable {
				c.unstable[at.Op] = true // varies by itself, or hangs on what ran before
			}
		}
	}
	if c.astray >= maxFailed {
		// What one version keeps from earlier sequences has parted from what the
		// other keeps: the rest is hardly better. What is real is seen again.
		for _, st := range c.spots {
			if !st.settled {
				st.sightings, st.looked = nil, 0
			}
		}
		c.astray = 0
	}
	return out, nil
}

// urgency orders spots: operations of Δ first, and of each kind first how calls
// end and what they return, then what is different afterwards.
func (c *Campaign) urgency(s Spot) int {
	u := 2 * (4 - int(c.setup.Roles[s.Op]))
	if s.After {
		u++
	}
	return u
}

type verdict int

const (
	unconfirmed verdict = iota
	confirmed
	implausible
)

// examineSpot confirms the most telling sighting.
func (c *Campaign) examineSpot(ctx context.Context, at Spot, st *spotState, repetitions int, more func() bool) (Difference, verdict, error) {
	list, silly := st.sightings, 0
	if crashes(at) {
		list = slices.DeleteFunc(slices.Clone(list), func(s Sighting) bool { return nilArguments(s.Sequence) })
		silly = len(st.sightings) - len(list)
	}
	ranked, err := c.rank(ctx, at, list)
	if err != nil {
		return Difference{}, unconfirmed, err
	}
	for _, s := range ranked[:min(len(ranked), perSpot)] {
		d, ok, err := c.confirm(ctx, at, s.Sighting, s.kind, repetitions, more)
		if err != nil {
			return d, unconfirmed, err
		}
		if ok {
			return d, confirmed, nil
		}
	}
	if len(list) == 0 && silly > 0 {
		return Difference{}, implausible, nil
	}
	return Difference{}, unconfirmed, nil
}

// rankedSighting is a sighting that differs in fresh processes too, with the
// kind of the difference.
type rankedSighting struct {
	Sighting
	kind event.Kind
}

// rank runs sightings in one pair of fresh processes and puts the most telling
// first; what does not differ there is left out.
func (c *Campaign) rank(ctx context.Context, at Spot, list []Sighting) ([]rankedSighting, error) {
	var out []rankedSighting
	b, err := c.bench(ctx, at)
	if err != nil {
		return nil, gone(err)
	}
	defer func() { b.close() }()
	for _, s := range list {
		d, ok, err := c.told(ctx, b, at, s.Sequence[:s.Step+1])
		if _, dead := ended(err); dead {
			b.close()
			if b, err = c.bench(ctx, at); err != nil {
				return out, gone(err)
			}
			continue
		}
		if err != nil {
			return out, err
		}
		if ok {
			out = append(out, rankedSighting{s, d.Kind})
		}
	}
	slices.SortStableFunc(out, func(a, b rankedSighting) int { return cmp.Compare(weak(a.kind), weak(b.kind)) })
	return out, nil
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

func crashes(at Spot) bool { return at.Component < 0 && !at.After }

// nilArguments reports whether a sequence gives nil where a value is expected.
// Whether that crashes is hardly ever part of what a function promises.
func nilArguments(p wire.Sequence) bool {
	for _, s := range p {
		for _, a := range s.Args {
			if a.Form == wire.Zero {
				return true
			}
		}
	}
	return false
}

// tell names the component and the kind of the difference.
func (d *Difference) tell(base, head wire.ValueAnswer) {
	d.Component = base.Name
	switch {
	case d.Place.Kind == wire.AtEnding && d.Head.Ending != probe.Returned:
		d.Kind = event.KindPanic
		if d.Base.Ending != probe.Returned {
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
