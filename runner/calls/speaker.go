package calls

import (
	"context"
	"slices"

	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/probe"
)

// Where a value is the same on both versions, and only its method String or Error tells of it in another
// way, that method is what differs. So it is called, and the difference is told of its result.

// asSaid returns a difference, in which a value is printed otherwise, as one of the method that says what
// is printed. It reports no success where the package has no such method that others can call, or where a
// call of it does not show the difference.
func (c *Search) asSaid(ctx context.Context, d Difference, repetitions int) (Difference, Discrepancy, bool, error) {
	says, ok := c.speaker(d.of.Type)
	if !ok || d.Place.Kind == wire.AtEnding {
		return d, Discrepancy{}, false, nil
	}
	at := Discrepancy{textOf(says), d.ran}
	for _, p := range calling(says, d) {
		said, ok, err := repeatedly(repetitions, func(n int) (Difference, bool, error) {
			b, err := c.pairMoved(ctx, at, n)
			if err != nil {
				return Difference{}, false, ignoreEnded(err)
			}
			defer b.close()
			b.describe = true
			now, ok, err := c.explainAt(ctx, b, at, p, wire.Place{Kind: wire.AtComponent, Step: len(p) - 1})
			now.ran, now.Entered = d.ran, now.last // what made the value has no part in it
			differs := now.Base.Text != now.Head.Text && now.Base.Ending == probe.Returned && now.Head.Ending == probe.Returned
			return now, ok && differs, ignoreEnded(err)
		})
		if ok || err != nil {
			return said, at, ok, err
		}
	}
	return d, at, false, nil
}

// speaker is the exported method that says what a value of a type, named as package reflect does, is
// printed as.
func (c *Search) speaker(of string) (wire.Op, bool) {
	for n, op := range c.API.All() {
		says := op.IsMethod() && slices.Contains([]string{"String", "Error"}, op.Function.Name())
		if says && op.Exported && !op.OfTest && !op.Seam && op.Parameter(0) != nil && op.Parameter(1) == nil && surface.ReflectName(op.Parameter(0)) == of {
			return n, true
		}
	}
	return 0, false
}

// textOf is where a method differs that gives a text.
func textOf(method wire.Op) spot { return spot{Op: method, Component: 0} }

// calling returns sequences that end in a call of a method on the value in which a difference is, the
// shortest first.
func calling(method wire.Op, d Difference) []wire.Sequence {
	step := d.Place.Step
	value := wire.RefTo(d.of.Step, d.of.Result)
	before := d.Sequence[:step+1]
	if d.of.Result < 0 {
		if d.of.Arg < 0 || d.of.Arg >= len(d.Sequence[step].Args) {
			return nil
		}
		value = d.Sequence[step].Args[d.of.Arg]
		before = d.Sequence[:step]
	}
	var out []wire.Sequence
	for _, p := range []wire.Sequence{before, d.Sequence[:step+1]} {
		whole := append(p.Clone(), wire.Step{Op: method, Args: wire.CloneLits([]wire.Lit{value})})
		needed, _ := whole.Slice(len(whole) - 1)
		out = append(out, needed, whole)
	}
	return out
}

// writtenSo reports whether a difference is of a value that the sequence writes down, and that differs before
// any call is given it: what is in it is told of in another way.
func (c *Search) writtenSo(ctx context.Context, d Difference) (bool, error) {
	p := c.writing(d)
	if p == nil {
		return false, nil
	}
	at := Discrepancy{spot: spot{After: true}}
	b, err := c.pair(ctx, at)
	if err != nil {
		return false, ignoreEnded(err)
	}
	defer b.close()
	// What the last step makes is not looked at after it.
	anything := wire.Step{Op: wire.OpLet, Args: []wire.Lit{{Form: wire.Dynamic, T: max(0, slices.Index(c.sides[0].ready.Types, "int")), E: []wire.Lit{{Form: wire.Int}}}}}
	now, err := b.run(ctx, at, []wire.Sequence{append(p.Clone(), anything)})
	return err == nil && now[0].differs, ignoreEnded(err)
}

// writing returns the steps of a difference's sequence up to where the value is written down that it is
// about; nil for a value that a call gives.
func (c *Search) writing(d Difference) wire.Sequence {
	switch d.Place.Kind {
	case wire.AtAfter:
		if n := d.of.Step; n >= 0 && n < len(d.Sequence) && d.Sequence[n].Op == wire.OpLet {
			return d.Sequence[:n+1]
		}
	case wire.AtComponent:
		args := d.Sequence[d.Place.Step].Args
		if d.of.Result >= 0 || d.of.Arg < 0 || d.of.Arg >= len(args) {
			break
		}
		given := args[d.of.Arg]
		if given.Form == wire.Ref {
			if n := int(given.N); n >= 0 && n < len(d.Sequence) && d.Sequence[n].Op == wire.OpLet {
				return d.Sequence[:n+1]
			}
			break
		}
		if t := slices.Index(c.sides[0].ready.Types, d.of.Type); t >= 0 {
			let := wire.Step{Op: wire.OpLet, Args: []wire.Lit{{Form: wire.Dynamic, T: t, E: wire.CloneLits([]wire.Lit{given})}}}
			return append(d.Sequence[:d.Place.Step].Clone(), let)
		}
	}
	return nil
}

// saidAlready reports whether it is known already that the method differs that says what a value is printed as.
func (c *Search) saidAlready(d Difference) bool {
	says, ok := c.speaker(d.of.Type)
	return d.Printed && ok && c.perSpot[textOf(says)] >= perSpotOfOne
}
