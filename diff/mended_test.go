package diff

import (
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

// With an error that is gone on purpose goes the value that came with it, and no other one.
func TestValuesBesideAnErrorThatIsMended(t *testing.T) {
	t.Parallel()
	of := func(input, component string, kind event.Kind, base, head string, intended bool) event.Finding {
		f := part("A", input, component, kind, "A")
		f.Base, f.Head = event.Result{Outcome: event.Pass, Value: base}, event.Result{Outcome: event.Pass, Value: head}
		f.Intended = intended
		f.ID = ID(f)
		return f
	}
	list := []event.Finding{
		of("1", "error", event.KindErrorToValue, `error("no unit")`, "nil", true),
		of("1", "result", event.KindValue, "0", "5", false),
		of("2", "result", event.KindValue, "0", "6", false),
		of("3", "error", event.KindErrorToValue, `error("no end")`, "nil", false),
		of("3", "result", event.KindValue, "0", "7", false),
	}
	want := map[string]bool{"A(1) error": true, "A(1) result": true}
	for _, f := range Group(list, Changes{}) {
		if name := f.Input + " " + f.Component; f.Intended != want[name] {
			t.Errorf("%s: intended is %t", name, f.Intended)
		}
	}
}
