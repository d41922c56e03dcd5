package event

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func sampleRelation() Relation {
	return Relation{
		Module: "example.com/m", ID: "r1", Function: "Area", Package: "example.com/m", File: "area.go", Line: 4, Exported: true,
		Name: "scales", Relation: "Area(2·w, h) = 2·Area(w, h)", Source: Declared, At: ".isodelta.yml:9", State: Broken, Groups: 200, Failing: 3, Tolerance: 1e-9,
		Counterexample: []RelatedCall{{Call: "Area(1, 2)", Base: "2", Head: "2"}, {Call: "Area(2, 2)", Base: "4", Head: "5", Differs: []PartDiffers{{"result.n", "4", "5"}}}},
		GoTest:         "package m\n", GoTestFile: "area_relation_test.go",
	}
}

// A stream may be forged: what a report shows of a relation must have an end, and
// its numbers must be possible.
func TestRelationThatIsNone(t *testing.T) {
	t.Parallel()
	if err := Validate(sampleRelation()); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(r *Relation){
		`must have 64 hexadecimal digits`:            func(r *Relation) { r.Cause = strings.Repeat("A", 64) },
		`"accepted.reason" is empty`:                 func(r *Relation) { r.Accepted = &Acceptance{From: "config"} },
		`"id" is empty`:                              func(r *Relation) { r.ID = "" },
		`"function" is empty`:                        func(r *Relation) { r.Function = "" },
		`"relation" is empty`:                        func(r *Relation) { r.Relation = "" },
		`"relation" is longer than 4096`:             func(r *Relation) { r.Relation = strings.Repeat("π", MaxRelation+1) },
		`"name" is longer than 200`:                  func(r *Relation) { r.Name = strings.Repeat("x", 201) },
		`"id" is longer than 200`:                    func(r *Relation) { r.ID = strings.Repeat("x", 201) },
		`"go_test" is longer than 131072`:            func(r *Relation) { r.GoTest = strings.Repeat("x", MaxTest+1) },
		`has 17 members, more than 16`:               func(r *Relation) { r.Counterexample = make([]RelatedCall, MaxRelatedCalls+1) },
		`"counterexample[0].call" is longer`:         func(r *Relation) { r.Counterexample[0].Call = strings.Repeat("x", MaxRelatedText+1) },
		`"counterexample[1].head" is longer`:         func(r *Relation) { r.Counterexample[1].Head = strings.Repeat("x", MaxRelatedText+1) },
		`"failing" is 201, of 200 groups`:            func(r *Relation) { r.Failing = 201 },
		`"groups" is`:                                func(r *Relation) { r.Groups = math.MaxInt32 + 1 },
		`"groups" is -1, must not`:                   func(r *Relation) { r.Groups = -1 },
		`"tolerance" is -1`:                          func(r *Relation) { r.Tolerance = -1 },
		`must be one of broken, violated, new, kept`: func(r *Relation) { r.State = "bent" },
		`must be one of declared, test, template`:    func(r *Relation) { r.Source = "guess" },
		`which only declared relations can be`:       func(r *Relation) { r.State, r.Source = Violated, AutoMR },
	} {
		r := sampleRelation()
		change(&r)
		if err := Validate(r); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("wanted an error with %q, got %v", want, err)
		}
	}
}

// What an engine cuts with Fit can be read again.
func TestFitOfRelations(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("π", 1<<18)
	r := sampleRelation()
	r.ID, r.Name, r.Relation, r.GoTest = long, long, long, long
	r.Counterexample = slices.Repeat([]RelatedCall{{Call: long, Base: long, Head: long, Differs: slices.Repeat([]PartDiffers{{long, long, long}}, 20)}}, 20)
	fit := Fit(r).(Relation)
	if err := Validate(fit); err != nil || fit.GoTest != "" || fit.GoTestFile != "" || len(fit.Counterexample) != MaxRelatedCalls || len(fit.Counterexample[0].Differs) != MaxParts {
		t.Errorf("%v, a test of %d bytes, %d calls", err, len(fit.GoTest), len(fit.Counterexample))
	}
	if len(r.Counterexample[0].Call) != len(long) {
		t.Error("the relation it was given is changed")
	}
	if diff := cmp.Diff(sampleRelation(), Fit(sampleRelation()), cmpopts.IgnoreFields(Relation{}, "Type")); diff != "" {
		t.Error(diff)
	}
	r = sampleRelation()
	r.Counterexample[0] = RelatedCall{Call: strings.Repeat("π", MaxRelatedText)} // more bytes than characters
	if diff := cmp.Diff(r, Fit(r), cmpopts.IgnoreFields(Relation{}, "Type")); diff != "" {
		t.Error("it cut what fits")
	}
}

