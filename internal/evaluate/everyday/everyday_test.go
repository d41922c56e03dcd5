package everyday

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/isodelta/isodelta/runner/relation/automr"
)

func TestConstants(t *testing.T) {
	t.Parallel()
	source := []byte("package p\nfunc F(x []float64) float64 { if x[7] < -12 { return 0.5 }; return 40 * x[0] }\nfunc G() {}")
	got, err := Constants(source, "F")
	if want := []float64{-12, 0.5, 40}; err != nil || !slices.Equal(got, want) {
		t.Errorf("constants %v, %v, want %v", got, err, want)
	}
	if got, err := Constants(source, "G"); err != nil || len(got) != 0 {
		t.Errorf("constants %v, %v of a function without any", got, err)
	}
	if _, err := Constants(source, "None"); err == nil {
		t.Error("a function that is not there has constants")
	}
	if _, err := Constants([]byte("no Go"), "F"); err == nil {
		t.Error("what is no Go has constants")
	}
}

func TestDomain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		points   []float64
		min, max float64
	}{{nil, 0, 20}, {[]float64{-3, 500}, -5, 750}, {[]float64{1e5}, 0, 20}} {
		if got := Domain(c.points); got.Min != c.min || got.Max != c.max {
			t.Errorf("%v: %v", c.points, got)
		}
	}
}

// Inputs meet the constants, are whole where they have to be, and reach far.
func TestInputs(t *testing.T) {
	t.Parallel()
	p := automr.Program{In: 2, Integer: []bool{true, false}, Points: []float64{77}}
	met, most, same := 0, 0.0, 0
	for _, x := range Inputs(p, 2000, rand.New(rand.NewSource(1))) {
		if x[0] != math.Trunc(x[0]) {
			t.Fatalf("%v", x)
		}
		if x[0] == 77 {
			met++
		}
		if x[0] == x[1] {
			same++
		}
		most = math.Max(most, math.Abs(x[1]))
	}
	if met < 50 || same < 50 || most < 1e5 || most > 1e6 {
		t.Errorf("%d at the constant, %d with equal elements, up to %g", met, same, most)
	}
}
