package report

import (
	"strings"
	"testing"

	"golang.org/x/net/html/atom"

	"github.com/isodelta/isodelta/report/event"
)

// TestHeadline: the first line says how many of what there are, and what a
// reader must know before believing it.
func TestHeadline(t *testing.T) {
	t.Parallel()
	pass, fail := event.Result{Outcome: event.Pass, Value: "1"}, event.Result{Outcome: event.Fail, Value: "2"}
	another := event.Result{Outcome: event.Pass, Value: "2"}
	observed := event.Finding{Rung: event.Observed, Base: pass, Head: another}
	failing := event.Finding{Rung: event.Observed, Base: pass, Head: fail}
	reached := event.Finding{Rung: event.Reached}
	text := event.Finding{Rung: event.Reached, Kind: event.KindErrorText}
	fixed := event.Finding{Rung: event.Reached, Kind: event.KindErrorToValue}
	untested := event.Finding{Rung: event.Forced, Negations: []event.Negation{{Universal: true}}}
	beside := event.Finding{Rung: event.Forced, Negations: []event.Negation{{ID: "another", Universal: true}}}
	unique := event.Finding{Rung: event.Forced, Negations: []event.Negation{{ID: "unique"}}}
	intended := event.Finding{Rung: event.Observed, Intended: true}
	accepted := event.Finding{Rung: event.Reached, Accepted: &event.Acceptance{}}
	whole := &event.Summary{Tests: 3, Verdict: event.Differences}
	shard := event.Limit{Kind: "shard", What: "2/3", Reason: "missing"}
	for want, s := range map[string]event.Stream{
		"1 behaviour change that no test fails on":                                                {Findings: []event.Finding{observed}},
		"2 behaviour changes that no test fails on, 1 hidden behind an untested branch":           {Findings: []event.Finding{observed, reached, untested}},
		"2 behaviour changes hidden behind untested branches":                                     {Findings: []event.Finding{untested, beside}},
		"2 behaviour changes seen only with branches forced":                                      {Findings: []event.Finding{untested, unique}},
		"1 behaviour change hidden behind an untested branch, 1 that fails a test":                {Findings: []event.Finding{untested, beside, failing}},
		"2 behaviour changes that fail a test, 1 intended, 2 accepted":                            {Findings: []event.Finding{failing, failing, intended, accepted, accepted}},
		"1 intended behaviour change, 1 accepted, no other difference found":                      {Findings: []event.Finding{intended, accepted}},
		"2 accepted behaviour changes, no other difference found":                                 {Findings: []event.Finding{accepted, accepted}},
		"1 small difference, no other difference found":                                           {Findings: []event.Finding{text}},
		"1 behaviour change that no test fails on, 1 where base was the one that failed, 2 small": {Findings: []event.Finding{text, fixed, reached, text}},
		"1 behaviour change where base was the one that failed":                                   {Findings: []event.Finding{fixed}},
		"incomplete (shard 2/3 is not whole), so far 1 behaviour change that no test fails on":    {Findings: []event.Finding{reached}, Limits: []event.Limit{shard}},
		"incomplete (2 shards are not whole), so far 1 accepted behaviour change":                 {Findings: []event.Finding{accepted}, Limits: []event.Limit{shard, shard}},
		"incomplete (shard 2/3 is not whole): no difference found so far, which is no verdict":    {Limits: []event.Limit{shard}},
	} {
		for i := range s.Findings {
			s.Findings[i].Cluster = string(rune('a' + i))
		}
		s.Summary = whole
		got, _ := headline(&s, clustersOf(&s))
		if shown(got) != want {
			t.Errorf("got %s, want %s", shown(got), want)
		}
	}
	cutOff := &event.Stream{Findings: []event.Finding{reached}}
	got, _ := headline(cutOff, clustersOf(cutOff))
	if want := "incomplete (the run was cut off), so far 1 behaviour change that no test fails on"; shown(got) != want {
		t.Errorf("got %s, want %s", shown(got), want)
	}
}

// TestNeverGreen: whatever a summary claims, nothing explored, a part that is
// missing and an end that is missing are not calm.
func TestNeverGreen(t *testing.T) {
	t.Parallel()
	good := event.Summary{Tests: 3, Branches: 4, Covered: 2, Verdict: event.NoDifference}
	cut := event.Limit{Kind: "shard", What: "1/2", Reason: "missing"}
	interrupted, nothing, claims := good, good, good
	interrupted.Interrupted = true
	nothing.Tests = 0
	claims.Verdict = event.IntendedOnly
	if p := newPage(&event.Stream{Summary: &good}); p.tone != calm {
		t.Fatalf("what was explored is tone %d", p.tone)
	}
	for name, s := range map[string]event.Stream{
		"no summary":       {},
		"shard":            {Summary: &good, Limits: []event.Limit{cut}},
		"interrupted":      {Summary: &interrupted},
		"nothing explored": {Summary: &nothing},
		"findings missing": {Summary: &claims},
	} {
		if p := newPage(&s); p.tone == calm {
			t.Errorf("%s: calm, %s", name, shown(p.verdict))
		}
	}
}