func TestCompareRelations(t *testing.T) {
	t.Parallel()
	r := func(state RelationState, function, name, id string) Relation {
		return Relation{State: state, Function: function, Name: name, ID: id}
	}
	want := []Relation{
		r(Broken, "A", "b", "3"), r(Broken, "B", "a", "1"), r(Violated, "A", "a", "4"), r(New, "A", "a", "5"),
		r(Kept, "A", "a", "6"), r(Kept, "A", "a", "7"), r("bent", "A", "a", "0"),
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, CompareRelations)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A relation that one shard saw fail does not hold, whatever the others saw; the
// groups add up, and the order of the shards does not matter.
func TestMergeRelations(t *testing.T) {
	t.Parallel()
	with := func(id string, state RelationState, groups, failing int, calls ...string) shard {
		r := sampleRelation()
		r.ID, r.State, r.Groups, r.Failing, r.Counterexample = id, state, groups, failing, nil
		for _, c := range calls {
			r.Counterexample = append(r.Counterexample, RelatedCall{Call: c})
		}
		return shard{Stream: &Stream{Relations: []Relation{r}}}
	}
	shards := []shard{
		with("x", Kept, 50, 0), with("x", Broken, 60, 2, "Area(1, 2)"), with("x", Broken, 7, 1), with("x", Broken, 3, 1, "Area(10, 20)"),
		with("y", Kept, math.MaxInt32, 0), with("y", New, 5, 5, "Area(0, 0)"),
	}
	want := []Relation{with("x", Broken, 120, 4, "Area(1, 2)").Relations[0], with("y", New, math.MaxInt32, 5, "Area(0, 0)").Relations[0]}
	rapid.Check(t, func(t *rapid.T) {
		got, _ := mergeRelations(rapid.Permutation(shards).Draw(t, "order"), nil)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

// Broken relations are differences as findings are, and one that a finding shows
// is settled with it.
func TestVerdictOfRelations(t *testing.T) {
	t.Parallel()
	worked := func(verdict Verdict) *Summary {
		return &Summary{Tests: 3, Branches: 4, Covered: 2, Verdict: verdict}
	}
	relation := func(state RelationState) []Relation {
		r := sampleRelation()
		r.State = state
		return []Relation{r}
	}
	taken := func(list []Relation) []Relation {
		list[0].Accepted = &Acceptance{Reason: "x", From: "config"}
		return list
	}
	finding := func(function string, change func(f *Finding)) Finding {
		f := Finding{ID: function, Cluster: function, Package: "example.com/m", Function: function}
		change(&f)
		return f
	}
	open, intend := func(*Finding) {}, func(f *Finding) { f.Intended = true }
	accept := func(f *Finding) { f.Accepted = &Acceptance{Reason: "x"} }
	versions := []Versions{{Module: "example.com/m"}, {Module: "example.com/m/v2"}}
	for _, test := range []struct {
		name string
		s    Stream
		want Verdict
	}{
		{"broken alone", Stream{Summary: worked(NoDifference), Relations: relation(Broken)}, Differences},
		{"broken, and the summary knows", Stream{Summary: worked(Differences), Relations: relation(Broken)}, Differences},
		{"kept", Stream{Summary: worked(NoDifference), Relations: relation(Kept)}, NoDifference},
		{"new", Stream{Summary: worked(NoDifference), Relations: relation(New)}, NoDifference},
		{"violated on both", Stream{Summary: worked(NoDifference), Relations: relation(Violated)}, NoDifference},
		{"broken, and accepted", Stream{Summary: worked(Differences), Relations: relation(Broken), Findings: []Finding{finding("Area", accept)}}, AcceptedOnly},
		{"broken, and intended", Stream{Summary: worked(Differences), Relations: relation(Broken), Findings: []Finding{finding("Area", intend)}}, IntendedOnly},
		{"broken, one of two is accepted", Stream{Summary: worked(Differences), Relations: relation(Broken), Findings: []Finding{finding("Area", accept), finding("Area", open)}}, Differences},
		{"broken, another function is accepted", Stream{Summary: worked(Differences), Relations: relation(Broken), Findings: []Finding{finding("Length", accept)}}, Differences},
		{"broken, another module is accepted", Stream{Versions: versions, Summary: worked(Differences), Relations: relation(Broken),
			Findings: []Finding{finding("Area", func(f *Finding) { accept(f); f.Package = "example.com/m/v2/p" })}}, Differences},
		{"broken, and accepted itself", Stream{Summary: worked(Differences), Relations: taken(relation(Broken))}, AcceptedOnly},
		{"broken, and accepted itself, as the summary says", Stream{Summary: worked(AcceptedOnly), Relations: taken(relation(Broken))}, AcceptedOnly},
		{"kept, and accepted", Stream{Summary: worked(AcceptedOnly), Relations: taken(relation(Kept))}, Incomplete},
		{"broken, and accepted itself, with an open finding", Stream{Summary: worked(Differences), Relations: taken(relation(Broken)), Findings: []Finding{finding("Area", open)}}, Differences},
		{"broken, cut off", Stream{Relations: relation(Broken)}, Incomplete},
	} {
		if got := test.s.Verdict(); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	a, b := shardStream(1, 2), shardStream(2, 2)
	b.Relations = relation(Broken)
	m, err := Merge(a, b)
	if err != nil || m.Summary.Verdict != Differences || len(m.Relations) != 1 {
		t.Errorf("merged: %v, %+v", err, m.Summary)
	}
}

// Within a rung, what breaks a property comes first, and what keeps all of them is like
// any other; a cluster is weighed by all of its findings, whichever represents it.
func TestRelatingCompare(t *testing.T) {
	t.Parallel()
	relation := func(function string, state RelationState) Relation {
		return Relation{ID: function + string(state), Function: function, State: state}
	}
	finding := func(cluster string, rung Rung, function string, changed ...string) Finding {
		return Finding{ID: cluster + function, Cluster: cluster, Rung: rung, Kind: "value", Function: function, Changed: changed}
	}
	s := &Stream{
		Relations: []Relation{relation("Kept", Kept), relation("Broken", Kept), relation("Broken", Broken), relation("Mixed", Kept), relation("Mixed", New)},
		Findings: []Finding{
			finding("a", Reached, "Kept"), finding("b", Reached, "None"), finding("c", Reached, "Other", "Broken"), finding("d", Observed, "Kept"),
			finding("e", Reached, "Kept"), finding("e", Reached, "Broken"), finding("f", Reached, "Mixed"), finding("g", Forced, "Broken"),
		},
	}
	r := s.Relating()
	var order []string
	for _, f := range slices.SortedFunc(slices.Values(s.Findings), r.Compare) {
		order = append(order, fmt.Sprint(f.Cluster, " ", f.Function))
	}
	if got, want := strings.Join(order, ", "), "d Kept, c Other, e Broken, e Kept, a Kept, b None, f Mixed, g Broken"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if list := r.Of(s.Findings[2]); len(list) != 2 || list[0].State != Broken {
		t.Errorf("relations of c: %+v", list)
	}
	if !(&Stream{}).Relating().Alone(s.Relations[0]) || r.Alone(s.Relations[0]) {
		t.Error("a relation is alone where no finding is about its function, and only there")
	}
}
