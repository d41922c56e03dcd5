package calls

import (
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/probe"
)

// An edit is to blame only for what differs at the place of the difference: what else is other than on base, before or
// behind it, does not count, and what cannot be compared is not the same.
func TestSameAtItsPlace(t *testing.T) {
	t.Parallel()
	step := func(ending probe.Ending, visible ...uint32) wire.StepTrace {
		s := wire.StepTrace{Ending: ending}
		for _, v := range visible {
			s.Components = append(s.Components, wire.Component{Visible: v})
		}
		return s
	}
	base := wire.Trace{Steps: []wire.StepTrace{step(probe.Returned, 1), step(probe.Returned, 2, 3)}, After: []wire.Component{{Visible: 4}}}
	value := wire.Place{Kind: wire.AtComponent, Step: 1, Index: 1}
	ending := wire.Place{Kind: wire.AtEnding, Step: 1}
	after := wire.Place{Kind: wire.AtAfter, Step: 1}
	for _, c := range []struct {
		what  string
		at    wire.Place
		other wire.Trace
		want  bool
	}{
		{"the same", value, base, true},
		{"another value", value, wire.Trace{Steps: []wire.StepTrace{step(probe.Returned, 1), step(probe.Returned, 2, 9)}}, false},
		{"another value beside it", value, wire.Trace{Steps: []wire.StepTrace{step(probe.Returned, 8), step(probe.Returned, 9, 3)}}, true},
		{"a panic", value, wire.Trace{Steps: []wire.StepTrace{step(probe.Returned, 1), step(probe.Panicked)}}, false},
		{"an end before it", value, wire.Trace{Steps: []wire.StepTrace{step(probe.Panicked)}}, false},
		{"no such result", value, wire.Trace{Steps: []wire.StepTrace{step(probe.Returned, 1), step(probe.Returned, 2)}}, false},
		{"an end as on base", ending, wire.Trace{Steps: []wire.StepTrace{step(probe.Returned, 1), step(probe.Returned, 7, 7)}}, true},
		{"another end", ending, wire.Trace{Steps: []wire.StepTrace{step(probe.Returned, 1), step(probe.Panicked)}}, false},
		{"the same afterwards", after, wire.Trace{After: []wire.Component{{Visible: 4}}}, true},
		{"something else afterwards", after, wire.Trace{After: []wire.Component{{Visible: 5}}}, false},
		{"nothing afterwards", after, wire.Trace{}, false},
	} {
		if got := sameAt(c.at, base, c.other); got != c.want {
			t.Errorf("%s: %t", c.what, got)
		}
	}
}
