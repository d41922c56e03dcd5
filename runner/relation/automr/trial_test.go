package automr

import (
	"context"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/internal/longtest"
)

// linearLaws are the relations of type I that are inferred.
func linearLaws(t *testing.T, p Program, seed int64) (laws []string) {
	t.Helper()
	for _, r := range infer(t, p, Options{Seed: seed, Types: []Type{TypeI}}).Relations {
		laws = append(laws, r.Notation(p.Name, nil))
	}
	return laws
}

// A law that inputs from 0 to 20 do not contradict, but everyday ones do, is none.
func TestPiecewiseProgramsHaveNoLawOfOnePiece(t *testing.T) {
	longtest.Plain(t)
	t.Parallel()
	angle := func(d float64) float64 {
		r := math.Mod(d, 360)
		if r < 0 {
			r += 360
		}
		return r
	}
	taxed := func(x float64) float64 {
		if x < 500 {
			return 0.2 * x
		}
		return 100 + 0.4*(x-500)
	}
	for _, p := range []Program{unary("angle", angle), unary("taxed", taxed)} {
		if laws := linearLaws(t, p, 1); len(laws) > 0 {
			t.Errorf("%s: %v", p.Name, laws)
		}
	}
}

// Cases of programs of several elements that only related elements meet.
func TestRareCasesOfSeveralElements(t *testing.T) {
	longtest.Plain(t)
	t.Parallel()
	for name, f := range map[string]func(x, y float64) float64{
		"opposite": func(x, y float64) float64 { return b2f(x == -y) + x + y },
		"tie":      func(x, y float64) float64 { return x - y + 5*b2f(x == y && x != 0) },
		"close":    func(x, y float64) float64 { return x + y + b2f(x != y && math.Abs(x-y) < 1e-2) },
	} {
		laws := linearLaws(t, binary(name, f), 1)
		for _, wrong := range []string{"(x + 1, y) =", "(2x, 2y) =", "(x, y + 1) =", "(−x, y)", "(10x, 10y) ="} {
			if i := slices.IndexFunc(laws, func(l string) bool { return strings.Contains(l, wrong) }); i >= 0 {
				t.Errorf("%s: %s", name, laws[i])
			}
		}
	}
}

func TestFollowUpsAtTheEnds(t *testing.T) {
	longtest.Plain(t)
	t.Parallel()
	for _, p := range []Program{
		unary("arccos", math.Acos, Interval{-1, 1}),
		vector("dot", 4, 1, func(x []float64) []float64 { return []float64{x[0]*x[2] + x[1]*x[3]} }),
	} {
		all := 0
		for seed := range int64(2) {
			for _, r := range infer(t, p, Options{Seed: seed, Types: []Type{TypeVIII}}).Relations {
				program, err := p.withDefaults()
				if err != nil {
					t.Fatal(err)
				}
				eval := &evaluator{program: program}
				far, err := eval.cornerGroups(context.Background(), r, rand.New(rand.NewSource(50+seed)))
				if err != nil {
					t.Fatal(err)
				}
				applied, broken := count(far.results)
				if broken > 0 {
					t.Errorf("seed %d: %d of %d groups at the ends break %s", seed, broken, applied, r.Notation(p.Name, nil))
				}
				all += applied
			}
		}
		if all == 0 {
			t.Errorf("%s has no groups at the ends", p.Name)
		}
	}
}

func TestNamesOfShifts(t *testing.T) {
	t.Parallel()
	b := func(alpha float64) []float64 { return []float64{0, -alpha, 1} }
	one := func(alpha float64) Relation {
		return Relation{Inputs: 1, Outputs: 1, InputOp: Equal, InputDegree: 1, OutputOp: Equal, OutputDegree: 1, A: [][][]float64{{{1, 1}}}, B: b(alpha)}
	}
	two := func(alpha, first, second float64) Relation {
		r := one(alpha)
		r.Inputs, r.A = 2, [][][]float64{{{first, 1, 0}, {second, 0, 1}}}
		return r
	}
	for _, c := range []struct {
		r    Relation
		want string
	}{
		{one(1), "periodic"}, {one(-1), "antiperiodic"}, {two(1, 1, 0), "periodic"}, {two(1, 1, 1), "invariant under shift"},
		{two(-1, 1, 1), "negated by shift"}, {two(-1, 0, 1), "antiperiodic"},
	} {
		if got := c.r.Name(); got != c.want {
			t.Errorf("%s is called %q instead of %q", c.r.Notation("f", nil), got, c.want)
		}
	}
}

