package diff

import (
	"strconv"
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

func edit(line, end int, by string) event.Edit {
	return event.Edit{File: "p.go", Line: line, EndLine: end, ExpectedBy: by}
}

// Calls that differ thanks to the same short edit are one item, and those of other edits are not, whichever
// changed functions ran.
func TestGroupByEdits(t *testing.T) {
	t.Parallel()
	called := func(function, base, head string, kind event.Kind, edits ...event.Edit) event.Finding {
		f := part(function, function+"(1)", "result", kind, function, "helper")
		f.Base.Value, f.Head.Value, f.Blamed = base, head, edits
		return f
	}
	panics := func(message string, edits ...event.Edit) event.Finding {
		f := called("C", "", "", event.KindPanic, edits...)
		f.Head = event.Result{Outcome: event.Panic, Message: message}
		return f
	}
	value := called("A", "1", "2", event.KindValue, edit(3, 5, ""))
	for _, c := range []struct {
		name  string
		other event.Finding
		one   bool
	}{
		{"one edit", called("B", "3", "4", event.KindValue, edit(3, 5, "")), true},
		{"another edit", called("B", "3", "4", event.KindValue, edit(9, 9, "")), false},
		{"not known", called("B", "3", "4", event.KindValue), false},
		{"another kind", panics("boom", edit(3, 5, "")), false},
	} {
		got := Group([]event.Finding{value, c.other}, Changes{})
		if one := got[0].Cluster == got[1].Cluster; one != c.one {
			t.Errorf("%s: one item is %t, want %t", c.name, one, c.one)
		}
	}
	long := called("A", "1", "2", event.KindValue, edit(3, 50, ""))
	if got := Group([]event.Finding{long, called("B", "3", "4", event.KindValue, edit(3, 50, ""))}, Changes{}); got[0].Cluster == got[1].Cluster {
		t.Error("a long edit makes one item of two functions")
	}
}

// Values of a type that is another on head are one item, whichever functions give them; errors that go away
// are not, of whatever type.
func TestGroupByType(t *testing.T) {
	t.Parallel()
	typed := func(function, base, head string) event.Finding {
		f := part(function, "1", "result", event.KindValue, function, "read")
		f.Base.Value, f.Head.Value = function+base, function+head
		f.Differs = []event.PartDiffers{{Path: "result.(type)", Base: base, Head: head}}
		return f
	}
	for _, c := range []struct {
		a, b event.Finding
		one  bool
	}{
		{typed("A", "map[string]any", "*Node"), typed("B", "map[string]any", "*Node"), true},
		{typed("A", "map[string]any", "*Node"), typed("B", "[]any", "*Node"), false},
		{typed("A", "*errors.errorString", ""), typed("B", "*errors.errorString", ""), false},
	} {
		got := Group([]event.Finding{c.a, c.b}, Changes{})
		if one := got[0].Cluster == got[1].Cluster; one != c.one {
			t.Errorf("%v and %v: one item is %t, want %t", c.a.Differs, c.b.Differs, one, c.one)
		}
	}
}

// Functions of a text and of its bytes that show the same, given the same, are one item.
func TestGroupTwins(t *testing.T) {
	t.Parallel()
	called := func(function, input, head string) event.Finding {
		f := part(function, input, "result 2", event.KindValue, function)
		f.Origin, f.Input, f.Head.Value = event.OriginPlain, function+"("+input+")", head
		return f
	}
	text := called("StepString", `"a\u{fe0f}", 0`, "46")
	for _, c := range []struct {
		other event.Finding
		one   bool
	}{
		{called("Step", `[]byte("a\u{fe0f}"), 0`, "46"), true},
		{called("Step", `[]byte("a\u{fe0f}"), 0`, "45"), false},
		{called("Step", `[]byte("b\u{fe0f}"), 0`, "46"), false},
	} {
		got := Group([]event.Finding{text, c.other}, Changes{})
		if one := got[0].Cluster == got[1].Cluster; one != c.one {
			t.Errorf("%s and %s: one item is %t, want %t", text.Input, c.other.Input, one, c.one)
		}
	}
}

// What head mends is meant where a test of the change needs the edit to blame: a panic of base, or an error whose text that test shows.
// So is a value that such a test wants.
func TestMended(t *testing.T) {
	t.Parallel()
	test := event.Finding{Rung: event.Observed, Intended: true, Suite: "head", Package: "p", Test: "TestA", Kind: event.KindPanic,
		Base: event.Result{Outcome: event.Fail, Message: "a_test.go:3: unexpected character 7, want text/html, got text/plain"}, Head: event.Result{Outcome: event.Pass}}
	test.ID = ID(test)
	called := func(base, head event.Result, kind event.Kind, edits ...event.Edit) event.Finding {
		f := part("A", "A(1)", "result", kind, "A")
		f.Base, f.Head, f.Blamed = base, head, edits
		return f
	}
	valued := func(e event.Edit, values ...string) event.Finding {
		f := called(event.Result{Outcome: event.Pass, Value: values[0]}, event.Result{Outcome: event.Pass, Value: values[1]}, event.KindValue, e)
		for i := 0; i < len(values); i += 2 {
			f.Differs = append(f.Differs, event.PartDiffers{Path: "result", Base: strconv.Quote(values[i]), Head: strconv.Quote(values[i+1])})
		}
		return f
	}
	panics, passes := event.Result{Outcome: event.Panic, Message: "runtime error: index out of range"}, event.Result{Outcome: event.Pass, Value: "1"}
	errs := func(text string) event.Result {
		return event.Result{Outcome: event.Pass, Value: `error("` + text + `")`}
	}
	for _, c := range []struct {
		name string
		f    event.Finding
		want bool
	}{
		{"a panic of base", called(panics, passes, event.KindPanic, edit(3, 5, "TestA")), true},
		{"no test needs the edit", called(panics, passes, event.KindPanic, edit(3, 5, "")), false},
		{"nothing is known to blame", called(panics, passes, event.KindPanic), false},
		{"a panic of head", called(passes, panics, event.KindPanic, edit(3, 5, "TestA")), false},
		{"another value", called(errs("a"), errs("b"), event.KindValue, edit(3, 5, "TestA")), false},
		{"the error that the test shows", called(errs("unexpected character"), passes, event.KindErrorToValue, edit(3, 5, "TestA")), true},
		{"an error that it does not show", called(errs("unexpected end of text"), passes, event.KindErrorToValue, edit(3, 5, "TestA")), false},
		{"the value that the test wants", valued(edit(3, 5, "TestA"), "text/plain", "text/html"), true},
		{"one of another value", valued(edit(3, 5, "TestA"), "text/css", "text/html"), false},
		{"one for which no test needs the edit", valued(edit(3, 5, ""), "text/plain", "text/html"), false},
		{"one of which another part differs", valued(edit(3, 5, "TestA"), "text/plain", "text/html", "1", "2"), false},
	} {
		got := false
		for _, f := range Group([]event.Finding{c.f, test}, Changes{}) {
			got = got || f.Rung == event.Reached && f.Intended
		}
		if got != c.want {
			t.Errorf("%s: intended is %t, want %t", c.name, got, c.want)
		}
	}
}
