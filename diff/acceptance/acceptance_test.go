package acceptance

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/diff"
	"github.com/isodelta/isodelta/report/event"
)

var today = time.Date(2026, 5, 17, 15, 0, 0, 0, time.UTC)

// reached is a difference shown by a call of function, that executed changed.
func reached(function, input string, changed ...string) event.Finding {
	return event.Finding{Type: "finding", ID: "id " + function + input + strings.Join(changed, ","), Rung: event.Reached, Package: "m", Function: function,
		Component: "result", Kind: event.KindValue, Input: input, Changed: changed,
		Base: event.Result{Outcome: event.Pass, Value: "1"}, Head: event.Result{Outcome: event.Pass, Value: "2"}}
}

// stream is a comparison in which functions changed, each with its digest after
// an equals sign.
func stream(functions []string, findings ...event.Finding) *event.Stream {
	m := event.Match{Type: "match"}
	for _, f := range functions {
		name, digest, _ := strings.Cut(f, "=")
		m.Changed = append(m.Changed, event.ChangedItem{Function: name, Status: "changed", Digest: digest})
	}
	verdict := event.NoDifference
	if len(findings) > 0 {
		verdict = event.Differences
	}
	s := &event.Stream{Config: event.Config{Version: 1}, Matches: []event.Match{m},
		Summary: &event.Summary{Tests: 1, Covered: 1, Verdict: verdict}}
	s.Findings = diff.Group(findings, diff.ChangesOf(s.Matches))
	return s
}

func entry(id string) Entry { return Entry{ID: id, Reason: "on purpose", From: FromConfig} }

