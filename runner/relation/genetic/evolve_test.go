package genetic

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/isodelta/isodelta/internal/longtest"
	"github.com/isodelta/isodelta/runner/relation/law"
)

// TestLawsOfSubjects: laws that the subjects are known to have are among those that are
// found, and all but few of those that are found hold for executions that the search has
// not seen. Only long tests try the transformations for which no law is known.
func TestLawsOfSubjects(t *testing.T) {
	t.Parallel()
	total, wrong := 0, 0
	for _, s := range subjects() {
		t.Run(s.name, func(t *testing.T) {
			known := 0
			for _, transform := range Transforms(s.inputs, s.constants) {
				want, must := s.laws[transform.Name]
				if !must && !longtest.On() {
					continue
				}
				random := rand.New(rand.NewPCG(1, 1))
				p := s.problem(t, transform, 150, random)
				if p.Correct.Rows() < 20 {
					continue
				}
				start := time.Now()
				result, err := Evolve(t.Context(), p, Options{Seed: 1, Population: 100, Generations: 5})
				if err != nil {
					t.Fatal(err)
				}
				fresh := law.NewEvaluator(s.correct(t, transform, 2000, random))
				var found []string
				for _, l := range result.Laws {
					text := law.Notation(l.Tree, p.Variables)
					found = append(found, text)
					total++
					if n := count(fresh.Verdicts(l.Tree), law.Fails); n > 0 {
						wrong++
						t.Logf("false for %d of 2000 sources: %s", n, text)
					}
				}
				t.Logf("%s: %d of %d detected by %q %v", transform.Name, result.Detected, p.Incorrect.Rows(), found, time.Since(start))
				if must {
					known++
					if !slices.Contains(found, want) {
						t.Errorf("%s: no %q among %q", transform.Name, want, found)
					}
				}
			}
			if known != len(s.laws) {
				t.Errorf("%d laws asked for, %d transformations tried", len(s.laws), known)
			}
		})
	}
	t.Logf("%d laws, %d of them false", total, wrong)
	if 10*wrong > total {
		t.Errorf("%d of %d laws are false; a tenth may be, with so few executions", wrong, total)
	}
}

func count(all []law.Verdict, want law.Verdict) int {
	n := 0
	for _, v := range all {
		if v == want {
			n++
		}
	}
	return n
}

// TestDeterministic: the result is the same on one processor, and on more.
func TestDeterministic(t *testing.T) {
	s := subjects()[4]
	transform := Transforms(s.inputs, s.constants)[0]
	p := s.problem(t, transform, 60, rand.New(rand.NewPCG(1, 2)))
	var first []string
	for _, processors := range []int{1, 4} {
		before := runtime.GOMAXPROCS(processors)
		result, err := Evolve(t.Context(), p, Options{Seed: 7, Population: 80, Generations: 12})
		runtime.GOMAXPROCS(before)
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, l := range result.Laws {
			texts = append(texts, law.Notation(l.Tree, p.Variables))
		}
		if first != nil && !slices.Equal(first, texts) {
			t.Errorf("%q on one processor, %q on %d", first, texts, processors)
		}
		first = texts
	}
}

// TestAllKinds: trees of every kind evolve, and what is found is as it was asked for.
func TestAllKinds(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 5))
	for k := law.Bool; k <= law.Texts; k++ {
		s := subject{params: []string{"a"}, inputs: []law.Kind{k}, output: k, call: func(in []any) any { return in[0] }}
		for _, transform := range Transforms(s.inputs, nil) {
			p := s.problem(t, transform, 60, random)
			o := Options{Seed: 3, Population: 60, Generations: 4, Size: 9, Most: 3}
			result, err := Evolve(t.Context(), p, o)
			if err != nil {
				t.Fatal(err)
			}
			if len(result.Laws) == 0 || len(result.Laws) > o.Most {
				t.Errorf("%s of %s: %d laws", transform.Name, k, len(result.Laws))
			}
			correct, incorrect := law.NewEvaluator(p.Correct), law.NewEvaluator(p.Incorrect)
			for _, l := range result.Laws {
				text := law.Notation(l.Tree, p.Variables)
				verdicts := correct.Verdicts(l.Tree)
				switch {
				case count(verdicts, law.Fails) > 0:
					t.Errorf("false: %s", text)
				case count(verdicts, law.Silent) != l.Silent || 2*l.Silent > p.Correct.Rows():
					t.Errorf("silent for %d rows: %s", l.Silent, text)
				case count(incorrect.Verdicts(l.Tree), law.Fails) != len(l.Detected) || len(l.Detected) == 0:
					t.Errorf("detects %d rows: %s", len(l.Detected), text)
				case l.Tree.Size() > o.Size || law.Simplify(l.Tree).Key() != l.Tree.Key():
					t.Errorf("not in normal form, or too large: %s", text)
				case !l.Tree.Reads(2) || !l.Tree.Reads(3):
					t.Errorf("not about both outputs: %s", text)
				}
			}
		}
	}
}

// TestContextEnds: a search that is told to end gives what it has.
func TestContextEnds(t *testing.T) {
	t.Parallel()
	s := subjects()[0]
	p := s.problem(t, Transforms(s.inputs, nil)[0], 40, rand.New(rand.NewPCG(1, 3)))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	result, err := Evolve(ctx, p, Options{})
	if err != nil || result.Generations > 0 {
		t.Errorf("%d generations, %v", result.Generations, err)
	}
}

func BenchmarkEvolve(b *testing.B) {
	for _, s := range subjects() {
		b.Run(s.name, func(b *testing.B) {
			t := &testing.T{}
			transform := Transforms(s.inputs, s.constants)[0]
			p := s.problem(t, transform, 900, rand.New(rand.NewPCG(1, 4)))
			p.Correct, p.Incorrect = first(t, p.Correct, 600), first(t, p.Incorrect, 600)
			for b.Loop() {
				result, err := Evolve(b.Context(), p, Options{Seed: 1})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(result.Generations), "generations")
				b.ReportMetric(float64(p.Correct.Rows()+p.Incorrect.Rows()), "rows")
			}
		})
	}
}

// first are the first rows of a table.
func first(t *testing.T, table *law.Table, n int) *law.Table {
	var rows [][]any
	for i := range min(n, table.Rows()) {
		rows = append(rows, table.Row(i))
	}
	out, err := law.NewTable(table.Variables(), rows)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
