package variation

import (
	"cmp"
	"context"
	"hash/fnv"
	"slices"
	"time"

	"github.com/isodelta/isodelta/diff"
	"github.com/isodelta/isodelta/runner/baseline"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/stage"
)

// Stage varies tests.
type Stage struct {
	Env *stage.Env
	// Quiet reports whether an execution is proved to be the same on both versions.
	Quiet func(outcome.Result) bool
	// Literals are what the code of a package and the change contain.
	Literals func(pkg string) surface.Literals
	// Differs is given each difference.
	Differs func(Variant, diff.Difference)
	// Saw is given each variant; nil for nobody.
	Saw func(Variant)
	// Shard of Shards, counted from 1, is which tests are varied; 0 of 0 for all.
	Shard, Shards int
}

const (
	// slowest is how long a test may take, in seconds.
	slowest = 0.5
	// maxKept is how many tests keep their processes from one turn to the next.
	maxKept = 24
)

// Run varies tests until a time, or until no variation is left. It returns how many variants were run.
func (s *Stage) Run(ctx context.Context, tests []*baseline.Test, until time.Time) (variants int, err error) {
	queues := s.queues(tests)
	defer func() {
		for _, q := range queues {
			q.close()
		}
	}()
	for len(queues) > 0 {
		left := queues[:0:0]
		for _, q := range queues {
			if s.Env.Past(until) {
				return variants, nil
			}
			s.Env.Progress("vary", q.test.Name, variants, 0)
			n, err := s.turn(ctx, q, until)
			if variants += n; err != nil {
				return variants, err
			}
			if len(queues) > maxKept {
				q.close()
			}
			if len(q.points) > 0 {
				left = append(left, q)
			} else {
				q.close()
			}
		}
		queues = left
	}
	return variants, nil
}

// mine reports whether this shard varies a test. It depends on names alone.
func (s *Stage) mine(t *baseline.Test) bool {
	if s.Shards < 2 {
		return true
	}
	h := fnv.New32a()
	h.Write([]byte(t.Suite.Side.String() + "\x00" + t.Package + "\x00" + t.Name))
	return int(h.Sum32()%uint32(s.Shards)) == s.Shard-1
}

// queues are the tests that execute Δ and have points, quick ones first.
func (s *Stage) queues(tests []*baseline.Test) []*queue {
	var out []*queue
	known := map[string]*words{}
	for _, t := range tests {
		if !t.Usable || !t.Reaches || t.Seconds > slowest || !s.mine(t) {
			continue
		}
		points := pointsOf(t)
		if len(points) == 0 {
			continue
		}
		key := t.Suite.Side.String() + " " + t.Package
		if known[key] == nil {
			known[key] = newWords(t.Suite.Text.Points, t.Package, s.Literals(t.Package))
		}
		out = append(out, newQueue(t, points, known[key], uint64(s.Env.Seed)))
	}
	slices.SortStableFunc(out, func(a, b *queue) int { return cmp.Compare(a.test.Fuel, b.test.Fuel) })
	return out
}
