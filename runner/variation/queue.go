package variation

import (
	"slices"
	"sync/atomic"

	"github.com/isodelta/isodelta/runner/baseline"
	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/version"
)

const (
	// deaf is after how many variations without any effect a point is dropped.
	deaf = 2
	// maxValues bounds the values for one point.
	maxValues = 200
)

// pointsOf are the points in a test and in what it uses.
func pointsOf(t *baseline.Test) []instrument.Point {
	var out []instrument.Point
	for _, p := range t.Suite.Text.Points {
		if p.Package == t.Package && (p.Test == t.Source && p.File == t.File || slices.Contains(t.Uses, p.File+":"+p.Test)) {
			out = append(out, p)
		}
	}
	return out
}

// queue is a test with what is left to vary.
type queue struct {
	test      *baseline.Test
	words     *words
	rand      *harness.Rand
	points    []*point
	next      int
	processes version.Both[*execute.Session]
	plain     version.Both[*outcome.Result] // with nothing varied
	// fresh says that the test keeps what a variation leaves behind, so that each has processes of its own.
	fresh bool
	left  atomic.Bool // something was left behind
}

// newQueue orders the points of a test by chance, which the seed decides.
func newQueue(t *baseline.Test, points []instrument.Point, w *words, seed uint64) *queue {
	r := harness.NewRand(seed + 1)
	q := &queue{test: t, words: w, rand: r}
	for _, p := range points {
		q.points = append(q.points, &point{Point: p})
	}
	for i := len(q.points) - 1; i > 0; i-- {
		k := r.Intn(i + 1)
		q.points[i], q.points[k] = q.points[k], q.points[i]
	}
	return q
}

// point is a variation point with what was tried for it.
type point struct {
	instrument.Point
	tried  int
	deaf   int
	effect bool
	seen   map[string]bool
}

// spent reports whether nothing is to be tried at a point any more.
func (p *point) spent() bool {
	if n := most(p.Point); n > 0 && p.tried >= n {
		return true
	}
	if p.Kind == instrument.PointTable { // rows often have the same in a field
		return p.tried >= maxValues
	}
	return p.tried >= maxValues || !p.effect && p.deaf >= deaf
}

func (q *queue) close() {
	for side, p := range q.processes {
		if p != nil {
			p.Close()
		}
		q.processes[side] = nil
	}
}

// draw gives the next variations: a point after the other, each with its next value.
func (q *queue) draw(n int) []drawn {
	var out []drawn
	for idle := 0; len(out) < n && len(q.points) > 0 && idle < 2*len(q.points); {
		q.next %= len(q.points)
		p := q.points[q.next]
		if p.spent() {
			q.points = slices.Delete(q.points, q.next, q.next+1)
			continue
		}
		q.next++
		v := q.words.value(q.rand, p.Point, p.tried)
		p.tried++
		if p.seen[v] || v == p.Value && p.Kind != instrument.PointStatement {
			idle++
			continue
		}
		if p.seen == nil {
			p.seen = map[string]bool{}
		}
		p.seen[v], idle = true, 0
		out = append(out, drawn{p, v})
	}
	return out
}

// drawn is a value for a point.
type drawn struct {
	point *point
	value string
}
