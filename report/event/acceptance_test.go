package event

import (
	"encoding/json"
	"slices"
	"testing"
)

// TestAcceptedVerdict: accepting closes findings, and hides none.
func TestAcceptedVerdict(t *testing.T) {
	t.Parallel()
	accepted := Finding{ID: "a", Accepted: &Acceptance{Reason: "x", From: "config"}}
	intended, open := Finding{ID: "b", Intended: true}, Finding{ID: "c"}
	both := Finding{ID: "d", Intended: true, Accepted: accepted.Accepted}
	for _, test := range []struct {
		name     string
		stated   Verdict
		findings []Finding
		want     Verdict
	}{
		{"accepted", AcceptedOnly, []Finding{accepted}, AcceptedOnly},
		{"accepted, as the engine summed up before", Differences, []Finding{accepted}, AcceptedOnly},
		{"accepted and intended", AcceptedOnly, []Finding{accepted, intended}, AcceptedOnly},
		{"one still open", AcceptedOnly, []Finding{accepted, open}, Differences},
		{"intended needs no acceptance", IntendedOnly, []Finding{both}, IntendedOnly},
		{"intended alone", Differences, []Finding{intended}, Incomplete},
		{"findings lost", AcceptedOnly, nil, Incomplete},
	} {
		s := Stream{Summary: &Summary{Tests: 3, Branches: 4, Covered: 2, Verdict: test.stated}, Findings: test.findings}
		if got := s.Verdict(); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	if !open.Open() || intended.Open() || accepted.Open() {
		t.Error("what is open is not told apart")
	}
	sorted := []Finding{intended, accepted, open}
	slices.SortFunc(sorted, CompareFindings)
	if sorted[0].ID != "c" || sorted[1].ID != "a" {
		t.Errorf("order %v, want open, accepted, intended", sorted)
	}
}

// TestAcceptanceIsValidated: the schema and Validate look into it.
func TestAcceptanceIsValidated(t *testing.T) {
	t.Parallel()
	lines := compiled(t)
	whole := Finding{ID: "b", Rung: Reached, Kind: "panic", Cluster: "c", Base: Result{Outcome: Pass}, Head: Result{Outcome: Panic}}
	for from, reasons := range map[string]map[string]bool{
		"config": {"x": true, "": false}, "comment": {"x": true}, "head": {"x": true}, "nowhere": {"x": false}, "": {"x": false},
	} {
		for reason, ok := range reasons {
			f := whole
			f.Accepted = &Acceptance{Reason: reason, From: from}
			line, err := json.Marshal(stamped(t, []Event{f})[0])
			if err != nil {
				t.Fatal(err)
			}
			if err := lines.Validate(object(t, string(line))); (err == nil) != ok {
				t.Errorf("from %q because %q: schema says %v", from, reason, err)
			}
			if err := Validate(f); (err == nil) != ok {
				t.Errorf("from %q because %q: %v", from, reason, err)
			}
		}
	}
}
