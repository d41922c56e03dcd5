package figure

import (
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
		if got := Median(test.values); got != test.want && !(math.IsNaN(got) && math.IsNaN(test.want)) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
		if !cmp.Equal(before, test.values, cmp.Comparer(func(a, b float64) bool { return a == b || a != a && b != b })) {
			t.Errorf("%s: the values were reordered", test.name)
		}
	}
}

func TestMeansAndProportions(t *testing.T) {
	t.Parallel()
	if got := GeometricMean([]float64{1, 4, nan}); math.Abs(got-2) > 1e-12 {
		t.Errorf("geometric mean of 1 and 4 is %v, want 2", got)
	}
	if got := GeometricMean(nil); !math.IsNaN(got) {
		t.Errorf("geometric mean of nothing is %v, want NaN", got)
	}
	if got := Proportion(1, 4); got != 0.25 {
		t.Errorf("1 of 4 is %v", got)
	}
	if got := Percent(Proportion(0, 0)); got != "-" {
		t.Errorf("0 of 0 prints %q, want -", got)
	}
	if got := Least([]float64{nan, 3, 2, nan, 4}); got != 2 {
		t.Errorf("least of 3, 2, 4 is %v", got)
	}
	if got := Mean([]float64{nan, 3, 2, nan, 4}); got != 3 {
		t.Errorf("mean of 3, 2, 4 is %v", got)
	}
	for name, got := range map[string]float64{"least": Least([]float64{nan}), "mean": Mean(nil)} {
		if !math.IsNaN(got) {
			t.Errorf("%s of nothing measured is %v", name, got)
		}
	}
}

// Figures are one line each, whatever the machine calls itself.
func TestFiguresAreSingleLines(t *testing.T) {
	t.Parallel()
	var f Set
	f.Text("cpu", " Some\tCPU \n@ 3 GHz\n")
	f.Count("n", 3)
	f.Number("x", 1.0/3)
	f.Number("none", nan)
	want := Set{"cpu=Some CPU @ 3 GHz", "n=3", "x=0.333", "none=NaN"}
	if diff := cmp.Diff(want, f); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
