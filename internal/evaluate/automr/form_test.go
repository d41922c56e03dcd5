package automr

import (
	"testing"

	"github.com/isodelta/isodelta/runner/relation/automr"
)

// The forms of the paper's Table III, and what is beyond them.
func TestFormOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		of                    automr.Type
		input, inputs, output int
		other, band           bool
	}{
		{automr.TypeI, 1, 2, 1, false, false},
		{automr.TypeI, 2, 2, 1, true, false},
		{automr.TypeI, 1, 1, 1, true, false},
		{automr.TypeIII, 1, 2, 3, false, false},
		{automr.TypeIV, 1, 3, 1, false, false},
		{automr.TypeV, 1, 3, 2, false, false},
		{automr.TypeVII, 1, 2, 1, false, false},
		{automr.TypeVII, 1, 1, 1, true, true},
		{automr.TypeVII, 1, 3, 1, true, true},
		{automr.TypeVII, 1, 2, 2, true, true},
		{automr.TypeVIII, 1, 2, 1, false, false},
	} {
		r := automr.Relation{Type: c.of, InputDegree: c.input, A: make([][][]float64, c.inputs-1), OutputDegree: c.output}
		f := formOf(r)
		if f.of != c.of || f.other != c.other || band(f) != c.band {
			t.Errorf("type %s of %d inputs, degrees %d and %d: %+v, a band %t", c.of, c.inputs, c.input, c.output, f, band(f))
		}
		n := 0
		for _, col := range columns() {
			if col.has(f) {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%+v is in %d columns", f, n)
		}
	}
}