// Of laws that generate one another, only generators are kept.
func TestOnlyGeneratorsAreKept(t *testing.T) {
	longtest.Plain(t)
	t.Parallel()
	for _, c := range []struct {
		p    Program
		want []string
	}{
		{unary("half", func(x float64) float64 { return math.Abs(math.Mod(math.Abs(x), 0.5) - 0.25) }), []string{"half(x + ½) = half(x)", "half(−x) = half(x)"}},
		{unary("twice", func(x float64) float64 { return 2 * x }), []string{"twice(−x) = −twice(x)", "twice(x + 1) = twice(x) + 2", "twice(2x) = 2 twice(x)", "twice(3x) = 3 twice(x)"}},
		{unary("log10", math.Log10), []string{"log10(2x) = log10(x) + log₁₀2 for x ≥ 0", "log10(10x) = log10(x) + 1 for x ≥ 0", "log10(x²) = 2 log10(x) for x ≥ 0", "log10(x³) = 3 log10(x) for x ≥ 0"}},
		{unary("sin", math.Sin), []string{"sin(−x) = −sin(x)", "sin(x + 2π) = sin(x)", "sin(x + π) = −sin(x)"}},
		{binary("both", func(x, y float64) float64 { return math.Hypot(x, y) + math.Abs(x-y) }), []string{"both(y, x) = both(x, y)", "both(2x, 2y) = 2 both(x, y)", "both(3x, 3y) = 3 both(x, y)"}},
	} {
		laws := linearLaws(t, c.p, 1)
		for _, law := range c.want {
			if !slices.Contains(laws, law) {
				t.Errorf("not kept: %s", law)
			}
		}
		for _, law := range laws {
			if !slices.Contains(c.want, law) && !strings.Contains(law, "(−y, −x)") {
				t.Errorf("kept though it follows: %s", law)
			}
		}
	}
}

func TestSourcesDoNotRunTheProgram(t *testing.T) {
	t.Parallel()
	p := unary("sin", math.Sin)
	r := infer(t, p, Options{Types: []Type{TypeI}}).Relations[0]
	want := r.Sources(p, 3, 50)
	p.Eval = nil
	got := r.Sources(p, 3, 50)
	if len(got) != 50 || !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%d sources without Eval, 50 with it", len(got))
	}
	if s := r.Sources(binary("other", math.Hypot), 3, 5); s != nil {
		t.Errorf("sources %v for a program of two elements", s)
	}
	if _, err := Infer(context.Background(), p, Options{}); err == nil {
		t.Error("inferred something without Eval")
	}
}

// Sources has subnormal inputs only of relations that hold for them: a program that
// is careless about those keeps its laws.
func TestSubnormalInputs(t *testing.T) {
	t.Parallel()
	exact := func(x float64) float64 {
		if x > 0 && x < 1e-300 {
			return math.Log2(x*(1<<60)) - 60
		}
		return math.Log2(x)
	}
	careless := func(x float64) float64 {
		if x > 0 && x < 0x1p-1022 {
			return -1022
		}
		return math.Log2(x)
	}
	for name, f := range map[string]func(float64) float64{"exact": exact, "careless": careless} {
		tiny, all := 0, infer(t, unary(name, f), Options{Types: []Type{TypeI}}).Relations
		for _, r := range all {
			for _, x := range r.Sources(unary(name, f), 1, 1000) {
				if x[0] != 0 && math.Abs(x[0]) < 0x1p-1022 {
					tiny++
				}
			}
		}
		if len(all) == 0 || tiny > 0 != (name == "exact") {
			t.Errorf("%s: %d subnormal sources of %d relations", name, tiny, len(all))
		}
	}
}

// Whatever the region, trial inputs are in it.
func TestTrialsAreInTheirRegion(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewSource(1))
	for _, region := range [][]Interval{{{0, 20}, {0, 1e300}}, {{-1e6, 1e6}, {-5, -1}}, {{3, 4}, {-1e300, 1e300}}} {
		p, err := binary("f", math.Hypot, Interval{3, 20}, Interval{-5, -1}).withDefaults()
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range trials(p, region, 400, rnd) {
			if !inside(region, x) {
				t.Fatalf("%v is not in %v", x, region)
			}
		}
	}
}
