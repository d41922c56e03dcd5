package ison

import (
	"context"
	"testing"
	"time"

	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/negation/explore"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/version"
)

// counted is a process that counts what it runs.
type counted struct{ ran int }

// Do answers with a fuel of its own, which no remembered execution has.
func (p *counted) Do(context.Context, execute.Command) (outcome.Result, error) {
	p.ran++
	return outcome.Result{Fuel: -1}, nil
}

// Bound does nothing.
func (*counted) Bound(time.Duration) {}

// Close does nothing.
func (*counted) Close() {}

// What base did is not run again, unless it would go on for longer with the fuel
// that it is given now, or stop earlier.
func TestBaseIsRemembered(t *testing.T) {
	t.Parallel()
	known := map[int]explore.Variant{
		1: {Fuel: 100, Base: outcome.Result{Outcome: event.Pass, Fuel: 40}},
		2: {Fuel: 100, Base: outcome.Result{Outcome: event.Exhausted, Fuel: 100}},
	}
	for _, test := range []struct {
		name      string
		negations []int
		fuel      int64
		runs      int
	}{
		{"known", []int{1}, 100, 0},
		{"known with more fuel", []int{1}, 200, 0},
		{"known with less", []int{1}, 30, 1},
		{"out of fuel", []int{2}, 100, 0},
		{"out of fuel that it has now", []int{2}, 200, 1},
		{"unknown", []int{3}, 100, 1},
		{"nothing negated", nil, 100, 1},
		{"a larger set", []int{1, 2}, 100, 1},
	} {
		live := &counted{}
		r, err := remembered{live, known}.Do(t.Context(), execute.Command{Negations: test.negations, Fuel: test.fuel})
		if err != nil || live.ran != test.runs || (r.Fuel == -1) != (test.runs == 1) {
			t.Errorf("%s: ran %d times and gave %+v, %v; want %d times", test.name, live.ran, r, err, test.runs)
		}
	}
}

// Only what Algorithm 1 has matched is a branch of the space.
func TestSpaceHoldsMatchedConditions(t *testing.T) {
	t.Parallel()
	s := &space{program: &instrument.Program{Conditions: make([]instrument.Condition, 3)},
		matched: map[int]isomorph.Kind{0: isomorph.Strict, 2: isomorph.Resynchronised}}
	all := outcome.NewBits(8)
	for i := range 7 {
		all.Add(i)
	}
	got := s.Project(version.Base, all).Members()
	if want := []int{0, 1, 4, 5}; len(got) != len(want) || got[0] != 0 || got[1] != 1 || got[2] != 4 || got[3] != 5 {
		t.Errorf("branches %v, want %v", got, want)
	}
	if !s.Strict([]outcome.Branch{0, 1}) || s.Strict([]outcome.Branch{0, 4}) {
		t.Error("only condition 0 is matched strictly")
	}
}
