package calls

import (
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/probe"
)

// What differs in most sequences that call an operation is told from what differs in some,
// however often a sequence calls it and however many components differ at once.
func TestMostlyDiffers(t *testing.T) {
	t.Parallel()
	const op = wire.Op(3)
	for _, test := range []struct {
		name                          string
		sequences                     int
		value, second, panics, behind int // that differ so
		want                          bool
	}{
		{"nothing", 100, 0, 0, 0, 0, false},
		{"half", 100, 50, 0, 0, 0, false},
		{"more than half", 100, 51, 0, 0, 0, true},
		{"two components of the same calls", 100, 40, 40, 0, 0, false},
		{"in its value or by a panic", 100, 30, 0, 30, 0, true},
		{"only afterwards", 100, 0, 0, 0, 90, false},
		{"hardly called", 19, 19, 0, 0, 0, false},
	} {
		c := &Search{with: map[wire.Op]int{}, discrepancies: map[Discrepancy]*discrepancyState{
			{spot: spot{Op: op, Component: 0}}:                        {count: test.value},
			{spot: spot{Op: op, Component: 1}}:                        {count: test.second},
			{spot: spot{Op: op, Component: -1, Head: probe.Panicked}}: {count: test.panics},
			{spot: spot{Op: op, After: true}}:                         {count: test.behind},
			{spot: spot{Op: op + 1, Component: 0}}:                    {count: 1000},
		}}
		for range test.sequences {
			c.countWith(wire.Sequence{{Op: op}, {Op: op}, {Op: op + 2}})
		}
		if got := c.MostlyDiffers(op); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}
