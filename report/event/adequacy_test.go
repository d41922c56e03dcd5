package event

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A measure that counts more than there is, or nothing that is a number, is no
// measure.
func TestAdequacyThatIsNone(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		`{"type":"adequacy","scope":"total","criterion":"branch","head":{"met":3,"of":2}}`,
		`{"type":"adequacy","scope":"total","criterion":"branch","base":{"met":-1,"of":2}}`,
		`{"type":"adequacy","scope":"total","criterion":"branch","base":{"met":1,"of":1e300}}`,
		`{"type":"adequacy","scope":"somewhere","criterion":"branch"}`,
		`{"type":"adequacy","scope":"total","criterion":"luck"}`,
		`{"type":"adequacy","scope":"total","criterion":"kmr-branch"}`,
		`{"type":"adequacy","scope":"total","criterion":"kmr-branch","k":101}`,
		`{"type":"adequacy","scope":"total","criterion":"branch","k":3}`,
	} {
		if s, err := ReadStream(strings.NewReader(line+"\n"), 0); err == nil {
			t.Errorf("%s is taken: %+v", line, s.Adequacies)
		}
	}
}

// Shards run the suites alike and each a part of the variants.
func TestMergeAdequacies(t *testing.T) {
	t.Parallel()
	of := func(criterion string, base, head *Met) Adequacy {
		return Adequacy{Type: "adequacy", Scope: "total", Criterion: criterion, Base: base, Head: head}
	}
	shards := []shard{
		{Stream: &Stream{Adequacies: []Adequacy{of(ExtendedCriterion, &Met{4, 9}, &Met{5, 9}), of(BranchCriterion, &Met{3, 9}, &Met{4, 9})}}},
		{Stream: &Stream{Adequacies: []Adequacy{of(BranchCriterion, &Met{2, 9}, &Met{4, 9}), of(PatchCriterion, nil, &Met{1, 2})}}},
	}
	got := mergeAdequacies(shards, &Summary{Branches: 9, Covered: 4, Explored: 3})
	want := []Adequacy{
		of(BranchCriterion, &Met{3, 9}, &Met{4, 9}),
		of(ExtendedCriterion, nil, &Met{7, 9}),
		of(PatchCriterion, nil, &Met{1, 2}),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// k-MR coverage is told apart by k, and what is met may be a part. The shards divide the
// functions, so that a package's numbers add up.
func TestMergeKMR(t *testing.T) {
	t.Parallel()
	of := func(criterion string, k int, head float64) Adequacy {
		return Adequacy{Type: "adequacy", Scope: "total", Criterion: criterion, K: k, Head: &Met{head, 9}}
	}
	shards := []shard{
		{Stream: &Stream{Adequacies: []Adequacy{of(KMRIOCTF, 2, 1.5), of(KMRBranch, 3, 4.25), of(KMRBranch, 1, 6)}}},
		{Stream: &Stream{Adequacies: []Adequacy{of(KMRBranch, 3, 4.5), of(KMRStatement, 3, 7), of(BranchCriterion, 0, 8)}}},
	}
	both := of(KMRBranch, 3, 8.75)
	both.Head.Of = 18
	function := Adequacy{Type: "adequacy", Scope: "function", Name: "F", Criterion: KMRBranch, K: 3, Head: &Met{1, 2}}
	shards[0].Adequacies = append(shards[0].Adequacies, function)
	want := []Adequacy{of(BranchCriterion, 0, 8), of(KMRBranch, 1, 6), both, of(KMRStatement, 3, 7), of(KMRIOCTF, 2, 1.5), function}
	for _, order := range [][]shard{shards, {shards[1], shards[0]}} {
		if diff := cmp.Diff(want, mergeAdequacies(order, &Summary{})); diff != "" {
			t.Error(diff)
		}
	}
	if err := Validate(of(KMRBranch, 3, 4.25)); err != nil {
		t.Error(err)
	}
}
