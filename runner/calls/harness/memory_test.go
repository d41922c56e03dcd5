package harness

import (
	"runtime"
	"testing"
)

// What a sequence allocates is known, and a process is full where goroutines stay.
func TestUsage(t *testing.T) {
	var u usage
	u.after()
	list := make([]byte, 32<<20)
	if by := u.after(); by < uint64(len(list)) {
		t.Errorf("%d bytes were allocated, want at least %d", by, len(list))
	}
	runtime.KeepAlive(list)
	if u.full {
		t.Error("full before anything stays")
	}
	release := make(chan bool)
	defer close(release)
	for range fullGoroutines + 1 {
		go func() { <-release }()
	}
	for range sequencesLook {
		u.after()
	}
	if !u.full {
		t.Errorf("not full with %d goroutines", runtime.NumGoroutine())
	}
}
