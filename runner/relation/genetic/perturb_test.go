package genetic

import (
	"math/rand/v2"
	"testing"

	"github.com/isodelta/isodelta/runner/relation/law"
)

// TestPerturb: each incorrect row differs from a correct one in one output, and in
// nothing else.
func TestPerturb(t *testing.T) {
	t.Parallel()
	var variables []law.Variable
	var outputs []int
	for k := law.Bool; k <= law.Texts; k++ {
		outputs = append(outputs, len(variables)+1)
		variables = append(variables, law.Variable{Math: "in", Kind: k}, law.Variable{Math: "out", Kind: k})
	}
	random := rand.New(rand.NewPCG(1, 1))
	var rows [][]any
	for i := range 50 {
		var row []any
		for _, v := range variables {
			row = append(row, randomValue(random, v.Kind))
		}
		if i == 0 {
			row[1] = nil
		}
		rows = append(rows, row)
	}
	correct, err := law.NewTable(variables, rows)
	if err != nil {
		t.Fatal(err)
	}
	incorrect := Perturb(correct, outputs, nil, nil, random)
	at := 0
	for i := range incorrect.Rows() {
		wrong := incorrect.Row(i)
		for at < correct.Rows() && differences(correct.Row(at), wrong) != 1 {
			at++
		}
		if at == correct.Rows() {
			t.Fatalf("no correct row like %v", wrong)
		}
	}
	if n := incorrect.Rows(); n < 300 {
		t.Errorf("only %d incorrect rows", n)
	}
}

func TestPerturbBoth(t *testing.T) {
	t.Parallel()
	variables := []law.Variable{{Math: "n", Kind: law.Int}, {Math: "f(n)", Kind: law.Int}, {Math: "f(n + 1)", Kind: law.Int}}
	correct, err := law.NewTable(variables, [][]any{{int64(1), int64(3), int64(5)}, {int64(2), nil, int64(9)}})
	if err != nil {
		t.Fatal(err)
	}
	faulty := []any{int64(1), int64(0), int64(0)}
	got := Perturb(correct, []int{1, 2}, [][2]int{{1, 2}}, [][]any{faulty}, rand.New(rand.NewPCG(1, 1)))
	both := 0
	for i := range got.Rows() {
		if row := got.Row(i); row[0] == int64(1) && row[1] != int64(3) && row[2] != int64(5) {
			both++
		}
	}
	if last := got.Row(got.Rows() - 1); both != 2 || differences(last, faulty) != 0 {
		t.Errorf("%d rows with both outputs changed, at last %v", both, last)
	}
}

func differences(a, b []any) int {
	n := 0
	for i := range a {
		if !law.EqualValues(a[i], b[i]) {
			n++
		}
	}
	return n
}

// TestProblems: what is no problem is refused.
func TestProblems(t *testing.T) {
	t.Parallel()
	variables := []law.Variable{{Math: "y", Kind: law.Int}}
	table, err := law.NewTable(variables, [][]any{{int64(1)}})
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]Problem{
		"no tables":       {Variables: variables},
		"other variables": {Variables: append(variables, variables...), Correct: table, Incorrect: table},
		"no such column":  {Variables: variables, Outputs: []int{1}, Correct: table, Incorrect: table},
	} {
		if _, err := Evolve(t.Context(), p, Options{}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	empty, err := law.NewTable(variables, nil)
	if err != nil {
		t.Fatal(err)
	}
	result, err := Evolve(t.Context(), Problem{Variables: variables, Outputs: []int{0}, Correct: empty, Incorrect: empty}, Options{Population: 20, Generations: 2})
	if err != nil || len(result.Laws) > 0 {
		t.Errorf("without executions: %v, %v", result.Laws, err)
	}
}
