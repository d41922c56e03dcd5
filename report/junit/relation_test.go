package junit

import (
	"fmt"
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

// A broken relation is red unless it is taken on, whatever the policy says; of the
// others only what the policy objects to is. Of very many that are kept there is
// one case in each package, so that no reader of results drowns in them.
func TestRelationCases(t *testing.T) {
	t.Parallel()
	relation := func(id string, state event.RelationState) event.Relation {
		return event.Relation{ID: id, Package: "p", Function: "F" + id, State: state}
	}
	objected := relation("v", event.Violated)
	objected.Name = "objected"
	s := &event.Stream{
		Summary:   worked(event.NoDifference),
		Relations: []event.Relation{relation("a", event.Broken), relation("b", event.Broken), relation("c", event.New), relation("d", event.Violated), relation("e", event.Kept), objected},
		Findings:  []event.Finding{{ID: "x", Cluster: "x", Package: "p", Function: "Fb", Accepted: &event.Acceptance{Reason: "r"}}},
	}
	out := written(t, s)
	if out.Tests != 8 || out.Failures != 2 || out.Errors != 0 {
		t.Errorf("%d cases, %d failures, %d errors", out.Tests, out.Failures, out.Errors)
	}
	for _, c := range out.Suites[1].Cases {
		red := c.Name == "relation a (a)" || c.Name == "relation v (v)"
		if (c.Failure != nil) != red {
			t.Errorf("%s: %+v", c.Name, c.Failure)
		}
	}
	for i := range maxKept {
		k := relation(fmt.Sprint("k", i), event.Kept)
		k.Package = fmt.Sprint("q", i%2)
		s.Relations = append(s.Relations, k)
	}
	out = written(t, s)
	if last := out.Suites[len(out.Suites)-1]; out.Tests != 10 || last.Cases[0].Name != "100 relations are kept" {
		t.Errorf("%d cases, the last %+v", out.Tests, last.Cases)
	}
}
