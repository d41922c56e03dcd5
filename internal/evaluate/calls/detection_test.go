package calls

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
	"github.com/isodelta/isodelta/report/event"
)

// What a comparison shows is read off its findings: intended ones do not
// count, and what was merged into a reached finding was forced as well.
func TestShownBy(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		events []event.Event
		sum    event.Summary
		want   shown
	}{
		{name: "nothing", want: shown{}},
		{name: "no executable change", sum: event.Summary{Verdict: "no-executable-change"}, want: shown{Same: true}},
		{
			name:   "intended",
			events: []event.Event{event.Finding{Rung: event.Observed, Intended: true}},
			want:   shown{},
		},
		{
			name: "reached twice and observed",
			events: []event.Event{
				event.Finding{Rung: event.Reached, Origin: "plain"},
				event.Finding{Rung: event.Reached, Origin: "in-place"},
				event.Finding{Rung: event.Observed},
			},
			sum:  event.Summary{Calls: 7, Seconds: 1.5},
			want: shown{Observed: true, Reached: true, Origins: map[string]bool{"plain": true, "in-place": true}, Calls: 7, Seconds: 1.5},
		},
		{
			name:   "merged",
			events: []event.Event{event.Finding{Rung: event.Reached, Origin: "sequence", Merged: []string{"abc"}}},
			want:   shown{Reached: true, Forced: true, Origins: map[string]bool{"sequence": true}},
		},
		{
			name: "negation that the budget ended is no cut: the number of its sets is limited anyway",
			events: []event.Event{
				event.Finding{Rung: event.Forced}, event.Limit{Kind: "budget", What: "negation"},
			},
			want: shown{Forced: true},
		},
		{
			name:   "cut",
			events: []event.Event{event.Limit{Kind: "budget", What: "example.com/p"}},
			want:   shown{Cut: true},
		},
		{
			name:   "no calls",
			events: []event.Event{event.Limit{Kind: "calls", What: "example.com/p"}},
			want:   shown{Failed: true},
		},
		{name: "interrupted", sum: event.Summary{Interrupted: true}, want: shown{Failed: true}},
	} {
		if test.want.Origins == nil {
			test.want.Origins = map[string]bool{}
		}
		if diff := cmp.Diff(test.want, shownBy(test.events, test.sum)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// One survivor may be on several rungs, of several origins, but is joined once;
// a subject without survivors is in no median.
func TestTableOfDetection(t *testing.T) {
	t.Parallel()
	list := detectionRow{subject: "list", made: 40, survivors: 9, origin: map[string]int{}}
	for _, s := range []shown{
		{Observed: true, Forced: true, Calls: 10},
		{Reached: true, Forced: true, Origins: map[string]bool{"plain": true, "sequence": true}, Calls: 5},
		{Reached: true, Origins: map[string]bool{"sequence": true}},
		{Same: true},
	} {
		list.add(s)
	}
	path := detectionRow{subject: "path", made: 20, survivors: 2, origin: map[string]int{}}
	path.add(shown{Cut: true})
	path.add(shown{Reached: true, Origins: map[string]bool{"in-place": true}})
	full := detectionRow{subject: "full", made: 5, origin: map[string]int{}}

	var out bytes.Buffer
	var f figure.Set
	if err := reportDetection(&out, &f, []detectionRow{list, path, full}); err != nil {
		t.Fatal(err)
	}
	want := figure.Set{
		"calls.detection.subjects=3", "calls.detection.mutants=65", "calls.detection.survivors=11",
		"calls.detection.sampled=6", "calls.detection.same_ssa=1", "calls.detection.cut=1", "calls.detection.failed=0",
		"calls.observed.median=0.125", "calls.observed.overall=0.167",
		"calls.reached.median=0.500", "calls.reached.overall=0.500",
		"calls.reached_plain.median=0.125", "calls.reached_plain.overall=0.167",
		"calls.reached_sequence.median=0.250", "calls.reached_sequence.overall=0.333",
		"calls.reached_in_place.median=0.250", "calls.reached_in_place.overall=0.167",
		"calls.forced.median=0.250", "calls.forced.overall=0.333",
		"calls.joined.median=0.625", "calls.joined.overall=0.667",
	}
	if diff := cmp.Diff(want, f); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	rows := map[string]string{}
	for line := range strings.Lines(out.String()) {
		if fields := strings.Fields(line); len(fields) > 1 {
			rows[fields[0]] = strings.Join(fields[1:], " ")
		}
	}
	for subject, want := range map[string]string{
		"list":   "40 9 4 25.0% 50.0% 25.0% 50.0% 0.0% 50.0% 75.0% 1 0 0 15 0.0",
		"path":   "20 2 2 0.0% 50.0% 0.0% 0.0% 50.0% 0.0% 50.0% 0 1 0 0 0.0",
		"full":   "5 0 0 - - - - - - - 0 0 0 0 0.0",
		"all":    "65 11 6 16.7% 50.0% 16.7% 33.3% 16.7% 33.3% 66.7% 1 1 0 15 0.0",
		"median": "12.5% 50.0% 12.5% 25.0% 25.0% 25.0% 62.5%",
	} {
		if rows[subject] != want {
			t.Errorf("row of %s is\n%s, want\n%s", subject, rows[subject], want)
		}
	}
}
