package calls

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/probe"
)

// A pair is two fresh processes, one of each version.
type pair struct {
	sides    [2]*side
	describe bool // sequences are wanted as Go source too
}

func (c *Search) pair(ctx context.Context, at Discrepancy) (*pair, error) {
	return c.pairMoved(ctx, at, 0)
}

// pairMoved is pair for processes in which new values have other places in memory.
func (c *Search) pairMoved(ctx context.Context, at Discrepancy, by int) (*pair, error) {
	b := &pair{}
	fuel := int64(0)
	if endless(at) {
		fuel = wire.MuchFuel
	}
	var g errgroup.Group
	for i, t := range []execute.Target{c.Base, c.Head} {
		setup := wire.Setup{Seed: c.setup.Seed, Fuel: fuel, Near: c.Near[i], Moved: by}
		b.sides[i] = newSide(c.Lab, t, &setup)
		b.sides[i].patient = true
		g.Go(func() error { return b.sides[i].open(ctx, nil) })
	}
	err := g.Wait()
	if err != nil {
		b.close()
	}
	return b, err
}

// endless reports whether one version did not come to an end.
func endless(at Discrepancy) bool { return at.Base == probe.Exhausted || at.Head == probe.Exhausted }

func (b *pair) close() {
	for _, s := range b.sides {
		if s != nil {
			s.close()
		}
	}
}

// A bench is a pair on which witnesses of many discrepancies are ranked and shrunk, one after
// the other: starting a pair takes longer than hundreds of short calls. What is found is repeated in
// fresh processes in any case.
type bench struct {
	*pair
	fresh func() (*pair, error)
}

// newBench prepares a bench for a discrepancy, and for others that do not differ from it in being endless.
// No process is started yet.
func (c *Search) newBench(ctx context.Context, at Discrepancy) *bench {
	return &bench{fresh: func() (*pair, error) { return c.pair(ctx, at) }}
}

// started reports whether there is a pair, on which others may have left something behind. It starts one where
// there is none, or where what they have left fills one of the processes.
func (b *bench) started() (before bool, err error) {
	if b.pair != nil && !b.sides[0].full && !b.sides[1].full {
		return true, nil
	}
	return false, b.renew()
}

// renew replaces the pair.
func (b *bench) renew() (err error) {
	b.close()
	b.pair, err = b.fresh()
	return err
}

func (b *bench) close() {
	if b.pair != nil {
		b.pair.close()
		b.pair = nil
	}
}

// shows is where a sequence differs at the spot of a discrepancy, if it does, and what ran.
type shows struct {
	at      wire.Place
	differs bool
	ran     uint32 // see Discrepancy
}

// execute runs sequences on both versions.
func (b *pair) execute(ctx context.Context, list []wire.Sequence) (ran [2][]wire.Executed, err error) {
	var payload []byte
	for _, p := range list {
		payload = p.Encode(payload)
	}
	var errs [2]error
	both(func(i int) { ran[i], errs[i] = b.sides[i].batch(ctx, wire.FrameFollow, payload) })
	return ran, cmp.Or(errs[0], errs[1])
}

// run runs sequences on both versions and says which still differ at the spot of the
// discrepancy, whatever ran.
func (b *pair) run(ctx context.Context, at Discrepancy, list []wire.Sequence) ([]shows, error) {
	out := make([]shows, len(list))
	ran, err := b.execute(ctx, list)
	if err != nil {
		return out, err
	}
	for i := range list {
		if i < len(ran[0]) && i < len(ran[1]) && !ran[0][i].Invalid && !ran[1][i].Invalid {
			out[i].at, out[i].differs = locate(at, list[i], ran[0][i].Trace(), ran[1][i].Trace())
			out[i].ran = ranOn(ran[0][i].Ran, ran[1][i].Ran)
		}
	}
	return out, nil
}

// locate finds the discrepancy in what a sequence did.
func locate(at Discrepancy, p wire.Sequence, b, h wire.Trace) (wire.Place, bool) {
	for k := range min(len(b.Steps), len(h.Steps)) {
		bs, hs := b.Steps[k], h.Steps[k]
		if bs.Ending != hs.Ending {
			return wire.Place{Kind: wire.AtEnding, Step: k},
				crashes(at) && p[k].Op == at.Op && bs.Ending == at.Base && hs.Ending == at.Head
		}
		any := false
		for i := range min(len(bs.Components), len(hs.Components)) {
			if bs.Components[i].Visible != hs.Components[i].Visible {
				any = true
				if !at.After && p[k].Op == at.Op && i == at.Component && failingOf(bs, hs) == at.Fails {
					return wire.Place{Kind: wire.AtComponent, Step: k, Index: i}, true
				}
			}
		}
		if any {
			return wire.Place{}, false
		}
	}
	for i := range min(len(b.After), len(h.After)) {
		if b.After[i].Visible != h.After[i].Visible {
			// Whichever call came last: it need not be the one to blame.
			return wire.Place{Kind: wire.AtAfter, Index: i, Step: len(p) - 1}, at.After
		}
	}
	return wire.Place{}, false
}

