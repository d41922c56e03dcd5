package explore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/diff"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/baseline"
	"github.com/isodelta/isodelta/runner/budget"
	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/negation/explore"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/stage"
	"github.com/isodelta/isodelta/runner/version"
)

// pairs of conditions that both versions have, with the same numbers on both.
const pairs = 8

// common is a space in which what enters function 0 may differ.
type common struct{ rank map[outcome.Branch]int }

func (common) Count() int                 { return pairs }
func (common) Identifier(pair int) string { return fmt.Sprint("condition ", pair) }
func (common) Negated(_ version.Side, branches []outcome.Branch) (out []int) {
	for _, b := range branches {
		out = append(out, b.Condition())
	}
	return out
}
func (common) On(_ version.Side, b outcome.Branch) outcome.Branch        { return b }
func (common) Project(_ version.Side, b outcome.Bits) outcome.Bits       { return b }
func (common) Strict([]outcome.Branch) bool                              { return true }
func (c common) Rank(b outcome.Branch, _ *build.Test, _ bool) (rank int) { return c.rank[b] }
func (common) Quiet(r outcome.Result) bool                               { return r.Entered.Empty() }
func bits(n int, members ...int) outcome.Bits {
	b := outcome.NewBits(n)
	for _, m := range members {
		b.Add(m)
	}
	return b
}

// program stands in for test processes: what a test does with a condition negated.
type program struct {
	mu    sync.Mutex
	ran   []string        // in order; of base and head of one variant, in any
	alive map[string]bool // processes that have run something and are not closed
	// ended is how many have been closed; shared is whether both of the test "writes"
	// were alive at a time.
	ended  int
	shared bool
	do     func(side version.Side, negated int) outcome.Result
}

func (p *program) start(t *baseline.Test, side version.Side) explore.Process {
	return process{p, t.Name, side}
}

type process struct {
	*program
	test string
	side version.Side
}

// Do books a command and answers it.
func (p process) Do(_ context.Context, c execute.Command) (outcome.Result, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ran = append(p.ran, fmt.Sprint(p.side, " ", p.test, " ", c.Negations))
	if p.alive == nil {
		p.alive = map[string]bool{}
	}
	p.alive[fmt.Sprint(p.side, " ", p.test)] = true
	if p.alive["base writes"] && p.alive["head writes"] {
		p.shared = true
	}
	return p.do(p.side, c.Negations[0]), nil
}

// Bound does nothing.
func (process) Bound(time.Duration) {}

// Close books the end.
func (p process) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	name := fmt.Sprint(p.side, " ", p.test)
	if p.alive[name] {
		p.ended++
	}
	delete(p.alive, name)
}

func test(name string, fuel int64, covered ...int) *baseline.Test {
	return &baseline.Test{Test: &build.Test{Test: instrument.Test{Name: name}, Suite: &build.Suite{}},
		State: baseline.State{Usable: true, Reaches: true, Fuel: fuel, Covered: bits(2*pairs, covered...)}}
}

func newStage(p *program) *explore.Stage {
	env := &stage.Env{Sink: new(event.Recorder), Plan: budget.Plan{Start: time.Now()}, Now: time.Now}
	return &explore.Stage{Env: env, Space: common{}, Branches: 2 * pairs, Depth: 1, Start: p.start}
}

// Rounds go over all tests, quicker ones first: a rank is done before the next
// begins, and what is on no list comes after all that is.
func TestRounds(t *testing.T) {
	t.Parallel()
	p := &program{do: func(version.Side, int) outcome.Result { return outcome.Result{Outcome: event.Pass} }}
	s := newStage(p)
	s.Both = true
	s.Space = common{rank: map[outcome.Branch]int{3: 1}}
	// Condition 0 is false only and 1, too; 2 is taken both ways by one test.
	done, err := s.Run(t.Context(), []*baseline.Test{test("slow", 9, 0, 2), test("quick", 1, 0, 2, 4, 5)})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"base quick [0]", "base slow [0]", "base quick [1]", "base slow [1]", "base quick [2]"}
	if diff := cmp.Diff(want, p.ran); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if done.Variants != 5 || done.Pruned != 5 {
		t.Errorf("%d variants, %d of them not run on head; want 5 and 5, for none enters the change", done.Variants, done.Pruned)
	}
}

// Head runs where base entered the change, and where that is not known; what the
// watchdog ended on base is no evidence.
func TestHeadRunsWhereItMayDiffer(t *testing.T) {
	t.Parallel()
	base := []outcome.Result{
		{Outcome: event.Pass},
		{Outcome: event.Pass, Entered: bits(1, 0)},
		{Outcome: event.Died},
		{Outcome: event.Exhausted},
		{Outcome: event.Hung},
	}
	p := &program{do: func(_ version.Side, negated int) outcome.Result { return base[negated] }}
	var covered []int
	for i := range base {
		covered = append(covered, 2*i)
	}
	done, err := newStage(p).Run(t.Context(), []*baseline.Test{test("T", 1, covered...)})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(p.ran)
	want := []string{"base T [0]", "base T [1]", "base T [2]", "base T [3]", "base T [4]", "head T [1]", "head T [2]", "head T [3]"}
	if diff := cmp.Diff(want, p.ran); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if done.Died != 1 || done.Hung != 1 || done.Exhausted != 1 || done.Pruned != 1 {
		t.Errorf("died %d, hung %d, exhausted %d, pruned %d; want 1 of each", done.Died, done.Hung, done.Exhausted, done.Pruned)
	}
}

