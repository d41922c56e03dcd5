package kmr

import (
	"bytes"
	"context"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/diff/adequacy"
	"github.com/isodelta/isodelta/internal/evaluate/evaluatetest"
	"github.com/isodelta/isodelta/internal/evaluate/figure"
	"github.com/isodelta/isodelta/internal/longtest"
)

func TestFlags(t *testing.T) {
	t.Parallel()
	o, err := parse([]string{"-subjects", "parking, phone", "-k", "-levels"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	// The order is the evaluation's own, so that equal questions give equal output.
	if diff := cmp.Diff([]string{"phone", "parking"}, o.subjects); diff != "" {
		t.Errorf("subjects (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{partK, partLevels}, o.parts); diff != "" {
		t.Errorf("parts (-want +got):\n%s", diff)
	}
	if o, err = parse(nil, io.Discard); err != nil || len(o.subjects) != 5 || len(o.parts) != 3 {
		t.Errorf("without flags: %+v, %v", o, err)
	}
	evaluatetest.Refused(t, Run, map[string]string{
		"-subjects=tax":    `"tax" is unknown; choose from phone, baggage`,
		"-subjects=,":      "names none",
		"-suites=0":        "must be at least 1",
		"-seed=9000000000": "less than 2^31",
		"phone":            `unexpected argument "phone"`,
		"-no-such":         "not defined",
	})
}

func TestSpearman(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		x, y []float64
		want float64
	}{
		{[]float64{1, 2, 3, 4}, []float64{10, 20, 30, 1000}, 1},
		{[]float64{1, 2, 3}, []float64{3, 2, 1}, -1},
		{[]float64{1, 2, 3, 4, 5}, []float64{2, 1, 4, 3, 5}, 0.8},              // 1 - 6·4/(5·24)
		{[]float64{1, 2, 2, 3}, []float64{1, 2, 3, 4}, 4.5 / math.Sqrt(4.5*5)}, // ties share rank 2.5
		{[]float64{1, 2, 3}, []float64{7, 7, 7}, math.NaN()},                   // no order
	} {
		if got := spearman(test.x, test.y); math.Abs(got-test.want) > 1e-12 || math.IsNaN(got) != math.IsNaN(test.want) {
			t.Errorf("%v and %v: %v, want %v", test.x, test.y, got, test.want)
		}
	}
}

// synthetic is a study of inputs and relations that nobody ran.
func synthetic(t *rapid.T) *study {
	inputs := rapid.IntRange(1, 12).Draw(t, "inputs")
	s := &study{name: "synthetic", forms: []string{"equal", "equal", "not less", "sum", "half"}, pool: make([]uint64, inputs), mutants: 70,
		required: map[adequacy.Criterion][][]int{}, satisfies: map[adequacy.Criterion][][]int{}}
	for range inputs {
		// All have at least one relation, as in the paper's assumptions.
		s.relations = append(s.relations, rapid.Permutation([]int{0, 1, 2, 3, 4}).Draw(t, "relations")[:rapid.IntRange(1, 5).Draw(t, "n")])
		row := make([]bits, len(s.forms))
		for r := range row {
			if m := rapid.IntRange(-1, s.mutants-1).Draw(t, "mutant"); m >= 0 {
				row[r] = newBits(s.mutants)
				row[r].set(m)
			}
		}
		s.detected = append(s.detected, row)
	}
	const c = adequacy.Branch
	s.satisfies[c] = make([][]int, inputs)
	for requirement := range rapid.IntRange(1, 8).Draw(t, "requirements") {
		satisfying := rapid.SliceOfNDistinct(rapid.IntRange(0, inputs-1), 1, inputs, rapid.ID).Draw(t, "satisfying")
		s.required[c] = append(s.required[c], satisfying)
		for _, x := range satisfying {
			s.satisfies[c][x] = append(s.satisfies[c][x], requirement)
		}
	}
	return s
}

func TestSatisfyingInputs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := synthetic(t)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		inputs := s.satisfying(adequacy.Branch, r)
		adequate := func(without int) bool {
			used := make([]int, len(s.pool))
			for _, t := range inputs {
				if t != without {
					used[t] = 1
				}
			}
			return adequacy.Adequate(s.required[adequacy.Branch], used, 1)
		}
		if !adequate(-1) {
			t.Fatalf("%v do not satisfy %v", inputs, s.required)
		}
		for _, x := range inputs {
			if adequate(x) {
				t.Fatalf("%v of %v can be spared", x, inputs)
			}
		}
	})
}

