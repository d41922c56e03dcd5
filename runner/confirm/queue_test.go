package confirm

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/diff"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/baseline"
	"github.com/isodelta/isodelta/runner/budget"
	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/stage"
	"github.com/isodelta/isodelta/runner/version"
)

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// silent is a sink for progress.
type silent struct{}

func (silent) Emit(event.Event) {}

// queueAt is a queue of a run with a budget of a minute, so many seconds after its
// start. Its laboratory cannot start a process.
func queueAt(t *testing.T, seconds int) *Queue {
	env := &stage.Env{Sink: silent{}, Plan: budget.Plan{Total: time.Minute, Start: start}, Repetitions: 5,
		Now: func() time.Time { return start.Add(time.Duration(seconds) * time.Second) },
		Lab: &execute.Lab{Executable: t.TempDir(), Tmp: t.TempDir()}}
	return NewQueue(env, nil, &build.Suites{}, 2)
}

func aTest(side version.Side, name string) *baseline.Test {
	return &baseline.Test{Test: &build.Test{Test: instrument.Test{Package: "example.com/m", Name: name, Source: name}, Suite: &build.Suite{Side: side}}}
}

// seen is a difference of a test that entered a function of Δ.
func seen(t *baseline.Test, fuel int64, negated ...outcome.Branch) Difference {
	r := outcome.Result{Outcome: event.Pass, Fuel: fuel, Entered: outcome.Bits{1}}
	return Difference{Test: t, Branches: negated, Base: r, Head: r}
}

func TestGroup(t *testing.T) {
	t.Parallel()
	one := seen(aTest(version.Head, "TestOne"), 1, 4)
	same := func(change func(*Difference)) bool {
		d := one
		change(&d)
		return d.group() == one.group()
	}
	none := func(d *Difference) { d.Base.Entered, d.Head.Entered = nil, nil }
	for what, c := range map[string]struct {
		change func(*Difference)
		same   bool
	}{
		"another test":           {func(d *Difference) { d.Test = aTest(version.Head, "TestTwo") }, true},
		"another condition":      {func(d *Difference) { d.Branches = []outcome.Branch{6} }, true},
		"more work":              {func(d *Difference) { d.Base.Fuel = 9 }, true},
		"entered on head alone":  {func(d *Difference) { d.Base.Entered = nil }, true},
		"as it is":               {func(d *Difference) { d.Branches = nil }, false},
		"the other suite":        {func(d *Difference) { d.Test = aTest(version.Base, "TestOne") }, false},
		"another outcome":        {func(d *Difference) { d.Head.Outcome = event.Fail }, false},
		"its outcome differs":    {func(d *Difference) { d.Diff = diff.Difference{Outcome: true} }, false},
		"another function of Δ":  {func(d *Difference) { d.Head.Entered = outcome.Bits{2} }, false},
		"nothing of Δ was there": {none, false},
	} {
		if got := same(c.change); got != c.same {
			t.Errorf("%s: the same group: %t", what, got)
		}
	}
	// Where nothing of Δ was entered, nothing says that two have one cause.
	one.Base.Entered, one.Head.Entered = nil, nil
	if same(func(d *Difference) { d.Test = aTest(version.Head, "TestTwo") }) || same(func(d *Difference) { d.Branches = []outcome.Branch{6} }) {
		t.Error("without a cause, another test or condition is another group")
	}
	if !same(func(d *Difference) { d.Base.Fuel = 9 }) {
		t.Error("without a cause, the same test and condition are one group")
	}
}

func TestMasked(t *testing.T) {
	t.Parallel()
	x := aTest(version.Head, "TestOne")
	x.Unstable, x.Known = map[int]bool{1: true}, map[int]bool{2: true}
	asItIs, variant := seen(x, 1), seen(x, 1, 4)
	for site, want := range map[int][2]bool{1: {true, true}, 2: {false, true}, 3: {false, false}} {
		if got := [2]bool{asItIs.Masked(site), variant.Masked(site)}; got != want {
			t.Errorf("site %d: %v, want %v", site, got, want)
		}
	}
}

