package automr

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand"
	"reflect"
	"testing"
	"time"

	"github.com/isodelta/isodelta/internal/longtest"
)

func infer(t *testing.T, p Program, o Options) Result {
	t.Helper()
	r, err := Infer(context.Background(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// broken counts groups of a relation that a program breaks.
func broken(t *testing.T, p Program, r Relation, seed int64, n int) (applied, failed int, example [][]float64) {
	t.Helper()
	rnd := rand.New(rand.NewSource(seed))
	var groups [][][]float64
	var rows [][]float64
	for _, source := range r.Sources(p, seed, n) {
		follow := r.FollowUps(source, rnd)
		if follow == nil && len(r.A) > 0 {
			continue
		}
		in := append([][]float64{source}, follow...)
		groups = append(groups, in)
		rows = append(rows, in...)
	}
	out, err := p.Eval(context.Background(), rows)
	if err != nil {
		t.Fatal(err)
	}
	h := r.Groups()
	for g, in := range groups {
		holds, applicable := r.Holds(in, out[g*h:(g+1)*h])
		if applicable {
			applied++
		}
		if applicable && !holds {
			failed++
			example = in
		}
	}
	return applied, failed, example
}

func TestLawsAreFoundAndOnlyThose(t *testing.T) {
	t.Parallel()
	for _, s := range subjects() {
		t.Run(s.program.Name, func(t *testing.T) {
			t.Parallel()
			if s.program.In > 1 {
				skipLong(t, "searches relations of several inputs")
			} else {
				longtest.Plain(t)
			}
			start := time.Now()
			result := infer(t, s.program, Options{Seed: 1})
			t.Logf("%v, %d evaluations, found %v, kept %v, omitted %d", time.Since(start), result.Evaluations, result.Found, kept(result), result.Omitted)
			have := map[string]bool{}
			equalities := 0
			for _, r := range result.Relations {
				have[r.Notation(s.program.Name, nil)] = true
				if r.Type.Equality() {
					equalities++
				}
				for _, p := range []Program{s.program, s.other} {
					applied, failed, example := broken(t, p, r, 99, 1500)
					if failed > 0 {
						t.Errorf("%s %s: %d of %d groups break it, as %v", r.Type, r.Notation(p.Name, nil), failed, applied, example)
					}
					if applied == 0 {
						t.Errorf("%s %s applies to nothing", r.Type, r.Notation(p.Name, nil))
					}
				}
			}
			for _, law := range s.laws {
				if !have[law] {
					t.Errorf("not found: %s", law)
				}
			}
			if s.equalities > 0 && equalities > s.equalities {
				t.Errorf("%d equalities are kept, %d are all that is not redundant", equalities, s.equalities)
			}
		})
	}
}

// Smooth functions have almost as many near-null vectors as there are monomials,
// and no laws.
func TestNearLawsAreNotReported(t *testing.T) {
	longtest.Plain(t)
	t.Parallel()
	for _, p := range []Program{
		unary("erf", math.Erf),
		unary("lgamma", func(x float64) float64 { y, _ := math.Lgamma(x); return y }, Interval{2, 20}),
		unary("bessel", math.J0),
		unary("tamed", func(x float64) float64 { return math.Sin(math.Sqrt(2)*x) + 1e-4*math.Cos(x*x/9) }),
	} {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			for _, r := range infer(t, p, Options{Types: []Type{TypeI, TypeII, TypeIII, TypeIV, TypeV}}).Relations {
				notation := r.Notation(p.Name, nil)
				// What is true: symmetry.
				if notation == "bessel(−x) = bessel(x)" || notation == "erf(−x) = −erf(x)" {
					continue
				}
				t.Errorf("%s: %s", r.Type, notation)
			}
		})
	}
}

func TestShiftsThatAreNoCandidates(t *testing.T) {
	t.Parallel()
	p := unary("wave", func(x float64) float64 { return math.Sin(2*math.Pi*x/2.7) + 0.3*math.Cos(4*math.Pi*x/2.7) })
	for _, r := range infer(t, p, Options{Types: []Type{TypeI}}).Relations {
		if c := math.Abs(r.A[0][0][0]); r.Name() == "periodic" && math.Abs(math.Remainder(c, 2.7)) < 1e-9 {
			return
		}
	}
	t.Error("the period 2.7 was not found")
}

func TestWholeNumbers(t *testing.T) {
	longtest.Plain(t)
	t.Parallel()
	p := binary("gcd", func(x, y float64) float64 { return float64(gcd(int(math.Abs(x)), int(math.Abs(y)))) }, Interval{0, 60}, Interval{0, 60})
	p.Integer = []bool{true, true}
	have := map[string]bool{}
	for _, r := range infer(t, p, Options{}).Relations {
		have[r.Notation("gcd", nil)] = true
		for _, a := range r.A {
			for _, row := range a {
				for _, c := range row {
					if c != math.Trunc(c) {
						t.Errorf("%s is not for whole numbers", r.Notation("gcd", nil))
					}
				}
			}
		}
	}
	for _, law := range []string{"gcd(y, x) = gcd(x, y)", "gcd(2x, 2y) = 2 gcd(x, y)"} {
		if !have[law] {
			t.Errorf("not found: %s, only %v", law, have)
		}
	}
}

func TestSaturation(t *testing.T) {
	t.Parallel()
	p := unary("capped", func(x float64) float64 { return math.Min(3*x, 12) })
	for _, r := range infer(t, p, Options{Types: []Type{TypeVI}}).Relations {
		if r.Notation("capped", nil) == "x′ > 4 ⇒ capped(x′) = 12 for −40 ≤ x, x′ ≤ 60" {
			return
		}
	}
	t.Error("that it is 12 beyond 4 was not found")
}

func TestProgramsWithoutRelations(t *testing.T) {
	longtest.Plain(t)
	t.Parallel()
	nothing := map[string]func(float64) float64{
		"nan":      func(float64) float64 { return math.NaN() },
		"infinite": func(float64) float64 { return math.Inf(1) },
	}
	for name, f := range nothing {
		if r := infer(t, unary(name, f), Options{}); len(r.Relations) != 0 || r.Outputs != 0 {
			t.Errorf("%s: %d relations, outputs for %v of inputs", name, len(r.Relations), r.Outputs)
		}
	}
	for name, f := range map[string]func(float64) float64{"seven": func(float64) float64 { return 7 }, "zero": func(float64) float64 { return 0 }} {
		r := infer(t, unary(name, f), Options{})
		if len(r.Relations) != 1 || r.Relations[0].Name() != "constant" {
			t.Errorf("%s: %d relations instead of one", name, len(r.Relations))
		}
	}
	nils := unary("nil", math.Sin)
	nils.Eval = func(_ context.Context, in [][]float64) ([][]float64, error) { return make([][]float64, len(in)), nil }
	if r := infer(t, nils, Options{}); len(r.Relations) != 0 {
		t.Errorf("without any row there are %d relations", len(r.Relations))
	}
	// A random program has ranges, no laws.
	rnd := rand.New(rand.NewSource(3))
	noise := infer(t, unary("noise", func(float64) float64 { return rnd.Float64() }), Options{})
	for _, r := range noise.Relations {
		if r.Type.Equality() {
			t.Errorf("noise has the law %s", r.Notation("noise", nil))
		}
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	broken := errors.New("the process has gone")
	p := unary("gone", math.Sin)
	calls := 0
	p.Eval = func(_ context.Context, in [][]float64) ([][]float64, error) {
		if calls++; calls > 3 {
			return nil, broken
		}
		return unary("", math.Sin).Eval(context.Background(), in)
	}
	if _, err := Infer(context.Background(), p, Options{}); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Infer(ctx, unary("sin", math.Sin), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	for _, c := range []struct {
		p Program
		o Options
	}{
		{Program{Name: "none", In: 1, Out: 1}, Options{}},
		{unary("sin", math.Sin, Interval{3, 3}), Options{}},
		{unary("sin", math.Sin), Options{Method: "guess"}},
		{unary("sin", math.Sin), Options{Types: []Type{9}}},
		{unary("sin", math.Sin), Options{Tolerance: 2}},
	} {
		if _, err := Infer(context.Background(), c.p, c.o); err == nil {
			t.Errorf("no error for %v", c.o)
		}
	}
}

func TestDeterminedBySeed(t *testing.T) {
	longtest.Plain(t)
	t.Parallel()
	for _, o := range []Options{{Seed: 5, Types: []Type{TypeI, TypeII, TypeVII, TypeVIII}}, {Seed: 5, Method: Paper, Runs: 1, Iterations: 2}} {
		a, b := infer(t, unary("cos", math.Cos), o), infer(t, unary("cos", math.Cos), o)
		if !reflect.DeepEqual(a, b) {
			t.Errorf("two runs of the method %q differ", o.Method)
		}
	}
}

func TestJSONKeepsEverything(t *testing.T) {
	longtest.Plain(t)
	t.Parallel()
	for _, r := range infer(t, unary("tan", math.Tan), Options{Seed: 2, Types: []Type{TypeI, TypeII, TypeVII, TypeVIII}}).Relations {
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var back Relation
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(r, back) {
			t.Errorf("%s became %s", r.Notation("tan", nil), back.Notation("tan", nil))
		}
	}
}

// A small mistake of an otherwise correct program has to be seen by some relation.
func TestMistakesAreSeen(t *testing.T) {
	longtest.Plain(t)
	t.Parallel()
	for _, s := range subjects()[3:7] {
		t.Run(s.program.Name, func(t *testing.T) {
			t.Parallel()
			wrong := s.program
			wrong.Eval = func(ctx context.Context, in [][]float64) ([][]float64, error) {
				out, err := s.program.Eval(ctx, in)
				for i := range out {
					if x := in[i][0]; x > 1 && x < 2.5 {
						out[i][0] *= 1.002
					}
				}
				return out, err
			}
			kills := map[Type]int{}
			for _, r := range infer(t, s.program, Options{Seed: 1}).Relations {
				if _, failed, _ := broken(t, wrong, r, 7, 600); failed > 0 {
					kills[r.Type]++
				}
			}
			t.Log(kills)
			if len(kills) == 0 {
				t.Error("no relation sees two thousandths too much between 1 and 2.5")
			}
		})
	}
}

func TestPaperMethod(t *testing.T) {
	t.Parallel()
	skipLong(t, "searches A and B")
	start := time.Now()
	r := infer(t, unary("sin", math.Sin), Options{Method: Paper, Runs: 3, Iterations: 40, Seed: 1})
	t.Logf("%v, %d evaluations, found %v, kept %v", time.Since(start), r.Evaluations, r.Found, kept(r))
	if r.Found[TypeVII] == 0 || r.Found[TypeVIII] == 0 {
		t.Errorf("no inequalities were found: %v", r.Found)
	}
	for _, rel := range r.Relations {
		if _, failed, example := broken(t, unary("sin", math.Sin), rel, 4, 300); failed > 3 {
			t.Errorf("%s breaks for %v", rel.Notation("sin", nil), example)
		}
	}
}

// kept counts relations by type.
func kept(r Result) map[Type]int {
	n := map[Type]int{}
	for _, rel := range r.Relations {
		n[rel.Type]++
	}
	return n
}
