package calls

import (
	"math"
	"math/rand"
	"testing"

	"pgregory.net/rapid"
)

// species draws behaviours of which the k-th is so many times as rare as the first.
func species(random *rand.Rand, n int, decay float64) func() [2]uint64 {
	var weights []float64
	sum := 0.0
	for k := range n {
		sum += math.Pow(decay, float64(k))
		weights = append(weights, sum)
	}
	return func() [2]uint64 {
		x := random.Float64() * sum
		for k, w := range weights {
			if x < w {
				return [2]uint64{uint64(k)}
			}
		}
		return [2]uint64{uint64(n - 1)}
	}
}

// What is expected of as many sequences again is about what they show, on average.
func TestExpectedIsWhatComes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kinds, sequences int
		decay            float64
	}{
		{10, 1000, 0.5}, {50, 400, 0.97}, {300, 300, 1}, {40, 2000, 0.8}, {3, 50, 1},
	} {
		const trials = 400
		var told, came float64
		for i := range trials {
			draw := species(rand.New(rand.NewSource(int64(i))), c.kinds, c.decay)
			var d discovery
			for range c.sequences {
				d.see(draw())
			}
			told += d.expected(c.sequences) / trials
			before := len(d.seen)
			for range c.sequences {
				d.see(draw())
			}
			came += float64(len(d.seen)-before) / trials
		}
		t.Logf("%+v: told %.2f, came %.2f", c, told, came)
		if math.Abs(told-came) > 0.3*came+0.3 {
			t.Errorf("%+v: told %.2f new behaviours, %.2f came", c, told, came)
		}
	}
}

func TestDone(t *testing.T) {
	t.Parallel()
	var d discovery
	for range enough - 1 {
		d.see([2]uint64{1, 1})
		if d.done() {
			t.Fatalf("done after %d sequences", d.sequences)
		}
	}
	if d.see([2]uint64{1, 1}); !d.done() {
		t.Error("not done with one behaviour, seen all the time")
	}
	if d.see([2]uint64{1, 2}); d.done() {
		t.Error("done, though a behaviour was seen for the first time just now")
	}
	if d.see([2]uint64{1, 2}); !d.done() {
		t.Error("not done, though each was seen twice")
	}
}

// The counts are those of the sequences, and an estimate is a number of at least 0.
func TestDiscoveryCounts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var d discovery
		count := map[[2]uint64]int{}
		for _, k := range rapid.SliceOf(rapid.Uint64Range(0, 6)).Draw(t, "behaviours") {
			d.see([2]uint64{k, k})
			count[[2]uint64{k, k}]++
		}
		once, twice := 0, 0
		for _, n := range count {
			switch n {
			case 1:
				once++
			case 2:
				twice++
			}
		}
		if d.once != once || d.twice != twice || len(d.seen) != len(count) {
			t.Fatalf("%d once and %d twice of %d, want %d and %d of %d", d.once, d.twice, len(d.seen), once, twice, len(count))
		}
		if x := d.expected(d.sequences); !(x >= 0) || math.IsInf(x, 0) || (x == 0) != (once == 0) {
			t.Fatalf("%v expected with %d seen once", x, once)
		}
	})
}
