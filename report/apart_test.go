package report

import (
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

// What has a test of its own is told as another way only where it shows other values: the same error by way of a function
// that calls the first one is no news, while a truth value that differs alike may come from elsewhere.
func TestApartShowsOtherValues(t *testing.T) {
	t.Parallel()
	call := func(id, function, base, head string) event.Finding {
		return event.Finding{ID: id, Rung: event.Reached, Function: function, Input: function + "()", Kind: event.KindValue, GoTest: "package p",
			Base: event.Result{Outcome: event.Pass, Value: base}, Head: event.Result{Outcome: event.Pass, Value: head}}
	}
	first := call("1", "Parse", "nil", `error("unexpected character in a name")`)
	first.Representative = true
	again := call("2", "MustParse", "nil", `error("unexpected character in a name")`)
	other := call("3", "Parse", "nil", `error("the value is not terminated")`)
	c := clusterOf([]event.Finding{first, again, other}, maxApart)
	if len(c.apart) != 1 || c.apart[0].ID != "3" || c.size != 3 {
		t.Errorf("%d of %d are told apart: %+v", len(c.apart), c.size, c.apart)
	}
	first, again = call("1", "Has", "true", "false"), call("2", "Has", "true", "false")
	first.Representative, again.Apart, again.Input = true, true, "Has(1)"
	if c := clusterOf([]event.Finding{first, again}, maxApart); len(c.apart) != 1 {
		t.Errorf("%d of 1 are told apart", len(c.apart))
	}
}
