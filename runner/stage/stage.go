package stage

import (
	"time"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/budget"
	"github.com/isodelta/isodelta/runner/execute"
)

// Env is what all stages of one run share. Its fields are not changed by stages.
type Env struct {
	Sink        event.Sink
	Lab         *execute.Lab
	Plan        budget.Plan
	Now         func() time.Time
	Seed        int64
	Repetitions int // of the baseline and of each confirmation
}

// Progress emits what is under way; total is 0 where it is not known.
func (e *Env) Progress(phase, text string, done, total int) {
	e.Sink.Emit(event.Progress{Type: "progress", Phase: phase, Text: text, Done: done, Total: total})
}

// Found emits that a difference was confirmed, for people who wait. They do not wait
// for what the change itself says that it means.
func (e *Env) Found(f event.Finding) {
	if f.Intended {
		return
	}
	e.Sink.Emit(event.Progress{Type: "progress", Phase: "found", Found: &f})
}

// Limit emits what was not compared, and why.
func (e *Env) Limit(l event.Limit) {
	l.Type = "limit"
	e.Sink.Emit(l)
}

// Until returns how long it is until a time; it is not negative.
func (e *Env) Until(t time.Time) time.Duration { return max(t.Sub(e.Now()), 0) }

// Past reports whether a time is over.
func (e *Env) Past(t time.Time) bool { return e.Now().After(t) }
