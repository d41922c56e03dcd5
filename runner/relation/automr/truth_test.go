package automr

import (
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/internal/longtest"
)

func withPoints(p Program, points ...float64) Program {
	p.Points = points
	p.Integer = []bool{false}
	p.Domain = []Interval{{0, 20}}
	for _, x := range points {
		if x <= 1e4 {
			p.Domain[0].Max = math.Max(p.Domain[0].Max, 1.5*x)
		}
	}
	return p
}

// charges are programs of the kind that shops and railways have: thresholds, caps, and
// nothing at all to pay for half of the inputs.
func charges() []Program {
	whole := func(p Program, points ...float64) Program {
		p.Points = points
		for range p.In {
			p.Integer = append(p.Integer, true)
		}
		return p
	}
	return []Program{
		whole(unary("Shipping", func(grams float64) float64 {
			switch {
			case grams <= 0:
				return 0
			case grams <= 500:
				return 390
			case grams <= 2000:
				return 590
			}
			return 590 + 2*math.Ceil((grams-2000)/100)
		}), 0, 100, 390, 500, 590, 2000, 2),
		whole(unary("Discount", func(sum float64) float64 {
			if sum < 5000 {
				return 0
			}
			return math.Floor(sum / 20)
		}), 0, 20, 5000),
		whole(unary("Clamp", func(x float64) float64 { return math.Max(0, math.Min(100, x)) }), 0, 100),
		whole(binary("Fee", func(km, code float64) float64 {
			fee := 250 + 40*km
			if code == 7 {
				fee += 500
			}
			return math.Min(fee, 90000)
		}), 7, 40, 250, 500, 90000),
		// Its threshold lies where squares of inputs are far beyond a million.
		withPoints(unary("Commission", func(x float64) float64 {
			if x > 250_000 {
				return 0.02*250_000 + 0.01*(x-250_000)
			}
			return 0.02 * x
		}), 0.01, 0.02, 250_000),
		// Laws of its two parts fail for inputs less than a step below its threshold only.
		withPoints(unary("GasBill", func(x float64) float64 {
			return 96 + 0.5*math.Max(0, math.Min(x, 1500)) + 0.25*math.Max(0, x-1500)
		}), 0, 0.25, 0.5, 96, 1500),
		whole(binary("Fare", func(from, to float64) float64 { return 2 + 3*math.Abs(from-to) }), 2, 3),
	}
}

// What is printed is true of all inputs that people use, whether the program's constants
// are known or not: those at its thresholds among them.
func TestPrintedLawsAreTrue(t *testing.T) {
	t.Parallel()
	for _, p := range charges() {
		for _, known := range []bool{true, false} {
			if !known && (p.Name == "Fee" || !p.Integer[0]) {
				continue // one code of all that is special is not found by chance, nor a threshold far out
			}
			t.Run(fmt.Sprintf("%s, constants known %t", p.Name, known), func(t *testing.T) {
				t.Parallel()
				if known && (p.Name == "Fee" || p.Name == "Shipping") {
					longtest.Plain(t)
				} else {
					longtest.Skip(t, "to infer laws of all types takes seconds")
				}
				printedLawsAreTrue(t, p, known)
			})
		}
	}
}

func printedLawsAreTrue(t *testing.T, p Program, known bool) {
	t.Helper()
	points := p.Points
	if !known {
		p.Points = nil
	}
	rnd := rand.New(rand.NewSource(7))
	var inputs [][]float64
	for range 20_000 {
		x := make([]float64, p.In)
		for i := range x {
			x[i] = math.Round((2*rnd.Float64() - 1) * math.Pow(10, 1+4*rnd.Float64()))
			if rnd.Intn(3) == 0 {
				x[i] = points[rnd.Intn(len(points))] + float64(rnd.Intn(5)-2)
				if !p.Integer[i] {
					x[i] += 2*rnd.Float64() - 1
				}
			}
		}
		inputs = append(inputs, x)
	}
	for _, r := range infer(t, p, Options{Seed: 1}).Relations {
		printed := r.Printed()
		for _, x := range inputs {
			follow := printed.FollowUps(x, rnd)
			if follow == nil && len(r.A) > 0 {
				continue
			}
			in := append([][]float64{x}, follow...)
			out, err := p.Eval(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			if holds, applicable := printed.Holds(in, out); applicable && !holds {
				t.Errorf("%s is false for %v, which gives %v", r.Notation(p.Name, nil), in, out)
				break
			}
		}
	}
}

// A bound that matters is printed, of follow-up inputs, too.
func TestNotationOfRegions(t *testing.T) {
	t.Parallel()
	equal := Relation{Type: TypeI, Inputs: 1, Outputs: 1, InputOp: Equal, InputDegree: 1, A: [][][]float64{{{0, 2}}}, OutputOp: Equal, OutputDegree: 1, B: []float64{0, 2, -1}}
	bound := Relation{Type: TypeVII, Inputs: 1, Outputs: 1, InputOp: Equal, InputDegree: 1, OutputOp: Less, OutputDegree: 1, B: []float64{-12, 1}}
	order := Relation{Type: TypeVI, Inputs: 1, Outputs: 1, InputOp: Greater, InputDegree: 1, A: [][][]float64{{{4, 0}}}, OutputOp: Equal, OutputDegree: 1, B: []float64{-12, 0, 1}}
	for _, c := range []struct {
		r        Relation
		min, max float64
		want     string
	}{
		{equal, -1e6, 1e6, ""},
		{equal, -100, 100, " for −100 ≤ x ≤ 100"},
		{equal, 20, 1e6, " for x ≥ 20"},
		{equal, -1e12, 1000, " for x ≤ 1000"},
		{bound, 20, 1e6, " for 20 ≤ x ≤ 1000000"},
		{bound, -1e300, 1e300, ""},
		{order, -40, 60, " for −40 ≤ x, x′ ≤ 60"},
	} {
		c.r.Region = []Interval{{c.min, c.max}}
		text := c.r.Notation("f", nil)
		if _, where, found := strings.Cut(text, " for "); text != strings.TrimSuffix(text, c.want)+c.want || found && c.want != " for "+where || !found && c.want != "" {
			t.Errorf("%v to %v: %q, which does not end in %q", c.min, c.max, text, c.want)
		}
	}
}

// Symmetric is what takes its elements in another order, and nothing that mixes them.
func TestSymmetric(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		a    [][]float64
		want bool
	}{
		"swap":      {[][]float64{{0, 0, 1}, {0, 1, 0}}, true},
		"same":      {[][]float64{{0, 1, 0}, {0, 0, 1}}, false},
		"sum":       {[][]float64{{0, 1, 0}, {0, 1, 1}}, false},
		"one twice": {[][]float64{{0, 0, 1}, {0, 0, 1}}, false},
		"shifted":   {[][]float64{{1, 0, 1}, {0, 1, 0}}, false},
	} {
		if got := newMapping(c.a, 1).permutes(); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
