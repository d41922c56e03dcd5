package runner

import (
	"testing"
	"time"

	"github.com/isodelta/isodelta/report/event"
)

func TestFirst(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	now := start
	rec := &event.Recorder{}
	f := &first{sink: rec, now: func() time.Time { return now }}
	f.Emit(event.Progress{Phase: "build"})
	if got := f.seconds(start); got != 0 {
		t.Errorf("before anything was found: %v", got)
	}
	for range 2 {
		now = now.Add(4 * time.Second)
		f.Emit(event.Progress{Phase: "found", Found: &event.Finding{}})
	}
	if got := f.seconds(start); got != 4 {
		t.Errorf("the first was found after %v s, want 4", got)
	}
	if n := len(rec.Events()); n != 3 {
		t.Errorf("%d of 3 events were passed on", n)
	}
}
