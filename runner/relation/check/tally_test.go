package check

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/relation/declare"
	"github.com/isodelta/isodelta/runner/version"
)

// made is a tally of a relation of two different calls, or of one that somebody
// declared.
func made(source event.RelationSource) tally {
	r := relation.Relation{Source: source, Form: relation.Form{Calls: []relation.Call{
		{Function: "F", Args: []string{"x"}}, {Function: "F", Args: []string{"-x"}}}}}
	return tally{Registered: surface.Registered{Relation: r}, least: minOutputs, outputs: version.Both[map[uint32]bool]{{}, {}}}
}

// counted counts groups with these verdicts, each with another output.
func counted(t *tally, base, head string) {
	sources := make([]wire.Sequence, len(base))
	var rows version.Both[[]wire.RelatedRow]
	for k := range sources {
		sources[k] = wire.Sequence{{Op: wire.OpAt(k)}}
		rows[version.Base] = append(rows[version.Base], wire.RelatedRow{Output: uint32(k), Verdicts: base[k : k+1]})
		rows[version.Head] = append(rows[version.Head], wire.RelatedRow{Output: uint32(k), Verdicts: head[k : k+1]})
	}
	t.count(sources, rows, 0)
}

func TestCountTakesOnlyWhatBothVersionsSay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		base, head                 byte
		groups                     int
		holds, fails               version.Both[int]
		broken, violated, outputsB int
	}{
		{'h', 'h', 1, version.Both[int]{1, 1}, version.Both[int]{}, 0, 0, 1},
		{'h', 'f', 1, version.Both[int]{1, 0}, version.Both[int]{0, 1}, 1, 0, 1},
		{'h', 'p', 1, version.Both[int]{1, 0}, version.Both[int]{0, 1}, 1, 0, 1},
		{'f', 'h', 1, version.Both[int]{0, 1}, version.Both[int]{1, 0}, 0, 0, 0},
		{'f', 'p', 1, version.Both[int]{}, version.Both[int]{1, 1}, 0, 1, 0},
		{'h', 's', 0, version.Both[int]{}, version.Both[int]{}, 0, 0, 0},
		{'e', 'f', 0, version.Both[int]{}, version.Both[int]{}, 0, 0, 0},
		{'t', 'f', 0, version.Both[int]{}, version.Both[int]{}, 0, 0, 0},
	} {
		x := made(event.Template)
		counted(&x, string(c.base), string(c.head))
		if x.groups != c.groups || x.holds != c.holds || x.fails != c.fails || len(x.broken) != c.broken ||
			len(x.violated) != c.violated || len(x.outputs[version.Base]) != c.outputsB {
			t.Errorf("%c on base and %c on head: %d groups, holds %v, fails %v, %d broken, %d violated, %d outputs",
				c.base, c.head, x.groups, x.holds, x.fails, len(x.broken), len(x.violated), len(x.outputs[version.Base]))
		}
	}
}

// A relation whose calls are all the same is about what a function gives when it is
// called again: that each follow-up call is the source call makes it no less true.
func TestCountOfASteadyRelation(t *testing.T) {
	t.Parallel()
	x := made(event.Template)
	x.Form.Calls[1].Args = []string{"x"}
	counted(&x, "tt", "tf")
	if x.groups != 2 || x.holds != (version.Both[int]{2, 1}) || len(x.broken) != 1 {
		t.Errorf("%d groups, holds %v, %d broken", x.groups, x.holds, len(x.broken))
	}
}

// Rows that a version did not give say nothing.
func TestCountWithoutRows(t *testing.T) {
	t.Parallel()
	x := made(event.Template)
	row := wire.RelatedRow{Verdicts: "h"}
	x.count(make([]wire.Sequence, 2), version.Both[[]wire.RelatedRow]{{row, row}, {row}}, 0)
	if x.groups != 1 {
		t.Errorf("%d groups of one that both versions have", x.groups)
	}
	x.count(make([]wire.Sequence, 1), version.Both[[]wire.RelatedRow]{{row}, {row}}, 1)
	if x.groups != 1 {
		t.Error("a verdict that is not there was counted")
	}
}

