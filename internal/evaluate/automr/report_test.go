package automr

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
	"github.com/isodelta/isodelta/runner/relation/automr"
)

// Shares are of all mutants first; kills without a number are told apart; the
// means are of the programs, each below its own column.
func TestTableOfMutants(t *testing.T) {
	t.Parallel()
	by := func(all ...form) forms {
		m := forms{}
		for _, x := range all {
			m[x] = true
		}
		return m
	}
	first, seventh, narrow := form{of: automr.TypeI}, form{of: automr.TypeVII}, form{of: automr.TypeVII, other: true}
	shown := difference{any: true, notable: true}
	rows := []detection{
		{program: program{name: "one"}, kept: 4, inferred: 2 * time.Second, fates: []fate{
			{own: true, by: by(first, seventh), difference: shown, took: time.Second},
			{missing: by(narrow), difference: shown, took: time.Second},
			{difference: difference{any: true}, took: time.Second},
			{own: true, took: time.Second},
		}},
		{program: program{name: "two"}, kept: 0, fates: []fate{
			{own: true, by: by(first), timedOut: by(first), difference: shown},
			{own: true, timedOut: by(form{of: automr.TypeI, other: true}), difference: shown},
		}},
	}
	var out bytes.Buffer
	var f figure.Set
	if err := (&evaluation{}).reportDetection(&out, &f, rows); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"| one | 4 | 1 | 0 | 0 | 0 | 0 | 0 | 1 | 0 | 0 | 0 | 2 | 50.0% | 25.0% | 25.0% | 1 | 0 | 0 | 1 | 66.7% | 2 | 100.0% |",
		"| two | 2 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 2 | 100.0% | 100.0% | 50.0% | 0 | 0 | 1 | 0 | 100.0% | 2 | 100.0% |",
		"| all | 6 | 2 | 0 | 0 | 0 | 0 | 0 | 1 | 0 | 0 | 0 | 4 | 66.7% | 50.0% | 33.3% | 1 | 0 | 1 | 1 | 80.0% | 4 | 100.0% |",
		"| mean of the programs |  |  |  |  |  |  |  |  |  |  |  |  | 75.0% | 62.5% | 37.5% |  |  |  |  | 83.3% |  | 100.0% |",
		"| one | 2 | 1 | 0 | 0 | 0 | 0 | 0 | 1 | 0 | 0 | 0 | 1 | 50.0% | 50.0% | 50.0% | 0 | 0 | 0 | 1 | 100.0% | 1 | 100.0% |",
	} {
		if !strings.Contains(out.String(), line) {
			t.Errorf("the tables lack\n%s\n%s", line, &out)
		}
	}
	want := figure.Set{
		"automr.killed.reached.one=0.500", "automr.killed.reached.two=1.000",
		"automr.killed.reached.all.mean=0.750", "automr.killed.reached.all.least=0.500",
		"automr.killed.reached.without_bands.mean=0.625", "automr.killed.reached.without_bands.least=0.250",
		"automr.killed.reached.paper_forms.mean=0.375", "automr.killed.reached.paper_forms.least=0.250",
		"automr.killed.reached.distinguished.mean=0.833", "automr.killed.reached.distinguished.least=0.667",
		"automr.killed.reached.notable.mean=1.000", "automr.killed.reached.notable.least=1.000",
		"automr.killed.reached.mutants=6", "automr.killed.reached.killed=4", "automr.killed.reached.no_output_only=1",
		"automr.killed.reached.panic_only=0", "automr.killed.reached.no_end_only=1", "automr.killed.reached.not_distinguished=1",
	}
	if diff := cmp.Diff(want, f[:len(want)]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// 2 s for 4 relations, and 4 s for 4 mutants killed.
	if last := f[len(f)-1]; last != "automr.seconds_per_relation_and_fault=1.500" {
		t.Errorf("last figure %s", last)
	}
}
