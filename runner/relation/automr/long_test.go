package automr

import (
	"testing"

	"github.com/isodelta/isodelta/internal/longtest"
)

// skipLong skips what takes long, with the race detector in any case.
func skipLong(t *testing.T, why string) {
	t.Helper()
	if raced {
		t.Skip(why + ": left to runs without the race detector")
	}
	longtest.Skip(t, why)
}
