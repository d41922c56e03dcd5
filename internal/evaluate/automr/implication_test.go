package automr

import (
	"math"
	"testing"

	"github.com/isodelta/isodelta/runner/relation/automr"
)

// related makes a relation of a function of one number: i(j) = slope·x + shift,
// and the coefficients of the monomials of all outputs.
func related(degree int, b []float64, maps ...[2]float64) automr.Relation {
	r := automr.Relation{Inputs: 1, Outputs: 1, InputOp: automr.Equal, InputDegree: 1, OutputOp: automr.Equal, OutputDegree: degree,
		B: b, Tolerance: 1e-9, Region: []automr.Interval{{Min: -1e6, Max: 1e6}}, Integer: []bool{false}}
	for _, m := range maps {
		r.A = append(r.A, [][]float64{{m[1], m[0]}})
	}
	return r
}

// What follows from the laws of the sine, and what does not.
func TestImplication(t *testing.T) {
	t.Parallel()
	odd := related(1, []float64{0, 1, 1}, [2]float64{-1, 0})
	half := related(1, []float64{0, 1, 1}, [2]float64{1, math.Pi})
	period := related(1, []float64{0, 1, -1}, [2]float64{1, 2 * math.Pi})
	reflected := related(1, []float64{0, 1, -1}, [2]float64{-1, math.Pi})
	pythagoras := related(2, []float64{-1, 0, 0, 1, 0, 1}, [2]float64{-1, math.Pi / 2})
	shifted := related(2, []float64{-1, 0, 0, 1, 0, 1}, [2]float64{1, math.Pi / 2})
	double := related(2, []float64{-1, 0, 1, 2, 0, 0}, [2]float64{2, math.Pi / 2})
	// sin²(2x) = 4 sin²(x) − 4 sin⁴(x) is of degree 4 and not tried; this is its
	// form with the cosine: sin(2x) − 2 sin(x) sin(π/2 − x) = 0.
	doubled := related(2, []float64{0, 0, 1, 0, 0, 0, -2, 0, 0, 0}, [2]float64{2, 0}, [2]float64{-1, math.Pi / 2})
	for _, test := range []struct {
		name  string
		known []automr.Relation
		claim automr.Relation
		want  bool
	}{
		{"itself", []automr.Relation{odd}, odd, true},
		{"twice half a period", []automr.Relation{half}, period, true},
		{"half a period is more than a period", []automr.Relation{period}, half, false},
		{"a reflection", []automr.Relation{odd, half}, reflected, true},
		{"nothing", nil, odd, false},
		{"another function's law", []automr.Relation{half}, odd, false},
		{"a quadratic law at other points", []automr.Relation{odd, half, pythagoras}, shifted, true},
		{"a quadratic law without symmetries", []automr.Relation{pythagoras}, shifted, false},
		{"of higher degree from linear ones", []automr.Relation{odd, half, period}, pythagoras, false},
		{"a product up to its sign", []automr.Relation{odd, half, pythagoras, double}, doubled, false},
	} {
		s := automr.Program{In: 1, Out: 1, Domain: []automr.Interval{{Min: 0, Max: 20}}}
		if got := followsEverywhere(s, test.claim, test.known); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
	s := automr.Program{In: 1, Out: 1, Domain: []automr.Interval{{Min: 0, Max: 20}}}
	if n, err := redundant(t.Context(), s, []automr.Relation{odd, half, period, reflected, pythagoras, shifted}); err != nil || n != 3 {
		t.Errorf("%d redundant of six, want 3; error %v", n, err)
	}
}

// Bounds of single outputs give bounds of sums, and an increase that of any
// pair.
func TestBounded(t *testing.T) {
	t.Parallel()
	atMost := func(r automr.Relation) automr.Relation { r.OutputOp = automr.AtMost; return r }
	one := atMost(related(1, []float64{-1, 1}))                         // f(x) ≤ 1
	minus := atMost(related(1, []float64{-1, -1}))                      // −f(x) ≤ 1
	rising := atMost(related(1, []float64{0, 1, -1}, [2]float64{1, 0})) // x′ > x ⇒ f(x) ≤ f(x′)
	rising.InputOp = automr.Greater
	elsewhere := atMost(related(1, []float64{5, 1})) // f(x) ≤ −5 where no law is looked at
	elsewhere.Region = []automr.Interval{{Min: 100, Max: 200}}
	byName := map[string]law{}
	for _, l := range laws() {
		byName[l.where+" "+l.program] = l
	}
	for _, test := range []struct {
		law   string
		known []automr.Relation
		want  bool
	}{
		{"Table I (i) sin", []automr.Relation{one}, true},
		{"Table I (i) sin", []automr.Relation{minus}, false},
		{"Table I (m) sin", []automr.Relation{minus}, true},
		{"Table I (m) sin", []automr.Relation{one}, false},
		{"section II exp", []automr.Relation{rising}, true},
		{"section II exp", []automr.Relation{one, minus}, false},
		{"section III-D log", []automr.Relation{rising}, true},
		{"section III-D log", nil, false},
		{"section III-D log", []automr.Relation{elsewhere, rising}, true},
		{"Table I (i) sin", []automr.Relation{elsewhere}, false},
	} {
		if got := byName[test.law].holdsBy(test.known); got != test.want {
			t.Errorf("%s of %d relations: %v, want %v", test.law, len(test.known), got, test.want)
		}
	}
}
