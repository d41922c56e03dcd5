package automr

import "testing"

// The form of a law is what its coefficients do not change.
func TestOutputForm(t *testing.T) {
	t.Parallel()
	two := func(b ...float64) Relation {
		return Relation{Inputs: 1, Outputs: 1, InputOp: Equal, OutputOp: Equal, OutputDegree: 1, A: [][][]float64{{{0, 2}}}, B: b}
	}
	ordered, bounded, single, squares := two(0, 1, -1), two(-3, 1, 1), two(-12, 1), two(1, 0, 0, -1, 0, -1)
	ordered.OutputOp, bounded.OutputOp, single.A, squares.OutputDegree = AtMost, AtMost, nil, 2
	for _, c := range []struct {
		r    Relation
		want string
	}{
		{two(0, 1, -1), "equal"},
		{two(0, 1, 1), "negated"},
		{two(4, 1, -1), "another by a constant"},
		{two(0, 2, -1), "a multiple"},
		{two(5, 2, -1), "linear"},
		{ordered, "ordered"},
		{bounded, "at most, of degree 1, of 2 outputs"},
		{squares, "equal, of degree 2, of 2 outputs"},
		{single, ""},
	} {
		if got := c.r.OutputForm(); got != c.want {
			t.Errorf("%v: %q, want %q", c.r.B, got, c.want)
		}
	}
}
