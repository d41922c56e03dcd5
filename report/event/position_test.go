package event_test

import (
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

func TestPosition(t *testing.T) {
	t.Parallel()
	for line, want := range map[int]string{7: "a/b.go:7", 0: "a/b.go", -1: "a/b.go"} {
		if got := event.Position("a/b.go", line); got != want {
			t.Errorf("line %d: %q, want %q", line, got, want)
		}
	}
}
