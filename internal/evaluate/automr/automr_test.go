package automr

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/isodelta/isodelta/internal/evaluate/automr/independent"
	"github.com/isodelta/isodelta/internal/evaluate/evaluatetest"
	"github.com/isodelta/isodelta/internal/evaluate/mutant"
	"github.com/isodelta/isodelta/internal/longtest"
	"github.com/isodelta/isodelta/runner/relation/automr"
)

func TestFlags(t *testing.T) {
	t.Parallel()
	o, err := parse([]string{"-subjects", "sort, apache", "-alarms", "-inference"}, new(bytes.Buffer))
	if err != nil {
		t.Fatal(err)
	}
	// The order is the evaluation's own, so that equal questions give equal output.
	if diff := cmp.Diff([]string{"abs", "asinh", "atan", "cos", "log1p", "log10", "sin", "tan", "sort"}, o.subjects); diff != "" {
		t.Errorf("subjects (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{partInference, partAlarms}, o.parts); diff != "" {
		t.Errorf("parts (-want +got):\n%s", diff)
	}
	if o, err = parse(nil, new(bytes.Buffer)); err != nil {
		t.Fatal(err)
	}
	if len(o.subjects) != len(programs()) || len(o.subjects) < 28 {
		t.Errorf("%d programs without flags, want all %d and at least 28", len(o.subjects), len(programs()))
	}
	if diff := cmp.Diff(parts(), o.parts); diff != "" {
		t.Errorf("parts without flags (-want +got):\n%s", diff)
	}
	evaluatetest.Refused(t, Run, map[string]string{
		"-subjects=cosine": `"cosine" is unknown; choose from all, apache, abs`,
		"-subjects=,":      "names none",
		"-groups=0":        "must be at least 1",
		"sin":              `unexpected argument "sin"`,
		"-no-such":         "not defined",
	})
}

// Every program has an independent implementation with as many outputs.
func TestAllProgramsAreImplementedIndependently(t *testing.T) {
	t.Parallel()
	l := independent.New()
	for _, p := range programs() {
		f := l.Function(p.name)
		if f == nil {
			t.Errorf("%s has none", p.name)
			continue
		}
		in := make([]float64, p.in())
		for i, b := range p.bounds() {
			in[i] = (b.min + b.max) / 2
		}
		if out := f(in); len(out) != p.out || !output(out) {
			t.Errorf("%s%v = %v, want %d numbers", p.name, in, out, p.out)
		}
	}
}

// A mutant is killed by a type only with numbers; missing outputs, panics and
// calls that do not end are told apart.
func TestJudge(t *testing.T) {
	t.Parallel()
	r := related(1, []float64{0, 1, 1}, [2]float64{-1, 0}) // odd
	r.Type, r.Defined = automr.TypeI, r.Region
	never := func(context.Context, [][]float64) ([][]float64, error) { return nil, errors.New("not to be run") }
	g := newGroups(automr.Program{In: 1, Out: 1, Eval: never}, []automr.Relation{r}, 1, 20)
	answers := func(f func(x float64) answer) []answer {
		var out []answer
		for _, in := range g.inputs {
			out = append(out, f(in[0]))
		}
		return out
	}
	value := func(f func(float64) float64) []answer {
		return answers(func(x float64) answer { return answer{out: []float64{f(x)}} })
	}
	identity := value(func(x float64) float64 { return x })
	holding, failing := g.check(rows(identity))
	if len(holding) == 0 || len(failing) > 0 {
		t.Fatalf("%d groups hold and %d fail on the original", len(holding), len(failing))
	}
	one := forms{{of: automr.TypeI}: true}
	for _, test := range []struct {
		name string
		got  []answer
		want fate
	}{
		{"the same", identity, fate{}},
		{"as odd", value(func(x float64) float64 { return 2 * x }), fate{}},
		{"even", value(math.Abs), fate{by: one}},
		{"no number", value(func(float64) float64 { return math.NaN() }), fate{missing: one}},
		{"panics", answers(func(float64) answer { return answer{ending: panicked} }), fate{crashed: one}},
		{"does not end", answers(func(float64) answer { return answer{ending: hung} }), fate{timedOut: one}},
	} {
		got := newFate(mutant.Mutant{})
		got.judge(&trial{groups: g, holding: holding, original: identity}, test.got)
		if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(fate{}, difference{}, form{}), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// What a direct comparison calls different and notable.
func TestCompare(t *testing.T) {
	t.Parallel()
	one := func(x float64) []answer { return []answer{{out: []float64{x}}} }
	for _, test := range []struct {
		name                string
		in, original, other float64
		want                difference
	}{
		{"the same", 1, 2, 2, difference{}},
		{"no number twice", 1, math.NaN(), math.NaN(), difference{}},
		{"the last bit", 1, 2, math.Nextafter(2, 3), difference{any: true}},
		{"the sign of zero", 1, 0, math.Copysign(0, -1), difference{any: true}},
		{"more", 1, 2, 2.1, difference{any: true, notable: true}},
		{"no output any more", 1, 2, math.NaN(), difference{any: true, notable: true}},
		{"an output where there was none", 1, math.NaN(), 2, difference{any: true}},
		{"at an infinite input", math.Inf(1), 2, 3, difference{any: true}},
	} {
		var got difference
		got.compare([][]float64{{test.in}}, one(test.original), one(test.other))
		if got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

// The chain on one small program, with the numbers that must be so: no false
// detection, and a relation that knows that the absolute value is even.
func TestAbs(t *testing.T) {
	t.Parallel()
	longtest.Skip(t, "builds two programs and infers relations")
	f, out := evaluatetest.Run(t, Run, "-subjects=abs", "-inference", "-laws", "-detection", "-alarms", "-groups=100", "-direct=5000", "-list")
	f.Want(t, evaluatetest.Figures{
		"automr.programs": 1, "automr.programs_without_relations": 0, "automr.killed.reached.mutants": 3, "automr.killed.reached.killed": 3,
		"automr.killed.reached.all.mean": 1, "automr.false.base": 0, "automr.false.independent": 0, "automr.detection.groups_failing_on_original": 0,
	})
	f.WantMore(t, "automr.false.base.groups", "automr.false.independent.groups", "automr.ms_per_relation.eight.median")
	if even := "`abs(−x) = abs(x)`"; !strings.Contains(out, even) {
		t.Errorf("the list of relations lacks %s", even)
	}
}
