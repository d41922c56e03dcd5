package runner

import (
	"sync"
	"time"

	"github.com/isodelta/isodelta/report/event"
)

// first is a sink that notes when the first difference was confirmed.
type first struct {
	sink event.Sink
	now  func() time.Time

	mu sync.Mutex
	at time.Time // zero before there is any
}

// Emit passes an event on.
func (f *first) Emit(e event.Event) {
	if p, ok := e.(event.Progress); ok && p.Found != nil {
		f.mu.Lock()
		if f.at.IsZero() {
			f.at = f.now()
		}
		f.mu.Unlock()
	}
	f.sink.Emit(e)
}

// seconds returns how long after a time the first difference was confirmed, 0 if
// none was.
func (f *first) seconds(start time.Time) float64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.at.IsZero() {
		return 0
	}
	return f.at.Sub(start).Seconds()
}
