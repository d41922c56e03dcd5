package action

import (
	"bytes"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

// A difference that is found is a line in the group of its phase, not a group.
func TestPhasesFound(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	p := newPhases(NewLog(&b))
	p.Emit(event.Progress{Phase: "reach"})
	p.Emit(event.Progress{Phase: "found", Found: &event.Finding{Rung: event.Reached, Input: "F(1)"}})
	p.Emit(event.Progress{Phase: "reach"})
	p.close()
	if got := strings.Count(b.String(), "::group::"); got != 1 {
		t.Errorf("%d groups, want 1:\n%s", got, b.String())
	}
	if !strings.Contains(b.String(), "isodelta: found after") {
		t.Errorf("nothing is said of what was found:\n%s", b.String())
	}
}