// What differs is handed on if it is plausible and no site that differs anyway;
// every variant is seen. An error ends the exploration, and what was done counts.
func TestDifferencesAreHandedOn(t *testing.T) {
	t.Parallel()
	const site, known = 1, 2
	p := &program{do: func(side version.Side, negated int) outcome.Result {
		r := outcome.Result{Outcome: event.Pass, Entered: bits(1, 0)}
		switch saw := uint64(side); negated {
		case 0:
			r.Sites = []outcome.SiteDigest{{Site: site, Count: 1, Visible: saw}}
		case 1:
			r.Sites = []outcome.SiteDigest{{Site: known, Count: 1, Visible: saw}}
		case 2:
			r.Sites = []outcome.SiteDigest{{Site: site, Count: 1, Hidden: saw}}
		case 3: // a crash of both, in other words
			r.Outcome, r.Message = event.Panic, [...]string{"left", "right"}[side]
		}
		return r
	}}
	s := newStage(p)
	enough := errors.New("enough")
	var differs, saw []int
	s.Differs = func(v explore.Variant, d diff.Difference) { differs = append(differs, v.Set.Branches[0].Condition()) }
	s.Saw = func(v explore.Variant) { saw = append(saw, v.Set.Branches[0].Condition()) }
	s.Each = func(context.Context) error { return enough }
	x := test("T", 1, 0, 2, 4, 6)
	x.Known = map[int]bool{known: true}
	done, err := s.Run(t.Context(), []*baseline.Test{x, test("U", 2, 0)})
	if !errors.Is(err, enough) {
		t.Errorf("error %v, want that of Each", err)
	}
	if diff := cmp.Diff([]int{0}, differs); diff != "" {
		t.Errorf("differences handed on (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{0, 1, 2, 3}, saw); diff != "" {
		t.Errorf("variants seen, U's among them or not all of T's (-want +got):\n%s", diff)
	}
	if done.Variants != 4 || done.Implausible != 1 || done.Hidden != 1 {
		t.Errorf("%d variants, %d not plausible, %d hidden; want 4, 1, 1", done.Variants, done.Implausible, done.Hidden)
	}
}

// A test keeps its processes from one round to the next, as far as there is room, and
// all have ended when the exploration has, whatever ended it.
func TestProcessesAreKept(t *testing.T) {
	t.Parallel()
	for name, enough := range map[string]error{"to the end": nil, "to an error": errors.New("enough")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &program{do: func(version.Side, int) outcome.Result {
				return outcome.Result{Outcome: event.Pass, Entered: bits(1, 0)}
			}}
			s := newStage(p)
			s.Space = common{rank: map[outcome.Branch]int{1: 0, 3: 1, 5: 2}}
			// An error comes in the second of three rounds.
			rounds := 0
			s.Each = func(context.Context) error {
				if rounds++; rounds > 50 {
					return enough
				}
				return nil
			}
			var tests []*baseline.Test
			for i := range 40 {
				tests = append(tests, test(fmt.Sprint("T", i), int64(i), 0, 2, 4))
			}
			writes := test("writes", 0, 0, 2, 4)
			writes.Pristine = "a folder that no two processes share"
			tests = append(tests, writes)
			if _, err := s.Run(t.Context(), tests); !errors.Is(err, enough) {
				t.Fatal(err)
			}
			// Of 41 tests 32 keep theirs for three rounds; each has two.
			if want := 2 * (32 + 9*3); enough == nil && p.ended != want {
				t.Errorf("%d processes were closed, want %d", p.ended, want)
			}
			if len(p.alive) > 0 {
				t.Errorf("%v are alive after the exploration", p.alive)
			}
			if p.shared {
				t.Error("two processes of a test that writes to its folder were alive at a time")
			}
		})
	}
}

// What the largest number of variants leaves out is counted.
func TestMostVariants(t *testing.T) {
	t.Parallel()
	p := &program{do: func(version.Side, int) outcome.Result { return outcome.Result{Outcome: event.Pass} }}
	s := newStage(p)
	s.MaxVariants = 3
	done, err := s.Run(t.Context(), []*baseline.Test{test("T", 1, 0, 2), test("U", 2, 0, 2, 4)})
	if err != nil {
		t.Fatal(err)
	}
	if done.Variants != 3 || done.Skipped != 2 || len(p.ran) != 3 {
		t.Errorf("%d variants, %d skipped, ran %v; want 3 and 2", done.Variants, done.Skipped, p.ran)
	}
}
