package event

import "sync"

// Tee emits every event to each of the sinks, in their order.
func Tee(sinks ...Sink) Sink { return tee(sinks) }

type tee []Sink

func (t tee) Emit(e Event) {
	for _, s := range t {
		s.Emit(e)
	}
}

// Recorder is a Sink that keeps what it is given. The zero value is ready.
type Recorder struct {
	mu     sync.Mutex
	events []Event
}

// Emit keeps e, as a value with its Type set.
func (r *Recorder) Emit(e Event) {
	if v, err := complete(e); err == nil {
		e = v
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, e)
}

// Events returns a copy of the list of events so far.
func (r *Recorder) Events() []Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Event(nil), r.events...)
}

// Stream groups the events so far; see NewStream.
func (r *Recorder) Stream() (*Stream, error) { return NewStream(r.Events()) }