// explain runs a sequence in detail on a pair and tells what differs at the discrepancy.
func (c *Search) explain(ctx context.Context, b *pair, at Discrepancy, p wire.Sequence) (Difference, bool, error) {
	now, err := b.run(ctx, at, []wire.Sequence{p})
	if err != nil || !now[0].differs {
		return Difference{}, false, err
	}
	d, ok, err := c.explainAt(ctx, b, at, p, now[0].at)
	d.ran = now[0].ran
	if err != nil || !ok || !d.Printed {
		return d, ok, err
	}
	// The parts of both values are the same. A method of the versions tells of them in another way each time; what
	// varies by itself, a duration say, was only the same this once.
	again, err := b.run(ctx, at, slices.Repeat([]wire.Sequence{p}, timesPrinted))
	return d, err == nil && !slices.ContainsFunc(again, func(s shows) bool { return !s.differs }), err
}

// timesPrinted is how often more a value has to differ that is made of the same parts on both versions.
const timesPrinted = 4

// explainAt is explain for a place that is known.
func (c *Search) explainAt(ctx context.Context, b *pair, at Discrepancy, p wire.Sequence, where wire.Place) (Difference, bool, error) {
	var answers [2]wire.Answer
	var errs [2]error
	both(func(i int) {
		if b.describe {
			answers[i], errs[i] = b.sides[i].explain(ctx, p, &where)
		} else {
			answers[i], errs[i] = b.sides[i].outline(ctx, p, where)
		}
	})
	if err := cmp.Or(errs[0], errs[1]); err != nil {
		return Difference{}, false, err
	}
	culprit := at.Op
	if at.After {
		culprit = c.culprit(p)
	}
	o := c.API.Op(culprit)
	d := Difference{Op: c.Ops[culprit], Exported: o.Exported, Sequence: p, Place: where}
	var values [2]wire.ValueAnswer
	nilGiven := c.nilGiven(p)
	for i, a := range answers {
		shown := &d.Base
		if i == 1 {
			shown = &d.Head
		}
		v, ok := shownAt(a, where, shown)
		if !ok {
			return d, false, nil
		}
		nilGiven = nilGiven || c.gotNil(p, a, where.Step)
		values[i] = v
		for _, e := range a.Entered {
			if !slices.Contains(d.Entered, e) {
				d.Entered = append(d.Entered, e)
			}
		}
	}
	if crashes(at) && (nilGiven && d.overNil() || d.panicsOfOurs()) {
		return d, false, nil
	}
	slices.Sort(d.Entered)
	d.last = slices.Concat(answers[0].Last, answers[1].Last)
	slices.Sort(d.last)
	d.last = slices.Compact(d.last)
	d.errorAt = errorBeside(answers[0], answers[1], where)
	d.Code, d.BaseViews, d.HeadViews = answers[0].Code, answers[0].Views, answers[1].Views
	d.Branches = [2][]int{answers[0].Branches, answers[1].Branches}
	d.NoCode = cmp.Or(answers[0].NoCode, answers[1].NoCode)
	d.describe(values[0], values[1])
	d.of = values[0]
	d.Differs = PartsThatDiffer(Variable(d.Component), answers[0].Leaves, answers[1].Leaves)
	d.Random = answers[0].Drew && answers[1].Drew
	d.Sends = answers[0].Sent || answers[1].Sent
	d.AfterError = c.afterError(p, where.Step, answers)
	d.BesideError = besideError(answers, where)
	d.Printed = PrintedOtherwise(answers[0].Leaves, answers[1].Leaves)
	return d, true, nil
}

// afterError reports whether a call before a step, on the same receiver, gives an error on both versions.
func (c *Search) afterError(p wire.Sequence, step int, answers [2]wire.Answer) bool {
	if step >= len(p) || !c.API.Op(p[step].Op).IsMethod() {
		return false
	}
	for i := range step {
		if c.API.Op(p[i].Op).IsMethod() && sameReference(p[i].Args[0], p[step].Args[0]) && errs(answers[0], i) && errs(answers[1], i) {
			return true
		}
	}
	return false
}

