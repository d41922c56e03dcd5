package calls

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
)

// One function and one result can differ for two reasons: a change that is meant, and a mistake
// made with it. The first that is found must not hide the second. What tells them apart is the
// way through the changed code: what takes all branches there that a known difference takes, and
// perhaps more, may well be the same; what does not take all of them is looked at by itself.

const (
	waysOfOne   = 40 // ways of one discrepancy that are kept
	othersOfOne = 2  // differences confirmed of one discrepancy beside those that are found first
	othersOfAll = 8  // of one search
)

// A way is the branches of Δ's functions that a difference takes on base and on head, and how
// the call ends there.
type way struct {
	taken [2][]int  // sorted
	ends  [2]string // first words of a panic
}

// wayOf is the way of a confirmed difference.
func (c *Search) wayOf(d Difference) way {
	w := way{ends: [2]string{firstWords(d.Base.Message), firstWords(d.Head.Message)}}
	for i, taken := range d.Branches {
		for _, b := range taken {
			if _, near := slices.BinarySearch(c.Near[i], b); near {
				w.taken[i] = append(w.taken[i], b)
			}
		}
		slices.Sort(w.taken[i])
	}
	return w
}

// firstWords are those of a message that are hardly ever about an input.
func firstWords(message string) string {
	words := strings.Fields(message)
	return strings.Join(words[:min(len(words), 2)], " ")
}

// explains reports whether another way may have the cause of this one: it takes all branches of
// this one, on both versions, or ends in the same panic.
func (w way) explains(o way) bool {
	if w.ends != [2]string{} && w.ends == o.ends {
		return true
	}
	for i, taken := range w.taken {
		for _, b := range taken {
			if _, ok := slices.BinarySearch(o.taken[i], b); !ok {
				return false
			}
		}
	}
	return true
}

// explained reports whether a known difference at the spot may be the reason of this one.
func (c *Search) explained(at spot, d Difference) bool {
	o := c.wayOf(d)
	return slices.ContainsFunc(c.known[at], func(w way) bool { return w.explains(o) })
}

// noteWay keeps the first witness of each way.
func (st *discrepancyState) noteWay(w Witness) {
	if w.Hung || st.byWay[w.ways] || len(st.byWay) >= waysOfOne {
		return
	}
	if st.byWay == nil {
		st.byWay = map[[2]uint32]bool{}
	}
	st.byWay[w.ways] = true
	st.others = append(st.others, w)
}

// ExamineWays confirms what goes other ways than what Examine has confirmed at the same spots.
func (c *Search) ExamineWays(ctx context.Context, repetitions int, more func() bool) (Examination, error) {
	var out Examination
	b := c.newBench(ctx, Discrepancy{})
	defer b.close()
	for _, at := range c.inOrder() {
		st := c.discrepancies[at]
		op := c.API.Op(at.Op)
		if len(st.others) == 0 || c.perSpot[at.spot] == 0 || died(at) || endless(at) ||
			op.OfTest || op.Seam || !c.outward(at.Op) || c.unstable[at.Op] {
			continue
		}
		list := st.others
		st.others = nil
		slices.SortStableFunc(list, func(a, b Witness) int {
			return cmp.Or(cmp.Compare(a.Step, b.Step), cmp.Compare(len(a.Sequence.Encode(nil)), len(b.Sequence.Encode(nil))))
		})
		if err := c.examineWaysAt(ctx, b, at, list, repetitions, more, &out); err != nil {
			return out, err
		}
	}
	return out, nil
}

// examineWaysAt is ExamineWays for the witnesses of one discrepancy. What there is no time for is kept.
func (c *Search) examineWaysAt(ctx context.Context, b *bench, at Discrepancy, list []Witness, repetitions int, more func() bool, to *Examination) error {
	st := c.discrepancies[at]
	defer func() {
		if !more() {
			st.others = append(st.others, list...)
		}
	}()
	open := func() bool { return c.apart[at] < othersOfOne && c.others < othersOfAll && more() }
	if !open() {
		return nil
	}
	if _, err := b.started(); err != nil {
		return ignoreEnded(err)
	}
	for len(list) > 0 && open() {
		w, rest, err := c.firstElsewhere(ctx, b, at, list, more)
		if err != nil {
			return err
		}
		list = rest
		if w == nil {
			break
		}
		d, ok, err := c.confirm(ctx, b, at, w.Witness, w.weakness, repetitions, more)
		if errors.Is(err, errExplained) {
			continue
		}
		if err != nil {
			return err
		}
		if ok {
			c.apart[at]++
			c.others++
			c.know(at, d)
			d.Apart = true
			to.Found = append(to.Found, d)
			c.differing = append(c.differing, d.Sequence.Encode(nil))
		}
	}
	return nil
}

// firstElsewhere returns the first witness that differs in fresh processes, strongly and on a way
// that nothing known explains, and those behind it.
func (c *Search) firstElsewhere(ctx context.Context, b *bench, at Discrepancy, list []Witness, more func() bool) (*rankedWitness, []Witness, error) {
	for i, s := range list {
		if !more() {
			return nil, list[i:], nil
		}
		if c.nilGiven(s.Sequence) {
			continue
		}
		d, ok, err := c.explain(ctx, b.pair, at, s.Sequence[:s.Step+1])
		if _, dead := ended(err); dead {
			if err = b.renew(); err != nil {
				return nil, nil, ignoreEnded(err)
			}
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		// What comes with an error is nothing of its own.
		if ok && d.weakness() == 0 && d.errorAt < 0 && !c.explained(at.spot, d) {
			s.apart = true
			return &rankedWitness{s, 0, d.Base, d.Head}, list[i+1:], nil
		}
	}
	return nil, nil, nil
}
