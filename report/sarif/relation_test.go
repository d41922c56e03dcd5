package sarif

import (
	"bytes"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/isodelta/isodelta/report/event"
)

// A broken relation is a warning of its own rule on the changed lines; one that is
// taken on is suppressed, and what is kept or new is no result.
func TestRelationResults(t *testing.T) {
	t.Parallel()
	relation := func(function string, state event.RelationState) event.Relation {
		return event.Relation{ID: function, Package: "p", Function: function, File: "f.go", Line: 7, State: state}
	}
	s := &event.Stream{
		Matches:    []event.Match{{Changed: []event.ChangedItem{{Function: "A", Status: "changed", File: "a.go", Line: 3, EndLine: 5}}}},
		Relations:  []event.Relation{relation("K", event.Kept), relation("N", event.New), relation("V", event.Violated), relation("C", event.Broken), relation("A", event.Broken), relation("B", event.Broken)},
		Findings:   []event.Finding{{ID: "x", Rung: event.Reached, Kind: "value", Function: "C", Accepted: &event.Acceptance{}}},
		Adequacies: []event.Adequacy{{Scope: "total", Criterion: event.KMRBranch, K: 3, Head: &event.Met{Met: 1.5, Of: 2}}},
	}
	var b bytes.Buffer
	same := func(s string) string { return s }
	if err := Write(&b, s, Words{
		Verdict: "v", Visible: same, Claim: func(event.Finding) string { return "c" }, Accepted: func(event.Finding) string { return "a" },
		Objects: func(event.Finding) bool { return false }, Relation: func(r event.Relation) string { return r.Function }, Fails: func(r event.Relation) bool { return r.Function == "B" },
	}); err != nil {
		t.Fatal(err)
	}
	log, err := sarif.FromBytes(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	type result struct {
		rule, level, file string
		line              int
		suppressed        bool
	}
	want := []result{
		{"relation-broken", "warning", "a.go", 3, false},
		{"relation-broken", "error", "f.go", 7, false},
		{"relation-broken", "warning", "f.go", 7, true},
		{"relation-violated", "note", "f.go", 7, false},
	}
	got := log.Runs[0].Results[1:] // the first is the finding
	if len(got) != len(want) {
		t.Fatalf("%d results", len(got))
	}
	for i, r := range got {
		at := r.Locations[0].PhysicalLocation
		is := result{*r.RuleID, r.Level, *at.ArtifactLocation.URI, *at.Region.StartLine, len(r.Suppressions) > 0}
		if is != want[i] || *log.Runs[0].Tool.Driver.Rules[r.RuleIndex].ID != *r.RuleID {
			t.Errorf("result %d is %+v, want %+v", i, is, want[i])
		}
	}
	properties := log.Runs[0].Invocations[0].Properties.Properties
	if properties["adequacy"] == nil || properties["relations"] == nil {
		t.Errorf("properties %v", properties)
	}
}
