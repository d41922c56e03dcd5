package diff

import (
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

// An error that is new on head is one thing, whether base gave a value, another error, or went on where head
// panics with it; not so where base gives that error, too, or nothing that changed ran in both.
func TestNewFailure(t *testing.T) {
	t.Parallel()
	call := func(function, base string, head event.Result, changed ...string) event.Finding {
		return event.Finding{Rung: event.Reached, Kind: event.KindValue, Function: function, Exported: true, Component: "error",
			Input: function + "(\"" + base + "\")", Changed: changed, Base: event.Result{Outcome: event.Pass, Value: base}, Head: head}
	}
	eof := event.Result{Outcome: event.Pass, Value: `error("EOF")`}
	first := call("Unmarshal", "nil", eof, "Unmarshal", "parse")
	first.Kind = event.KindValueToError
	for name, test := range map[string]struct {
		f    event.Finding
		want int
	}{
		"another error on base":      {call("Read", `error("no format")`, eof, "Read", "parse"), 1},
		"a panic":                    {call("Must", `"a"`, event.Result{Outcome: event.Panic, Message: "EOF"}, "Must", "parse"), 1},
		"another one on head":        {call("Read", `error("no format")`, event.Result{Outcome: event.Pass, Value: `error("bad")`}, "Read", "parse"), 2},
		"nothing of it ran in both":  {call("Read", `error("no format")`, eof, "Read"), 2},
		"a panic of the run time":    {call("Must", `"a"`, event.Result{Outcome: event.Panic, Message: "runtime error: EOF"}, "Must", "parse"), 2},
		"no error at all, on either": {call("Read", `"a"`, event.Result{Outcome: event.Pass, Value: `"b"`}, "Read", "parse"), 2},
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
