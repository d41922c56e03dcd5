package explore

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/diff"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/baseline"
	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/negation"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/version"
)

// space is a Space of pairs that are numbered alike on both versions; ranks are those
// of branches.
type space struct {
	pairs  int
	ranks  map[outcome.Branch]int
	prunes bool // what enters nothing of Δ is the same
}

func (s space) Count() int                                         { return s.pairs }
func (s space) Identifier(pair int) string                         { return fmt.Sprintf("m.F#c%d#0", pair) }
func (s space) Negated(version.Side, []outcome.Branch) []int       { return nil }
func (s space) On(_ version.Side, b outcome.Branch) outcome.Branch { return b }
func (s space) Project(_ version.Side, covered outcome.Bits) outcome.Bits {
	return outcome.Join(outcome.NewBits(2*s.pairs), covered)
}
func (s space) Strict([]outcome.Branch) bool                     { return true }
func (s space) Rank(b outcome.Branch, _ *build.Test, _ bool) int { return s.ranks[b] }
func (s space) Quiet(r outcome.Result) bool                      { return s.prunes && r.Entered.Empty() }

func covering(name string, fuel int64, reaches bool, pairs int, branches ...int) *baseline.Test {
	t := &baseline.Test{Test: &build.Test{Test: instrument.Test{Package: "example.com/m", Name: name}, Suite: &build.Suite{Side: version.Head}}}
	t.Usable, t.Fuel, t.Reaches, t.Covered = true, fuel, reaches, outcome.NewBits(2*pairs)
	for _, b := range branches {
		t.Covered.Add(b)
	}
	return t
}

func TestQueuesBeginWithWhatExecutesTheChange(t *testing.T) {
	t.Parallel()
	unusable := covering("TestUnusable", 1, true, 1, 0)
	unusable.Usable = false
	s := &Stage{Space: space{pairs: 1}}
	var got []string
	for _, q := range s.queues([]*baseline.Test{covering("TestSlowApart", 9, false, 1, 0), covering("TestSlow", 5, true, 1, 0), unusable,
		covering("TestApart", 1, false, 1, 0), covering("TestQuick", 2, true, 1, 0)}, outcome.NewBits(2)) {
		got = append(got, q.test.Name)
	}
	if d := cmp.Diff([]string{"TestQuick", "TestSlow", "TestApart", "TestSlowApart"}, got); d != "" {
		t.Error(d)
	}
}

func TestCoveredIsOfUsableTests(t *testing.T) {
	t.Parallel()
	no := covering("TestNo", 1, true, 4, 7)
	no.Usable = false
	got := Covered([]*baseline.Test{covering("TestA", 1, true, 4, 0), covering("TestB", 1, true, 4, 3), no}, 4).Members()
	if d := cmp.Diff([]int{0, 3}, got); d != "" {
		t.Error(d)
	}
}

// rounds takes all sets, in the order in which they would be run.
func rounds(queues []*queue) (list []round, sets [][]string) {
	for {
		r, _, ok := nextRound(queues)
		if !ok {
			return list, sets
		}
		var of []string
		for _, q := range queues {
			for _, s := range q.take(r) {
				of = append(of, fmt.Sprint(q.test.Name, s.Branches))
			}
		}
		list, sets = append(list, r), append(sets, of)
	}
}

// In a round are the sets of one rank and list of all tests; what can reach the change
// comes before what is of the universal list.
func TestRounds(t *testing.T) {
	t.Parallel()
	a, b := covering("A", 1, true, 3, 0, 2), covering("B", 2, true, 3, 1, 4)
	s := &Stage{Space: space{pairs: 3, ranks: map[outcome.Branch]int{3: 1}}, Depth: 1}
	tests := []*baseline.Test{a, b}
	list, sets := rounds(s.queues(tests, Covered(tests, 3)))
	// A may take 1, which B takes, and 3, which nobody does and has a worse rank. B may
	// take 0, which A takes, and 5, which nobody does.
	want := [][]string{{"B[5]"}, {"A[1]", "B[0]"}, {"A[3]"}}
	if d := cmp.Diff(want, sets); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]round{{1, 0, 0, 0}, {1, 0, 0, 1}, {1, 0, 1, 0}}, list, cmp.AllowUnexported(round{})); d != "" {
		t.Error(d)
	}
}

// Every set is in one round, and rounds come in order.
func TestRoundsTakeEverySetOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		const pairs = 6
		s := &Stage{Space: space{pairs: pairs, ranks: map[outcome.Branch]int{}}}
		for b := range 2 * pairs {
			s.Space.(space).ranks[outcome.Branch(b)] = rapid.IntRange(-1, 2).Draw(t, "rank")
		}
		var tests []*baseline.Test
		for i := range rapid.IntRange(1, 4).Draw(t, "tests") {
			tests = append(tests, covering(fmt.Sprint("T", i), int64(i), rapid.Bool().Draw(t, "reaches"), pairs,
				rapid.SliceOf(rapid.IntRange(0, 2*pairs-1)).Draw(t, "covered")...))
		}
		want := 0
		for _, q := range s.queues(tests, Covered(tests, pairs)) {
			want += q.open.Len()
		}
		list, sets := rounds(s.queues(tests, Covered(tests, pairs)))
		if !slices.IsSortedFunc(list, func(a, b round) int { return a.compare(b) }) {
			t.Fatalf("%v", list)
		}
		seen := map[string]bool{}
		for _, of := range sets {
			for _, x := range of {
				if seen[x] {
					t.Fatalf("%s twice", x)
				}
				seen[x] = true
			}
		}
		if len(seen) != want {
			t.Fatalf("%d sets of %d", len(seen), want)
		}
	})
}

