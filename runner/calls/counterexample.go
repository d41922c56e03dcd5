package calls

import (
	"context"
	"errors"
	"slices"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Expected says which verdicts make a group evidence: those of base, those of
// head.
type Expected [2]string

func (w Expected) fits(rows [2][]wire.RelatedRow, i int) bool {
	for v := range w {
		if i >= len(rows[v]) || len(rows[v][i].Verdicts) != 1 || !contains(w[v], rows[v][i].Verdicts[0]) {
			return false
		}
	}
	return true
}

func contains(set string, b byte) bool {
	for i := range len(set) {
		if set[i] == b {
			return true
		}
	}
	return false
}

// Counterexample is a confirmed group, the smallest that was found.
type Counterexample struct {
	Sequence wire.Sequence
	Calls    [2][]wire.CallText
	// Code writes the sequence down; NoCode says why there is none.
	Code    wire.Code
	NoCode  string
	Entered []int // members of Δ that ran, on either version
}

// ConfirmRelation shrinks the first source input whose group is as wanted and
// repeats it alone in fresh processes; false if it is not the same each time.
func (c *Search) ConfirmRelation(ctx context.Context, id string, sources []wire.Sequence, want Expected, repetitions int, more func() bool) (Counterexample, bool, error) {
	for _, p := range sources[:min(len(sources), perDiscrepancy)] {
		x, ok, err := c.confirmGroup(ctx, id, p, want, repetitions, more)
		if err != nil || ok {
			return x, ok, err
		}
	}
	return Counterexample{}, false, nil
}

func (c *Search) confirmGroup(ctx context.Context, id string, p wire.Sequence, want Expected, repetitions int, more func() bool) (Counterexample, bool, error) {
	b, err := c.pair(ctx, Discrepancy{})
	if err != nil {
		return Counterexample{}, false, ignoreEnded(err)
	}
	defer func() { b.close() }()
	q := wire.RelateQuestion{Relations: []string{id}}
	still := func(ctx context.Context, list []wire.Sequence) ([]bool, error) {
		if !more() {
			return nil, errEnough
		}
		out := make([]bool, len(list))
		rows, errs := c.relateOnce(ctx, b.sides, list, q)
		for _, err := range errs {
			if _, dead := ended(err); dead {
				b.close()
				b, err = c.pair(ctx, Discrepancy{})
				return out, err
			}
			if err != nil {
				return out, err
			}
		}
		for i := range list {
			out[i] = want.fits(rows, i)
		}
		return out, nil
	}
	plainer, err := c.inlined(ctx, b, p)
	if err != nil {
		return Counterexample{}, false, ignoreEnded(err)
	}
	first, err := still(ctx, []wire.Sequence{plainer, p})
	switch {
	case errors.Is(err, errEnough):
	case err != nil:
		return Counterexample{}, false, ignoreEnded(err)
	case first[0]:
		p = plainer
	case !first[1]:
		return Counterexample{}, false, nil
	}
	if p, err = Shrink(ctx, p, shrinkBudget/2, still); err != nil && !errors.Is(err, errEnough) {
		return Counterexample{}, false, ignoreEnded(err)
	}
	var x Counterexample
	for n := range repetitions {
		now, ok, err := c.groupOnce(ctx, id, p, want)
		if err != nil || !ok {
			return x, false, err
		}
		if n > 0 && !(equalCalls(now.Calls[0], x.Calls[0]) && equalCalls(now.Calls[1], x.Calls[1])) {
			return x, false, nil
		}
		x = now
	}
	return x, true, nil
}

func equalCalls(a, b []wire.CallText) bool {
	return slices.EqualFunc(a, b, func(a, b wire.CallText) bool {
		return a.Ending == b.Ending && slices.Equal(a.Args, b.Args) && slices.Equal(a.Results, b.Results)
	})
}

// groupOnce runs one group in a pair of fresh processes and tells about it.
func (c *Search) groupOnce(ctx context.Context, id string, p wire.Sequence, want Expected) (Counterexample, bool, error) {
	x := Counterexample{Sequence: p}
	b, err := c.pair(ctx, Discrepancy{})
	if err != nil {
		return x, false, ignoreEnded(err)
	}
	defer b.close()
	rows, errs := c.relateOnce(ctx, b.sides, []wire.Sequence{p}, wire.RelateQuestion{Relations: []string{id}, Calls: true})
	for _, err := range errs {
		if err != nil {
			return x, false, ignoreEnded(err)
		}
	}
	if !want.fits(rows, 0) {
		return x, false, nil
	}
	for i := range rows {
		if len(rows[i][0].Calls) == 1 {
			x.Calls[i] = rows[i][0].Calls[0]
		}
	}
	place := wire.Place{Kind: wire.AtComponent, Step: len(p) - 1}
	for i := range b.sides {
		a, err := b.sides[i].explain(ctx, p, &place)
		if err != nil {
			return x, false, ignoreEnded(err)
		}
		if i == 0 {
			x.Code, x.NoCode = a.Code, a.NoCode
		}
		for _, e := range a.Entered {
			if !slices.Contains(x.Entered, e) {
				x.Entered = append(x.Entered, e)
			}
		}
	}
	slices.Sort(x.Entered)
	return x, true, nil
}

// GroupAgain runs the group of a source input in fresh processes, and returns in how many
// of the repetitions the relation held on each version.
func (c *Search) GroupAgain(ctx context.Context, id string, p wire.Sequence, repetitions int) (held [2]int, err error) {
	for range repetitions {
		b, err := c.pair(ctx, Discrepancy{})
		if err != nil {
			return held, err
		}
		rows, errs := c.relateOnce(ctx, b.sides, []wire.Sequence{p}, wire.RelateQuestion{Relations: []string{id}})
		b.close()
		for i, err := range errs {
			if err := ignoreEnded(err); err != nil {
				return held, err
			}
			if len(rows[i]) == 1 && rows[i][0].Verdicts == string(wire.GroupHolds) {
				held[i]++
			}
		}
	}
	return held, nil
}
