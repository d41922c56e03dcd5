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
// perhaps more, may well be the same; what does not take all of them is looked at by itself. So is
// what differs in another manner.

const (
	waysOfOne    = 40 // ways of one discrepancy that are kept
	othersOfOne  = 2  // differences confirmed of one discrepancy beside those that are found first
	othersOfAll  = 8  // of one search
	mannersOfOne = 1  // the same, of those that differ in another manner
	mannersOfAll = 5
)

// apartness is what tells a witness from the known differences at its spot.
type apartness int

const (
	notApart apartness = iota
	byWay
	byManner
)

// A way is the branches of Δ's functions that a difference takes on base and on head, and how
// the call ends there.
type way struct {
	taken [2][]int  // sorted
	ends  [2]string // first words of a panic
	// manner is how the values differ.
	manner manner
}

// wayOf is the way of a confirmed difference.
func (c *Search) wayOf(d Difference) way {
	w := way{ends: [2]string{firstWords(d.Base.Message), firstWords(d.Head.Message)}, manner: mannerOf(d)}
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

// explained reports whether a known difference at the spot may be the reason of this one, which is to be apart from it.
func (c *Search) explained(at spot, d Difference, by apartness) bool {
	switch by {
	case byWay:
		o := c.wayOf(d)
		return slices.ContainsFunc(c.known[at], func(w way) bool { return w.explains(o) })
	case byManner:
		o := mannerOf(d)
		return slices.ContainsFunc(c.known[at], func(w way) bool { return w.manner.within(o) })
	}
	return false
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

// ExamineWays confirms what goes other ways than what Examine has confirmed at the same spots, and then what
// differs there in another manner.
func (c *Search) ExamineWays(ctx context.Context, repetitions int, more func() bool) (Examination, error) {
	var out Examination
	b := c.newBench(ctx, Discrepancy{})
	defer b.close()
	for _, by := range []apartness{byWay, byManner} {
		for _, at := range c.inOrder() {
			op := c.API.Op(at.Op)
			if c.perSpot[at.spot] == 0 || died(at) || endless(at) || op.OfTest || op.Seam || !c.outward(at.Op) || c.unstable[at.Op] {
				continue
			}
			if err := c.examineApart(ctx, b, at, by, repetitions, more, &out); err != nil {
				return out, err
			}
		}
	}
	return out, nil
}

// examineApart is ExamineWays for the witnesses of one discrepancy. What there is no time for is kept.
func (c *Search) examineApart(ctx context.Context, b *bench, at Discrepancy, by apartness, repetitions int, more func() bool, to *Examination) error {
	st := c.discrepancies[at]
	kept, found, all, mostOfOne, mostOfAll := &st.others, c.apart, &c.others, othersOfOne, othersOfAll
	if by == byManner {
		kept, found, all, mostOfOne, mostOfAll = &st.sampled, c.mannered, &c.manners, mannersOfOne, mannersOfAll
	}
	list := *kept
	*kept = nil
	defer func() {
		if !more() {
			*kept = append(*kept, list...)
		}
	}()
	open := func() bool { return len(list) > 0 && found[at] < mostOfOne && *all < mostOfAll && more() }
	if !open() {
		return nil
	}
	slices.SortStableFunc(list, func(a, b Witness) int {
		return cmp.Or(cmp.Compare(a.Step, b.Step), cmp.Compare(len(a.Sequence.Encode(nil)), len(b.Sequence.Encode(nil))))
	})
	if _, err := b.started(); err != nil {
		return ignoreEnded(err)
	}
	for open() {
		w, rest, err := c.firstApart(ctx, b, at, by, list, more)
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
			found[at]++
			*all++
			c.know(at, d)
			d.Apart = true
			to.Found = append(to.Found, d)
			c.differing = append(c.differing, d.Sequence.Encode(nil))
		}
	}
	return nil
}

// firstApart returns the first witness that differs in fresh processes, strongly and so
// that nothing known explains it, and those behind it.
func (c *Search) firstApart(ctx context.Context, b *bench, at Discrepancy, by apartness, list []Witness, more func() bool) (*rankedWitness, []Witness, error) {
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
		if ok && d.weakness() == 0 && d.errorAt < 0 && !c.explained(at.spot, d, by) {
			s.apart = by
			return &rankedWitness{s, 0, d.Base, d.Head}, list[i+1:], nil
		}
	}
	return nil, nil, nil
}
