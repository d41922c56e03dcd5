package calls

import (
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// What one version shows otherwise each time, as a duration, is told from what the versions show otherwise.
func TestAlwaysAlike(t *testing.T) {
	t.Parallel()
	const op = wire.Op(3)
	run := func(base, head uint32) [2]wire.Trace {
		of := func(digest uint32) wire.Trace {
			return wire.Trace{Steps: []wire.StepTrace{{Components: []wire.Component{{Visible: digest}}}}}
		}
		return [2]wire.Trace{of(base), of(head)}
	}
	for _, test := range []struct {
		name string
		runs [][2]wire.Trace
		want bool
	}{
		{"never run", nil, false},
		{"the versions alone", [][2]wire.Trace{run(1, 2), run(1, 2), run(1, 2)}, true},
		{"head by itself", [][2]wire.Trace{run(1, 2), run(1, 3), run(1, 4)}, false},
		{"base by itself", [][2]wire.Trace{run(1, 2), run(3, 2)}, false},
		{"the first time alone", [][2]wire.Trace{run(1, 2), run(2, 2)}, false},
	} {
		if got := alwaysAlike(Discrepancy{spot: spot{Op: op}}, wire.Sequence{{Op: op}}, test.runs); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}