// sameReference reports whether two literals refer to the result of one call.
func sameReference(a, b wire.Lit) bool {
	return a.Form == wire.Ref && b.Form == wire.Ref && a.N == b.N && a.U == b.U
}

// anError is the category of values that are errors.
const anError = "e"

// errs reports whether a step gives an error.
func errs(a wire.Answer, step int) bool {
	return step < len(a.Steps) && slices.ContainsFunc(a.Steps[step].Components, func(v wire.ValueAnswer) bool {
		return v.Result >= 0 && v.Category == anError
	})
}

// besideError reports whether a place is a result or an argument, and another result of the same call is an error on both versions.
func besideError(answers [2]wire.Answer, at wire.Place) bool {
	for _, a := range answers {
		if at.Kind != wire.AtComponent || at.Step >= len(a.Steps) || at.Index >= len(a.Steps[at.Step].Components) {
			return false
		}
		c := a.Steps[at.Step].Components[at.Index]
		argument := strings.HasPrefix(c.Name, event.ComponentArgument+" ")
		if c.Result < 0 && !argument || c.Category == anError || !errs(a, at.Step) {
			return false
		}
	}
	return true
}

// errorBeside is the result, of the call that a place is in, that is an error on one version
// alone; -1 for none, and where the place is another one's.
func errorBeside(base, head wire.Answer, at wire.Place) int {
	if at.Kind != wire.AtComponent || at.Step >= min(len(base.Steps), len(head.Steps)) {
		return -1
	}
	b, h := base.Steps[at.Step].Components, head.Steps[at.Step].Components
	for k := range min(len(b), len(h)) {
		if k != at.Index && b[k].Result >= 0 && (b[k].Category == anError) != (h[k].Category == anError) {
			return k
		}
	}
	return -1
}

// culprit is the call of a sequence that shows the change most directly.
func (c *Search) culprit(p wire.Sequence) wire.Op {
	best := p[len(p)-1].Op
	for _, s := range p {
		if c.setup.Roles[s.Op] >= c.setup.Roles[best] && !s.Op.Builtin() {
			best = s.Op
		}
	}
	return best
}

// overNil reports whether a crash has to do with nil, going by its message. Whether nil crashes is hardly
// ever part of what a function promises.
func (d *Difference) overNil() bool {
	for _, s := range []Shown{d.Base, d.Head} {
		if strings.Contains(s.Message, "nil") || strings.Contains(s.Message, "zero Value") {
			return true
		}
	}
	return false
}

// panicsOfOurs reports whether a function of ours panics on one version, and the other returns without a word
// on that: there it was not called, perhaps, and what was recovered from is told of in what is returned.
func (d *Difference) panicsOfOurs() bool {
	of := func(panics, returns Shown) bool {
		return panics.Ending == probe.Panicked && panics.Message == wire.PanicText &&
			returns.Ending == probe.Returned && !strings.Contains(returns.Text, wire.PanicText)
	}
	return of(d.Base, d.Head) || of(d.Head, d.Base)
}

// shownAt takes what an answer says of a place.
func shownAt(a wire.Answer, at wire.Place, s *Shown) (wire.ValueAnswer, bool) {
	var v wire.ValueAnswer
	switch at.Kind {
	case wire.AtAfter:
		if at.Index >= len(a.After) {
			return v, false
		}
		v = a.After[at.Index]
	default:
		if at.Step >= len(a.Steps) {
			return v, false
		}
		st := a.Steps[at.Step]
		s.Ending, s.Message, s.At = probe.Ending(st.Ending), st.Message, st.At
		if at.Kind == wire.AtEnding {
			if s.Ending == probe.Returned && len(st.Components) > 0 && !st.Components[0].Printed {
				v = st.Components[0]
				for _, c := range st.Components[1:] {
					if c.Result < 0 {
						break
					}
					v.Text += ", " + c.Text
				}
			}
			v.Name = event.ComponentPanic
			break
		}
		if at.Index >= len(st.Components) {
			return v, false
		}
		v = st.Components[at.Index]
		if _, exits := probe.ExitStatus(s.Message); exits {
			s.Exits, s.Ending, s.Message, s.At = true, probe.Returned, "", probe.Frame{}
		}
	}
	s.Text = v.Text
	return v, true
}
