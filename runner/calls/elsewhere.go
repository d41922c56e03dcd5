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
// what differs in another manner. Where neither tells them apart, as in one mask that head makes of other
// numbers, a few further witnesses are examples: what they give their calls is left as it is, for the simplest
// inputs often show one reason alone.

// waysOfOne bounds the ways of one discrepancy that are kept.
const waysOfOne = 40

// apartness is what tells a witness from the known differences at its spot.
type apartness int

const (
	notApart apartness = iota
	byWay
	byManner
	byInput
	apartnesses
)

// mostApart returns how many differences are confirmed beside those that are found first, of one discrepancy and
// of one search.
func (by apartness) mostApart() (ofOne, ofAll int) {
	switch by {
	case byWay:
		return 2, 8
	case byManner:
		return 2, 6
	}
	return 1, 3
}

// apart counts the differences that were confirmed for one apartness.
type apart struct {
	ofOne map[Discrepancy]int
	ofAll int
}

// roomApart reports whether more of a discrepancy are wanted for one apartness.
func (c *Search) roomApart(at Discrepancy, by apartness) bool {
	ofOne, ofAll := by.mostApart()
	a := &c.apart[by]
	return a.ofOne[at] < c.several(ofOne) && a.ofAll < c.several(ofAll)
}

func (a *apart) count(at Discrepancy) {
	if a.ofOne == nil {
		a.ofOne = map[Discrepancy]int{}
	}
	a.ofOne[at]++
	a.ofAll++
}

// A way is the branches of Δ's functions that a difference takes on base and on head, and how
// the call ends there.
type way struct {
	taken [2][]int  // sorted
	ends  [2]string // first words of a panic
	// manner is how the values differ, and shown are the values.
	manner manner
	shown  [2]string
}

// wayOf is the way of a confirmed difference.
func (c *Search) wayOf(d Difference) way {
	w := way{ends: [2]string{firstWords(d.Base.Message), firstWords(d.Head.Message)}, manner: mannerOf(d), shown: [2]string{d.Base.Text, d.Head.Text}}
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
		return !o.beyond(c.known[at]) && slices.ContainsFunc(c.known[at], func(w way) bool { return w.manner.within(o) })
	case byInput:
		shown := c.wayOf(d).shown
		return slices.ContainsFunc(c.known[at], func(w way) bool { return w.shown == shown })
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

// keptFor returns the witnesses that are kept to be examined for an apartness.
func (st *discrepancyState) keptFor(by apartness) *[]Witness {
	switch by {
	case byWay:
		return &st.others
	case byManner:
		return &st.sampled
	}
	return &st.examples
}

// ExamineWays confirms what goes other ways than what Examine has confirmed at the same spots, then what
// differs there in another manner, and then further inputs.
func (c *Search) ExamineWays(ctx context.Context, repetitions int, more func() bool) (Examination, error) {
	var out Examination
	b := c.newBench(ctx, Discrepancy{})
	defer b.close()
	for _, by := range []apartness{byWay, byManner, byInput} {
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
	kept, found := st.keptFor(by), &c.apart[by]
	list := *kept
	*kept = nil
	if by == byManner {
		st.examples = list
	}
	defer func() {
		if !more() {
			*kept = append(*kept, list...)
		}
	}()
	open := func() bool { return len(list) > 0 && c.roomApart(at, by) && more() }
	if !open() {
		return nil
	}
	list = simplestFirst(list)
	if by == byInput {
		list = spread(list)
	}
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
			found.count(at)
			c.know(at, d)
			d.Apart, d.Example = true, by == byInput
			to.Found = append(to.Found, d)
			c.differing = append(c.differing, d.Sequence.Encode(nil))
		}
	}
	return nil
}

// simplestFirst orders witnesses by their steps, then by their size.
func simplestFirst(list []Witness) []Witness {
	return slices.SortedStableFunc(slices.Values(list), func(a, b Witness) int {
		return cmp.Or(cmp.Compare(a.Step, b.Step), cmp.Compare(len(a.Sequence.Encode(nil)), len(b.Sequence.Encode(nil))))
	})
}

// spread returns some of a list, from all over it: those at one third and two thirds first, for the very simplest are
// mostly like the one that is known.
func spread(list []Witness) []Witness {
	var out []Witness
	taken := map[int]bool{}
	for _, share := range []int{4, 8, 6, 3, 9, 5} { // of twelve
		if i := len(list) * share / 12; !taken[i] {
			taken[i] = true
			out = append(out, list[i])
		}
	}
	return out
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
