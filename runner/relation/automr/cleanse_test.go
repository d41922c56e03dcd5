package automr

import (
	"context"
	"math"
	"math/rand"
	"os/exec"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// The matrix of section III-D: (3) and (4) follow from (1) and (2).
func TestRankOfThePapersExample(t *testing.T) {
	t.Parallel()
	c := [][]float64{{1, 0.99, 0}, {1, 0, 1.01}, {0, 1, -1.03}, {1.98, 0.99, 1.01}}
	if got := rank(c, similarDistance); got != 2 {
		t.Errorf("rank %d, the paper has 2", got)
	}
	if kept := independent(c, similarDistance); len(kept) != 2 || kept[0] != 0 || kept[1] != 1 {
		t.Errorf("kept rows %v instead of the first two", kept)
	}
	if got := rank([][]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, similarDistance); got != 3 {
		t.Errorf("rank %d of the unit matrix", got)
	}
}

func TestDistance(t *testing.T) {
	t.Parallel()
	// sin(x) − sin(x + 6.28) and 1.99 sin(x) − 1.98 sin(x + 6.28), section III-D.
	first := Relation{Type: TypeI, Inputs: 1, Outputs: 1, InputOp: Equal, OutputOp: Equal, InputDegree: 1, OutputDegree: 1,
		A: [][][]float64{{{6.28, 1}}}, B: []float64{0, 1, -1}, Region: []Interval{{0, 20}}}
	second := first
	second.B = []float64{0, 1.99, -1.98}
	other := first
	other.A, other.B = [][][]float64{{{6.28, -1}}}, []float64{0, 1, 1}
	if got := withoutSimilar([]Relation{first, second, other}, false); len(got) != 2 {
		t.Errorf("%d of three relations are kept, two are similar", len(got))
	}
	if d := distanceOf([]float64{0, 2}, []float64{10, 2}, []float64{20, 4}); d != 0.25 {
		t.Errorf("distance %v, by equation 23 it is (10/20)/2", d)
	}
}

// ordered makes a log example of section III-D: if x2 > x1 + c, then f(x2) − f(x1)
// + d > 0.
func ordered(c, d float64) Relation {
	return Relation{Type: TypeVIII, Inputs: 1, Outputs: 1, InputOp: Greater, InputDegree: 1, A: [][][]float64{{{c, 1}}},
		OutputOp: AtMost, OutputDegree: 1, B: []float64{-d, 1, -1}, Region: []Interval{{1, 20}}, Integer: []bool{false}}
}

func TestImplicationOfThePapersExample(t *testing.T) {
	t.Parallel()
	lenient, strict := ordered(0, 0), ordered(1, 1)
	for _, all := range [][]Relation{{lenient, strict}, {strict, lenient}, {lenient, lenient, strict}} {
		kept, err := withoutImplied(context.Background(), all, solver{})
		if err != nil {
			t.Fatal(err)
		}
		if len(kept) != 1 || kept[0].A[0][0][0] != 0 {
			t.Errorf("kept %d relations, x2 > x1 ⇒ log(x2) − log(x1) > 0 implies all", len(kept))
		}
	}
	// Neither is more lenient on both sides.
	kept, err := withoutImplied(context.Background(), []Relation{ordered(0, 1), ordered(1, 0)}, solver{})
	if err != nil || len(kept) != 2 {
		t.Errorf("kept %d of two independent relations, %v", len(kept), err)
	}
}

func TestBoundsOnARegion(t *testing.T) {
	t.Parallel()
	region := []Interval{{0, 10}}
	if !boundImplies([]float64{0, 2}, []float64{0, 1}, Greater, region) {
		t.Error("x2 > 2x implies x2 > x for x ≥ 0")
	}
	if boundImplies([]float64{0, 2}, []float64{0, 1}, Greater, []Interval{{-10, 10}}) {
		t.Error("x2 > 2x does not imply x2 > x for x < 0")
	}
	if !boundImplies([]float64{-1, 1}, []float64{0, 1}, Less, region) {
		t.Error("x2 < x − 1 implies x2 < x")
	}
}

// What is called implied holds wherever what implies it does; combinations of
// constraints, loosened, are found to be implied.
func TestImplicationIsSound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		small := rapid.Map(rapid.IntRange(-3, 3), func(i int) float64 { return float64(i) })
		row := func(label string) Relation {
			b := rapid.SliceOfN(small, 4, 4).Draw(t, label)
			return Relation{Inputs: 1, Outputs: 1, A: make([][][]float64, 2), OutputOp: AtMost, OutputDegree: 1, B: b}
		}
		by := []Relation{row("first"), row("second")}
		r := row("implied")
		combined := rapid.Bool().Draw(t, "combine")
		if combined {
			p, q := float64(rapid.IntRange(0, 3).Draw(t, "p")), float64(rapid.IntRange(0, 3).Draw(t, "q"))
			loose := float64(rapid.IntRange(0, 2).Draw(t, "loose"))
			for j := range r.B {
				r.B[j] = p*by[0].B[j] + q*by[1].B[j]
			}
			r.B[0] -= loose
		}
		implied := outputImplied(by, r)
		if combined && !implied {
			t.Fatalf("%v does not follow from %v and %v", r.B, by[0].B, by[1].B)
		}
		if !implied {
			return
		}
		value := func(b, o []float64) float64 { return b[0] + b[1]*o[0] + b[2]*o[1] + b[3]*o[2] }
		rnd := rand.New(rand.NewSource(1))
		for range 300 {
			o := []float64{8*rnd.Float64() - 4, 8*rnd.Float64() - 4, 8*rnd.Float64() - 4}
			if value(by[0].B, o) <= 0 && value(by[1].B, o) <= 0 && value(r.B, o) > 1e-9 {
				t.Fatalf("%v is called implied by %v and %v, but not at %v", r.B, by[0].B, by[1].B, o)
			}
		}
	})
}

