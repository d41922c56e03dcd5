package policy

import (
	"strings"
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

// The term broken is about broken relations that nobody has taken on, and about
// declared ones that hold nowhere; other states never fail.
func TestDecideOnRelations(t *testing.T) {
	t.Parallel()
	relation := func(state event.RelationState, pkg string) event.Relation {
		return event.Relation{ID: string(state) + pkg, Module: "m", Package: pkg, Function: "F", State: state}
	}
	accepted := event.Finding{ID: "1", Cluster: "1", Rung: event.Reached, Package: "m/a", Function: "F", Accepted: &event.Acceptance{Reason: "x"}}
	taken := func(r event.Relation) event.Relation {
		r.Accepted = &event.Acceptance{Reason: "x"}
		return r
	}
	strict := Policy{FailOn: []string{Broken}}
	for _, test := range []struct {
		name       string
		policy     Policy
		relations  []event.Relation
		findings   []event.Finding
		conclusion string
		reason     string
	}{
		{"broken", strict, []event.Relation{relation(event.Broken, "m/a")}, nil, Failure, "1 relation is broken, and the policy fails on broken."},
		{"two broken", strict, []event.Relation{relation(event.Broken, "m/a"), relation(event.Broken, "m/b")}, nil, Failure, "2 relations are broken"},
		{"violated", strict, []event.Relation{relation(event.Violated, "m/a")}, nil, Failure, "1 declared relation holds on neither version"},
		{"kept and new", strict, []event.Relation{relation(event.Kept, "m/a"), relation(event.New, "m/b")}, nil, Success, "No difference"},
		{"no term", Policy{FailOn: []string{"observed"}}, []event.Relation{relation(event.Broken, "m/a")}, nil, Neutral, "1 relation is broken, and the policy does not fail on it."},
		{"violated, no term", Policy{}, []event.Relation{relation(event.Violated, "m/a")}, nil, Success, "No difference"},
		{"another package's rule", Policy{FailOn: []string{Broken}, Rules: []Rule{{Packages: []string{"./a"}}}}, []event.Relation{relation(event.Broken, "m/a")}, nil, Neutral, "does not fail on it"},
		{"a package's own rule", Policy{Rules: []Rule{{Packages: []string{"./a"}, FailOn: []string{Broken}}}}, []event.Relation{relation(event.Broken, "m/a")}, nil, Failure, "fails on broken"},
		{"taken on", strict, []event.Relation{relation(event.Broken, "m/a")}, []event.Finding{accepted}, Success, "Every difference is accepted"},
		{"accepted itself", strict, []event.Relation{taken(relation(event.Broken, "m/a"))}, nil, Success, "is accepted"},
		{"accepted itself, and another is not", strict, []event.Relation{taken(relation(event.Broken, "m/a")), taken(relation(event.Violated, "m/a"))}, nil, Failure, "1 declared relation"},
	} {
		s := &event.Stream{Versions: []event.Versions{{Module: "m"}}, Relations: test.relations, Findings: test.findings, Summary: &event.Summary{Tests: 1, Calls: 5, Verdict: event.NoDifference}}
		d := Decide(test.policy, s)
		if d.Conclusion != test.conclusion || d.Fail != (test.conclusion == Failure) || !strings.Contains(strings.Join(d.Reasons, "\n"), test.reason) {
			t.Errorf("%s: %+v", test.name, d)
		}
		objects := test.policy.Relations(s)
		for _, r := range test.relations {
			if objects(r) != (d.Fail && (r.Accepted == nil || r.State == event.Violated)) {
				t.Errorf("%s: objects %t", test.name, objects(r))
			}
		}
	}
}
