package ison

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
)

func TestTableOfBranches(t *testing.T) {
	t.Parallel()
	rows := []branchRow{
		{subject: "path", all: 20, uncovered: 4, one: 1, deep: 2, conditions: 9, variants: 7, seconds: 1.26},
		{subject: "sort", all: 10, uncovered: 2, one: 1, deep: 2, falseAlarms: 3},
		{subject: "full", all: 6}, // nothing uncovered: in no median
	}
	var out bytes.Buffer
	var f figure.Set
	if err := reportBranches(&out, &f, rows, 0); err != nil {
		t.Fatal(err)
	}
	want := figure.Set{
		"ison.branches.subjects=3", "ison.branches.all=36", "ison.branches.uncovered=6",
		"ison.depth1.median=0.375", "ison.depth1.overall=0.333",
		"ison.anydepth.median=0.750", "ison.anydepth.overall=0.667",
		"ison.branches.variants=7", "ison.branches.skipped=0", "ison.false_alarms=3", "ison.unconfirmed=0",
	}
	if diff := cmp.Diff(want, f); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, line := range []string{"path        20        4                 1   25.0%", "median", "37.5%", "full         6        0                 0       -"} {
		if !bytes.Contains(out.Bytes(), []byte(line)) {
			t.Errorf("the table lacks %q:\n%s", line, &out)
		}
	}
}
