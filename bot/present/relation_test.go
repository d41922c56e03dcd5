package present

import (
	"strings"
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

// A broken relation is told on the line of its function, as loudly as the policy
// wants; what is kept, new or taken on is not.
func TestAnnotationsOfRelations(t *testing.T) {
	t.Parallel()
	relation := func(function string, state event.RelationState) event.Relation {
		return event.Relation{ID: function, Function: function, Package: "example.com/m", File: "r.go", Line: 12, State: state, Relation: "f(x) = 1", Groups: 9, Failing: 2,
			Counterexample: []event.RelatedCall{{Call: "f(2)", Base: "1", Head: "3"}}, GoTest: "package m\n"}
	}
	accepted := finding("aaaaaaaa", event.Reached)
	accepted.Function, accepted.Changed, accepted.Accepted = "C", nil, &event.Acceptance{Reason: "x"}
	placeless := relation("F", event.Broken)
	placeless.File, placeless.Line = "", 0
	for policy, want := range map[string]string{"observed": "warning warning notice", "broken": "failure failure failure"} {
		s := stream([]string{policy}, accepted)
		s.Relations = []event.Relation{relation("A", event.Broken), relation("C", event.Broken), relation("K", event.Kept), relation("N", event.New), relation("V", event.Violated), placeless}
		var levels []string
		list := Annotations(s)
		for _, a := range list {
			levels = append(levels, a.Level)
			if !strings.Contains(a.Message, "f(2) gives 1 on base, 3 on head") || strings.Contains(a.Message, "package m") {
				t.Errorf("%+v", a)
			}
		}
		if got := strings.Join(levels, " "); got != want {
			t.Fatalf("levels are %s, want %s", got, want)
		}
		if a := list[0]; a.Title != "A breaks a relation" || a.Path != "r.go" || a.Start != 12 {
			t.Errorf("%+v", a)
		}
		if a := list[1]; a.Path != "a dir/f.go" || a.Start != 3 || a.End != 9 {
			t.Errorf("%+v", a)
		}
		if got := verdict(s); got != "2 broken relations" {
			t.Errorf("title %s", got)
		}
		s.Findings = append(s.Findings, finding("bbbbbbbb", event.Observed))
		if got := verdict(s); got != "1 behaviour change, 2 broken relations" {
			t.Errorf("title %s", got)
		}
	}
	s := stream(nil)
	s.Summary = &event.Summary{Verdict: event.NoDifference, Tests: 3}
	s.Relations = []event.Relation{relation("K", event.Kept)}
	if !silent(s) {
		t.Error("kept relations make a comment")
	}
	s.Relations = []event.Relation{relation("V", event.Violated)}
	if silent(s) {
		t.Error("a declared relation that does not hold makes no comment")
	}
}
