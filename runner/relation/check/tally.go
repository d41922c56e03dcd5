package check

import (
	"go/types"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/relation/law"
	"github.com/isodelta/isodelta/runner/version"
)

// tally counts what became of the groups of one relation.
type tally struct {
	surface.Registered
	groups       int
	holds, fails version.Both[int]
	hidden       map[int]bool // see isUniform
	least        int          // different outputs that a relation which nobody declared has to hold for
	evidence     version.Both[evidence]
	outputs      version.Both[map[uint32]bool] // given for what is not uniform
	// evidence are source inputs of groups that hold on base and not on head,
	// or, of a declared relation, on neither.
	broken, violated []wire.Sequence
}

func (s *Stage) talliesOf(a *surface.API, op wire.Op) []tally {
	var out []tally
	hidden := hiddenLists(a.Subject(op))
	for _, r := range a.Relations {
		if r.Op == op {
			o := a.Op(op)
			out = append(out, tally{Registered: r, hidden: hidden, least: leastOutputs(a.Subject(op)), outputs: version.Both[map[uint32]bool]{{}, {}},
				evidence: version.Both[evidence]{s.newEvidence(o, version.Base), s.newEvidence(o, version.Head)}})
		}
	}
	return out
}

const failing = string(wire.GroupFails) + string(wire.GroupPanics)

// verdict is what the k-th row of a version says of the i-th relation asked for.
func (t *tally) verdict(rows []wire.RelatedRow, k, i int) byte {
	if k >= len(rows) || i >= len(rows[k].Verdicts) {
		return wire.GroupSkipped
	}
	if x := rows[k].Verdicts[i]; x != wire.GroupTrivial || !t.steady() {
		return x
	}
	return wire.GroupHolds
}

// count counts the groups of the i-th relation asked for. A group that one
// version did not come to an end of says nothing.
func (t *tally) count(sources []wire.Sequence, rows version.Both[[]wire.RelatedRow], i int) {
	for k, source := range sources {
		for v := range rows {
			if k < len(rows[v]) {
				t.weigh(version.Side(v), rows[v][k], i)
			}
		}
		b, h := t.verdict(rows[version.Base], k, i), t.verdict(rows[version.Head], k, i)
		if !says(b) || !says(h) {
			continue
		}
		t.groups++
		for v, x := range []byte{b, h} {
			if x == wire.GroupHolds {
				t.holds[v]++
				if !isUniform(source, t.hidden) {
					t.outputs[v][rows[v][k].Output] = true
				}
			} else {
				t.fails[v]++
			}
		}
		switch {
		case b == wire.GroupHolds && h != wire.GroupHolds:
			t.broken = append(t.broken, source)
		case b != wire.GroupHolds && h != wire.GroupHolds:
			t.violated = append(t.violated, source)
		}
	}
}

// weigh counts the branches of a source input on one version. A group whose follow-up is the
// source input holds of any function, so that its branches need no other.
func (t *tally) weigh(side version.Side, row wire.RelatedRow, i int) {
	if row.Gives {
		t.evidence[side].input(row.Branches)
	}
	if i < len(row.Verdicts) && (says(row.Verdicts[i]) || row.Verdicts[i] == wire.GroupTrivial) {
		t.evidence[side].group(row.Branches)
	}
}

// isJudged reports whether groups took all branches that inputs at hand take on a version. A
// relation that somebody declared says itself what it is about, and so does one with a
// condition.
func (t *tally) isJudged(v version.Side) bool {
	return t.Source == event.Declared || t.Form.When != "" || t.evidence[v].isWhole()
}

// isUniform reports whether a call is given lists, and in each of them all elements are the
// same: what such a call shows of their order, it shows of any. Hidden are the parameters that
// are lists of structs without exported fields, of which none is set.
func isUniform(p wire.Sequence, hidden map[int]bool) bool {
	if len(p) == 0 {
		return false
	}
	lists := 0
	for k, a := range p[len(p)-1].Args {
		if a.Form != wire.Seq {
			continue
		}
		lists++
		for i := 1; i < len(a.E) && !hidden[k]; i++ {
			if !slices.Equal(wire.AppendArgs(nil, a.E[:1]), wire.AppendArgs(nil, a.E[i:i+1])) {
				return false
			}
		}
	}
	return lists > 0
}

// leastOutputs is how many different outputs a relation has to hold for before it is
// believed; of truth values there are not so many.
func leastOutputs(s *relation.Subject) int {
	if s == nil || s.Sig.Results().Len() != 1 {
		return minOutputs
	}
	if kind, _ := kindOf(s.Sig.Results().At(0).Type()); kind == law.Bool {
		return 2
	}
	return minOutputs
}

// hiddenLists are the parameters of a function that are lists of structs without exported
// fields.
func hiddenLists(s *relation.Subject) map[int]bool {
	out := map[int]bool{}
	if s == nil {
		return out
	}
	for i := range s.Sig.Params().Len() {
		list, ok := s.Sig.Params().At(i).Type().Underlying().(*types.Slice)
		if !ok {
			continue
		}
		if e, ok := list.Elem().Underlying().(*types.Struct); ok {
			out[i] = true
			for f := range e.Fields() {
				out[i] = out[i] && !f.Exported()
			}
		}
	}
	return out
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
	return verdict == wire.GroupHolds || strings.IndexByte(failing, verdict) >= 0
}

// believed reports whether a relation is one of a version.
func (t *tally) believed(v version.Side) bool {
	if t.fails[v] > 0 {
		return false
	}
	if t.Source == event.Declared {
		return t.holds[v] > 0
	}
	return t.holds[v] >= minGroups && len(t.outputs[v]) >= t.least
}

// state returns what has become of the relation; "" if it is no relation of either
// version.
func (t *tally) state() event.RelationState {
	switch {
	case t.believed(version.Base) && t.fails[version.Head] == 0:
		if t.isJudged(version.Base) {
			return event.Kept
		}
	case t.believed(version.Base), t.Source == event.Declared && len(t.broken) > 0:
		// What somebody declared may fail on base for some inputs: where it held
		// there, the change broke it.
		return event.Broken
	case t.believed(version.Head) && t.fails[version.Base] > 0:
		if t.isJudged(version.Head) {
			return event.New
		}
	case t.Source == event.Declared && t.groups > 0:
		return event.Violated
	}
	return ""
}

// unjudged counts the relations that would be kept or new but for their evidence.
func unjudged(list []tally) int {
	n := 0
	for _, t := range list {
		for v := range t.evidence {
			other := 1 - v
			fails := t.fails[other] > 0
			if side := version.Side(v); t.believed(side) && fails == (side == version.Head) && !t.isJudged(side) {
				n++
			}
		}
	}
	return n
}

// inForce reports whether a relation tests a version: it was inferred of base, or
// of head alone, or somebody declared it.
func (t *tally) inForce(side version.Side) bool {
	switch t.state() {
	case event.New:
		return side == version.Head
	case "":
		return false
	}
	return true
}
