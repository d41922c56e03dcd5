package budget_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/runner/budget"
)

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// at is so many seconds after the start of the run.
func at(seconds float64) time.Time { return start.Add(time.Duration(seconds * float64(time.Second))) }

func TestMinute(t *testing.T) {
	t.Parallel()
	p := budget.Plan{Total: time.Minute, Start: start}
	found := p
	found.Found = true
	generated, inPlace := p.Calls(at(20))
	late, lateInPlace := p.Calls(at(48)) // building took all that it may
	for _, c := range []struct {
		what      string
		got, want time.Time
	}{
		{"builds end", p.Building(), at(48)},
		{"the first build ends", p.FirstBuilding(), at(57)},
		{"calls before the tests take 3 s", p.FirstCalls(at(10)), at(13)},
		{"but what is left", p.FirstCalls(at(59)), at(60)},
		{"baselines take 40 % of 50 s", p.Baseline(at(10)), at(30)},
		{"calls take 60 % of 40 s", inPlace, at(44)},
		{"the first of what they show is confirmed after a tenth", p.Glance(at(30), at(20)), at(21)},
		{"but after 3 s", p.Glance(at(80), at(20)), at(23)},
		{"of which three quarters are generated", generated, at(38)},
		{"a floor of 13.2 s after a long build", lateInPlace, at(61.2)},
		{"in the same parts", late, at(57.9)},
		{"varying tests takes 45 % of 16 s", p.Variation(at(44)), at(51.2)},
		{"relations take a quarter of 16 s", p.Relations(at(44)), at(48)},
		{"2.4 s after everything else", p.Relations(at(58)), at(60.4)},
		{"but not after the latest calls", p.Relations(at(60)), at(61.2)},
		{"negation, likewise", p.Negation(at(58)), at(60.4)},
		{"with something to paste, too", found.Negation(at(58)), at(60.4)},
		{"negation leaves inputs for what it forced 3.6 s", p.Negation(at(40)), at(56.4)},
		{"which take the rest", p.ForcedGoals(at(56.4)), at(60)},
		{"and 2.4 s after everything else", p.ForcedGoals(at(58)), at(60.4)},
		{"inputs for the change take 30 % of 20 s", p.Goals(at(40)), at(46)},
		{"negation takes the rest", p.Exploring(), at(60)},
		{"less twelve seconds with something to paste", found.Exploring(), at(48)},
		{"more calls", p.MoreCalls(at(50)), at(58.5)},
		{"confirming goes on for 7.5 s", p.Confirming(at(50)), at(57.5)},
		{"but not after 64.2 s", p.Confirming(at(60)), at(64.2)},
		{"whenever its stage ends", p.Confirming(at(90)), at(64.2)},
		{"all confirming", p.LastConfirmation(), at(64.2)},
		{"undoing", p.Undoing(at(60)), at(66.6)},
		{"undoing has 2 s", p.Undoing(at(65.7)), at(67.7)},
		{"but not after the run", p.Undoing(at(67)), at(67.8)},
		{"the run", p.End(), at(67.8)},
	} {
		if d := c.got.Sub(c.want); d.Abs() > time.Millisecond {
			t.Errorf("%s: %s, want %s", c.what, c.got.Sub(start), c.want.Sub(start))
		}
	}
	for _, c := range []struct {
		first bool
		now   float64
		want  bool
	}{{true, 0, true}, {true, 59, true}, {false, 29, true}, {false, 31, false}} {
		if got := p.MayBuild(c.first, at(c.now)); got != c.want {
			t.Errorf("after %v s, first %t: may build: %t", c.now, c.first, got)
		}
	}
	if got := p.Iteration(at(26), at(10)); got != 3*time.Second {
		t.Errorf("an iteration may take %s of 16 s", got)
	}
	if got := p.Repeating(); got != time.Second {
		t.Errorf("repeating may take %s", got)
	}
}

func TestUnlimited(t *testing.T) {
	t.Parallel()
	p := budget.Plan{Start: start}
	year := at(365 * 24 * 3600)
	for what, end := range map[string]time.Time{"building": p.Building(), "baseline": p.Baseline(at(9)), "exploring": p.Exploring(), "negation": p.Negation(at(9)),
		"confirming": p.Confirming(at(9)), "the run": p.End()} {
		if end.Before(year) {
			t.Errorf("%s ends after %s", what, end.Sub(start))
		}
	}
	if end := p.FirstCalls(at(10)); !end.Equal(at(10)) {
		t.Errorf("calls before the tests end after %s", end.Sub(start))
	}
	if _, end := p.Calls(at(10)); !end.Equal(at(10 + 20*60)) {
		t.Errorf("calls end after %s", end.Sub(start))
	}
	if end := p.Relations(at(10)); !end.Equal(at(10 + 20*60)) {
		t.Errorf("relations end after %s", end.Sub(start))
	}
}

// In an upgrade more of the time is left to calls: the module's tests and its branches are
// the same.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	any, upgrade := budget.Plan{Total: time.Minute, Start: start}, budget.Plan{Total: time.Minute, Start: start, Upgrade: true}
	now := at(20)
	for what, ends := range map[string][2]time.Time{"baselines": {any.Baseline(now), upgrade.Baseline(now)},
		"goals": {any.Goals(now), upgrade.Goals(now)}, "negation": {any.Negation(now), upgrade.Negation(now)}} {
		if !ends[1].Before(ends[0]) || !ends[1].After(now) {
			t.Errorf("%s end after %s, and in an upgrade after %s", what, ends[0].Sub(start), ends[1].Sub(start))
		}
	}
}

// No stage that keeps to its end makes the run last longer than 1.15 of its
// budget, whenever it begins.
func TestNothingEndsAfterTheRun(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		total := time.Duration(rapid.Int64Range(1, int64(time.Hour)).Draw(t, "total"))
		p := budget.Plan{Total: total, Start: start, Found: rapid.Bool().Draw(t, "found"), RelationsOnly: rapid.Bool().Draw(t, "only"), Upgrade: rapid.Bool().Draw(t, "upgrade")}
		now := start.Add(time.Duration(rapid.Int64Range(0, int64(float64(total)*1.1)).Draw(t, "now")))
		generated, inPlace := p.Calls(now)
		for what, end := range map[string]time.Time{"building": p.Building(), "baseline": p.Baseline(now), "first calls": p.FirstCalls(now), "generated calls": generated, "calls": inPlace,
			"relations": p.Relations(now), "exploring": p.Exploring(), "negation": p.Negation(now), "more calls": p.MoreCalls(now), "confirming": p.Confirming(now),
			"confirming calls": p.Confirming(inPlace), "last": p.LastConfirmation()} {
			if end.After(p.End()) {
				t.Fatalf("%s ends %s after the run", what, end.Sub(p.End()))
			}
		}
		if inPlace.Before(generated) || generated.Before(now) {
			t.Fatalf("calls from %s end at %s and %s", now, generated, inPlace)
		}
	})
}
