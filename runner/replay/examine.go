package replay

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"golang.org/x/sync/errgroup"

	"github.com/isodelta/isodelta/diff"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/probe"
	"github.com/isodelta/isodelta/runner/replay/harness"
)

// Difference is a confirmed difference between two versions on one program.
type Difference struct {
	Op        string // name of the operation that shows it, as in Δ
	Exported  bool
	Program   harness.Program
	Place     harness.Place
	Kind      string // as package diff has them
	Component string // in words
	Base      Shown
	Head      Shown
	// Code is the program as Go, as base writes it; the views are what each
	// version shows at the place. NoCode says why there is none.
	Code                 harness.Code
	BaseViews, HeadViews harness.Views
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
	perSpot      = 2  // sightings tried before a spot is given up
	mostUnstable = 4  // spots of one operation that do not repeat, before it is left alone
	mostFailed   = 16 // spots that do not repeat, in one examination
	perOperation = 4  // differences confirmed of one operation
)

// Examine confirms what was sighted since the last time: the simplest sighting
// of each spot is shrunk and run again in fresh processes. more says whether
// there is time.
func (c *Campaign) Examine(ctx context.Context, repetitions int, more func() bool) (Examination, error) {
	var out Examination
	order := slices.Clone(c.order)
	slices.SortStableFunc(order, func(a, b Spot) int {
		return cmp.Or(cmp.Compare(c.urgency(a), c.urgency(b)), cmp.Compare(a.Component, b.Component))
	})
	for _, at := range order {
		st := c.spots[at]
		if st.settled || c.unstable[at.Op] || len(st.sightings) == st.looked {
			continue
		}
		switch {
		case !c.exported(at.Op):
			out.Unexported++
			st.settled = true
			continue
		case c.perOp[c.culprit(st.sightings[0].Program[:st.sightings[0].Step+1])] >= perOperation || out.Unconfirmed >= mostFailed || !more():
			out.Left++
			continue
		}
		d, verdict, err := c.examineSpot(ctx, at, st, repetitions)
		if err != nil {
			return out, err
		}
		switch verdict {
		case confirmed:
			// A weak difference must not hide a stronger one.
			st.settled = weak(d.Kind) == 0 || st.weak
			st.weak = true
			st.looked = len(st.sightings)
			c.perOp[c.culprit(d.Program)]++
			out.Found = append(out.Found, d)
		case implausible:
			out.Implausible++
			st.looked = len(st.sightings)
		default:
			out.Unconfirmed++
			st.looked = len(st.sightings)
			if c.failures[at.Op]++; c.failures[at.Op] >= mostUnstable {
				c.unstable[at.Op] = true // varies by itself, or hangs on what ran before
			}
		}
	}
	return out, nil
}

// urgency orders spots: operations of Δ first, then how calls end and what
// they return, then the rest.
func (c *Campaign) urgency(s Spot) int {
	u := 4 - int(c.setup.Roles[s.Op])
	if s.After {
		u += 8
	}
	return u
}

func (c *Campaign) exported(op int) bool {
	o, ok := c.op(op)
	return ok && o.Exported
}

func (c *Campaign) op(i int) (Op, bool) {
	i -= harness.Builtins
	if i < 0 || i >= len(c.API.Ops) {
		return Op{Exported: true}, true // a builtin
	}
	return c.API.Ops[i], true
}

type verdict int

const (
	unconfirmed verdict = iota
	confirmed
	implausible
)

