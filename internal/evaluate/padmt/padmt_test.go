package padmt

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/internal/evaluate/evaluatetest"
	"github.com/isodelta/isodelta/internal/evaluate/padmt/programs"
	"github.com/isodelta/isodelta/internal/longtest"
)

func TestFlags(t *testing.T) {
	t.Parallel()
	o, err := parse([]string{"-subjects", "gcd, phone", "-score"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"phone", "gcd"}, o.subjects); diff != "" {
		t.Errorf("subjects (-want +got):\n%s", diff)
	}
	if o, err = parse(nil, io.Discard); err != nil || len(o.subjects) != 11 || len(o.parts) != 5 || o.seeds != 30 {
		t.Errorf("without flags: %+v, %v", o, err)
	}
	evaluatetest.Refused(t, Run, map[string]string{
		"-subjects=fees":   `"fees" is unknown; choose from phone, baggage`,
		"-seeds=0":         "must be at least 1",
		"-least=200":       "-least at most -most",
		"-most=2000":       "-most at most -pool",
		"-seed=9000000000": "less than 2^31",
		"gcd":              `unexpected argument "gcd"`,
	})
}

// TestAPFD: 10 inputs that detect 4 faults, of which one is not detected.
func TestAPFD(t *testing.T) {
	t.Parallel()
	s := &study{mutants: 4, kills: [][]int{{0}, nil, {0, 1}, nil, nil, nil, nil, nil, nil, {2}}}
	order := []int{9, 8, 2, 0, 1, 3, 4, 5, 6, 7}
	if diff := cmp.Diff([]int{3, 3, 1, 11}, s.firsts(order)); diff != "" {
		t.Error(diff)
	}
	r := s.judge(suite{order: order})
	if want := 1 - 18.0/40 + 1.0/20; math.Abs(r.apfd-want) > 1e-12 {
		t.Errorf("APFD %v, want %v", r.apfd, want)
	}
	if want := [tenths]float64{.25, .25, .75, .75, .75, .75, .75, .75, .75, .75}; r.curve != want || r.score != .75 {
		t.Errorf("%+v", r)
	}
}

func TestByPath(t *testing.T) {
	t.Parallel()
	p := &pool{draws: make([]uint64, 6), names: []string{"1", "1", "1", "1 2", "1 2", "3"}}
	found := []int{1, 4, 0, 3, 2, 5}
	if diff := cmp.Diff([]int{1, 4}, p.byPath(found, 1, 2)); diff != "" {
		t.Errorf("at most 2 (-want +got):\n%s", diff)
	}
	for least, want := range map[int][]int{1: {1, 4, 5}, 4: {1, 4, 0, 5}, 5: {1, 4, 0, 3, 5}, 6: found} {
		if diff := cmp.Diff(want, p.byPath(found, least, 6)); diff != "" {
			t.Errorf("at least %d (-want +got):\n%s", least, diff)
		}
	}
}

// TestSuites: all techniques give so many inputs, none twice, and PaDMT those that are unordered.
func TestSuites(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := &pool{draws: make([]uint64, 40)}
		inputs := make([]any, len(p.draws))
		for i := range inputs {
			inputs[i] = rapid.IntRange(0, 9).Draw(t, "input")
			p.paths = append(p.paths, rapid.SliceOfNDistinct(rapid.IntRange(0, 4), 0, 3, rapid.ID).Draw(t, "path"))
			p.names = append(p.names, fmt.Sprint(p.paths[i]))
		}
		p.distance = distances(inputs)
		seed := rapid.Uint64().Draw(t, "seed")
		orders := map[technique][]int{}
		for _, how := range techniques() {
			x := p.suite(how, 7, 9, rand.New(rand.NewPCG(seed, 1)))
			orders[how] = x.order
			sorted := slices.Sorted(slices.Values(x.order))
			if len(x.order) < 7 || len(x.order) > 9 || len(slices.Compact(sorted)) != len(orders[randomly]) {
				t.Fatalf("%s: %v", how, x.order)
			}
		}
		if !slices.Equal(slices.Sorted(slices.Values(orders[unordered])), slices.Sorted(slices.Values(orders[directed]))) {
			t.Fatalf("%v", orders)
		}
	})
}

func TestDistances(t *testing.T) {
	t.Parallel()
	d := distances([]any{
		programs.Good{Count: 1, Price: 0}, programs.Good{Count: 3, Price: 10}, programs.Good{Count: 1, Price: 5, Exempt: true},
	})
	for _, test := range []struct {
		i, j int
		want float64
	}{{0, 0, 0}, {0, 1, 2.0 / 5}, {1, 0, 2.0 / 5}, {0, 2, 1.5 / 5}} {
		if got := d(test.i, test.j); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("of %d and %d: %v, want %v", test.i, test.j, got, test.want)
		}
	}
	// Lists: what only one has differs.
	d = distances([]any{[]int{1}, []int{1, 1}, []int{1, 9}})
	if got := []float64{d(0, 1), d(1, 2)}; !slices.Equal(got, []float64{2.0 / 3, 1.0 / 3}) {
		t.Errorf("of lists: %v", got)
	}
	d = distances([]any{"ab", "ac", ""})
	if got := []float64{d(0, 1), d(0, 2)}; !slices.Equal(got, []float64{1.0 / 3, 1}) {
		t.Errorf("of texts: %v", got)
	}
	for _, c := range collections() { // an unknown type would end a run
		for _, s := range c.subjects {
			distances([]any{s.Input(1), s.Input(2)})
		}
	}
}

func TestStandings(t *testing.T) {
	t.Parallel()
	results := func(from float64) []result {
		var out []result
		for n := range 10 {
			out = append(out, result{apfd: from + float64(n)/100})
		}
		return out
	}
	s := &study{results: map[technique][]result{directed: results(0.5), randomly: results(0.3), adaptive: results(0.7), unordered: results(0.501)}}
	for rival, want := range map[technique]standing{randomly: above, adaptive: below, unordered: tie} {
		if _, _, got := s.against(rival); got != want {
			t.Errorf("against %s: %s, want %s", rival, got, want)
		}
	}
}

// TestRun: the whole evaluation, of a few mutants of a program of either collection, twice, since
// equal questions have equal answers.
func TestRun(t *testing.T) {
	t.Parallel()
	longtest.Skip(t, "builds programs with mutants")
	args := []string{"-subjects=phone,gcd,tax", "-mutants=12", "-pool=120", "-least=20", "-most=30", "-seeds=4", "-draws=2000", "-seed=5", "-list"}
	var outs [2]bytes.Buffer
	var log bytes.Buffer
	for i := range outs {
		if err := Run(context.Background(), args, &outs[i], &log); err != nil {
			t.Fatal(err)
		}
	}
	volatile := regexp.MustCompile(`(?m)^padmt\.(date|seconds|cost\..*)=.*$|\s+\d+\.\d\s*$|(?s)Table 9.*?\n\n`)
	first, second := volatile.ReplaceAllString(outs[0].String(), ""), volatile.ReplaceAllString(outs[1].String(), "")
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("the second run says other things:\n%s", diff)
	}
	for _, want := range []string{
		`Table 5: `, `Table 7: `, `Table 8: `, `Figure 4: `, `padmt\.programs=3\n`, `padmt\.score\.gcd=[01]\.`, `padmt\.apfd\.tax\.PaDMT=0\.[1-9]`,
		`padmt\.curve\.of=30\n`, `padmt\.seed=5\n`,
	} {
		if !regexp.MustCompile(want).MatchString(first) {
			t.Errorf("output lacks %s:\n%s", want, first)
		}
	}
}
