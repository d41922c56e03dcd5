package virtual

import "testing"

// A fee of 5 up to 100 and of 9 beyond has a cell below the constant, one at it and one
// beyond. What compares calls of one cell refutes no change that they share.
func TestRefuted(t *testing.T) {
	t.Parallel()
	m := New([]float64{100})
	fee := func(x float64) Call {
		y := 5.0
		if x > 100 {
			y = 9
		}
		return Call{Inputs: []any{x}, Outputs: []any{y}}
	}
	groups := [][]Call{{fee(1), fee(2)}, {fee(200), fee(300)}}
	none := m.Refuted(groups, func(int, [][]any) bool { return false })
	if none != "00" {
		t.Errorf("what never fails refutes %s", none)
	}
	constant := m.Refuted(groups, func(_ int, out [][]any) bool { return out[0][0] != 5.0 && out[0][0] != 9.0 })
	if constant != "ff" {
		t.Errorf("two cells with four changes each: %s", constant)
	}
	// Both calls of a group are changed alike, so that their equality says nothing of it.
	if same := m.Refuted(groups, func(_ int, out [][]any) bool { return out[0][0] != out[1][0] }); same != "00" {
		t.Errorf("equality refutes %s", same)
	}
	if across := m.Refuted([][]Call{{fee(1), fee(100)}}, func(_ int, out [][]any) bool { return out[0][0] != out[1][0] }); across != "0f0f" {
		t.Errorf("equality across cells refutes %s", across)
	}
	for _, g := range groups {
		if g[0].Outputs[0] == 0.0 {
			t.Error("a group was changed")
		}
	}
}

func TestCells(t *testing.T) {
	t.Parallel()
	m := New([]float64{0, 10})
	same := [][2][]any{
		{{int64(3)}, {int64(4)}},
		{{"ab"}, {"abc"}},
		{{int64(1), int64(2)}, {int64(3), int64(7)}},
		{{nil}, {nil}},
	}
	for _, pair := range same {
		if a, b := m.cell(pair[0]), m.cell(pair[1]); a != b {
			t.Errorf("%v and %v are told apart: %s, %s", pair[0], pair[1], a, b)
		}
	}
	apart := [][2][]any{
		{{int64(3)}, {int64(10)}},
		{{int64(3)}, {int64(11)}},
		{{int64(3)}, {int64(-3)}},
		{{""}, {"a"}},
		{{[]int64{1}}, {[]int64{1, 2}}},
		{{true}, {false}},
		{{int64(1), int64(2)}, {int64(2), int64(1)}},
		{{int64(1), int64(2)}, {int64(2), int64(2)}},
	}
	for _, pair := range apart {
		if a, b := m.cell(pair[0]), m.cell(pair[1]); a == b {
			t.Errorf("%v and %v have the cell %s", pair[0], pair[1], a)
		}
	}
}

// TestCellsByBranch: inputs that take other branches are of other mutants.
func TestCellsByBranch(t *testing.T) {
	t.Parallel()
	m := New(nil)
	group := func(branches ...int) []Call {
		return []Call{{Inputs: []any{"abc"}, Outputs: []any{"x"}, Branches: branches}}
	}
	always := func(int, [][]any) bool { return true }
	one, other := m.Refuted([][]Call{group(0, 2)}, always), m.Refuted([][]Call{group(0, 3)}, always)
	if again := m.Refuted([][]Call{group(0, 2)}, always); one == other || again != one {
		t.Errorf("%s, %s, %s", one, other, again)
	}
}

func TestBounded(t *testing.T) {
	t.Parallel()
	var points []float64
	var groups [][]Call
	for i := range 1000 {
		points = append(points, float64(i))
		groups = append(groups, []Call{{Inputs: []any{float64(i)}, Outputs: []any{"text"}}})
	}
	m := New(points)
	if got := m.Refuted(groups, func(int, [][]any) bool { return true }); len(got) != maxCells { // four changes each, four bits a digit
		t.Errorf("%d digits", len(got))
	}
}
