package ison

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
)

// A mutant counts once in each column that holds for it, and the columns that
// join two count those that either detects.
func TestRowBooksDetections(t *testing.T) {
	t.Parallel()
	row := faultRow{subject: "path", made: 10, all: 9}
	for _, d := range []detection{
		{Same: true},
		{Observed: true, Ran: 3, Pruned: 2},
		{Universal: true, Unique: true, Both: true, Reported: true, Wide: true, Ran: 1},
		{Unique: true, Both: true, Wide: true, Unmatched: 4},
		{Observed: true, Unique: true, Both: true},
		{Ran: 9, Cut: true},
	} {
		row.add(d)
	}
	want := faultRow{subject: "path", made: 10, all: 9, unkilled: 6, same: 1, observed: 2, universal: 1, unique: 3, both: 3, reported: 1, wide: 2,
		either: [4]int{3, 4, 3, 4}, ran: 13, pruned: 2, unmatched: 4, cut: 1}
	if diff := cmp.Diff(want, row, cmp.AllowUnexported(faultRow{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := row.share(row.unique); got != 0.5 {
		t.Errorf("the unique list detects %v, want half", got)
	}
}

func TestTableOfFaults(t *testing.T) {
	t.Parallel()
	rows := []faultRow{
		{subject: "a", made: 20, all: 18, structural: 2, unkilled: 10, observed: 1, universal: 2, unique: 4, reported: 3, both: 5, wide: 4, either: [4]int{3, 5, 4, 5}, seconds: 2},
		{subject: "b", made: 10, all: 9, plain: 1, unkilled: 4, unique: 1, both: 1, either: [4]int{0, 1, 0, 0}, cut: 1},
		{subject: "c", made: 5, all: 5}, // all killed: in no median
	}
	var out bytes.Buffer
	var f figure.Set
	if err := reportFaults(&out, &f, rows); err != nil {
		t.Fatal(err)
	}
	want := figure.Set{
		"ison.faults.subjects=3", "ison.faults.all=32", "ison.faults.unkilled=14", "ison.faults.same_ssa=0",
		"ison.faults.structural_left_out=2", "ison.faults.plain_left_out=1", "ison.faults.cut=1", "ison.faults.variants_not_run=0",
		"ison.observation.median=0.050", "ison.observation.overall=0.071",
		"ison.vl.median=0.100", "ison.vl.overall=0.143",
		"ison.ql.median=0.325", "ison.ql.overall=0.357",
		"ison.vl_or_observation.median=0.150", "ison.vl_or_observation.overall=0.214",
		"ison.ql_or_observation.median=0.375", "ison.ql_or_observation.overall=0.429",
		"ison.ql_reported.median=0.150", "ison.ql_reported.overall=0.214",
		"ison.ql_reported_or_observation.median=0.200", "ison.ql_reported_or_observation.overall=0.286",
		"ison.both.median=0.375", "ison.both.overall=0.429",
		"ison.both_reported.median=0.200", "ison.both_reported.overall=0.286",
		"ison.both_reported_or_observation.median=0.250", "ison.both_reported_or_observation.overall=0.357",
		"ison.faults.variants=0", "ison.faults.pruned_share=NaN",
	}
	if diff := cmp.Diff(want, f); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !bytes.Contains(out.Bytes(), []byte("median")) || !bytes.Contains(out.Bytes(), []byte("32.5%")) {
		t.Errorf("the table lacks the medians:\n%s", &out)
	}
}

// Each list holds the one before: what a wider one detects, a narrower one need
// not have.
func TestListsNest(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		by   list
		want detection
	}{
		{universalList, detection{Universal: true, Unique: true, Both: true}},
		{uniqueList, detection{Unique: true, Both: true}},
		{bothList, detection{Both: true}},
	} {
		var d detection
		d.detect(test.by)
		if diff := cmp.Diff(test.want, d); diff != "" {
			t.Errorf("list %d (-want +got):\n%s", test.by, diff)
		}
		if !d.by(bothList) || d.by(uniqueList) != test.want.Unique {
			t.Errorf("list %d: detected by the unique list: %t, by the widest: %t", test.by, d.by(uniqueList), d.by(bothList))
		}
		if d.Reported || d.Wide {
			t.Errorf("list %d: reported before it was", test.by)
		}
		d.report(test.by)
		if !d.Reported && !d.Wide || d.Reported != (test.by != bothList) {
			t.Errorf("list %d: reported %+v", test.by, d)
		}
	}
}