func open(s *event.Stream) []string {
	var ids []string
	for _, f := range s.Findings {
		if f.Open() {
			ids = append(ids, f.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

func TestApply(t *testing.T) {
	t.Parallel()
	f := reached("Parse", "Parse(1)", "Parse")
	panics := f
	panics.ID, panics.Kind, panics.Head.Outcome = "panics", event.KindPanic, event.Panic
	forced := f
	forced.ID, forced.Rung, forced.Base.Outcome, forced.Head.Outcome = "forced", event.Forced, event.Fail, event.Fail
	moved := f
	moved.ID, moved.Input, moved.Line, moved.Component = "moved", "Parse(77)", 99, "error"
	deeper := reached("Parse", "Parse(2)", "Parse", "scan")
	intended := f
	intended.ID, intended.Rung, intended.Intended = "intended", event.Observed, true
	unseen := reached("Load", "Load()")
	accepted := stream([]string{"Parse=1", "scan=1"}, f).Findings[0].Cause

	for _, test := range []struct {
		name      string
		id        string // accepted
		functions []string
		findings  []event.Finding
		open      []string
		verdict   event.Verdict
		stale     bool
	}{
		{"as it was", accepted, []string{"Parse=1", "scan=1"}, []event.Finding{f}, nil, event.AcceptedOnly, false},
		{"other input, line and component", accepted, []string{"Parse=1"}, []event.Finding{moved}, nil, event.AcceptedOnly, false},
		{"another function edited", accepted, []string{"Parse=1", "scan=2", "more=1"}, []event.Finding{f}, nil, event.AcceptedOnly, false},
		{"the function edited again", accepted, []string{"Parse=2", "scan=1"}, []event.Finding{f}, []string{f.ID}, event.Differences, true},
		{"another kind", accepted, []string{"Parse=1"}, []event.Finding{f, panics}, []string{"panics"}, event.Differences, false},
		{"other evidence", accepted, []string{"Parse=1"}, []event.Finding{forced}, nil, event.AcceptedOnly, false},
		{"further code ran", accepted, []string{"Parse=1", "scan=1"}, []event.Finding{f, deeper}, []string{deeper.ID}, event.Differences, false},
		{"beside an intended one", accepted, []string{"Parse=1"}, []event.Finding{f, intended}, nil, event.AcceptedOnly, false},
		{"only an intended one", accepted, []string{"Parse=1"}, []event.Finding{intended}, nil, event.IntendedOnly, false},
		{"not seen this time", accepted, []string{"Parse=1"}, nil, nil, event.NoDifference, false},
		{"gone", accepted, []string{"scan=1"}, nil, nil, event.NoDifference, true},
		{"two functions, of which one ran this time", stream([]string{"Parse=1", "scan=1"}, deeper).Findings[0].Cause,
			[]string{"Parse=1", "scan=1"}, []event.Finding{f}, []string{f.ID}, event.Differences, false},
		{"two functions, and one of them alone", stream([]string{"Parse=1", "scan=1"}, deeper).Findings[0].Cause,
			[]string{"Parse=1", "scan=1"}, []event.Finding{f, deeper}, nil, event.AcceptedOnly, false},
		{"half of the digits", accepted[:MinDigits], []string{"Parse=1", "scan=1"}, []event.Finding{f}, nil, event.AcceptedOnly, false},
		{"one digit too few", accepted[:MinDigits-1], []string{"Parse=1", "scan=1"}, []event.Finding{f}, []string{f.ID}, event.Differences, true},
		{"as the report shows it", stream([]string{"Parse=1"}, f).Findings[0].Cluster, []string{"Parse=1"}, []event.Finding{f}, []string{f.ID}, event.Differences, true},
		{"two functions, the other edited", stream([]string{"Parse=1", "scan=1"}, deeper).Findings[0].Cause,
			[]string{"Parse=1", "scan=2"}, []event.Finding{f}, []string{f.ID}, event.Differences, true},
		{"a cluster of both", stream([]string{"Parse=1", "scan=1"}, f, deeper).Findings[0].Cause,
			[]string{"Parse=1", "scan=1"}, []event.Finding{f, deeper}, nil, event.AcceptedOnly, false},
		{"unknown code", stream([]string{"Parse=1"}, unseen).Findings[0].Cause, []string{"Parse=1"}, []event.Finding{unseen}, nil, event.AcceptedOnly, false},
		{"unknown code, and an edit", stream([]string{"Parse=1"}, unseen).Findings[0].Cause, []string{"Parse=2"}, []event.Finding{unseen}, []string{unseen.ID}, event.Differences, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := stream(test.functions, test.findings...)
			stale := Apply(s, []Entry{entry(test.id)}, today)
			if diff := cmp.Diff(test.open, open(s)); diff != "" {
				t.Error(diff)
			}
			if s.Verdict() != test.verdict || s.Summary.Verdict != test.verdict {
				t.Errorf("verdict %s, in the summary %s, want %s", s.Verdict(), s.Summary.Verdict, test.verdict)
			}
			if (len(stale) > 0) != test.stale || len(s.Limits) != len(stale) {
				t.Errorf("stale: %+v, limits %+v, want any: %t", stale, s.Limits, test.stale)
			}
			for _, e := range s.Events() {
				if f, ok := e.(event.Finding); ok && f.Accepted != nil && f.Intended {
					t.Errorf("%s is intended and accepted", f.ID)
				}
			}
			before := *s
			if again := Apply(s, []Entry{entry(test.id)}, today); !reflect.DeepEqual(again, stale) || !cmp.Equal(before.Findings, s.Findings) || len(s.Limits) != len(stale) {
				t.Error("the second time it is another")
			}
		})
	}
}

// TestApplyIncomplete: what has not seen everything calls nothing stale.
func TestApplyIncomplete(t *testing.T) {
	t.Parallel()
	gone := entry(strings.Repeat("0a1b2c3d", 8))
	earlier := gone
	earlier.Earlier = true
	many := make([]string, 300)
	for i := range many {
		many[i] = string(rune('A' + i))
	}
	for name, test := range map[string]struct {
		change func(*event.Stream)
		entry  Entry
		stale  bool
	}{
		"whole":              {func(*event.Stream) {}, gone, true},
		"entry of base":      {func(*event.Stream) {}, earlier, false},
		"cut off":            {func(s *event.Stream) { s.Summary = nil }, gone, false},
		"interrupted":        {func(s *event.Stream) { s.Summary.Interrupted = true }, gone, false},
		"nothing ran":        {func(s *event.Stream) { s.Summary.Tests = 0 }, gone, false},
		"shard":              {func(s *event.Stream) { s.Config.Shard = "1/2" }, gone, false},
		"many, out of time":  {func(s *event.Stream) { s.Matches = stream(many).Matches; s.Limits = []event.Limit{{Kind: "budget"}} }, gone, false},
		"many, time enough":  {func(s *event.Stream) { s.Matches = stream(many).Matches }, gone, true},
		"a few, out of time": {func(s *event.Stream) { s.Limits = []event.Limit{{Kind: "budget"}} }, gone, true},
	} {
		s := stream([]string{"F=1"})
		test.change(s)
		if stale := Apply(s, []Entry{test.entry}, today); (len(stale) > 0) != test.stale {
			t.Errorf("%s: %+v", name, stale)
		}
	}
}

func TestExpiry(t *testing.T) {
	t.Parallel()
	for day, open := range map[string]bool{"2026-05-16": true, "2026-05-17": false, "2026-05-18": false} {
		s := stream([]string{"F=1"}, reached("F", "", "F"))
		e := entry(s.Findings[0].Cause)
		var err error
		if e.Expires, err = ParseDate(day, today); err != nil {
			t.Fatal(err)
		}
		stale := Apply(s, []Entry{e}, today)
		if s.Findings[0].Open() != open || (len(stale) == 1) != open {
			t.Errorf("%s: open %t, %+v", day, s.Findings[0].Open(), stale)
		}
		if open && !strings.Contains(stale[0].Why, "ran out on 2026-05-16, so what it was about counts again") {
			t.Errorf("%s", stale[0].Why)
		}
	}
	if got, err := ParseDate("90d", today); err != nil || got.Format(time.DateOnly) != "2026-08-15" {
		t.Errorf("90d: %v, %v", got, err)
	}
	for _, bad := range []string{"", "0d", "-3d", "d", "90", "90d x", "2026-02-30", "1e3d", "tomorrow", "99999999999d"} {
		if got, err := ParseDate(bad, today); err == nil {
			t.Errorf("%q is read as %v", bad, got)
		}
	}
}

// TestTwoSources: entries of a comment join those of the file.
func TestTwoSources(t *testing.T) {
	t.Parallel()
	s := stream([]string{"F=1", "G=1"}, reached("F", "", "F"), reached("G", "", "G"))
	first, second := entry(s.Findings[0].Cause), entry(s.Findings[1].Cause)
	second.From = FromComment
	Apply(s, []Entry{first}, today)
	if len(open(s)) != 1 {
		t.Fatalf("open: %v", open(s))
	}
	Apply(s, []Entry{second}, today)
	if len(open(s)) != 0 || s.Findings[0].Accepted.From == s.Findings[1].Accepted.From {
		t.Errorf("%+v", s.Findings)
	}
}

// TestRestOfACluster: what one entry covers leaves its cluster, and the rest of the
// cluster is what another entry names.
func TestRestOfACluster(t *testing.T) {
	t.Parallel()
	functions := []string{"A=1", "B=1", "C=1"}
	together := stream(functions, reached("F", "1", "B", "C")).Findings[0].Cause
	s := stream(functions, reached("F", "1", "A"), reached("F", "1", "B"), reached("F", "1", "C"))
	alone := stream(functions, reached("F", "1", "A")).Findings[0].Cause
	if stale := Apply(s, []Entry{entry(together), entry(alone)}, today); len(stale) > 0 || len(open(s)) > 0 {
		t.Errorf("stale %+v, open %v", stale, open(s))
	}
}

// TestCalls: an acceptance of a call that errs covers what it returns beside the error,
// and not a value alone, a receiver or an argument that nobody saw.
func TestCalls(t *testing.T) {
	t.Parallel()
	functions := []string{"P=1"}
	part := func(input, component string, kind event.Kind) event.Finding {
		f := reached("P", input, "P")
		f.ID, f.Component, f.Kind = f.ID+component, component, kind
		return f
	}
	fails, value := part("1", "error", event.KindValueToError), part("1", "result 1", event.KindValue)
	receiver, argument := part("1", "receiver", event.KindValue), part("1", "argument s", event.KindValue)
	alone, other := part("22", "result 1", event.KindValue), part("333", "error", event.KindValueToError)
	otherReceiver := part("333", "receiver", event.KindValue)
	of := func(findings ...event.Finding) string { return stream(functions, findings...).Findings[0].Cause }
	for name, test := range map[string]struct {
		accepted []string
		findings []event.Finding
		open     []string
	}{
		"as it was":                     {[]string{of(fails, value)}, []event.Finding{fails, value}, nil},
		"the value is seen later":       {[]string{of(fails)}, []event.Finding{fails, value}, nil},
		"a value alone":                 {[]string{of(fails, value)}, []event.Finding{fails, value, alone}, []string{alone.ID}},
		"the receiver as well":          {[]string{of(fails, receiver)}, []event.Finding{fails, receiver}, nil},
		"the receiver of another call":  {[]string{of(fails, receiver)}, []event.Finding{fails, receiver, other, otherReceiver}, nil},
		"the receiver is new":           {[]string{of(fails, value)}, []event.Finding{fails, value, receiver}, []string{receiver.ID}},
		"an argument is new":            {[]string{of(fails, receiver)}, []event.Finding{fails, receiver, argument}, []string{argument.ID}},
		"values alone are accepted":     {[]string{of(alone)}, []event.Finding{fails, value, alone}, []string{fails.ID, value.ID}},
		"both, as of an earlier report": {[]string{of(fails), of(receiver)}, []event.Finding{fails, receiver}, nil},
		"a part of it by another entry": {[]string{of(other), of(fails, receiver)}, []event.Finding{fails, receiver, other}, nil},
		"values that lead":              {[]string{of(value)}, []event.Finding{value, part("1", "error", event.KindErrorText)}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var entries []Entry
			for _, id := range test.accepted {
				entries = append(entries, entry(id))
			}
			s := stream(functions, test.findings...)
			if stale := Apply(s, entries, today); len(stale) > 0 {
				t.Errorf("stale: %+v", stale)
			}
			slices.Sort(test.open)
			if diff := cmp.Diff(test.open, open(s)); diff != "" {
				t.Error(diff)
			}
			before := slices.Clone(s.Findings)
			if Apply(s, entries, today); !cmp.Equal(before, s.Findings) {
				t.Error("the second time it is another")
			}
		})
	}
	// What was accepted with a receiver is still there, whether it is seen or not.
	if stale := Apply(stream(functions, fails), []Entry{entry(of(fails, receiver))}, today); len(stale) > 0 {
		t.Errorf("stale: %+v", stale)
	}
}

// draw makes some findings of the same change.
func draw(t *rapid.T, label string) []event.Finding {
	var list []event.Finding
	seen := map[string]bool{}
	for range rapid.IntRange(1, 5).Draw(t, label) {
		set := slices.Compact(slices.Sorted(slices.Values(rapid.SliceOfN(rapid.SampledFrom([]string{"A", "B", "C"}), 1, 3).Draw(t, "changed"))))
		f := reached(rapid.SampledFrom([]string{"A", "F"}).Draw(t, "function"), rapid.SampledFrom([]string{"1", "2"}).Draw(t, "input"), set...)
		switch rapid.SampledFrom([]string{"", "forced", "error", "receiver"}).Draw(t, "what") {
		case "forced":
			f.Rung, f.ID = event.Forced, f.ID+" forced"
		case "error":
			f.Component, f.Kind, f.ID = "error", event.KindValueToError, f.ID+" error"
		case "receiver":
			f.Component, f.ID = "receiver", f.ID+" receiver"
		}
		if !seen[f.ID] {
			list = append(list, f)
		}
		seen[f.ID] = true
	}
	return list
}

// union of the changed functions of a finding's cluster, by the cause.
func unions(findings []event.Finding) map[string][]string {
	of := map[string][]string{}
	for _, f := range findings {
		of[f.Cause] = slices.Compact(slices.Sorted(slices.Values(slices.Concat(of[f.Cause], f.Changed))))
	}
	return of
}

func within(list, names []string) bool {
	return !slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(list, n) })
}

