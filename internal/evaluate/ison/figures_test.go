package ison

import (
	"bytes"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var nan = math.NaN()

func TestMedian(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		values []float64
		want   float64
	}{
		{"odd", []float64{3, 1, 2}, 2},
		{"even", []float64{4, 1, 3, 2}, 2.5},
		{"without what could not be measured", []float64{nan, 5, nan, 7}, 6},
		{"one", []float64{9}, 9},
		{"none", nil, nan},
		{"nothing measured", []float64{nan}, nan},
	} {
		before := append([]float64(nil), test.values...)
		if got := median(test.values); got != test.want && !(math.IsNaN(got) && math.IsNaN(test.want)) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
		if !cmp.Equal(before, test.values, cmp.Comparer(func(a, b float64) bool { return a == b || a != a && b != b })) {
			t.Errorf("%s: the values were reordered", test.name)
		}
	}
}

func TestMeansAndProportions(t *testing.T) {
	t.Parallel()
	if got := geometricMean([]float64{1, 4, nan}); math.Abs(got-2) > 1e-12 {
		t.Errorf("geometric mean of 1 and 4 is %v, want 2", got)
	}
	if got := geometricMean(nil); !math.IsNaN(got) {
		t.Errorf("geometric mean of nothing is %v, want NaN", got)
	}
	if got := proportion(1, 4); got != 0.25 {
		t.Errorf("1 of 4 is %v", got)
	}
	if got := percent(proportion(0, 0)); got != "-" {
		t.Errorf("0 of 0 prints %q, want -", got)
	}
	if got := least([]float64{3, 2, 4}); got != 2 {
		t.Errorf("least of 3, 2, 4 is %v", got)
	}
}

// Figures are one line each, whatever the machine calls itself.
func TestFiguresAreSingleLines(t *testing.T) {
	t.Parallel()
	var f figures
	f.text("cpu", " Some\tCPU \n@ 3 GHz\n")
	f.count("n", 3)
	f.number("x", 1.0/3)
	f.number("none", nan)
	want := figures{"cpu=Some CPU @ 3 GHz", "n=3", "x=0.333", "none=NaN"}
	if diff := cmp.Diff(want, f); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTableOfBranches(t *testing.T) {
	t.Parallel()
	rows := []branchRow{
		{subject: "path", all: 20, uncovered: 4, one: 1, deep: 2, conditions: 9, variants: 7, seconds: 1.26},
		{subject: "sort", all: 10, uncovered: 2, one: 1, deep: 2, falseAlarms: 3},
		{subject: "full", all: 6}, // nothing uncovered: in no median
	}
	var out bytes.Buffer
	var f figures
	if err := reportBranches(&out, &f, rows, 0); err != nil {
		t.Fatal(err)
	}
	want := figures{
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
