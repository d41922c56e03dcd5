package stage

import (
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

// What the change itself means is nothing to be told of before the report.
func TestFound(t *testing.T) {
	t.Parallel()
	rec := &event.Recorder{}
	env := &Env{Sink: rec}
	env.Found(event.Finding{ID: "a", Intended: true})
	env.Found(event.Finding{ID: "b"})
	events := rec.Events()
	if len(events) != 1 {
		t.Fatalf("%d events, want 1", len(events))
	}
	if p, ok := events[0].(event.Progress); !ok || p.Found == nil || p.Found.ID != "b" {
		t.Errorf("%+v", events[0])
	}
}