func TestQuestionForASolver(t *testing.T) {
	t.Parallel()
	r := Relation{Inputs: 1, Outputs: 1, OutputOp: AtMost, OutputDegree: 2, B: []float64{-1, 0, 0.5}}
	want := "(set-logic QF_NRA)\n(declare-const o0 Real)\n" +
		"(assert (<= (+ 0 (- (/ 1 1)) (* (/ 1 2) o0 o0)) 0))\n" +
		"(assert (> (+ 0 (- (/ 1 1)) (* (/ 1 2) o0 o0)) 0))\n(check-sat)\n"
	if got := question([]Relation{r}, r); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	for _, name := range []string{"z3", "cvc5"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		if ok, err := (solver{path, 10 * time.Second}).implied(context.Background(), []Relation{r}, r); !ok || err != nil {
			t.Errorf("%s: a relation does not imply itself: %v", name, err)
		}
	}
	if _, err := (solver{"/nowhere/z3", time.Second}).implied(context.Background(), []Relation{r}, r); err == nil || !strings.Contains(err.Error(), "/nowhere/z3") {
		t.Errorf("a solver that is not there gives %v", err)
	}
}

// Compositions that are called implied do hold.
func TestCompositionsHold(t *testing.T) {
	t.Parallel()
	c := newClosure(1, 1)
	turn, _ := snap(2*math.Pi, 1e-9)
	half, _ := snap(math.Pi, 1e-9)
	for _, w := range []word{
		{affine(turn, 1), [][]float64{{1}}, []float64{0}}, {affine(0, -1), [][]float64{{-1}}, []float64{0}}, {affine(half, 1), [][]float64{{-1}}, []float64{0}},
	} {
		c.add(w)
	}
	for _, key := range sortedKeys(c.all) {
		for _, w := range c.all[key] {
			for _, x := range []float64{0.3, 2, 11} {
				if got, want := math.Sin(w.g.apply([]float64{x})[0]), w.m[0][0]*math.Sin(x)+w.c[0]; math.Abs(got-want) > 1e-12 {
					t.Fatalf("sin(%s at %v) is %v, the composition says %v", key, x, got, want)
				}
			}
		}
	}
	if !c.implies(word{affine(2*turn, 1), [][]float64{{1}}, []float64{0}}) || !c.implies(word{affine(half, -1), [][]float64{{1}}, []float64{0}}) {
		t.Error("sin(x + 4π) = sin(x) and sin(π − x) = sin(x) follow")
	}
	if c.implies(word{affine(1, 1), [][]float64{{1}}, []float64{0}}) {
		t.Error("sin(x + 1) = sin(x) does not follow")
	}
}

func TestMonomialsAreAsManyAsThePaperSays(t *testing.T) {
	t.Parallel()
	// Equations 1 and 6; vector v of equation 15 has ten elements.
	for _, c := range []struct{ n, degree, want int }{{1, 1, 2}, {1, 3, 4}, {2, 3, 10}, {3, 2, 10}, {3, 1, 4}, {4, 2, 15}} {
		if got := len(monomials(c.n, c.degree)); got != c.want || countMonomials(c.n, c.degree, 1000) != c.want {
			t.Errorf("%d variables to degree %d: %d monomials, want %d", c.n, c.degree, got, c.want)
		}
	}
}

func TestSnapping(t *testing.T) {
	t.Parallel()
	for text, v := range map[string]float64{"2π/3": 2 * math.Pi / 3, "√2": math.Sqrt2, "ln 2": math.Ln2, "½": 0.5, "1/3": 1.0 / 3, "e": math.E, "log₁₀2": math.Log10(2), "72": 72} {
		s, ok := snap(v*(1+1e-13), 1e-9)
		if !ok || recognise(s).text != text {
			t.Errorf("%v became %s", v, recognise(s).text)
		}
	}
	if _, ok := snap(0.4132487, 1e-9); ok {
		t.Error("0.4132487 is no known constant")
	}
}