// TestIdentifiers: whatever two runs happen to find, accepting all of one leaves
// nothing of it open, covers nothing of the other that the accepted code cannot
// explain, and nothing at all once the code is edited. No two clusters of a
// stream are called the same.
func TestIdentifiers(t *testing.T) {
	t.Parallel()
	functions := []string{"A=1", "B=1", "C=1", "D=1"}
	rapid.Check(t, func(t *rapid.T) {
		first, second := stream(functions, draw(t, "first")...), stream(functions, draw(t, "second")...)
		var entries []Entry
		explains := unions(first.Findings)
		for cause := range explains {
			entries = append(entries, entry(cause[:rapid.IntRange(MinDigits, len(cause)).Draw(t, "digits")]))
		}
		if stale := Apply(first, entries, today); len(stale) > 0 || len(open(first)) > 0 {
			t.Fatalf("stale %+v, open %v", stale, open(first))
		}
		if stale := Apply(second, entries, today); len(stale) > 0 {
			t.Fatalf("stale although the code is there: %+v", stale)
		}
		for _, f := range second.Findings {
			explained := false
			for _, names := range explains {
				explained = explained || within(names, f.Changed)
			}
			if !f.Open() && !explained {
				t.Fatalf("%s (%v) is accepted, and no accepted code explains it", f.ID, f.Changed)
			}
			if f.Open() && explains[f.Cause] != nil {
				t.Fatalf("%s (%v) is open, although its cause is accepted", f.ID, f.Changed)
			}
		}
		edited := stream([]string{"A=2", "B=2", "C=2", "D=2"}, draw(t, "edited")...)
		if stale := Apply(edited, entries, today); len(stale) != len(entries) || len(open(edited)) != len(edited.Findings) {
			t.Fatal("an edit does not make it open again")
		}
		voices := map[string]int{}
		for _, f := range second.Findings {
			voices[f.Cluster] += map[bool]int{true: 1}[f.Representative]
		}
		for id, n := range voices {
			if n != 1 || CheckID(id) != nil {
				t.Fatalf("%q has %d representatives", id, n)
			}
		}
	})
}

