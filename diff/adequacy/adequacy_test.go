package adequacy

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// The paper's example, section III-C. Coverage is Table I (its check marks
// stand where Table IV lists them), Coop is equation 6 and Table III.
//
// The paper's result is 11/24, in which equation 7 has 1/3 for the seventh
// statement. Its Tables I and IV say that t4 covers that statement, too, and t4
// has two relations, so that Table IV writes max({1,2})/3 = 1/3, where the
// maximum is 2. By Definition 5 the tables as printed give 12/24; 11/24 is what
// they give when only t2 covers the seventh statement.
func TestExampleOfThePaper(t *testing.T) {
	t.Parallel()
	associations := [][2]string{{"t1", "MR1"}, {"t2", "MR2"}, {"t3", "MR3"}, {"t3", "MR4"}, {"t4", "MR4"}, {"t4", "MR5"}}
	for _, test := range []struct {
		name string
		t4   []int
		want *big.Rat
	}{
		{"equation 7", []int{3, 5, 6}, big.NewRat(11, 24)},
		{"Tables I and IV as printed", []int{3, 5, 6, 7}, big.NewRat(12, 24)},
	} {
		f := NewFunction(Requirements{Statements: []int{1, 2, 3, 4, 5, 6, 7, 8}})
		f.Source("t1", Satisfied{Statements: []int{1, 2, 5}})
		f.Source("t2", Satisfied{Statements: []int{1, 4, 7}})
		f.Source("t3", Satisfied{Statements: []int{2, 3, 5}})
		f.Source("t4", Satisfied{Statements: test.t4})
		for _, a := range associations {
			f.Associate(a[0], a[1])
		}
		s := f.Score(Statement, 0) // the default is the example's 3
		if want, _ := test.want.Float64(); s.Of != 8 || s.Met/s.Of != want {
			t.Errorf("%s: %v of %v, want %s", test.name, s.Met, s.Of, test.want)
		}
	}
}

// The summands of equation 7, each from Table IV's list.
func TestRequirementsOfTheExample(t *testing.T) {
	t.Parallel()
	relations := []int{1, 1, 2, 2} // Table III
	for _, test := range []struct {
		statement int
		inputs    []int
		thirds    float64
	}{{1, []int{0, 1}, 1}, {2, []int{0, 2}, 2}, {3, []int{2, 3}, 2}, {4, []int{1}, 1}, {5, []int{0, 2, 3}, 2}, {6, []int{3}, 2}, {8, nil, 0}} {
		met, of := KMR([][]int{test.inputs}, relations, 3)
		if want := test.thirds / 3; met != want || of != 1 {
			t.Errorf("statement %d: %v of %v, want %v of 1", test.statement, met, of, want)
		}
	}
}

func TestAdequate(t *testing.T) {
	t.Parallel()
	requirements := [][]int{{0, 1}, {1}}
	for _, test := range []struct {
		relations []int
		k         int
		want      bool
	}{{[]int{0, 2}, 2, true}, {[]int{0, 2}, 3, false}, {[]int{5, 1}, 2, false}} {
		if got := Adequate(requirements, test.relations, test.k); got != test.want {
			t.Errorf("%v, k=%d: %v", test.relations, test.k, got)
		}
	}
	if Adequate([][]int{nil}, nil, 1) {
		t.Error("a requirement that nothing satisfies is met")
	}
}

