package runner

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/baseline"
)

// errOvertime is why a context ends when a comparison has run for too long.
var errOvertime = errors.New("overtime")

// overtime is how long after the end of the budget a comparison may still last
// before it is ended. Its stages keep to the budget themselves (package budget); this
// is for what they cannot cut short, such as loading both versions or a test that
// found a way to hold a process up. go test gives a test as long at most.
func (o Options) overtime() time.Duration {
	if o.Overtime > 0 {
		return o.Overtime
	}
	return max(o.Budget, baseline.MaxIteration)
}

// last is the whole time that a comparison may take, 0 for no limit.
func (o Options) last() time.Duration {
	if o.Budget <= 0 {
		return 0
	}
	return o.Budget + o.overtime()
}

// patience is how long a comparison that shall end may take to sum up. Who asks
// it to end waits 5 seconds, and the report has to be written in them; its own
// deadline leaves more.
func patience(ctx context.Context) time.Duration {
	if errors.Is(context.Cause(ctx), errOvertime) {
		return 30 * time.Second
	}
	return 3 * time.Second
}

// bounded runs a comparison, and returns soon after ctx or the time for the
// whole comparison has ended, whatever the comparison waits for.
func bounded(ctx context.Context, opt Options, sink event.Sink, compare func(context.Context, event.Sink) (event.Summary, error)) (event.Summary, error) {
	started := time.Now()
	if last := opt.last(); last > 0 {
		limited, cancel := context.WithTimeoutCause(ctx, last, errOvertime)
		defer cancel()
		ctx = limited
	}
	g := &gate{sink: sink}
	type result struct {
		summary event.Summary
		err     error
	}
	done := make(chan result, 1)
	go func() {
		s, err := compare(ctx, g)
		done <- result{s, err}
	}()
	var r result
	select {
	case r = <-done:
	case <-ctx.Done():
		select {
		case r = <-done:
		case <-time.After(patience(ctx)):
			r.summary, r.err = g.shut(ctx, time.Since(started))
		}
	}
	if r.err != nil && errors.Is(context.Cause(ctx), errOvertime) {
		return r.summary, fmt.Errorf("nothing could be compared within %s, the budget of %s and the time allowed beyond it; at the end: %s. Give it a longer budget, or fewer packages",
			opt.last(), opt.Budget, g.doing())
	}
	return r.summary, r.err
}

// gate lets events through until it is shut, so that a comparison that has been
// given up says nothing afterwards.
type gate struct {
	mu      sync.Mutex
	sink    event.Sink
	closed  bool
	began   bool // the two versions are known
	phase   string
	summary *event.Summary
}

// Emit passes an event on.
func (g *gate) Emit(e event.Event) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return
	}
	switch e := e.(type) {
	case event.Progress:
		if e.Found == nil {
			g.phase = e.Text
		}
	case event.Versions:
		g.began = true
	case event.Summary:
		g.summary = &e
	}
	g.sink.Emit(e)
}

func (g *gate) doing() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.phase
}

// shut returns a comparison up that does not end. What it has emitted stands; if
// it had not summed up, that is done in its place.
func (g *gate) shut(ctx context.Context, spent time.Duration) (event.Summary, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	if g.summary != nil {
		return *g.summary, nil
	}
	if !g.began {
		return event.Summary{}, context.Cause(ctx)
	}
	g.sink.Emit(event.Limit{Type: "limit", Kind: event.LimitInterrupted, What: "comparison",
		Reason: fmt.Sprintf("%s, and the comparison did not come to an end by itself (%s): what it had not summed up by then is lost", endedBy(ctx), g.phase)})
	s := event.Summary{Type: "summary", Interrupted: true, Seconds: spent.Seconds(), Verdict: event.Incomplete}
	g.sink.Emit(s)
	return s, nil
}

// endedBy returns why ctx is over, in words.
func endedBy(ctx context.Context) string {
	if errors.Is(context.Cause(ctx), errOvertime) {
		return "the budget and the time allowed beyond it were over"
	}
	return "interrupted"
}