func TestFailureText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ output, want string }{
		{"ok\nPASS", ""},
		{"--- FAIL: TestA (0.00s)\n    a_test.go:3: wrong\nFAIL", "a_test.go:3: wrong\nFAIL"},
		{"--- FAIL: TestA\n    first\n--- FAIL: TestB\n\n    second\n", "second"},
		{"--- FAIL: TestA\n    --- SKIP: TestA/b\n    c\n", "c"},
		{"--- FAIL: TestA\n1\n2\n3\n4\n5\n6\n7\n", "1\n2\n3\n4\n5\n6"},
	} {
		if got := failureText(c.output); got != c.want {
			t.Errorf("%q: %q, want %q", c.output, got, c.want)
		}
	}
}

func TestSimplestFirst(t *testing.T) {
	t.Parallel()
	x := aTest(version.Head, "TestOne")
	list := []Difference{seen(x, 1, 4, 6), seen(x, 9, 4), seen(x, 2, 6), seen(x, 5)}
	simplestFirst(list)
	var got []int64
	for _, d := range list {
		got = append(got, d.Base.Fuel)
	}
	if diff := cmp.Diff([]int64{5, 2, 9, 1}, got); diff != "" {
		t.Error(diff)
	}
}

// Whatever becomes of differences, none is lost: it stands, did not repeat, or is
// counted as not confirmed.
func TestNoDifferenceIsLost(t *testing.T) {
	t.Parallel()
	tests := []*baseline.Test{aTest(version.Head, "TestOne"), aTest(version.Head, "TestTwo"), aTest(version.Base, "TestOne")}
	dir := t
	rapid.Check(t, func(t *rapid.T) {
		// After 1.1 × the budget nothing is run any more, before it every process
		// fails to start.
		q := queueAt(dir, rapid.SampledFrom([]int{10, 90}).Draw(t, "now"))
		n := rapid.IntRange(0, 12).Draw(t, "differences")
		for range n {
			q.Add(seen(rapid.SampledFrom(tests).Draw(t, "test"), rapid.Int64Range(1, 3).Draw(t, "fuel"), outcome.Branch(rapid.IntRange(0, 3).Draw(t, "negated"))))
		}
		for key := range q.waiting { // some groups are full, or given up
			switch rapid.IntRange(0, 2).Draw(t, "group") {
			case 1:
				q.good[key], q.tried[key] = 2, 2
			case 2:
				q.tried[key] = maxFailures
			}
		}
		found, err := q.Run(context.Background())
		if len(found) > 0 || q.NotConfirmed() != n {
			t.Fatalf("%d of %d are not confirmed (%v)", q.NotConfirmed(), n, err)
		}
		found, err = q.Rest(context.Background(), start.Add(time.Minute))
		if len(found) > 0 || q.NotConfirmed() != n {
			t.Fatalf("with the rest, %d of %d are not confirmed (%v)", q.NotConfirmed(), n, err)
		}
	})
}

// A group that is full, or given up, is left for Rest; the others are run.
func TestFullGroupsWait(t *testing.T) {
	t.Parallel()
	full, open := seen(aTest(version.Head, "TestOne"), 1, 4), seen(aTest(version.Base, "TestOne"), 1, 4)
	for what, tried := range map[string]int{"full": 2, "given up": maxFailures} {
		q := queueAt(t, 10)
		if what == "full" {
			q.good[full.group()] = 2
		}
		q.tried[full.group()] = tried
		q.Add(full)
		if _, err := q.Run(context.Background()); err != nil || len(q.later[full.group()]) != 1 {
			t.Errorf("%s: %v, %d wait", what, err, len(q.later[full.group()]))
		}
		q.Add(open)
		if _, err := q.Run(context.Background()); err == nil {
			t.Errorf("%s: a difference of another group was not run", what)
		}
	}
	// Without a bound no group is full.
	q := queueAt(t, 10)
	q.PerGroup, q.good[full.group()], q.tried[full.group()] = 0, 50, 50
	q.Add(full)
	if _, err := q.Run(context.Background()); err == nil {
		t.Error("a difference was not run, although all are wanted")
	}
}