// TestUnexecuted: the verdict and a note say which of the functions that changed
// nothing executed, and how many tests were left out.
func TestUnexecuted(t *testing.T) {
	t.Parallel()
	s := &event.Stream{
		Matches:   []event.Match{{Changed: []event.ChangedItem{{Function: "m.F"}, {Function: "m.G"}, {Function: "m.H"}}}},
		Baselines: []event.Baseline{{Tests: 3, NotReaching: 1}},
		Summary:   &event.Summary{Tests: 3, TestsLeftOut: 2, Unexecuted: []string{"m.G", "m.H"}, Verdict: event.NoDifference},
	}
	p := newPage(s)
	if got, want := shown(p.verdict), "no difference found in 3 tests (2 left out), none of them forced; 2 of 3 changed functions never executed"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if len(p.notes) != 1 || shown(p.notes[0]) != "Nothing executed m.G and m.H." {
		t.Errorf("notes %v", p.notes)
	}
	s.Baselines[0].NotReaching = 3
	p = newPage(s)
	if got, want := shown(p.verdict), "nothing executed what changed; no difference found in 3 tests (2 left out), none of them forced"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if len(p.notes) != 1 || shown(p.notes[0]) != "No test that ran executes anything that changed." {
		t.Errorf("notes %v", p.notes)
	}
}

// TestNeverExecuted: where nothing executed what changed, that is the verdict.
func TestNeverExecuted(t *testing.T) {
	t.Parallel()
	s := &event.Stream{
		Matches:   []event.Match{{Changed: []event.ChangedItem{{Function: "m.F"}}}},
		Baselines: []event.Baseline{{Tests: 3, NotReaching: 1}},
		Summary:   &event.Summary{Tests: 3, Unexecuted: []string{"m.F"}, Verdict: event.NoDifference},
	}
	p := newPage(s)
	if got, want := shown(p.verdict), "the changed function m.F was never executed; no difference found in 3 tests, none of them forced"; got != want || p.tone != doubt {
		t.Errorf("got %s (tone %d), want %s", got, p.tone, want)
	}
}

// TestCallsEnded: calls that ended early stand right under the verdict, which they make weaker.
func TestCallsEnded(t *testing.T) {
	t.Parallel()
	limit := func(what, reason string) event.Limit {
		return event.Limit{Kind: event.LimitCalls, What: what, Reason: reason}
	}
	s := &event.Stream{Summary: &event.Summary{Tests: 3, Verdict: event.NoDifference},
		Limits: []event.Limit{limit("m/a", event.CallsEnded+"the process ended 150 times"), limit("m/b", "it offers more than 4000 functions; the rest is not called")}}
	want := "In m/a calls of our own ended early: the process ended 150 times; what further calls show is unknown."
	if p := newPage(s); len(p.notes) != 1 || shown(p.notes[0]) != want {
		t.Errorf("notes %v, want %s", p.notes, want)
	}
	s.Limits = append(s.Limits, limit("m/c", event.CallsNotBuilt+"undefined: x"))
	want = "Calls of our own ended early, or could not be made, in m/a and m/c; what further calls show is unknown."
	if p := newPage(s); len(p.notes) != 1 || shown(p.notes[0]) != want {
		t.Errorf("notes %v, want %s", p.notes, want)
	}
	s.Limits = s.Limits[1:2]
	if p := newPage(s); len(p.notes) != 0 {
		t.Errorf("notes %v", p.notes)
	}
}

// TestNotBegun: what the budget left no time to begin stands right under the verdict.
func TestNotBegun(t *testing.T) {
	t.Parallel()
	s := &event.Stream{
		Config:  event.Config{BudgetSeconds: 30},
		Limits:  []event.Limit{{Kind: event.LimitBudget, What: "m", Reason: "the budget ended before relations of its functions were checked"}},
		Summary: &event.Summary{Tests: 3, Skipped: 7, Verdict: event.NoDifference},
	}
	want := "The budget of 30 s ended before any branch was forced and any relation was checked; with a longer --budget they are."
	if p := newPage(s); len(p.notes) != 1 || shown(p.notes[0]) != want {
		t.Errorf("notes %v, want %s", p.notes, want)
	}
	s.Summary.Variants, s.Relations = 1, []event.Relation{{State: event.Kept}}
	if p := newPage(s); len(p.notes) != 0 {
		t.Errorf("notes %v", p.notes)
	}
}

// TestMarkdownOptions: each option shows where it is set, and nowhere else.
func TestMarkdownOptions(t *testing.T) {
	t.Parallel()
	s := fixture(t, "figure1")
	for i := range s.Findings {
		s.Findings[i].Cause = strings.Repeat("3fa9c1d0", 8)
	}
	const command = "/isodelta accept 3fa9c1d03fa9c1d03fa9c1d03fa9c1d0 why it is meant"
	bare := renderMarkdown(t, s, MarkdownOptions{})
	for _, no := range []string{command, "<a ", "full report", "(`"} {
		if strings.Contains(bare[:strings.Index(bare, "1. ")], no) || no != "(`" && strings.Contains(bare, no) {
			t.Errorf("without options the report holds %q", no)
		}
	}
	full := renderMarkdown(t, s, hostileOptions("unit tests"))
	text := readable(rendered(t, full))
	for _, want := range []string{command, "full report · run", "isodelta (unit tests): 1 behaviour change", "changed at param.go:8-19"} {
		if !strings.Contains(text, want) {
			t.Errorf("a reader does not see %q", want)
		}
	}
	links := map[string]bool{}
	for d := range rendered(t, full).Descendants() {
		if d.DataAtom == atom.A {
			links[d.Attr[0].Val] = true
		}
	}
	for _, want := range []string{"head/param.go#L8-L19", "commit/9f31c0a77d1c5f0b8b1d2a3c4e5f60718293a4b5", "commit/b2d7e14f0a9c8b7d6e5f40312233445566778899", "run", "report"} {
		if !links[linked+want] {
			t.Errorf("no link leads to %s: %v", want, links)
		}
	}
	s.Findings[0].Cause = strings.Repeat("3fa9c1d0", 6) + "\n/isodelta rerun"
	if forged := renderMarkdown(t, s, hostileOptions("")); strings.Contains(forged, "/isodelta accept") {
		t.Error("a forged ID is offered as a command")
	}
}
