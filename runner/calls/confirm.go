package calls

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Candidates that shrinking may ask about. Where one version does not come to
// an end each of them costs wire.MuchFuel, a hundred times the work of another.
const (
	shrinkBudget        = 1200
	shrinkBudgetEndless = 48
	// Most of what differs only where it was made before varies by itself.
	shrinkBudgetAgain = 200
)

// maxTwice bounds the steps of a sequence that is tried twice in a row.
const maxTwice = 8

func budgetFor(at Discrepancy, again bool) int {
	switch {
	case endless(at):
		return shrinkBudgetEndless
	case again:
		return shrinkBudgetAgain
	}
	return shrinkBudget
}

// errExplained ends the confirmation of what differs also without some of its calls, where
// other members of Δ run, and is known with those. Other values may show another difference.
var errExplained = errors.New("known with other changed functions")

// errLate ends the confirmation of what takes seconds each time, when there is no time left.
var errLate = errors.New("no time to repeat it")

// errEnough ends shrinking when there is no time left; what it came to counts.
var errEnough = errors.New("no time to shrink further")

// askedAtOnce bounds the candidates that are run before there is a look at the time: each may take a second.
const askedAtOnce = 8

// inParts asks about a batch in parts, up to the first in which a candidate shows the difference.
func inParts(still func(context.Context, []wire.Sequence) ([]bool, error)) func(context.Context, []wire.Sequence) ([]bool, error) {
	return func(ctx context.Context, list []wire.Sequence) ([]bool, error) {
		var out []bool
		for part := range slices.Chunk(list, askedAtOnce) {
			now, err := still(ctx, part)
			if err != nil {
				return nil, err
			}
			out = append(out, now...)
			if slices.Contains(now, true) {
				break
			}
		}
		return out, nil
	}
}

