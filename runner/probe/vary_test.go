package probe

import (
	"slices"
	"testing"
)

// Nothing is varied unless an iteration says so, and then only what it names.
func TestVary(t *testing.T) {
	defer func() { varied = nil }()
	list := []string{"a", "b", "c"}
	entries := func() map[string]int { return map[string]int{"a": 1, "b": 2} }
	if VS(1, "x") != "x" || VI(2, uint8(7)) != 7 || VF(3, 1.5) != 1.5 || !VB(4, true) || len(VL(5, list)) != 3 || VN(6) != 1 || len(VM(7, entries(), "a", "b")) != 2 {
		t.Error("something is varied in an iteration that varies nothing")
	}
	varied = variations("1=2c3d,2=2d31,3=32,4=,5=" + hex(DropElement+"1") + ",6=30,7=" + hex(DropElement+"0") + ",x=30")
	if got := VS(1, "x"); got != ",=" {
		t.Errorf("text: %q", got)
	}
	if got := VI(2, int8(7)); got != -1 {
		t.Errorf("integer: %d", got)
	}
	if got := VF(3, 1.5); got != 2 {
		t.Errorf("number: %v", got)
	}
	if VB(4, true) || !VB(4, false) {
		t.Error("truth")
	}
	if got := VL(5, list); !slices.Equal(got, []string{"a", "c"}) {
		t.Errorf("list: %v", got)
	}
	if got := VN(6); got != 0 {
		t.Errorf("statement: %d", got)
	}
	if got := VM(7, entries(), "a", "b"); len(got) != 1 || got["b"] != 2 {
		t.Errorf("map: %v", got)
	}
	if VS(8, "y") != "y" || VI(9, 3) != 3 || !VB(10, true) || len(VL(11, list)) != 3 || VN(12) != 1 || len(VM(13, entries(), "a")) != 2 {
		t.Error("what is not named is varied")
	}
	if !slices.Equal(list, []string{"a", "b", "c"}) {
		t.Errorf("the list itself is changed: %v", list)
	}
}

func TestVaryLists(t *testing.T) {
	defer func() { varied = nil }()
	for operation, want := range map[string][]int{
		DropElement + "0": {2, 3}, DoubleElement + "0": {1, 1, 2, 3}, DoubleElement + "2": {1, 2, 3, 3}, SwapElements + "1": {1, 3, 2},
		SwapElements + "2": {1, 2, 3}, DropElement + "3": {1, 2, 3}, DropElement + "-1": {1, 2, 3}, "other:0": {1, 2, 3}, "": {1, 2, 3},
	} {
		varied = map[int]string{0: operation}
		if got := VL(0, []int{1, 2, 3}); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", operation, got, want)
		}
	}
}

func hex(s string) string {
	const digits = "0123456789abcdef"
	var b []byte
	for i := range len(s) {
		b = append(b, digits[s[i]>>4], digits[s[i]&15])
	}
	return string(b)
}

type row struct {
	in   string
	want int
}

// A row has one field of another row, and the table itself stays as it is.
func TestVaryTables(t *testing.T) {
	defer func() { varied = nil }()
	table := []row{{"a", 1}, {"b", 2}}
	for operation, want := range map[string][]row{
		"0.0.1": {{"b", 1}, {"b", 2}}, "1.1.0": {{"a", 1}, {"b", 1}}, "0.2.1": table, "2.0.1": table, "0.0.2": table, "0.-1.1": table, "0.1": table, "x.0.1": table, "": table,
	} {
		varied = map[int]string{0: operation}
		if got := VT(0, table); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", operation, got, want)
		}
	}
	if !slices.Equal(table, []row{{"a", 1}, {"b", 2}}) {
		t.Errorf("the table itself is changed: %v", table)
	}
	varied = map[int]string{0: "0.0.1"}
	if got := VT(0, []string{"a", "b"}); got[0] != "a" {
		t.Error("a list of texts has no fields")
	}
}
