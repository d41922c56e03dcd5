package action

import (
	"strings"
	"sync"
	"time"

	"github.com/isodelta/isodelta/report"
	"github.com/isodelta/isodelta/report/event"
)

// phases is a sink that folds the log of a comparison into a group for each
// phase of the engine. The lines are those of report.Progress.
type phases struct {
	mu    sync.Mutex
	log   *Log
	lines *report.Progress
	phase string
	// closed: a cancelled comparison may go on for a moment while its report is
	// written, and must not write between.
	closed bool
}

func newPhases(log *Log) *phases {
	return &phases{log: log, lines: report.NewProgress(log.Writer(), report.ProgressOptions{Now: time.Now})}
}

// Emit implements event.Sink.
func (p *phases) Emit(e event.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	// What is found is told in the group of the phase that found it.
	if progress, ok := e.(event.Progress); ok && progress.Found == nil && progress.Phase != p.phase {
		p.phase = progress.Phase
		p.log.Group(phaseTitle(p.phase))
	}
	p.lines.Emit(e)
}

func (p *phases) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.lines.Close()
	p.log.EndGroup()
}

// phaseTitle names a group; a phase that is not known speaks for itself.
func phaseTitle(phase string) string {
	switch phase {
	case "revision":
		return "Lay out base and head"
	case "load":
		return "Load packages"
	case "match":
		return "Pair functions and conditions"
	case "build":
		return "Build test binaries"
	case "baseline":
		return "Run the tests as they are"
	case "reach":
		return "Call functions on both versions"
	case "relate":
		return "Check relations"
	case "explore":
		return "Force branches"
	case "confirm":
		return "Confirm in fresh processes"
	}
	return strings.ToUpper(phase[:min(1, len(phase))]) + phase[min(1, len(phase)):]
}