// examineSpot confirms the most telling sighting.
func (c *Campaign) examineSpot(ctx context.Context, at Spot, st *spotState, repetitions int) (Difference, verdict, error) {
	list, silly := st.sightings, 0
	if crashes(at) {
		list = slices.DeleteFunc(slices.Clone(list), func(s Sighting) bool { return nilArguments(s.Program) })
		silly = len(st.sightings) - len(list)
	}
	ranked, err := c.rank(ctx, at, list)
	if err != nil {
		return Difference{}, unconfirmed, err
	}
	for _, s := range ranked[:min(len(ranked), perSpot)] {
		d, ok, err := c.confirm(ctx, at, s.Sighting, s.kind, repetitions)
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
	kind string
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
		d, ok, err := c.told(ctx, b, at, s.Program[:s.Step+1])
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
func weak(kind string) int {
	switch kind {
	case diff.KindNilEmpty:
		return 1
	case diff.KindErrorText:
		return 2
	}
	return 0
}

func crashes(at Spot) bool { return at.Component < 0 && !at.After }

// nilArguments says whether a program gives nil where a value is expected.
// Whether that crashes is hardly ever part of what a function promises.
func nilArguments(p harness.Program) bool {
	for _, s := range p {
		for _, a := range s.Args {
			if a.Form == harness.Zero {
				return true
			}
		}
	}
	return false
}

// bench is a pair of fresh processes.
type bench struct {
	sides    [2]*side
	describe bool // programs are wanted as Go source too
}

// muchFuel is what calls get where one version did not come to an end: only if
// it still does not is that a difference. A version that needs a few times the
// work of the other is not wrong.
const muchFuel = 8_000_000

func (c *Campaign) bench(ctx context.Context, at Spot) (*bench, error) {
	b := &bench{}
	fuel := int64(0)
	if at.Base == probe.Exhausted || at.Head == probe.Exhausted {
		fuel = muchFuel
	}
	var g errgroup.Group
	for i, t := range []execute.Target{c.Base, c.Head} {
		setup := harness.Setup{Seed: c.setup.Seed, Fuel: fuel}
		b.sides[i] = newSide(c.Lab, t, &setup)
		g.Go(func() error { return b.sides[i].open(ctx, nil) })
	}
	err := g.Wait()
	if err != nil {
		b.close()
	}
	return b, err
}

func (b *bench) close() {
	for _, s := range b.sides {
		if s != nil {
			s.close()
		}
	}
}

// run runs programs on both versions and says which still differ at the spot,
// and where.
func (b *bench) run(ctx context.Context, at Spot, list []harness.Program) ([]harness.Place, []bool, error) {
	var payload []byte
	for _, p := range list {
		payload = p.Encode(payload)
	}
	var ran [2][]harness.Executed
	var errs [2]error
	both(func(i int) { ran[i], errs[i] = b.sides[i].batch(ctx, harness.FrameFollow, payload) })
	places, differ := make([]harness.Place, len(list)), make([]bool, len(list))
	for _, err := range errs {
		if err != nil {
			return places, differ, err
		}
	}
	for i := range list {
		if i < len(ran[0]) && i < len(ran[1]) && !ran[0][i].Invalid && !ran[1][i].Invalid {
			places[i], differ[i] = locate(at, list[i], ran[0][i].Trace(), ran[1][i].Trace())
		}
	}
	return places, differ, nil
}

// locate finds the spot in what a program did.
func locate(at Spot, p harness.Program, b, h harness.Trace) (harness.Place, bool) {
	for k := range min(len(b.Steps), len(h.Steps)) {
		bs, hs := b.Steps[k], h.Steps[k]
		if bs.Ending != hs.Ending {
			return harness.Place{Kind: harness.AtEnding, Step: k},
				crashes(at) && p[k].Op == at.Op && bs.Ending == at.Base && hs.Ending == at.Head
		}
		any := false
		for i := range min(len(bs.Components), len(hs.Components)) {
			if bs.Components[i].Visible != hs.Components[i].Visible {
				any = true
				if !at.After && p[k].Op == at.Op && i == at.Component {
					return harness.Place{Kind: harness.AtComponent, Step: k, Index: i}, true
				}
			}
		}
		if any {
			return harness.Place{}, false
		}
	}
	for i := range min(len(b.After), len(h.After)) {
		if b.After[i].Visible != h.After[i].Visible {
			// Whichever call came last: it need not be the one to blame.
			return harness.Place{Kind: harness.AtAfter, Index: i, Step: len(p) - 1}, at.After
		}
	}
	return harness.Place{}, false
}

// Again runs a recorded program in fresh processes: what differs first, and in
// how many of the repetitions it was the same on each version.
func (c *Campaign) Again(ctx context.Context, p harness.Program, repetitions int) (d Difference, same int, err error) {
	at, ok, err := c.spot(ctx, p)
	if err != nil || !ok {
		return d, 0, err
	}
	for range repetitions {
		now, ok, err := c.once(ctx, at, p)
		if err != nil {
			return d, same, err
		}
		if same == 0 {
			d = now
		}
		if ok && now.Base == d.Base && now.Head == d.Head {
			same++
		}
	}
	return d, same, nil
}

// Try runs a program from elsewhere alone, and confirms and shrinks it if it
// differs at a spot that is not known yet.
func (c *Campaign) Try(ctx context.Context, p harness.Program, repetitions int) (Examination, error) {
	var out Examination
	at, ok, err := c.spot(ctx, p)
	if err != nil || !ok {
		return out, gone(err)
	}
	if st := c.spots[at]; st != nil && st.settled {
		out.Known = true
		return out, nil
	}
	c.sight(at, Sighting{Program: p, Step: len(p) - 1})
	st := c.spots[at]
	d, v, err := c.examineSpot(ctx, at, st, repetitions)
	if err != nil {
		return out, err
	}
	switch v {
	case confirmed:
		st.settled = true
		c.perOp[c.culprit(d.Program)]++
		out.Found = append(out.Found, d)
	case implausible:
		out.Implausible++
	default:
		out.Unconfirmed++
	}
	return out, nil
}

// spot finds where a program differs.
func (c *Campaign) spot(ctx context.Context, p harness.Program) (Spot, bool, error) {
	b, err := c.bench(ctx, Spot{})
	if err != nil {
		return Spot{}, false, err
	}
	defer b.close()
	var ran [2][]harness.Executed
	var errs [2]error
	both(func(i int) { ran[i], errs[i] = b.sides[i].batch(ctx, harness.FrameFollow, p.Encode(nil)) })
	for i, err := range errs {
		if err != nil {
			return Spot{}, false, err
		}
		if len(ran[i]) != 1 || ran[i][0].Invalid {
			return Spot{}, false, fmt.Errorf("the recorded program cannot be run any more")
		}
	}
	var at Spot
	found := false
	differences(p, ran[0][0].Trace(), ran[1][0].Trace(), c.culprit(p), func(s Spot, _ Sighting) {
		if !found {
			at, found = s, true
		}
	})
	return at, found, nil
}

const shrinkBudget = 1200 // candidates

// confirm shrinks one sighting, which must not become a weaker one, and repeats
// it in fresh processes.
func (c *Campaign) confirm(ctx context.Context, at Spot, s Sighting, kind string, repetitions int) (Difference, bool, error) {
	b, err := c.bench(ctx, at)
	if err != nil {
		return Difference{}, false, gone(err)
	}
	defer func() { b.close() }()
	still := func(ctx context.Context, p harness.Program) (bool, error) {
		if crashes(at) && nilArguments(p) {
			return false, nil
		}
		d, ok, err := c.told(ctx, b, at, p)
		if _, dead := ended(err); dead {
			b.close()
			b, err = c.bench(ctx, at)
			return false, err
		}
		return ok && weak(d.Kind) <= weak(kind), err
	}
	p := s.Program[:s.Step+1]
	if plainer, err := c.inlined(ctx, b, p); err != nil {
		return Difference{}, false, gone(err)
	} else if ok, err := still(ctx, plainer); err == nil && ok {
		p = plainer
	}
	p, err = Shrink(ctx, p, shrinkBudget, func(ctx context.Context, list []harness.Program) ([]bool, error) {
		_, out, err := b.run(ctx, at, list)
		if _, dead := ended(err); dead {
			b.close()
			if b, err = c.bench(ctx, at); err != nil {
				return nil, err
			}
			for i := range out {
				out[i] = true // which of them it was shows one by one
			}
		}
		if err != nil {
			return nil, err
		}
		for i := range out {
			if out[i] {
				if out[i], err = still(ctx, list[i]); err != nil {
					return nil, err
				}
			}
		}
		return out, nil
	})
	if err != nil {
		return Difference{}, false, gone(err)
	}
	return c.repeat(ctx, at, p, repetitions)
}

// inlined writes numbers, texts and truth values that calls gave, on base, in
// the place of references to them: then the calls need not be there.
func (c *Campaign) inlined(ctx context.Context, b *bench, p harness.Program) (harness.Program, error) {
	a, err := b.sides[0].explain(ctx, p, nil)
	if err != nil {
		return p, err
	}
	q := p.Clone()
	q.Walk(func(_ int, l *harness.Lit) {
		if l.Form != harness.Ref || l.N < 0 || int(l.N) >= len(a.Steps) || l.U < 0 || l.U >= len(a.Steps[l.N].Components) {
			return
		}
		v := a.Steps[l.N].Components[l.U]
		if v.Result != l.U {
			return
		}
		if lit, ok := basicLit(v); ok {
			*l = lit
		}
	})
	return q, nil
}

// basicLit reads a rendered value of a basic type.
func basicLit(v harness.ValueAnswer) (harness.Lit, bool) {
	switch v.Type {
	case "bool":
		l := harness.Lit{Form: harness.Bool}
		if v.Text == "true" {
			l.N = 1
		}
		return l, true
	case "int", "int8", "int16", "int32", "int64":
		n, err := strconv.ParseInt(v.Text, 10, 64)
		return harness.Lit{Form: harness.Int, N: n}, err == nil
	case "uint", "uint8", "uint16", "uint32", "uint64":
		n, err := strconv.ParseUint(v.Text, 10, 64)
		return harness.Lit{Form: harness.Uint, N: int64(n)}, err == nil
	case "string":
		s, err := strconv.Unquote(v.Text)
		return harness.Lit{Form: harness.Text, S: s}, err == nil
	}
	return harness.Lit{}, false
}

// gone forgets an error that is only a process's end.
func gone(err error) error {
	if _, ok := ended(err); ok {
		return nil
	}
	return err
}

// repeat runs a program alone in fresh processes, and tells what differs if it
// is the same each time.
func (c *Campaign) repeat(ctx context.Context, at Spot, p harness.Program, repetitions int) (Difference, bool, error) {
	var d Difference
	for n := range repetitions {
		now, ok, err := c.once(ctx, at, p)
		if err != nil || !ok {
			return d, false, err
		}
		if n > 0 && (now.Base != d.Base || now.Head != d.Head) {
			return d, false, nil
		}
		d = now
	}
	return d, true, nil
}

func (c *Campaign) once(ctx context.Context, at Spot, p harness.Program) (Difference, bool, error) {
	b, err := c.bench(ctx, at)
	if err != nil {
		return Difference{}, false, gone(err)
	}
	defer b.close()
	b.describe = true
	d, ok, err := c.told(ctx, b, at, p)
	return d, ok, gone(err)
}

// told runs a program in detail on a bench and tells what differs at the spot.
func (c *Campaign) told(ctx context.Context, b *bench, at Spot, p harness.Program) (Difference, bool, error) {
	places, differ, err := b.run(ctx, at, []harness.Program{p})
	if err != nil || !differ[0] {
		return Difference{}, false, err
	}
	var answers [2]harness.Answer
	var errs [2]error
	var place *harness.Place
	if b.describe {
		place = &places[0]
	}
	both(func(i int) { answers[i], errs[i] = b.sides[i].explain(ctx, p, place) })
	for _, err := range errs {
		if err != nil {
			return Difference{}, false, err
		}
	}
	culprit := at.Op
	if at.After {
		culprit = c.culprit(p)
	}
	o, _ := c.op(culprit)
	d := Difference{Op: c.Ops[culprit], Exported: o.Exported, Program: p, Place: places[0]}
	var values [2]harness.ValueAnswer
	for i, a := range answers {
		shown := &d.Base
		if i == 1 {
			shown = &d.Head
		}
		v, ok := shownAt(a, places[0], shown)
		if !ok || crashes(at) && givesNil(a, places[0].Step) {
			return d, false, nil
		}
		values[i] = v
		for _, e := range a.Entered {
			if !slices.Contains(d.Entered, e) {
				d.Entered = append(d.Entered, e)
			}
		}
	}
	slices.Sort(d.Entered)
	d.Code, d.BaseViews, d.HeadViews = answers[0].Code, answers[0].Views, answers[1].Views
	d.Branches = [2][]int{answers[0].Branches, answers[1].Branches}
	d.NoCode = cmp.Or(answers[0].NoCode, answers[1].NoCode)
	d.tell(values[0], values[1])
	return d, true, nil
}

// culprit is the call of a program that shows the change most directly.
func (c *Campaign) culprit(p harness.Program) int {
	best := p[len(p)-1].Op
	for _, s := range p {
		if c.setup.Roles[s.Op] >= c.setup.Roles[best] && s.Op >= harness.Builtins {
			best = s.Op
		}
	}
	return best
}

// givesNil says that a call was given nil, as a failed constructor gives it.
// Whether that crashes is hardly ever part of what a function promises.
func givesNil(a harness.Answer, step int) bool {
	return step < len(a.Steps) && a.Steps[step].NilArgs
}

// shownAt takes what an answer says of a place.
func shownAt(a harness.Answer, at harness.Place, s *Shown) (harness.ValueAnswer, bool) {
	var v harness.ValueAnswer
	switch at.Kind {
	case harness.AtAfter:
		if at.Index >= len(a.After) {
			return v, false
		}
		v = a.After[at.Index]
	default:
		if at.Step >= len(a.Steps) {
			return v, false
		}
		st := a.Steps[at.Step]
		s.Ending, s.Message = probe.Ending(st.Ending), st.Message
		if at.Kind == harness.AtEnding {
			if len(st.Components) > 0 {
				v = st.Components[0]
				for _, c := range st.Components[1:] {
					if c.Result < 0 {
						break
					}
					v.Text += ", " + c.Text
				}
			}
			v.Name = "panic"
			break
		}
		if at.Index >= len(st.Components) {
			return v, false
		}
		v = st.Components[at.Index]
	}
	s.Text = v.Text
	return v, true
}

// tell names the component and the kind of the difference.
func (d *Difference) tell(base, head harness.ValueAnswer) {
	d.Component = base.Name
	switch {
	case d.Place.Kind == harness.AtEnding && d.Head.Ending != probe.Returned:
		d.Kind = diff.KindPanic
		if d.Base.Ending != probe.Returned {
			d.Kind = diff.KindErrorText
		}
	case d.Place.Kind == harness.AtEnding:
		d.Kind = diff.KindErrorToValue
	default:
		d.Kind = diff.ValueKind(text(base), text(head))
	}
}

func text(v harness.ValueAnswer) execute.Text {
	t := execute.Text{Category: 'v', Value: v.Text}
	if v.Category != "" {
		t.Category = v.Category[0]
	}
	return t
}
