package report

import (
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

// TestWitnessed: what is not reported of forced states is named once for each branch, with
// those that speak against it.
func TestWitnessed(t *testing.T) {
	t.Parallel()
	list := []event.Folded{
		{Condition: "n > 3", Function: "F", Taken: true, Kind: "outcome", Calls: 1412, Tests: 3},
		{Condition: "n > 3", Function: "F", Taken: true, Kind: "value", Calls: 1412},
		{Condition: "ok", Function: "G", Tests: 4},
		{Condition: "a", Function: "G", Calls: 30},
		{Condition: "b", Function: "G", Calls: 30},
	}
	const want = "5 differences in forced states that inputs take, and none of them shows it: n > 3 in F is true in 1,412 calls and 3 tests; ok in G is false in 4 tests; a in G is false in 30 calls; and 1 more"
	text := ""
	for _, s := range witnessed(list) {
		text += s.text
	}
	if text != want {
		t.Errorf("%s\nwant %s", text, want)
	}
}
