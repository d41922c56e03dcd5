package report

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/isodelta/isodelta/report/event"
)

// ProgressOptions say where progress is shown.
type ProgressOptions struct {
	Terminal bool          // draw a bar; otherwise write lines
	Width    int           // columns of the terminal; 0 is 80
	Every    time.Duration // between two lines of one phase; 0 is 10 s
	// Now is the clock; nil means that lines are written at a change of phase
	// only. It is asked when an event arrives, and no timer runs.
	Now func() time.Time
}

// Progress is a Sink that shows a comparison to people who wait, on standard
// error: a bar on a terminal, otherwise at most one line for each change of
// phase and one every few seconds. The first differences that are confirmed are
// shown at once. Close it before anything else is written.
type Progress struct {
	mu       sync.Mutex
	w        io.Writer
	opt      ProgressOptions
	began    time.Time
	phase    string
	total    int
	lastLine time.Time // when something was last shown
	findings int
	bar      *progressbar.ProgressBar
	closed   bool
}

// NewProgress shows progress on w.
func NewProgress(w io.Writer, opt ProgressOptions) *Progress {
	if opt.Every <= 0 {
		opt.Every = 10 * time.Second
	}
	if opt.Width <= 0 {
		opt.Width = defaultWidth
	}
	opt.Width = max(opt.Width, smallestWidth)
	p := &Progress{w: w, opt: opt}
	if opt.Now != nil {
		p.began = opt.Now()
	}
	return p
}

// Emit shows progress events, counts what was confirmed, and ends with the summary.
func (p *Progress) Emit(e event.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	switch e := e.(type) {
	case event.Progress:
		if e.Found != nil {
			p.found(*e.Found)
			return
		}
		p.progress(e)
	case event.Summary:
		p.close()
	}
}

// Close takes the bar away. Events after it show nothing.
func (p *Progress) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.close()
	return nil
}

func (p *Progress) close() {
	p.closed = true
	p.endBar()
}

func (p *Progress) progress(e event.Progress) {
	if p.opt.Terminal {
		p.draw(e)
	} else {
		p.print(e)
	}
	p.phase, p.total = e.Phase, e.Total
}

// maxFound is how many differences are shown while a comparison runs: the report
// has them all.
const maxFound = 5

// found shows a difference that was just confirmed, on a line of its own.
func (p *Progress) found(f event.Finding) {
	p.findings++
	if p.findings > maxFound {
		return
	}
	p.endBar()
	after := ""
	if p.opt.Now != nil {
		after = " after " + seconds(p.opt.Now().Sub(p.began).Seconds())
	}
	fmt.Fprintf(p.w, "isodelta: found%s · %s\n", after, plainText(claim(f)))
}

func (p *Progress) print(e event.Progress) {
	var now time.Time
	if p.opt.Now != nil {
		now = p.opt.Now()
	}
	if e.Phase == p.phase && now.Sub(p.lastLine) < p.opt.Every {
		return
	}
	p.lastLine = now
	fmt.Fprintln(p.w, "isodelta: "+p.describe(e, true))
}

// describe is the line, or the text before the bar, which has its own numbers.
func (p *Progress) describe(e event.Progress, numbers bool) string {
	parts := []string{doing(e.Phase)}
	switch {
	case numbers && e.Total > 0:
		parts = append(parts, fmt.Sprintf("%s of %s", number(e.Done), number(e.Total)))
	case numbers && e.Done > 0:
		parts = append(parts, number(e.Done))
	}
	if p.findings > 0 {
		parts = append(parts, count(p.findings, "difference")+" so far")
	}
	if e.Text != "" {
		parts = append(parts, shorten(e.Text, siteLength))
	}
	return strings.Join(parts, " · ")
}

// doing says a phase in words; a phase that is not known speaks for itself.
func doing(phase string) string {
	switch phase {
	case "revision":
		return "laying out base and head"
	case "load":
		return "loading packages"
	case "match":
		return "pairing functions and conditions"
	case "build":
		return "building test binaries"
	case "baseline":
		return "running the tests as they are"
	case "reach":
		return "calling functions on both versions"
	case "relate":
		return "checking relations"
	case "vary":
		return "running the tests with other inputs"
	case "explore":
		return "forcing branches"
	case "confirm":
		return "confirming in fresh processes"
	}
	return shorten(phase, 30)
}

func (p *Progress) draw(e event.Progress) {
	if p.tooSoon(e) {
		return
	}
	if p.bar == nil || p.bar.IsFinished() || e.Phase != p.phase || (e.Total <= 0) != (p.total <= 0) {
		p.endBar()
		p.bar = p.newBar(e.Total)
	}
	if e.Total > 0 && e.Total != p.bar.GetMax() {
		p.bar.ChangeMax(e.Total)
	}
	p.bar.Describe(shorten(p.describe(e, e.Total <= 0), p.opt.Width-barColumns))
	// Errors of the terminal are nothing that a comparison should end for.
	if e.Total > 0 {
		_ = p.bar.Set(min(max(e.Done, 0), e.Total))
	} else {
		_ = p.bar.Add(1)
	}
}

// tooSoon reports whether an event may be left out, to spare the terminal:
// thousands may come in a second. What changes the bar's form is always drawn.
func (p *Progress) tooSoon(e event.Progress) bool {
	if p.opt.Now == nil {
		return false
	}
	now := p.opt.Now()
	if p.bar != nil && e.Phase == p.phase && e.Total == p.total && now.Sub(p.lastLine) < 100*time.Millisecond {
		return true
	}
	p.lastLine = now
	return false
}

// barColumns is what the bar, its numbers and its clock take, in columns.
const barColumns = 46

func (p *Progress) newBar(total int) *progressbar.ProgressBar {
	if total <= 0 {
		total = -1 // a spinner
	}
	options := []progressbar.Option{
		progressbar.OptionSetWriter(p.w),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionEnableColorCodes(false), // descriptions hold brackets
		progressbar.OptionUseANSICodes(true),
		progressbar.OptionSetWidth(16),
		progressbar.OptionSetElapsedTime(true),
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionSetSpinnerChangeInterval(0), // no goroutine: drawn when an event arrives
		progressbar.OptionSetTheme(progressbar.ThemeDefault),
	}
	if total > 0 {
		options = append(options, progressbar.OptionShowCount())
	}
	return progressbar.NewOptions(total, options...)
}

func (p *Progress) endBar() {
	if p.bar != nil {
		_ = p.bar.Clear()
		_ = p.bar.Exit()
		p.bar = nil
	}
}
