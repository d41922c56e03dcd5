package diff

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/outcome"
)

// What is seen only after a call is another item; a call that needs one which
// differs by itself belongs to that one.
func TestAfterwards(t *testing.T) {
	t.Parallel()
	valued := func(f event.Finding, base, head string) event.Finding {
		f.Base.Value, f.Head.Value = base, head
		return f
	}
	after := func(function, input string, changed ...string) event.Finding {
		f := part(function, "", "value", event.KindValue, changed...)
		f.Input = input
		f.ID = ID(f)
		return f
	}
	through := part("Flatten", "", "argument 1", event.KindValue, "Chunk", "Flatten")
	through.Input = "list2 := Chunk[int](list, 1)\nFlatten[int](list2)"
	through.ID = ID(through)
	alone := part("Flatten", "", "argument 1", event.KindValue, "Chunk", "Flatten")
	alone.Input = "Flatten[int](chunks, Chunked)"
	alone.ID = ID(alone)
	for name, test := range map[string]struct {
		findings []event.Finding
		want     int
	}{
		"a result and what is seen afterwards":   {[]event.Finding{part("Chunk", "1", "result", event.KindValue, "Chunk"), after("Chunk", "a := Chunk(l); l[0] = 1; a", "Chunk")}, 2},
		"a write and an append afterwards":       {[]event.Finding{after("Chunk", "a := Chunk(l); l[0] = 1; a", "Chunk"), after("Chunk", "a := Chunk(l); _ = append(a[0], 1); a", "Chunk")}, 2},
		"two results":                            {[]event.Finding{part("Chunk", "1", "result", event.KindValue, "Chunk"), part("Chunk", "22", "result", event.KindValue, "Chunk")}, 1},
		"something lost, something else":         {[]event.Finding{part("Chunk", "1", "result", event.KindValue, "Chunk"), valued(part("Chunk", "22", "result", event.KindValue, "Chunk"), "[1]", "[]")}, 1},
		"a result and an argument":               {[]event.Finding{part("Sort", "1", "result", event.KindValue, "Sort"), part("Sort", "22", "argument 1", event.KindValue, "Sort")}, 1},
		"through a call that differs by itself":  {[]event.Finding{after("Chunk", "a := Chunk(l); l[0] = 1; a", "Chunk"), through}, 1},
		"without a call that differs by itself":  {[]event.Finding{after("Chunk", "a := Chunk(l); l[0] = 1; a", "Chunk"), alone}, 2},
		"through a call, but in another outcome": {[]event.Finding{part("Chunk", "1", "error", event.KindValueToError, "Chunk"), through}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := items(Group(test.findings, Changes{}))
			if len(got) != test.want {
				t.Errorf("%d items, want %d: %q", len(got), test.want, got)
			}
			if d := cmp.Diff(got, items(Group([]event.Finding{test.findings[1], test.findings[0]}, Changes{}))); d != "" {
				t.Errorf("the order of the findings matters:\n%s", d)
			}
		})
	}
}

// Values that differ in the texts of errors alone are of the kind of these.
func TestErrorsWithinValues(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		base, head string
		want       event.Kind
	}{
		{`[error("a b")]`, `[error("c \"d\"")]`, event.KindErrorText},
		{`[error("a")]`, `[error("a") error("b")]`, event.KindValue},
		{`nil, error("a")`, `1, error("b")`, event.KindValue},
	} {
		seen := func(value string) outcome.Text { return outcome.Text{Category: 'v', Value: value} }
		if got := ValueKind(seen(test.base), seen(test.head)); got != test.want {
			t.Errorf("%s, %s: %s, want %s", test.base, test.head, got, test.want)
		}
	}
}
