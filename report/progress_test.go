package report

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rivo/uniseg"

	"github.com/isodelta/isodelta/report/event"
)

// clock is moved by the test.
type clock struct{ now time.Time }

func (c *clock) Now() time.Time { return c.now }

// TestProgressLines: a line for each phase, and within a phase one for each
// interval in which something happened.
func TestProgressLines(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	c := &clock{now: time.Unix(1000, 0)}
	p := NewProgress(&b, ProgressOptions{Every: 5 * time.Second, Now: c.Now})
	p.Emit(event.Progress{Phase: "load", Text: "example.com/m"})
	p.Emit(event.Progress{Phase: "load", Text: "not shown"})
	for i := range 100 {
		p.Emit(event.Progress{Phase: "explore", Done: i, Total: 100, Text: "Test\x1b[2J"})
		c.now = c.now.Add(100 * time.Millisecond)
		if i == 30 {
			p.Emit(event.Progress{Phase: "found", Found: reachedFinding()})
		}
	}
	p.Emit(event.Progress{Phase: "confirm", Done: 1})
	p.Emit(event.Summary{})
	p.Emit(event.Progress{Phase: "load"})
	want := `isodelta: loading packages · example.com/m
isodelta: forcing branches · 0 of 100 · Test\x1b[2J
isodelta: found after 3.1 s · Half(3) returns 1 on base, 2 on head
isodelta: forcing branches · 50 of 100 · 1 difference so far · Test\x1b[2J
isodelta: confirming in fresh processes · 1 · 1 difference so far
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func reachedFinding() *event.Finding {
	return &event.Finding{Rung: event.Reached, Function: "Half", Input: "Half(3)",
		Base: event.Result{Outcome: event.Pass, Value: "1"}, Head: event.Result{Outcome: event.Pass, Value: "2"}}
}

// TestProgressFound: a few differences are shown at once, on lines of their own also
// where there is a bar, and without a clock; the others are counted.
func TestProgressFound(t *testing.T) {
	t.Parallel()
	for _, terminal := range []bool{false, true} {
		var b bytes.Buffer
		p := NewProgress(&b, ProgressOptions{Terminal: terminal, Width: 100})
		p.Emit(event.Progress{Phase: "reach", Total: 9})
		for range 7 {
			p.Emit(event.Progress{Phase: "found", Found: reachedFinding()})
		}
		p.Emit(event.Progress{Phase: "confirm", Done: 1, Total: 9})
		if got := strings.Count(b.String(), "isodelta: found · Half(3) returns 1 on base, 2 on head\n"); got != maxFound {
			t.Errorf("terminal %t: %d lines, want %d:\n%q", terminal, got, maxFound, b.String())
		}
		if !strings.Contains(b.String(), "7 differences so far") {
			t.Errorf("terminal %t: no count:\n%q", terminal, b.String())
		}
	}
}

// TestProgressWithoutClock: without a clock only changes of phase are shown.
func TestProgressWithoutClock(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	p := NewProgress(&b, ProgressOptions{})
	for i := range 50 {
		p.Emit(event.Progress{Phase: "build", Done: i, Total: 50})
	}
	if got := strings.Count(b.String(), "\n"); got != 1 {
		t.Errorf("%d lines, want 1:\n%s", got, b.String())
	}
}

// TestProgressBarFits: nothing that is drawn is wider than the terminal, and a
// bar that was full is drawn again when there is more to do.
func TestProgressBarFits(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	p := NewProgress(&b, ProgressOptions{Terminal: true, Width: 80})
	for range 12345 {
		p.Emit(event.Progress{Phase: "found", Found: reachedFinding()})
	}
	for _, phase := range []string{"revision", "load", "match", "build", "baseline", "explore", "confirm", strings.Repeat("x", 200)} {
		for _, total := range []int{0, 99999, 999999} {
			p.Emit(event.Progress{Phase: phase, Done: total, Total: total, Text: strings.Repeat("wide ", 100)})
			p.Emit(event.Progress{Phase: phase, Done: total / 2, Total: total, Text: strings.Repeat("wide ", 100)})
		}
	}
	p.Emit(event.Progress{Phase: "explore", Done: 10, Total: 10})
	before := b.Len()
	p.Emit(event.Progress{Phase: "explore", Done: 10, Total: 20})
	if !strings.Contains(b.String()[before:], "10/20") {
		t.Errorf("a full bar is not drawn again: %q", b.String())
	}
	p.Close()
	for _, frame := range strings.FieldsFunc(b.String(), func(r rune) bool { return r == '\r' || r == '\n' }) {
		frame = regexp.MustCompile("\x1b\\[[0-9]*[A-Za-z]").ReplaceAllString(frame, "")
		if n := uniseg.StringWidth(frame); n > 80 {
			t.Errorf("%d columns: %q", n, frame)
		}
	}
}

// TestProgressBar: the bar moves, shows hostile text harmlessly, and is gone
// when the comparison ends, whichever of several goroutines ends it.
func TestProgressBar(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	p := NewProgress(&b, ProgressOptions{Terminal: true, Width: 120})
	p.Emit(event.Progress{Phase: "load"})
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for j := range 25 {
				p.Emit(event.Progress{Phase: "explore", Done: 25*i + j, Total: 100, Text: fmt.Sprintf("[red]\x1b]0;x\x07%d", j)})
			}
		})
	}
	wg.Wait()
	p.Emit(event.Progress{Phase: "explore", Done: 100, Total: 100})
	p.Emit(event.Progress{Phase: "explore", Done: 7, Total: 120})
	p.Emit(event.Progress{Phase: "explore", Done: 200, Total: 120})
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	out := b.String()
	for _, want := range []string{"loading packages", "forcing branches · [red]", "/100", `\x1b]0;x\x07`} {
		if !strings.Contains(out, want) {
			t.Errorf("the bar never shows %q", want)
		}
	}
	if strings.Contains(out, "\x1b]0") || strings.Contains(out, "\x07") {
		t.Error("a control sequence comes through")
	}
	if last := out[strings.LastIndex(out, "\r"):]; strings.TrimSpace(colourCode.ReplaceAllString(last, "")) != "" && !strings.HasSuffix(out, "\x1b[2K\r") {
		t.Errorf("the bar stays on the screen: %q", last)
	}
}
