package runner

import (
	"slices"
	"strings"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/calls/harness"
)

// tally counts what became of the groups of one relation.
type tally struct {
	calls.Registered
	groups       int
	holds, fails [2]int // by version
	outputs      [2]map[uint32]bool
	// evidence are source inputs of groups that hold on base and not on head,
	// or, of a declared relation, on neither.
	broken, violated []harness.Program
}

func talliesOf(a *calls.API, op int) []tally {
	var out []tally
	for _, r := range a.Relations {
		if r.Op == op {
			out = append(out, tally{Registered: r, outputs: [2]map[uint32]bool{{}, {}}})
		}
	}
	return out
}

const failing = string(harness.GroupFails) + string(harness.GroupPanics)

// count counts the groups of the i-th relation asked for. A group that one
// version did not come to an end of says nothing.
func (t *tally) count(sources []harness.Program, rows [2][]harness.RelatedRow, i int) {
	verdict := func(v, k int) byte {
		if k >= len(rows[v]) || i >= len(rows[v][k].Verdicts) {
			return harness.GroupSkipped
		}
		if x := rows[v][k].Verdicts[i]; x != harness.GroupTrivial || !t.steady() {
			return x
		}
		return harness.GroupHolds
	}
	for k, source := range sources {
		b, h := verdict(0, k), verdict(1, k)
		if !says(b) || !says(h) {
			continue
		}
		t.groups++
		for v, x := range []byte{b, h} {
			if x == harness.GroupHolds {
				t.holds[v]++
				t.outputs[v][rows[v][k].Output] = true
			} else {
				t.fails[v]++
			}
		}
		switch {
		case b == harness.GroupHolds && h != harness.GroupHolds:
			t.broken = append(t.broken, source)
		case b != harness.GroupHolds && h != harness.GroupHolds:
			t.violated = append(t.violated, source)
		}
	}
}

// steady reports whether all calls of the groups are given the same: the relation is
// about a function that gives the same again.
func (t *tally) steady() bool {
	calls := t.Form.Calls
	for _, c := range calls {
		if c.Function != calls[0].Function || !slices.Equal(c.Args, calls[0].Args) {
			return false
		}
	}
	return true
}

func says(verdict byte) bool {
	return verdict == harness.GroupHolds || strings.IndexByte(failing, verdict) >= 0
}

// believed reports whether a relation is one of a version, 0 base and 1 head.
func (t *tally) believed(v int) bool {
	if t.fails[v] > 0 {
		return false
	}
	if t.Source == event.Declared {
		return t.holds[v] > 0
	}
	return t.holds[v] >= minGroups && len(t.outputs[v]) >= minOutputs
}

// state is what has become of the relation; "" if it is none.
func (t *tally) state() event.RelationState {
	switch {
	case t.believed(0) && t.fails[1] == 0:
		return event.Kept
	case t.believed(0), t.Source == event.Declared && len(t.broken) > 0:
		// What somebody declared may fail on base for some inputs: where it held
		// there, the change broke it.
		return event.Broken
	case t.believed(1) && t.fails[0] > 0:
		return event.New
	case t.Source == event.Declared && t.groups > 0:
		return event.Violated
	}
	return ""
}