// confirm shrinks one witness on a bench, which must not become a weaker one, and repeats
// it in fresh processes. Shrinking goes on while more says so.
func (c *Search) confirm(ctx context.Context, b *bench, at Discrepancy, s Witness, weakness, repetitions int, more func() bool) (Difference, bool, error) {
	var as manner // in which the smaller one has to differ, too
	judge := func(p wire.Sequence, explain func() (Difference, bool, error)) (Difference, bool, error) {
		if crashes(at) && c.nilGiven(p) && !c.nilGiven(s.Sequence) {
			return Difference{}, false, nil
		}
		d, ok, err := explain()
		if _, dead := ended(err); dead {
			return d, false, b.renew()
		}
		return d, ok && d.weakness() <= weakness && !c.explained(at.spot, d, s.apart) && (as == nil || mannerOf(d).within(as)), err
	}
	shows := func(ctx context.Context, p wire.Sequence) (Difference, bool, error) {
		return judge(p, func() (Difference, bool, error) { return c.explain(ctx, b.pair, at, p) })
	}
	// What ran is known of the whole sequence, and the steps behind the witness are none of it.
	p := s.Sequence[:s.Step+1]
	if now, err := b.run(ctx, at, []wire.Sequence{p}); err == nil && c.knownElsewhere(at, now[0]) {
		return Difference{}, false, errExplained
	}
	if d, ok, err := shows(ctx, p); err == nil && ok {
		as = mannerOf(d)
	}
	if plainer, err := c.inlined(ctx, b.pair, p); err != nil {
		return Difference{}, false, ignoreEnded(err)
	} else if _, ok, err := shows(ctx, plainer); err == nil && ok {
		p = plainer
	}
	p, err := leaner(p, func(step, arg int) bool { return !crashes(at) || !c.receives(p, step, arg) }, func(q wire.Sequence) (bool, error) {
		if !more() {
			return false, nil
		}
		d, ok, err := shows(ctx, q)
		elsewhere := d.ran != at.Ran && (d.ran == parted || c.settledAt(Discrepancy{at.spot, d.ran}))
		return ok && !elsewhere && !(crashes(at) && d.overNil()), err
	})
	if err != nil {
		return Difference{}, false, ignoreEnded(err)
	}
	shrink := Shrink
	if s.apart == byInput {
		shrink = shrinkSteps
	}
	p, err = shrink(ctx, p, budgetFor(at, s.again), inParts(func(ctx context.Context, list []wire.Sequence) ([]bool, error) {
		if !more() {
			return nil, errEnough
		}
		now, err := b.run(ctx, at, list)
		out := make([]bool, len(list))
		for i, s := range now {
			known := c.knownElsewhere(at, s)
			if known && len(list[i]) < len(p) {
				return nil, errExplained
			}
			away := s.ran != at.Ran && s.ran == parted
			out[i] = s.differs && !known && !away && waitsPlainly(c.waits, list[i], p)
		}
		_, dead := ended(err)
		if dead {
			if err = b.renew(); err != nil {
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
			if !out[i] {
				continue
			}
			if !more() {
				return nil, errEnough
			}
			_, out[i], err = judge(list[i], func() (Difference, bool, error) {
				if dead {
					return c.explain(ctx, b.pair, at, list[i])
				}
				return c.explainAt(ctx, b.pair, at, list[i], now[i].at)
			})
			if err != nil {
				return nil, err
			}
			if out[i] {
				break // nobody asks for more than the smallest, and each takes as long as many of the batch
			}
		}
		return out, nil
	}))
	if errors.Is(err, errExplained) {
		return Difference{}, false, err
	}
	if err != nil && !errors.Is(err, errEnough) {
		return Difference{}, false, ignoreEnded(err)
	}
	if plainly, err := c.differsPlainly(ctx, b, p); err != nil {
		return Difference{}, false, ignoreEnded(err)
	} else if plainly {
		return Difference{}, false, errExplained
	}
	d, ok, err := c.repeat(ctx, at, p, repetitions, more)
	if !ok && err == nil && len(p) <= maxTwice {
		// Shrinking was where the calls had been made before.
		d, ok, err = c.repeat(ctx, at, p.Append(p), repetitions, more)
	}
	if ok && err == nil && !d.Printed {
		d.Printed, err = c.writtenSo(ctx, d)
	}
	return d, ok, err
}

// receives reports whether an argument is the receiver of a method, or a value written down that becomes one.
// That an empty one crashes is no news.
func (c *Search) receives(p wire.Sequence, step, arg int) bool {
	if p[step].Op != wire.OpLet {
		return arg == 0 && c.API.Op(p[step].Op).IsMethod()
	}
	for _, later := range p[step+1:] {
		if len(later.Args) > 0 && later.Args[0].Form == wire.Ref && int(later.Args[0].N) == step && c.API.Op(later.Op).IsMethod() {
			return true
		}
	}
	return false
}

// knownElsewhere reports whether a sequence differs where other members of Δ run, and that is
// known.
func (c *Search) knownElsewhere(at Discrepancy, s shows) bool {
	return s.differs && s.ran != at.Ran && c.settledAt(Discrepancy{at.spot, s.ran})
}

// inlined writes numbers, texts and truth values that calls gave, on base, in
// the place of references to them: then the calls need not be there.
func (c *Search) inlined(ctx context.Context, b *pair, p wire.Sequence) (wire.Sequence, error) {
	a, err := b.sides[0].explain(ctx, p, nil)
	if err != nil {
		return p, err
	}
	q := p.Clone()
	q.Walk(func(_ int, l *wire.Lit) {
		if l.Form != wire.Ref || l.N < 0 || int(l.N) >= len(a.Steps) || l.U < 0 || l.U >= len(a.Steps[l.N].Components) {
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
func basicLit(v wire.ValueAnswer) (wire.Lit, bool) {
	switch v.Type {
	case "bool":
		l := wire.Lit{Form: wire.Bool}
		if v.Text == "true" {
			l.N = 1
		}
		return l, true
	case "int", "int8", "int16", "int32", "int64":
		n, err := strconv.ParseInt(v.Text, 10, 64)
		return wire.Lit{Form: wire.Int, N: n}, err == nil
	case "uint", "uint8", "uint16", "uint32", "uint64":
		n, err := strconv.ParseUint(v.Text, 10, 64)
		return wire.Lit{Form: wire.Uint, N: int64(n)}, err == nil
	case "string":
		s, err := strconv.Unquote(v.Text)
		return wire.Lit{Form: wire.Text, S: s}, err == nil
	}
	return wire.Lit{}, false
}

// ignoreEnded returns nil for an error that is only a process's end, and others as
// they are.
func ignoreEnded(err error) error {
	if _, ok := ended(err); ok {
		return nil
	}
	return err
}

// patience is how long repeating a sequence takes as a rule, at most: what takes longer, as calls do that wait, is
// repeated only while there is time. A guess.
const patience = 2 * time.Second

// repeat runs a sequence alone in fresh processes, and tells what differs if it
// is the same each time.
func (c *Search) repeat(ctx context.Context, at Discrepancy, p wire.Sequence, repetitions int, more func() bool) (Difference, bool, error) {
	return repeatedly(repetitions, inTime(more, func(n int) (Difference, bool, error) { return c.once(ctx, at, p, n) }))
}

// inTime returns a function that calls once, and that returns errLate instead when its calls have taken longer than
// patience and there is no time left.
func inTime(more func() bool, once func(n int) (Difference, bool, error)) func(n int) (Difference, bool, error) {
	begin := time.Now()
	return func(n int) (Difference, bool, error) {
		if n > 0 && time.Since(begin) > patience && !more() {
			return Difference{}, false, errLate
		}
		return once(n)
	}
}

// repeatedly is what once tells if it is the same each time. It is told which time it is, from 0.
func repeatedly(repetitions int, once func(n int) (Difference, bool, error)) (Difference, bool, error) {
	var d Difference
	for n := range repetitions {
		now, ok, err := once(n)
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

// once runs a sequence alone in fresh processes. The nth time values have other places in memory, for what is made of
// an address, its hash say, is no difference of the versions.
func (c *Search) once(ctx context.Context, at Discrepancy, p wire.Sequence, n int) (Difference, bool, error) {
	if died(at) {
		return c.onceDeath(ctx, at, p, 0)
	}
	b, err := c.pairMoved(ctx, at, n)
	if err != nil {
		return Difference{}, false, ignoreEnded(err)
	}
	defer b.close()
	b.describe = true
	d, ok, err := c.explain(ctx, b, at, p)
	if _, dead := ended(err); dead && endless(at) {
		return c.onceDeath(ctx, deathInstead(at), p, wire.MuchFuel)
	}
	if err != nil || !ok || d.errorAt < 0 {
		return d, ok, ignoreEnded(err)
	}
	where := d.Place
	where.Index = d.errorAt
	if e, ok, err := c.explainAt(ctx, b, at, p, where); err == nil && ok {
		d.Beside = &e
	}
	return d, true, nil
}
