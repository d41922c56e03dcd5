package report

import (
	"slices"
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

// TestTitles: every kind of limits has a title of its own, and there is no title of
// a kind that nothing writes.
func TestTitles(t *testing.T) {
	t.Parallel()
	want := append(event.LimitKinds(), groupPruning, groupStream)
	var kinds []event.LimitKind
	seen := map[string]event.LimitKind{}
	for _, x := range titles() {
		kinds = append(kinds, x.kind)
		if other, again := seen[x.title]; again || x.title == "" {
			t.Errorf("%s has the title %q, as %s has", x.kind, x.title, other)
		}
		seen[x.title] = x.kind
	}
	if !slices.Equal(kinds, want) {
		t.Errorf("titles are of\n%v, want\n%v", kinds, want)
	}
}
