package calls

import (
	"context"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// calledBack is a sequence that ends with what a function in p calls back, called plainly behind the steps in
// front of that function; nil where nothing in p calls back.
func (c *Search) calledBack(p wire.Sequence) (plain wire.Sequence) {
	p.Walk(func(step int, l *wire.Lit) {
		if plain != nil || l.Form != wire.Special || l.S != wire.SpecialBack || len(l.E) < 3 {
			return
		}
		for n, op := range c.API.All() {
			if op.Name != l.E[0].S {
				continue
			}
			s := wire.Step{Op: n, Args: l.E[2].E}
			if op.IsMethod() {
				s.Args = append([]wire.Lit{l.E[1]}, s.Args...)
			}
			plain = append(p[:step:step], s).Clone()
			return
		}
	})
	return plain
}

// differsPlainly reports whether what a function in p calls back differs without that function too. Then
// that is the difference, and it is booked to be examined.
func (c *Search) differsPlainly(ctx context.Context, b *bench, p wire.Sequence) (bool, error) {
	plain := c.calledBack(p)
	if plain == nil {
		return false, nil
	}
	ran, err := b.execute(ctx, []wire.Sequence{plain})
	if _, dead := ended(err); dead {
		return false, b.renew()
	}
	if err != nil {
		return false, err
	}
	for _, side := range ran {
		if len(side) != 1 || side[0].Invalid {
			return false, nil
		}
	}
	return differences(plain, ran[0][0].Trace(), ran[1][0].Trace(), c.culprit(plain), c.observe), nil
}
