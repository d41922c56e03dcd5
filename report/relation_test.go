package report

import (
	"strings"
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

// What becomes of a relation is said in words; where it is an equation and nothing
// else, its two sides are told as two values are.
func TestRelationClaim(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		state          event.RelationState
		relation, want string
	}{
		{event.Broken, "Area(2·w, h) = 2·Area(w, h)", "`Area(2·w, h)` was `2·Area(w, h)` on base and is not on head"},
		{event.Broken, "x ≤ y ⇒ f(x) = f(y)", "`x ≤ y ⇒ f(x) = f(y)` held on base and does not hold on head"},
		{event.Broken, "f(x) = f(-x) when x > 0", "`f(x) = f(-x) when x > 0` held on base and does not hold on head"},
		{event.Broken, "f(a) = f(b) = f(c)", "`f(a) = f(b) = f(c)` held on base and does not hold on head"},
		{event.Broken, "f(x) ≤ 1", "`f(x) ≤ 1` held on base and does not hold on head"},
		{event.Broken, `f("a = b") = x`, "`f(\"a = b\") = x` held on base and does not hold on head"},
		{event.Broken, " = ", "` = ` held on base and does not hold on head"},
		{event.Violated, "f(x) = 1", "`f(x) = 1` is declared, and holds neither on base nor on head"},
		{event.New, "f(x) = 1", "`f(x) = 1` holds on head and did not on base"},
		{event.Kept, "f(x) = 1", "`f(x) = 1` holds on both versions"},
		{"bent", "f(x) = 1", "`f(x) = 1` is in a state that this isodelta does not know"},
	} {
		if got := shown(relationClaim(event.Relation{State: test.state, Relation: test.relation})); got != strings.ReplaceAll(test.want, "`", "") {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

// The relation that is told with a cluster is the one that says most: nobody
// wants to read the tenth inequality of a function first, or a list of its outputs.
func TestTelling(t *testing.T) {
	t.Parallel()
	calls := []event.RelatedCall{{Call: "f(1)"}}
	list := []event.Relation{
		{ID: "kept", State: event.Kept, Source: event.Declared, Relation: "f(x) = 1"},
		{ID: "table", State: event.Broken, Source: event.AutoMR, Relation: "f(x) = 1/6 f²(x)", Counterexample: calls, GoTest: "x"},
		{ID: "bare", State: event.Broken, Source: event.AutoMR, Relation: "f(x) = f(1)"},
		{ID: "inequality", State: event.Broken, Source: event.AutoMR, Relation: "f(x) ≤ 1", Counterexample: calls, GoTest: "x"},
		{ID: "long", State: event.Broken, Source: event.AutoMR, Relation: "f(x + x) = f(x)", Counterexample: calls, GoTest: "x"},
		{ID: "equation", State: event.Broken, Source: event.AutoMR, Relation: "f(x) = f(-x)", Counterexample: calls, GoTest: "x"},
		{ID: "untested", State: event.Broken, Source: event.AutoMR, Relation: "f(x) = f(2)", Counterexample: calls},
		{ID: "declared", State: event.Broken, Source: event.Declared, Relation: "f(x) ≤ f(y) ≤ f(z)"},
	}
	for i := range list {
		list[i].Function = "f"
	}
	shown := map[relationKey]bool{}
	var order []string
	for r := telling(list, shown); r != nil; r = telling(list, shown) {
		order = append(order, r.ID)
		shown[keyOf(*r)] = true
	}
	if got, want := strings.Join(order, " "), "declared equation long untested bare inequality"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A relation is told once: with the first cluster of its function, or among those
// that no finding is about, where the functions stand and not their relations.
func TestRelationsOf(t *testing.T) {
	t.Parallel()
	broken := func(id, function string) event.Relation {
		return event.Relation{ID: id, Function: function, State: event.Broken, Relation: id}
	}
	finding := func(cluster string, rung event.Rung, changed ...string) event.Finding {
		return event.Finding{ID: cluster, Cluster: cluster, Rung: rung, Kind: "value", Changed: changed, Blamed: []event.Edit{{File: cluster}}}
	}
	s := &event.Stream{
		Relations: []event.Relation{broken("a1", "A"), broken("a2", "A"), broken("a3", "A"), broken("b1", "B"), broken("b2", "B"), broken("c1", "C"), broken("d1", "D")},
		Findings: []event.Finding{finding("x", event.Observed, "A"), finding("y", event.Reached, "A"),
			{ID: "z", Cluster: "z", Rung: event.Reached, Function: "D", Accepted: &event.Acceptance{Reason: "r"}}},
	}
	p := newPage(s)
	var told []string
	for _, c := range p.open {
		told = append(told, c.shown.ID)
	}
	for _, b := range p.broken {
		told = append(told, b.ID+strings.Repeat("+", b.more))
	}
	for _, r := range append(p.also, p.settled...) {
		told = append(told, r.ID)
	}
	if got, want := strings.Join(told, " "), "a1 a2 b1+ c1 a3 b2 d1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The first line counts functions with a broken relation that no finding is about, and
// says what that is where there is nothing else.
func TestHeadlineOfRelations(t *testing.T) {
	t.Parallel()
	relation := func(id string, state event.RelationState) event.Relation {
		return event.Relation{ID: id, Function: "R" + id, State: state, Relation: "r"}
	}
	reached := event.Finding{ID: "f", Cluster: "f", Rung: event.Reached, Function: "F"}
	intended := reached
	intended.Intended = true
	ofF := relation("a", event.Broken) // of a function that a finding is about
	ofF.Function = "F"
	for want, s := range map[string]event.Stream{
		"1 function with a broken relation: a property that held on base and does not on head":                              {Relations: []event.Relation{relation("a", event.Broken)}},
		"2 functions with a broken relation: a property that held on base and does not on head":                             {Relations: []event.Relation{relation("a", event.Broken), relation("b", event.Broken)}},
		"1 behaviour change that no test fails on, 1 function with a broken relation":                                       {Findings: []event.Finding{reached}, Relations: []event.Relation{relation("a", event.Broken)}},
		"1 function with a broken relation, 1 intended behaviour change: a property that held on base and does not on head": {Findings: []event.Finding{intended}, Relations: []event.Relation{relation("a", event.Broken)}},
		"1 behaviour change that no test fails on":                                                                          {Findings: []event.Finding{reached}, Relations: []event.Relation{ofF}},
		"no difference found in 3 tests, none of them forced; 1 relation kept":                                              {Relations: []event.Relation{relation("a", event.Kept), relation("b", event.Violated)}},
		"incomplete (shard 1/2 is not whole), so far 1 function with a broken relation":                                     {Relations: []event.Relation{relation("a", event.Broken)}, Limits: []event.Limit{{Kind: "shard", What: "1/2"}}},
		"incomplete (shard 1/2 is not whole): no difference found so far, which is no verdict":                              {Relations: []event.Relation{relation("a", event.New)}, Limits: []event.Limit{{Kind: "shard", What: "1/2"}}},
	} {
		s.Summary = &event.Summary{Tests: 3, Verdict: event.NoDifference}
		got, tone := headline(&s, clustersOf(&s))
		if shown(got) != want {
			t.Errorf("got %s, want %s", shown(got), want)
		}
		if calmly := strings.HasPrefix(want, "no difference"); (tone == calm) != calmly {
			t.Errorf("%s: tone %d", want, tone)
		}
	}
}

// k-MR coverage counts in parts, which a number of requirements would hide.
func TestShareOfKMR(t *testing.T) {
	t.Parallel()
	list := measures(&event.Stream{Adequacies: []event.Adequacy{
		{Scope: "total", Criterion: event.KMRBranch, K: 3, Base: &event.Met{Met: 5.5, Of: 12}, Head: &event.Met{Met: 11, Of: 24}},
		{Scope: "total", Criterion: event.KMRIOCTF, K: 2, Base: &event.Met{Met: 0.5, Of: 2}, Head: &event.Met{Met: 0.25, Of: 2}},
		{Scope: "total", Criterion: event.KMRStatement, K: 3, Head: &event.Met{}},
	}})
	var got []string
	for _, m := range list {
		got = append(got, plainText(m.label)+": "+m.share(m.base)+", "+m.share(m.head)+m.delta())
	}
	want := "k-MR coverage, branches (k=3): 45.8 %, 45.8 %±0\nk-MR coverage, input with output choices (k=2): 25.0 %, 12.5 %−12.5\nk-MR coverage, statements (k=3): –, 0 of 0"
	if strings.Join(got, "\n") != want {
		t.Errorf("got %s\nwant %s", strings.Join(got, "\n"), want)
	}
}

// A small difference whose function has a broken relation is told, but where something that is not small tells of that
// relation.
func TestSmallWithBrokenRelation(t *testing.T) {
	t.Parallel()
	finding := func(id string, kind event.Kind) event.Finding {
		return event.Finding{Type: "finding", ID: id, Cluster: id, Representative: true, Rung: event.Reached, Package: "example.com/m", Function: "F", Kind: kind,
			Base: event.Result{Outcome: event.Pass, Value: "1"}, Head: event.Result{Outcome: event.Pass, Value: "2"}}
	}
	broken := event.Relation{ID: "r", Package: "example.com/m", Function: "F", Relation: "f(x) ≤ 1", Source: event.AutoMR, State: event.Broken}
	for name, c := range map[string]struct {
		findings []event.Finding
		open     int
	}{
		"alone":          {[]event.Finding{finding("a", event.KindErrorText)}, 1},
		"beside a value": {[]event.Finding{finding("a", event.KindErrorText), finding("b", event.KindValue)}, 1},
	} {
		s := &event.Stream{Versions: []event.Versions{{Module: "example.com/m"}}, Findings: c.findings, Relations: []event.Relation{broken}}
		clusters := clustersOf(s)
		if got := len(clusters[open]); got != c.open || len(clusters[open])+len(clusters[small]) != len(c.findings) {
			t.Errorf("%s: %d open and %d small, want %d open of %d", name, got, len(clusters[small]), c.open, len(c.findings))
		}
	}
}
