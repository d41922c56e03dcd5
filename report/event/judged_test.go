package event

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// judgedRelation is a relation with what the inputs of findings f, g … say of it.
func judgedRelation(state RelationState, source RelationSource, verdicts ...GroupVerdict) Relation {
	r := sampleRelation()
	r.Type, r.State, r.Source, r.Counterexample, r.GoTest, r.GoTestFile = "relation", state, source, nil, "", ""
	for i := 0; i < len(verdicts); i += 2 {
		r.Judged = append(r.Judged, JudgedInput{string(rune('f' + i/2)), verdicts[i], verdicts[i+1]})
	}
	return r
}

// No relation is told beside a finding whose input refutes it: such an event is not read,
// and its stream is cut there.
func TestFindingsRefuteRelations(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		r    Relation
		want string // in the error
	}{
		{judgedRelation(Kept, AutoMR, GroupHolds, GroupHolds, GroupSilent, GroupHolds), ""},
		{judgedRelation(Kept, AutoMR, GroupHolds, GroupHolds, GroupFails, GroupHolds), `finding "g" refutes it on base`},
		{judgedRelation(Kept, Template, GroupHolds, GroupFails), `finding "f" refutes it on head`},
		{judgedRelation(Kept, Declared, GroupHolds, GroupFails), `finding "f" refutes it on head`},
		{judgedRelation(Broken, GenMorph, GroupHolds, GroupFails), ""},
		{judgedRelation(Broken, GenMorph, GroupFails, GroupFails), `refutes it on base`},
		{judgedRelation(Broken, Declared, GroupFails, GroupFails), ""},
		{judgedRelation(New, Template, GroupFails, GroupHolds), ""},
		{judgedRelation(New, Template, GroupFails, GroupFails), `refutes it on head`},
		{judgedRelation(Violated, Declared, GroupFails, GroupFails), ""},
		{judgedRelation(Kept, AutoMR, GroupHolds, "maybe"), `must be one of fails, holds, silent`},
	} {
		line, err := Marshal(test.r)
		if err != nil {
			t.Fatal(err)
		}
		_, err = NewDecoder(strings.NewReader(string(line)), 0).Next()
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s from %s, judged %v: %v, want %q", test.r.State, test.r.Source, test.r.Judged, err, test.want)
		}
	}
}

// A summary that says that all was judged is held to it: of the calls of our own in the
// relation's own function and package, and of kept relations alone.
func TestRelationsJudged(t *testing.T) {
	t.Parallel()
	r := judgedRelation(Kept, AutoMR, GroupHolds, GroupHolds)
	finding := func(id string, change func(*Finding)) Finding {
		f := Finding{Type: "finding", ID: id, Cluster: "c", Rung: Reached, Package: r.Package, Function: r.Function, Program: "00"}
		if change != nil {
			change(&f)
		}
		return f
	}
	for _, test := range []struct {
		name    string
		claims  bool
		state   RelationState
		finding Finding
		refused bool
	}{
		{"judged", true, Kept, finding("f", nil), false},
		{"not judged", true, Kept, finding("h", nil), true},
		{"not judged, and nothing claimed", false, Kept, finding("h", nil), false},
		{"broken", true, Broken, finding("h", nil), false},
		{"of another function", true, Kept, finding("h", func(f *Finding) { f.Function = "Other" }), false},
		{"called from another package", true, Kept, finding("h", func(f *Finding) { f.Package += "/other" }), false},
		{"in place", true, Kept, finding("h", func(f *Finding) { f.Program = "" }), false},
		{"forced", true, Kept, finding("h", func(f *Finding) { f.Rung = Forced }), false},
	} {
		r := r
		r.State = test.state
		s, err := NewStream([]Event{test.finding, r, Summary{Type: "summary", RelationsJudged: test.claims, Verdict: Differences}})
		if (err != nil) != test.refused || (s.Summary == nil) != test.refused {
			t.Errorf("%s: %v", test.name, err)
		}
		left, n := JudgedOnly([]Relation{r}, []Finding{test.finding})
		want := test.refused || test.name == "not judged, and nothing claimed"
		if (len(left) == 0) != want || (n[r.Function] == 1) != want {
			t.Errorf("%s: left %v, %v", test.name, left, n)
		}
	}
}

// Of what is known of a finding from several sides, what says most counts, in whatever
// order it comes; a failure is never cut off.
func TestJoinJudged(t *testing.T) {
	t.Parallel()
	var all, want []JudgedInput
	for i := range 2 * MaxJudged {
		x := JudgedInput{fmt.Sprintf("%03d", i), GroupHolds, GroupSilent}
		if i == 2*MaxJudged-1 {
			x.Head = GroupFails
		}
		all = append(all, x)
		if i < MaxJudged-1 || x.Head == GroupFails {
			want = append(want, x)
		}
	}
	all = append(all, JudgedInput{"000", GroupSilent, GroupHolds})
	want[0].Head = GroupHolds
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.Permutation(all).Draw(t, "order")
		if d := cmp.Diff(want, joinJudged(list[:40], list[40:])); d != "" {
			t.Fatal(d)
		}
	})
}

// What the input of one shard's finding refutes is no relation of the whole, and what one
// shard kept is left out where nobody held it against another shard's finding.
func TestMergeJudged(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		b    []Relation
		want int
	}{
		{"nobody looked at the finding", nil, 0},
		{"the finding agrees", []Relation{judgedRelation(Kept, AutoMR, GroupHolds, GroupHolds)}, 1},
		{"the finding refutes it", []Relation{judgedRelation(New, AutoMR, GroupFails, GroupHolds)}, 1}, // new, as the other shard says
		{"refuted on head", []Relation{judgedRelation(Broken, AutoMR, GroupHolds, GroupFails)}, 1},
	} {
		a, b := shardStream(1, 2), shardStream(2, 2)
		a.Summary.RelationsJudged, b.Summary.RelationsJudged = true, true
		a.Relations = []Relation{judgedRelation(Kept, AutoMR)}
		b.Relations = test.b
		b.Findings = append(b.Findings, Finding{Type: "finding", ID: "f", Cluster: "f", Rung: Reached, Package: a.Relations[0].Package, Function: a.Relations[0].Function, Program: "00"})
		for _, order := range [][]*Stream{{a, b}, {b, a}} {
			m, err := Merge(order...)
			if err != nil || len(m.Relations) != test.want || !m.Summary.RelationsJudged {
				t.Errorf("%s: %v, %+v", test.name, err, m.Relations)
				continue
			}
			listed := slices.ContainsFunc(m.Limits, func(l Limit) bool { return l.Kind == LimitRelations })
			if listed != (test.want == 0) {
				t.Errorf("%s: limits %+v", test.name, m.Limits)
			}
			if _, err := NewStream(m.Events()); err != nil {
				t.Errorf("%s: what was merged is not valid: %v", test.name, err)
			}
		}
	}
}