// TestNoCollisions: the search of the review, by construction. One digest more is
// one hash more, whatever the number of entries, of kinds of evidence and of sets
// of functions: an entry covers the one hash that begins with all of its digits,
// and no entry counts with fewer than MinDigits. So a change has to have 128 bits
// in common with an accepted one.
func TestNoCollisions(t *testing.T) {
	t.Parallel()
	var entries []Entry
	accepted := map[string]bool{}
	for i := range 2000 {
		s := stream([]string{fmt.Sprintf("Old%d=%d", i, i)}, reached("Old", "", fmt.Sprintf("Old%d", i)))
		entries = append(entries, entry(s.Findings[0].Cause), entry(s.Findings[0].Cluster), entry(s.Findings[0].Cause[:16]))
		accepted[s.Findings[0].Cause] = true
	}
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.ID, b.ID) })
	shared := 0 // leading digits that a new change has in common with an entry
	for digest := range 3000 {
		s := stream([]string{fmt.Sprintf("F=%d", digest), "G=1"}, reached("F", "", "F"))
		cause := s.Findings[0].Cause
		if len(cause) != 64 || accepted[cause] {
			t.Fatalf("%s: a change has the identifier of another", cause)
		}
		i, _ := slices.BinarySearchFunc(entries, cause, func(e Entry, id string) int { return strings.Compare(e.ID, id) })
		for _, e := range entries[max(0, i-1):min(len(entries), i+1)] {
			shared = max(shared, commonPrefix(e.ID, cause))
		}
		if digest%500 == 0 {
			if Apply(s, entries, today); len(open(s)) != 1 {
				t.Fatalf("digest %d is covered by %+v", digest, s.Findings[0].Accepted)
			}
		}
	}
	if shared >= MinDigits/2 {
		t.Errorf("%d digits are alike, which is no accident", shared)
	}
	// What was found with 75 shades of 32 bits: an entry of that length counts for
	// nothing, not even for the change that it was made for.
	s := stream([]string{"F=1"}, reached("F", "", "F"))
	for digits := shownDigits; digits < MinDigits; digits++ {
		if stale := Apply(s, []Entry{entry(s.Findings[0].Cause[:digits])}, today); len(open(s)) != 1 || len(stale) != 1 || !strings.Contains(stale[0].Why, "accept the difference again") {
			t.Fatalf("%d digits: %+v", digits, stale)
		}
	}
}

func commonPrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// TestPropose: what does not count is shown and stays open.
func TestPropose(t *testing.T) {
	t.Parallel()
	s := stream([]string{"F=1", "G=1"}, reached("F", "", "F"), reached("G", "", "G"))
	e := entry(s.Findings[0].Cause)
	e.From = FromHead
	Apply(s, nil, today)
	Propose(s, []Entry{e}, today)
	if len(open(s)) != 2 || s.Findings[0].Proposed == nil || s.Findings[1].Proposed != nil || s.Verdict() != event.Differences {
		t.Errorf("%+v", s.Findings)
	}
}

// A broken relation is accepted by its own identifier, whether a finding is about its
// function or not, and until the code that broke it is edited; it covers nothing else.
func TestRelations(t *testing.T) {
	t.Parallel()
	relation := func(function string, state event.RelationState, changed ...string) event.Relation {
		return event.Relation{Type: "relation", ID: "id " + function, Package: "m", Function: function, Relation: function + "(x) = x", State: state, Groups: 2, Changed: changed}
	}
	of := func(functions []string, findings []event.Finding, relations ...event.Relation) *event.Stream {
		s := stream(functions, findings...)
		s.Relations = relations
		if relations[0].State == event.Broken {
			s.Summary.Verdict = event.Differences
		}
		Apply(s, nil, today)
		return s
	}
	id := of([]string{"F=1", "g=1"}, nil, relation("F", event.Broken, "F")).Relations[0].Cause
	second := func(r event.Relation) event.Relation {
		r.ID, r.Relation = "second", "F(2x) = 2x"
		return r
	}
	declared := func(r event.Relation) event.Relation {
		r.Source = event.Declared
		return r
	}
	written := of([]string{"F=1", "g=1"}, nil, declared(relation("F", event.Broken, "F"))).Relations[0].Cause
	whole := of([]string{"F=1", "g=1"}, nil, relation("F", event.Broken)).Relations[0].Cause
	f := reached("F", "F(1)", "F")
	for _, test := range []struct {
		name      string
		id        string
		functions []string
		relations []event.Relation
		findings  []event.Finding
		accepted  int
		verdict   event.Verdict
		stale     bool
	}{
		{"no finding is about it", id, []string{"F=1", "g=1"}, []event.Relation{relation("F", event.Broken, "F")}, nil, 1, event.AcceptedOnly, false},
		{"by the first digits", id[:MinDigits], []string{"F=1", "g=1"}, []event.Relation{relation("F", event.Broken, "F")}, nil, 1, event.AcceptedOnly, false},
		{"too short", id[:16], []string{"F=1", "g=1"}, []event.Relation{relation("F", event.Broken, "F")}, nil, 0, event.Differences, true},
		{"other code was edited", id, []string{"F=1", "g=2"}, []event.Relation{relation("F", event.Broken, "F")}, nil, 1, event.AcceptedOnly, false},
		{"its code was edited", id, []string{"F=2", "g=1"}, []event.Relation{relation("F", event.Broken, "F")}, nil, 0, event.Differences, true},
		{"more code ran", id, []string{"F=1", "g=1"}, []event.Relation{relation("F", event.Broken, "F", "g")}, nil, 0, event.Differences, true},
		{"kept", id, []string{"F=1", "g=1"}, []event.Relation{relation("F", event.Kept, "F")}, nil, 0, event.NoDifference, true},
		{"another relation beside", id, []string{"F=1", "g=1"}, []event.Relation{relation("F", event.Broken, "F"), relation("G", event.Broken, "F")}, nil, 1, event.Differences, false},
		{"another of the function", id, []string{"F=1", "g=1"}, []event.Relation{relation("F", event.Broken, "F"), second(relation("F", event.Broken, "F"))}, nil, 2, event.AcceptedOnly, false},
		{"another of the function, where more code ran", id, []string{"F=1", "g=1"}, []event.Relation{relation("F", event.Broken, "F"), second(relation("F", event.Broken, "F", "g"))}, nil, 1, event.Differences, false},
		{"a declared one of the function", id, []string{"F=1", "g=1"}, []event.Relation{relation("F", event.Broken, "F"), declared(second(relation("F", event.Broken, "F")))}, nil, 1, event.Differences, false},
		{"one of two declared", written, []string{"F=1", "g=1"}, []event.Relation{declared(relation("F", event.Broken, "F")), declared(second(relation("F", event.Broken, "F")))}, nil, 1, event.Differences, false},
		{"a finding beside", id, []string{"F=1", "g=1"}, []event.Relation{relation("F", event.Broken, "F")}, []event.Finding{f}, 1, event.Differences, false},
		{"of the whole change", whole, []string{"F=1", "g=1"}, []event.Relation{relation("F", event.Broken)}, nil, 1, event.AcceptedOnly, false},
		{"of the whole change, edited", whole, []string{"F=1", "g=2"}, []event.Relation{relation("F", event.Broken)}, nil, 0, event.Differences, true},
	} {
		s := of(test.functions, test.findings, test.relations...)
		stale := Apply(s, []Entry{entry(test.id)}, today)
		accepted := 0
		for _, r := range s.Relations {
			if r.Accepted != nil {
				accepted++
			}
		}
		if accepted != test.accepted || s.Verdict() != test.verdict || (len(stale) > 0) != test.stale {
			t.Errorf("%s: %d accepted, %s, stale %+v; want %d, %s, %v", test.name, accepted, s.Verdict(), stale, test.accepted, test.verdict, test.stale)
		}
		if test.accepted > 0 && s.Summary.Verdict != test.verdict {
			t.Errorf("%s: the summary says %s", test.name, s.Summary.Verdict)
		}
	}
	s := of([]string{"F=1", "g=1"}, nil, relation("F", event.Broken, "F"))
	Propose(s, []Entry{{ID: id, Reason: "r", From: FromHead}}, today)
	if r := s.Relations[0]; r.Accepted != nil || r.Proposed == nil || s.Verdict() != event.Differences {
		t.Errorf("what head proposes counts: %+v", r)
	}
	expired := Entry{ID: id, Reason: "r", From: FromConfig, Expires: today.AddDate(0, 0, -3)}
	if stale := Apply(s, []Entry{expired}, today); len(stale) != 1 || !strings.Contains(stale[0].Why, "counts again") {
		t.Errorf("ran out: %+v", stale)
	}
}

