package calls

import (
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// What takes all branches of a known difference may have its cause, and nothing else may.
func TestExplainedByItsWay(t *testing.T) {
	at := spot{Op: wire.Builtins}
	firstPanic := [2]string{"", firstWords("duplicate key a")}
	c := &Search{Near: [2][]int{{2, 3, 6}, {4, 5, 8}}, known: map[spot][]way{}}
	first := Difference{Branches: [2][]int{{1, 3, 9}, {5}}}
	c.known[at] = append(c.known[at], c.wayOf(first))
	for _, test := range []struct {
		name       string
		base, head []int
		want       bool
	}{
		{"the same", []int{3}, []int{5}, true},
		{"and more", []int{2, 3, 6}, []int{4, 5}, true},
		{"others on base", []int{2, 6}, []int{5}, false},
		{"others on head", []int{3}, []int{4, 8}, false},
		{"none of the changed functions", []int{1, 9}, nil, false},
	} {
		if got := c.explained(at, Difference{Branches: [2][]int{test.base, test.head}}, byWay); got != test.want {
			t.Errorf("%s: %t", test.name, got)
		}
	}
	c.known[at] = append(c.known[at], way{taken: [2][]int{{3}, {5}}, ends: firstPanic})
	if same := (Difference{Head: Shown{Message: "duplicate key b"}}); !c.explained(at, same, byWay) {
		t.Error("the same panic on another way is not explained")
	}
	if other := (Difference{Head: Shown{Message: "index out of range"}, Branches: [2][]int{{2}, {4}}}); c.explained(at, other, byWay) {
		t.Error("another panic on another way is explained")
	}
	if c.explained(spot{Op: wire.Builtins, Component: 1}, first, byWay) {
		t.Error("explained at a spot where nothing is known")
	}
}

// An error of one version alone is another difference than one of the other version.
func TestDirectionOfErrors(t *testing.T) {
	trace := func(failed bool, visible uint32) wire.Trace {
		return wire.Trace{Steps: []wire.StepTrace{{Failed: failed, Components: []wire.Component{{Visible: visible}}}}}
	}
	p := wire.Sequence{{Op: wire.Builtins}}
	for _, test := range []struct {
		base, head bool
		want       failing
	}{{true, false, baseFails}, {false, true, headFails}, {true, true, alikeFailing}, {false, false, alikeFailing}} {
		b, h := trace(test.base, 1), trace(test.head, 2)
		var at Discrepancy
		differences(p, b, h, wire.Builtins, func(d Discrepancy, _ Witness) { at = d })
		if at.Fails != test.want {
			t.Errorf("%t and %t: %d", test.base, test.head, at.Fails)
		}
		if _, ok := locate(at, p, b, h); !ok {
			t.Errorf("%t and %t: not found again", test.base, test.head)
		}
		if _, ok := locate(at, p, h, b); ok && test.base != test.head {
			t.Errorf("%t and %t: found in the other direction", test.base, test.head)
		}
	}
}