func TestRestEndsInTime(t *testing.T) {
	t.Parallel()
	q := queueAt(t, 10)
	d := seen(aTest(version.Head, "TestOne"), 1, 4)
	q.later[d.group()] = []Difference{d}
	if _, err := q.Rest(context.Background(), start.Add(9*time.Second)); err != nil || len(q.later) != 1 {
		t.Errorf("%v, %d wait: the time was over", err, len(q.later))
	}
	if _, err := q.Rest(context.Background(), start.Add(11*time.Second)); err == nil {
		t.Error("nothing was run, although there was time")
	}
}

// What takes most of the time that is left is not begun, and of what a passing test sees
// otherwise, what takes a good part of it.
func TestTooSlow(t *testing.T) {
	t.Parallel()
	x := aTest(version.Head, "TestOne")
	fails := Difference{Test: x, Head: outcome.Result{Outcome: event.Fail}}
	for _, c := range []struct {
		now     int
		seconds float64
		want    bool
		value   bool // the same, where the test ends alike
	}{{0, 0.3, false, false}, {0, 1, false, true}, {0, 5, true, true}, {58, 0.3, false, true}, {58, 0.5, true, true}, {66, 0, true, true}} {
		x.Seconds = c.seconds
		if got := queueAt(t, c.now).tooSlow(fails); got != c.want {
			t.Errorf("after %d s, a test of %v s: %t", c.now, c.seconds, got)
		}
		if got := queueAt(t, c.now).tooSlow(Difference{Test: x}); got != c.value {
			t.Errorf("after %d s, a test of %v s that ends alike: %t", c.now, c.seconds, got)
		}
	}
	q := queueAt(t, 1000)
	q.Env.Plan.Total = 0
	if x.Seconds = 1000; q.tooSlow(fails) {
		t.Error("without a budget nothing is too slow")
	}
}

// The change edits the expectation of a test that passes on its own version alone and
// is not the same on the other.
func TestIntended(t *testing.T) {
	t.Parallel()
	head, base := &build.Suite{Side: version.Head, Text: &instrument.Suite{}}, &build.Suite{Side: version.Base, Text: &instrument.Suite{}}
	q := &Queue{Suites: &build.Suites{List: []*build.Suite{head, base}}}
	x := aTest(version.Head, "TestOne")
	x.Suite, x.Digest, x.File = head, "2", "a/a_test.go"
	twin := x.Test.Test
	twin.Digest = "1"
	for _, c := range []struct {
		what    string
		outcome version.Both[event.Outcome]
		twins   []instrument.Test
		want    bool
		data    map[string]bool
	}{
		{"edited", version.Both[event.Outcome]{event.Fail, event.Pass}, []instrument.Test{twin}, true, nil},
		{"edited, fails on both", version.Both[event.Outcome]{event.Fail, event.Fail}, []instrument.Test{twin}, false, nil},
		{"edited, passes on both", version.Both[event.Outcome]{event.Pass, event.Pass}, []instrument.Test{twin}, false, nil},
		{"edited, passes on the other alone", version.Both[event.Outcome]{event.Pass, event.Fail}, []instrument.Test{twin}, false, nil},
		{"not edited", version.Both[event.Outcome]{event.Fail, event.Pass}, []instrument.Test{x.Test.Test}, false, nil},
		{"new", version.Both[event.Outcome]{event.Fail, event.Pass}, nil, true, nil},
		{"its data is edited", version.Both[event.Outcome]{event.Fail, event.Pass}, []instrument.Test{x.Test.Test}, true, map[string]bool{"a": true}},
		{"other data is edited", version.Both[event.Outcome]{event.Fail, event.Pass}, []instrument.Test{x.Test.Test}, false, map[string]bool{"b": true}},
	} {
		x.Outcome, base.Text.Tests, q.Suites.Data = c.outcome, c.twins, c.data
		if got := q.intended(Difference{Test: x}); got != c.want {
			t.Errorf("%s: %t", c.what, got)
		}
	}
}