func TestCheckText(t *testing.T) {
	t.Parallel()
	for text, ok := range map[string]bool{
		"on purpose": true, "größer, 世界 #12": true, "": false, "  ": false, "a\nb": false, "a\x1b[2J": false,
		"a\u202eb": false, "a\u2028b": false, "a\xffb": false, strings.Repeat("x", 500): true, strings.Repeat("x", 501): false,
	} {
		if err := CheckText(text); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// large is a stream that somebody made large on purpose, and entries for it.
func large() (*event.Stream, []Entry) {
	const many = 20_000
	functions, findings := make([]string, many), make([]event.Finding, many)
	for i := range findings {
		name := fmt.Sprintf("F%d", i)
		functions[i] = name + "=1"
		findings[i] = reached(fmt.Sprintf("G%d", i/2), name, name, fmt.Sprintf("F%d", i/3))
		if i%3 == 0 {
			findings[i].Changed, findings[i].Function = nil, "G"
		}
	}
	s := stream(functions, findings...)
	return s, []Entry{entry(s.Findings[0].Cause), entry(strings.Repeat("0a1b2c3d", 8))}
}

// TestApplyLarge: work that grew with the square of a large stream would run
// into the limit of go test; BenchmarkApplyLarge says how long it takes.
func TestApplyLarge(t *testing.T) {
	t.Parallel()
	s, entries := large()
	Apply(s, entries, today)
	if len(open(s)) == len(s.Findings) {
		t.Error("nothing is accepted")
	}
}

func BenchmarkApplyLarge(b *testing.B) {
	s, entries := large()
	for b.Loop() {
		again := *s
		again.Findings = slices.Clone(s.Findings)
		Apply(&again, entries, today)
	}
}