// What the greedy search counts is what package adequacy computes.
func TestGreedySuites(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := synthetic(t)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		level, k := rapid.IntRange(0, levels-1).Draw(t, "level"), rapid.IntRange(1, 3).Draw(t, "k")
		x := s.greedy(adequacy.Branch, k, level, r)
		if x == nil {
			return
		}
		const rounding = 1e-9
		met, of := adequacy.KMR(s.required[adequacy.Branch], x.used, k)
		if d := met / of; d <= float64(level)/levels-rounding || d > float64(level+1)/levels+rounding {
			t.Fatalf("degree %v at level %d", d, level)
		}
		want := map[int]bool{}
		for i, n := range x.used {
			for _, relation := range x.order[i][:n] {
				for m := range s.mutants {
					if d := s.detected[i][relation]; d != nil && d.has(m) {
						want[m] = true
					}
				}
			}
		}
		if got := x.detects(s).count(); got != len(want) {
			t.Fatalf("%d mutants, want %d", got, len(want))
		}
	})
}

func TestLevelsWithoutSuites(t *testing.T) {
	t.Parallel()
	// One input satisfies both requirements: with k = 1, its first group makes
	// the degree 1, and no lower level can be had.
	s := &study{forms: []string{"equal"}, pool: make([]uint64, 1), relations: [][]int{{0}}, detected: [][]bits{{nil}}, mutants: 1,
		required:  map[adequacy.Criterion][][]int{adequacy.Branch: {{0}, {0}}},
		satisfies: map[adequacy.Criterion][][]int{adequacy.Branch: {{0, 1}}}}
	for level := range levels {
		x := s.greedy(adequacy.Branch, 1, level, rand.New(rand.NewPCG(1, 1)))
		if (x != nil) != (level == levels-1) {
			t.Errorf("level %d: %v", level, x)
		}
	}
}

func TestDiverseRelations(t *testing.T) {
	t.Parallel()
	s := &study{forms: []string{"equal", "equal", "not less", "equal", "sum"}, relations: [][]int{{0, 1, 2, 3, 4}}}
	for seed := range uint64(50) {
		order := s.diverse(0, rand.New(rand.NewPCG(seed, 0)))
		seen := map[string]bool{}
		for _, relation := range order[:3] {
			seen[s.forms[relation]] = true
		}
		sorted := slices.Sorted(slices.Values(order))
		if len(seen) != 3 || !slices.Equal(sorted, s.relations[0]) {
			t.Fatalf("seed %d: %v", seed, order)
		}
	}
}

func TestRanksTable(t *testing.T) {
	t.Parallel()
	var rows []leveled
	for _, c := range adequacy.Criteria() {
		row := leveled{subject: "phone", criterion: c}
		row.effective[1] = []float64{0.1, 0.2}
		row.effective[5] = []float64{0.3, 0.4}
		if c == adequacy.Choice {
			row.effective[5] = []float64{0.1, 0.05}
		}
		rows = append(rows, row)
	}
	var out bytes.Buffer
	var f figure.Set
	if err := reportRanks(&out, &f, rows); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"kmr.rank.kmr-branch.means=1.000", "kmr.rank.kmr-branch.suites=0.894", "kmr.rank.kmr-ichoice.means=-1.000",
		"kmr.rank.reached_by_means=4", "kmr.rank.reached_by_suites=4"} {
		if !slices.Contains(f, want) {
			t.Errorf("figures lack %s:\n%s", want, strings.Join(f, "\n"))
		}
	}
	if !regexp.MustCompile(`kmr-ichoice +-1\.000 +-1\.000 +no`).MatchString(out.String()) {
		t.Errorf("what is not reached does not say so:\n%s", out.String())
	}
}

// The whole evaluation, of a few mutants of two programs: twice, since equal
// questions have equal answers.
func TestRun(t *testing.T) {
	t.Parallel()
	longtest.Skip(t, "builds programs with mutants")
	args := []string{"-subjects=baggage,parking", "-mutants=25", "-suites=4", "-draws=3000", "-per-frame=1", "-plain=20", "-seed=5", "-list"}
	var outs [2]bytes.Buffer
	var log bytes.Buffer
	for i := range outs {
		if err := Run(context.Background(), args, &outs[i], &log); err != nil {
			t.Fatal(err)
		}
	}
	volatile := regexp.MustCompile(`(?m)^kmr\.(date|seconds)=.*$|%\s+\d+\.\d\s*$`)
	first, second := volatile.ReplaceAllString(outs[0].String(), ""), volatile.ReplaceAllString(outs[1].String(), "")
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("the second run says other things:\n%s", diff)
	}
	for _, want := range []string{
		`kmr\.mutants\.made=50\n`, `kmr\.relations=55\n`, `kmr\.fde\.kmr-ioctf\.k_all=0\.[1-9]`, `kmr\.rank\.kmr-branch\.suites=0\.`,
		`(?m)^  baggage +25 `, `kmr\.seed=5\n`,
	} {
		if !regexp.MustCompile(want).MatchString(first) {
			t.Errorf("output lacks %s:\n%s", want, first)
		}
	}
	if !strings.Contains(log.String(), "not distinguished: ") && !strings.Contains(log.String(), "not detected: ") {
		t.Errorf("-list lists nothing:\n%s", log.String())
	}
}
