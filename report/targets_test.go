package report

import (
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

// How much is left to see is said as what it is, an estimate.
func TestCallsSayWhatIsLeft(t *testing.T) {
	t.Parallel()
	const made = "1 of 2 target functions compared, 9 calls, 7 sequences of calls"
	for _, c := range []struct {
		behaviours int
		more       float64
		want       string
	}{
		{0, 0, made},
		{3, 0, made + "; as many again would most likely show nothing new (3 behaviours seen)"},
		{1, 0.04, made + "; as many again would most likely show nothing new (1 behaviour seen)"},
		{40, 0.5, made + "; as many again would show something new in about 39 of 100 runs (40 behaviours seen)"},
		{1200, 1234.4, made},
	} {
		got := calls(&event.Summary{Targets: 2, TargetsCompared: 1, Calls: 9, Sequences: 7, Behaviours: c.behaviours, NewBehaviours: c.more})
		if got != c.want {
			t.Errorf("%d behaviours, %v more: %s", c.behaviours, c.more, got)
		}
	}
}
