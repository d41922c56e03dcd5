package check

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/relation"
)

// What differs is told by where it is in which value; whole values and what was cut are
// not told.
func TestPartsThatDiffer(t *testing.T) {
	t.Parallel()
	r := relation.Relation{Form: relation.Form{Params: []relation.Param{{Name: "r"}, {Name: "x"}},
		Calls: []relation.Call{{Results: []string{"n", "_"}, After: []string{"after", ""}}, {Results: []string{"n"}}}}}
	leaf := func(list ...string) (out []wire.Leaf) {
		for i := 0; i < len(list); i += 2 {
			out = append(out, wire.Leaf{Path: list[i], Text: list[i+1]})
		}
		return out
	}
	long := func(n int) (out []wire.Leaf) {
		for i := range n {
			out = append(out, wire.Leaf{Path: fmt.Sprintf("[%d]", i), Text: "0"})
		}
		return out
	}
	for _, test := range []struct {
		name       string
		call       int
		base, head [][]wire.Leaf
		want       []event.PartDiffers
	}{
		{"a number", 0, [][]wire.Leaf{leaf("", "1")}, [][]wire.Leaf{leaf("", "2")}, nil},
		{"the same", 0, [][]wire.Leaf{leaf(".n", "1")}, [][]wire.Leaf{leaf(".n", "1")}, nil},
		{"in the second result and the receiver", 0,
			[][]wire.Leaf{leaf("", "1"), leaf(".n", "1"), leaf("len(.list)", "1", ".list[0]", "4")},
			[][]wire.Leaf{leaf("", "2"), leaf(".n", "2"), leaf("len(.list)", "2", ".list[0]", "4", ".list[1]", "5")},
			[]event.PartDiffers{{Path: "result2.n", Base: "1", Head: "2"}, {Path: "len(r.list)", Base: "1", Head: "2"}, {Path: "r.list[1]", Head: "5"}}},
		{"one result", 1, [][]wire.Leaf{leaf("[0]", "1")}, [][]wire.Leaf{leaf("len()", "0")},
			[]event.PartDiffers{{Path: "result[0]", Base: "1"}, {Path: "len(result)", Head: "0"}}},
		{"a call that the relation does not have", 2, [][]wire.Leaf{leaf(".n", "1")}, [][]wire.Leaf{leaf(".n", "2")}, []event.PartDiffers{{Path: "value1.n", Base: "1", Head: "2"}}},
		{"cut", 1, [][]wire.Leaf{long(wire.MaxLeaves)}, [][]wire.Leaf{long(7)}, nil},
		{"many", 1, [][]wire.Leaf{nil}, [][]wire.Leaf{long(event.MaxParts + 1)}, func() (out []event.PartDiffers) {
			for i := range event.MaxParts {
				out = append(out, event.PartDiffers{Path: fmt.Sprintf("result[%d]", i), Head: "0"})
			}
			return out
		}()},
	} {
		if d := cmp.Diff(test.want, partsThatDiffer(valueNames(r, test.call), test.base, test.head)); d != "" {
			t.Errorf("%s: %s", test.name, d)
		}
	}
}
