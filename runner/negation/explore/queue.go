package explore

import (
	"cmp"
	"slices"

	"github.com/isodelta/isodelta/runner/baseline"
	"github.com/isodelta/isodelta/runner/negation"
	"github.com/isodelta/isodelta/runner/version"
)

// queue is a test with what is left to explore.
type queue struct {
	test    *baseline.Test
	open    *negation.Exploration
	pending []negation.Set

	processes version.Both[*counted] // nil for none
	kept      bool                   // until the next round
}

// done reports whether nothing waits.
func (q *queue) done() bool { return len(q.pending) == 0 && q.open.Len() == 0 }

// A round is a level of urgency: the sets of one depth, rank and list, of all
// tests. What is on no list is beyond them.
type round struct{ depth, beyond, rank, list int }

func roundOf(s negation.Set) round {
	r := round{depth: len(s.Branches), rank: s.Rank}
	if !s.Universal {
		r.list = 1
	}
	if s.Both {
		r.beyond = 1
	}
	return r
}

// compare is negative if r comes before o.
func (r round) compare(o round) int {
	return cmp.Or(cmp.Compare(r.depth, o.depth), cmp.Compare(r.beyond, o.beyond), cmp.Compare(r.rank, o.rank), cmp.Compare(r.list, o.list))
}

// nextRound returns the most urgent round that any queue has, and how many sets wait.
func nextRound(queues []*queue) (best round, waiting int, ok bool) {
	for _, q := range queues {
		q.refill()
		waiting += len(q.pending)
		if len(q.pending) == 0 {
			continue
		}
		if r := roundOf(q.pending[0]); !ok || r.compare(best) < 0 {
			best, ok = r, true
		}
	}
	return best, waiting, ok
}

func (q *queue) refill() {
	for {
		s, ok := q.open.Next()
		if !ok {
			break
		}
		q.pending = append(q.pending, s)
	}
	slices.SortStableFunc(q.pending, func(a, b negation.Set) int { return roundOf(a).compare(roundOf(b)) })
}

// take removes the sets of a round from the front of the queue, and returns them.
func (q *queue) take(r round) []negation.Set {
	n := 0
	for n < len(q.pending) && roundOf(q.pending[n]) == r {
		n++
	}
	sets := q.pending[:n]
	q.pending = q.pending[n:]
	return sets
}