func TestState(t *testing.T) {
	t.Parallel()
	type is struct {
		state      event.RelationState
		base, head bool // in force
	}
	all := func(verdict byte) string {
		b := make([]byte, minGroups)
		for i := range b {
			b[i] = verdict
		}
		return string(b)
	}
	holds, fails := all('h'), all('f')
	for _, c := range []struct {
		name       string
		source     event.RelationSource
		base, head string
		want       is
	}{
		{"holds on both", event.Template, holds, holds, is{event.Kept, true, true}},
		{"fails once on head", event.Template, holds, holds[1:] + "f", is{event.Broken, true, true}},
		{"fails once on base", event.Template, holds[1:] + "f", holds, is{event.New, false, true}},
		{"fails on both", event.Template, fails, fails, is{}},
		{"fails once on each", event.Template, "f" + holds, holds + "f", is{}},
		{"too few groups", event.Template, holds[1:], holds[1:], is{}},
		{"nothing said", event.Template, "", "", is{}},
		{"declared, one group", event.Declared, "h", "h", is{event.Kept, true, true}},
		{"declared, holds on base for one of two", event.Declared, "hf", "ff", is{event.Broken, true, true}},
		{"declared, fails on both", event.Declared, "ff", "ff", is{event.Violated, true, true}},
		{"declared, mended", event.Declared, "hf", "hh", is{event.New, false, true}},
		{"declared, nothing said", event.Declared, "", "", is{}},
	} {
		x := made(c.source)
		counted(&x, c.base, c.head)
		if got := (is{x.state(), x.inForce(version.Base), x.inForce(version.Head)}); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// Nearly everything holds of a function that always gives the same.
func TestFewOutputsAreNoEvidence(t *testing.T) {
	t.Parallel()
	for outputs, want := range map[int]event.RelationState{minOutputs - 1: "", minOutputs: event.Kept} {
		x := made(event.Template)
		var rows []wire.RelatedRow
		for k := range 2 * minGroups {
			rows = append(rows, wire.RelatedRow{Output: uint32(k % outputs), Verdicts: "h"})
		}
		x.count(make([]wire.Sequence, len(rows)), version.Both[[]wire.RelatedRow]{rows, rows}, 0)
		if x.state() != want {
			t.Errorf("%d outputs: %q, want %q", outputs, x.state(), want)
		}
	}
}

// What base shows too few outputs of is not new on head: it never failed there.
func TestNewFailedOnBase(t *testing.T) {
	t.Parallel()
	x := made(event.Template)
	var rows version.Both[[]wire.RelatedRow]
	for k := range minGroups {
		rows[version.Base] = append(rows[version.Base], wire.RelatedRow{Verdicts: "h"})
		rows[version.Head] = append(rows[version.Head], wire.RelatedRow{Output: uint32(k), Verdicts: "h"})
	}
	x.count(make([]wire.Sequence, minGroups), rows, 0)
	if x.state() != "" {
		t.Errorf("%q", x.state())
	}
}

// A group that either version says nothing of changes nothing, wherever it stands.
func TestSilentGroupsChangeNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		source := rapid.SampledFrom([]event.RelationSource{event.Template, event.Declared}).Draw(t, "source")
		verdict := rapid.SampledFrom([]byte("hhhhhhhfp"))
		silent := rapid.SampledFrom([]byte("ste"))
		var spoken, both version.Both[string]
		for range rapid.IntRange(0, 40).Draw(t, "groups") {
			b, h := string(verdict.Draw(t, "base")), string(verdict.Draw(t, "head"))
			spoken[0], spoken[1] = spoken[0]+b, spoken[1]+h
			both[0], both[1] = both[0]+b, both[1]+h
			if rapid.Bool().Draw(t, "silent") {
				both[0], both[1] = both[0]+string(silent.Draw(t, "silence")), both[1]+h
			}
		}
		x, y := made(source), made(source)
		counted(&x, spoken[0], spoken[1])
		counted(&y, both[0], both[1])
		if x.state() != y.state() || x.groups != y.groups || x.holds != y.holds || x.fails != y.fails {
			t.Fatalf("%q on %v, %q on %v", x.state(), spoken, y.state(), both)
		}
		if got := x.holds[0] + x.fails[0]; got != x.groups || x.holds[1]+x.fails[1] != x.groups {
			t.Fatalf("%d groups, holds %v, fails %v", x.groups, x.holds, x.fails)
		}
	})
}

func TestUnreached(t *testing.T) {
	t.Parallel()
	declared := declare.Compiled{}
	for i := range 3 {
		declared.Relations = append(declared.Relations, relation.Relation{Function: fmt.Sprint("F", i), At: fmt.Sprint("line ", i), Notation: "F(-x) = F(x)"})
	}
	var got []string
	for _, l := range Unreached(declared, map[string]bool{declared.Relations[1].ID(): true}) {
		got = append(got, l.What)
	}
	if diff := cmp.Diff([]string{"line 0", "line 2"}, got); diff != "" {
		t.Error(diff)
	}
}

// Lists of equal elements show nothing of their order, so that their outputs are no evidence;
// what fails for them fails.
func TestUniformListsAreNoEvidence(t *testing.T) {
	t.Parallel()
	number := func(n int64) wire.Lit { return wire.Lit{Form: wire.Int, N: n} }
	list := func(e ...wire.Lit) wire.Lit { return wire.Lit{Form: wire.Seq, E: e} }
	for _, c := range []struct {
		args []wire.Lit
		want bool
	}{
		{[]wire.Lit{number(1), list(number(1), number(2))}, true}, // the second parameter hides what it holds
		{nil, false},
		{[]wire.Lit{number(1)}, false},
		{[]wire.Lit{list()}, true},
		{[]wire.Lit{list(number(1))}, true},
		{[]wire.Lit{list(number(1), number(1))}, true},
		{[]wire.Lit{list(number(1), number(2))}, false},
		{[]wire.Lit{list(number(1), number(2)), list(number(1), number(1))}, false},
		{[]wire.Lit{list(list(number(1)), list(number(2)))}, false},
	} {
		if got := isUniform(wire.Sequence{{Args: c.args}}, map[int]bool{1: true}); got != c.want {
			t.Errorf("%v: %t", c.args, got)
		}
	}
}
