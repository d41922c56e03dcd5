package diff

import (
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

func TestFragment(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, base, head string
		want             [2]string
	}{
		{"an insertion, twice", `"[a-z] and then [a-z]"`, `"[a-f\tx-z] and then [a-f\tx-z]"`, [2]string{"", `f\tx-`}},
		{"a blank less", `"{a, b} * {c, d}"`, `"{a,b} * {c,d}"`, [2]string{`a, `, `a,`}},
		{"a number", `"n: 1, m: 2"`, `"n: 3, m: 2"`, [2]string{}},
		{"a line feed at the end", `"false"`, `"false\n"`, [2]string{"", `\n`}},
		{"nothing alike behind", `"one"`, `"two!`, [2]string{}},
		{"nothing alike in front", "one day", "two day", [2]string{}},
		{"the same", "a", "a", [2]string{}},
	} {
		f := event.Finding{Base: event.Result{Value: test.base}, Head: event.Result{Value: test.head}}
		if got := fragmentOf(f); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// A stack overflow of head is one item, whether base returns or panics.
func TestProcessesThatEndAlike(t *testing.T) {
	t.Parallel()
	call := func(base event.Result, head string) event.Finding {
		return event.Finding{Type: "finding", Rung: event.Reached, Kind: event.KindPanic, Package: "p", Function: "F", Origin: event.OriginSequence,
			Base: base, Head: event.Result{Outcome: event.Died, Message: head}, Input: "F(" + base.Message + head + ")"}
	}
	const overflow, deadlock = "fatal error: stack overflow", "fatal error: all goroutines are asleep - deadlock!"
	panics := event.Result{Outcome: event.Panic, Message: "nil"}
	clusters := map[string]bool{}
	for _, f := range Group([]event.Finding{call(event.Result{Outcome: event.Pass}, overflow), call(panics, overflow), call(panics, deadlock)}, Changes{}) {
		clusters[f.Cluster] = true
	}
	if len(clusters) != 2 {
		t.Errorf("%d items", len(clusters))
	}
}

// Head alone crashes at one line in calls of functions that are edited each for itself: that is one thing. Another line, a crash
// of base, or what is not crashed by the run time, is another one.
func TestCrashesAnew(t *testing.T) {
	t.Parallel()
	call := func(function string, base, head event.Result) event.Finding {
		return event.Finding{Rung: event.Reached, Kind: event.KindPanic, Function: function, Exported: true, Component: event.ComponentPanic,
			Input: function + "()", Changed: []string{function}, Base: base, Head: head, Blamed: []event.Edit{{File: "a.go", Line: len(function), EndLine: len(function), Digest: function}}}
	}
	gives := event.Result{Outcome: event.Pass, Value: "nil"}
	crash := func(line int, message string) event.Result {
		return event.Result{Outcome: event.Panic, File: "client.go", Line: line, Message: message}
	}
	const nilPointer = "runtime error: invalid memory address or nil pointer dereference"
	first := call("Delete", gives, crash(358, nilPointer))
	for name, test := range map[string]struct {
		f    event.Finding
		want int
	}{
		"the same line":       {call("Create", gives, crash(358, nilPointer)), 1},
		"another line":        {call("Create", gives, crash(359, nilPointer)), 2},
		"base crashes, too":   {call("Create", crash(12, nilPointer), crash(358, nilPointer)), 2},
		"a panic of the code": {call("Create", gives, crash(358, "no client")), 2},
	} {
		clusters := map[string]bool{}
		for _, f := range Group([]event.Finding{first, test.f}, Changes{}) {
			clusters[f.Cluster] = true
		}
		if len(clusters) != test.want {
			t.Errorf("%s: %d clusters, want %d", name, len(clusters), test.want)
		}
	}
}