// Each set is of one shard, and larger ones are of the shard that their first branch
// is of.
func TestShardsCoverEverySetOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x := covering(rapid.StringMatching(`Test[A-Z]`).Draw(t, "test"), 1, true, 9)
		first := outcome.Branch(rapid.IntRange(0, 17).Draw(t, "first"))
		second := outcome.Branch(rapid.IntRange(0, 17).Draw(t, "second"))
		n := rapid.IntRange(1, 5).Draw(t, "shards")
		var of []int
		for shard := 1; shard <= n; shard++ {
			s := &Stage{Space: space{pairs: 9}, Shard: shard, Shards: n}
			one, two := s.mine(x, negation.Set{Branches: []outcome.Branch{first}}), s.mine(x, negation.Set{Branches: []outcome.Branch{first, second}})
			if one != two {
				t.Fatalf("%v of shard %d: %t; with %v: %t", first, shard, one, second, two)
			}
			if one {
				of = append(of, shard)
			}
		}
		if len(of) != 1 {
			t.Fatalf("of %d shards, %v run it", n, of)
		}
	})
	for shard := 1; shard <= 5; shard++ {
		s, ran := &Stage{Space: space{pairs: 100}, Shard: shard, Shards: 5}, 0
		for b := range 200 {
			if s.mine(covering("TestA", 1, true, 100), negation.Set{Branches: []outcome.Branch{outcome.Branch(b)}}) {
				ran++
			}
		}
		if ran < 20 || ran > 60 {
			t.Errorf("shard %d of five runs %d of 200 sets", shard, ran)
		}
	}
	if whole := (&Stage{Space: space{pairs: 1}}); !whole.mine(covering("TestA", 1, true, 1), negation.Set{Branches: []outcome.Branch{0}}) {
		t.Error("what is not divided runs everything")
	}
}

func TestFuelFor(t *testing.T) {
	t.Parallel()
	for baseline, want := range map[int64]int64{0: 200_000, 1000: 220_000, 100_000: 2_000_000, 1_000_000: 2_200_000, 5_000_000: 10_200_000} {
		if got := FuelFor(baseline); got != want {
			t.Errorf("a test of %d may do %d, want %d", baseline, got, want)
		}
	}
}

// What was proved to be the same was not run on head, and counts as explored there.
func TestAccount(t *testing.T) {
	t.Parallel()
	bits := func(members ...int) outcome.Bits {
		b := outcome.NewBits(8)
		for _, i := range members {
			b.Add(i)
		}
		return b
	}
	s := &Stage{Space: space{pairs: 4}}
	var got Result
	account := func(base outcome.Result, head *outcome.Result) Result {
		x := covering("TestA", 1, true, 4, 0)
		got = Result{Explored: outcome.NewBits(8)}
		q := &queue{test: x, open: negation.New(x.Covered, x.Covered, negation.Options{})}
		s.account(q, Variant{Test: x, Set: negation.Set{Branches: []outcome.Branch{1}}, Base: base, Head: head}, &got)
		return got
	}
	pass := outcome.Result{Outcome: event.Pass, Covered: bits(1, 4)}
	if account(pass, nil); got.Variants != 1 || got.Pruned != 1 || !slices.Equal(got.Explored.Members(), []int{1, 4}) {
		t.Errorf("pruned: %+v", got)
	}
	if account(outcome.Result{Outcome: event.Hung}, nil); got.Pruned != 0 || got.Hung != 1 {
		t.Errorf("hung on base: %+v", got)
	}
	died := outcome.Result{Outcome: event.Died, Covered: bits(6)}
	if account(pass, &died); got.Died != 1 || !slices.Equal(got.Explored.Members(), []int{6}) {
		t.Errorf("died on head: %+v", got)
	}
	if account(outcome.Result{Outcome: event.Exhausted}, &pass); got.Exhausted != 1 {
		t.Errorf("exhausted on base: %+v", got)
	}
	differs := 0
	s.Differs = func(Variant, diff.Difference) { differs++ }
	fail := outcome.Result{Outcome: event.Fail, Covered: bits(1)}
	if account(pass, &fail); differs != 1 || got.Implausible != 0 {
		t.Errorf("%d differences, %+v", differs, got)
	}
	if account(pass, &pass); differs != 1 {
		t.Error("two that are the same differ")
	}
	panics := outcome.Result{Outcome: event.Panic, Message: "one"}
	if account(panics, &fail); differs != 1 || got.Implausible != 1 {
		t.Errorf("a crash where both fail: %d differences, %+v", differs, got)
	}
}

func TestMustRunHead(t *testing.T) {
	t.Parallel()
	entered := outcome.Bits{1}
	for _, c := range []struct {
		dynamic bool
		base    outcome.Result
		want    bool
	}{
		{true, outcome.Result{Outcome: event.Pass}, false},
		{true, outcome.Result{Outcome: event.Fail, Entered: entered}, true},
		{false, outcome.Result{Outcome: event.Pass}, true},
		{true, outcome.Result{Outcome: event.Died}, true},
		{true, outcome.Result{Outcome: event.Exhausted}, true},
		{false, outcome.Result{Outcome: event.Hung, Entered: entered}, false},
	} {
		s := &Stage{Space: space{prunes: c.dynamic}}
		if got := s.mustRunHead(c.base); got != c.want {
			t.Errorf("pruning %t, %s: %t", c.dynamic, c.base.Outcome, got)
		}
	}
}
