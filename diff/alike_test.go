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