func TestBuilders(t *testing.T) {
	t.Parallel()
	light, heavy := Pick{0, 0}, Pick{0, 1}
	member, guest := Pick{1, 0}, Pick{1, 1}
	far := Pick{2, 0}
	free, paid := Pick{0, 0}, Pick{0, 1}
	all := []Combination{
		{In: []Pick{light, member, far}, Out: []Pick{free}},
		{In: []Pick{far, member, light, far}, Out: []Pick{free}}, // the same
		{In: []Pick{light, member, far}, Out: []Pick{paid}},
		{In: []Pick{heavy, guest}, Out: []Pick{paid}}, // the third category does not apply
	}
	frames := Seen(all)
	if len(frames) != 3 {
		t.Fatalf("%d frames, want 3: %v", len(frames), frames)
	}
	f := NewFunction(Requirements{
		Statements: []int{7, 9, 7}, Branches: []int{1}, Choices: []int{2, 2, 1}, Frames: append(frames, frames[0]),
		Impossible: [][2]Pick{{far, heavy}}, // in the order that is not the usual one
	})
	f.Source("a", Satisfied{Statements: []int{9, 100}, Branches: []int{1, 1}, Combination: all[1]})
	f.Associate("a", "r")
	f.Associate("a", "r")
	f.Associate("a", "s")
	f.Associate("b", "r") // a source input of which nothing else is known
	got := map[Criterion]Score{}
	for _, c := range Criteria() {
		got[c] = f.Score(c, 2)
	}
	want := map[Criterion]Score{
		Statement: {1, 2}, Branch: {1, 1}, Choice: {3, 5},
		ChoicePair: {3, 7}, // 4 + 2 + 2 pairs, one of them impossible
		Frame:      {1, 3},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([][]int{nil, {0}}, f.Satisfying(Statement)); diff != "" {
		t.Errorf("satisfying (-want +got):\n%s", diff)
	}
	if k3, k2 := f.Score(Choice, 0), f.Score(Frame, 0); k3.Met != 2 || k2.Met != 1 {
		t.Errorf("defaults: %v and %v, want 3·2/3 and 1", k3, k2)
	}
	if s := NewFunction(Requirements{}).Score(Choice, 0); s != (Score{}) {
		t.Errorf("nothing is required, and the score is %v", s)
	}
}

// A case is a function with source inputs and associations, to be tried in
// several ways.
type example struct {
	required Requirements
	inputs   []Satisfied
	pairs    [][2]int // source input, relation
}

func drawExample(t *rapid.T) example {
	ids := func(label string) []int { return rapid.SliceOfN(rapid.IntRange(0, 6), 0, 6).Draw(t, label) }
	choices := rapid.SliceOfN(rapid.IntRange(1, 3), 0, 3).Draw(t, "choices")
	x := example{required: Requirements{Statements: ids("statements"), Branches: ids("branches"), Choices: choices}}
	var combinations []Combination
	for i := range rapid.IntRange(0, 6).Draw(t, "inputs") {
		s := Satisfied{Statements: ids("run"), Branches: ids("taken")}
		for c, n := range choices {
			if k := rapid.IntRange(0, n).Draw(t, "choice"); k < n {
				s.In = append(s.In, Pick{c, k})
			}
		}
		s.Out = []Pick{{0, rapid.IntRange(0, 1).Draw(t, "out")}}
		x.inputs = append(x.inputs, s)
		combinations = append(combinations, s.Combination)
		for r := range rapid.IntRange(0, 5).Draw(t, "relations") {
			x.pairs = append(x.pairs, [2]int{i, r})
		}
	}
	x.required.Frames = Seen(combinations)
	return x
}

func (x example) build(inputs []int, pairs [][2]int) *Function {
	f := NewFunction(x.required)
	for _, i := range inputs {
		f.Source(strconv.Itoa(i), x.inputs[i])
	}
	for _, p := range pairs {
		f.Associate(strconv.Itoa(p[0]), fmt.Sprint("MR", p[1]))
	}
	return f
}

func (x example) all() []int {
	out := make([]int, len(x.inputs))
	for i := range out {
		out[i] = i
	}
	return out
}

func TestProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x := drawExample(t)
		k := rapid.IntRange(1, 5).Draw(t, "k")
		f := x.build(x.all(), x.pairs)
		fewer := x.pairs[:rapid.IntRange(0, len(x.pairs)).Draw(t, "kept")]
		shuffled := x.build(rapid.Permutation(x.all()).Draw(t, "order"), rapid.Permutation(slices.Clone(x.pairs)).Draw(t, "pairs"))
		for _, c := range Criteria() {
			s := f.Score(c, k)
			if s.Met < 0 || s.Met > s.Of {
				t.Fatalf("%s: %v is not within its bounds", c, s)
			}
			if less := x.build(x.all(), fewer).Score(c, k); less.Met > s.Met || less.Of != s.Of {
				t.Fatalf("%s: with fewer associations %v, with more %v", c, less, s)
			}
			if higher := f.Score(c, k+1); higher.Met > s.Met || higher.Of != s.Of {
				t.Fatalf("%s: k=%d gives %v, k=%d %v", c, k, s, k+1, higher)
			}
			if other := shuffled.Score(c, k); other != s {
				t.Fatalf("%s: %v in another order, %v", c, other, s)
			}
			if adequate := Adequate(f.satisfying[c], counts(f), k); adequate != (s.Met == s.Of) {
				t.Fatalf("%s: Definition 4 says %v, Definition 5 %v", c, adequate, s)
			}
		}
	})
}

func counts(f *Function) []int {
	var out []int
	for _, set := range f.relations {
		out = append(out, len(set))
	}
	return out
}

func TestAnotherSourceNeverLowers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x := drawExample(t)
		n := rapid.IntRange(0, len(x.inputs)).Draw(t, "n")
		var pairs [][2]int
		for _, p := range x.pairs {
			if p[0] < n {
				pairs = append(pairs, p)
			}
		}
		before, after := x.build(x.all()[:n], pairs), x.build(x.all(), x.pairs)
		for _, c := range Criteria() {
			if b, a := before.Score(c, 0), after.Score(c, 0); a.Met < b.Met || a.Of != b.Of {
				t.Fatalf("%s: %v before, %v after", c, b, a)
			}
		}
	})
}
