package report

import (
	"cmp"
	"fmt"
	"io"

	"github.com/isodelta/isodelta/report/event"
)

// ReplayResult is what running one finding again in fresh processes gave.
type ReplayResult struct {
	Finding  event.Finding  // as recorded: ID, rung, suite, test, negations
	Versions event.Versions // of the module concerned
	Changed  []string       // changed functions that ran this time, on either version
	Base     ReplaySide
	Head     ReplaySide
	Sites    []ReplaySite // all sites that differ, in the order in which they were passed
}

// ReplaySide is one version's part of a replay.
type ReplaySide struct {
	Result event.Result // of the first run
	Runs   int          // fresh processes
	Alike  int          // of Runs, those that gave what the first did
}

// ReplaySite is an expression of the test code that saw something else on base
// than on head.
type ReplaySite struct {
	Expression string
	File       string // relative to the repository
	Line       int
	Base, Head string // rendered values, "" where it was not reached
}

// Reproduced reports whether every run of a version gave the same, and the
// versions differ.
func (r ReplayResult) Reproduced() bool {
	return r.steady() && r.differs()
}

func (r ReplayResult) steady() bool {
	return r.Base.Runs > 0 && r.Base.Alike == r.Base.Runs && r.Head.Runs > 0 && r.Head.Alike == r.Head.Runs
}

func (r ReplayResult) differs() bool {
	b, h := r.Base.Result, r.Head.Result
	return len(r.Sites) > 0 || b.Outcome != h.Outcome || b.Value != h.Value || b.Message != h.Message
}

// Replay writes the result for a terminal. It returns the error of w.
func Replay(w io.Writer, r ReplayResult, opt TerminalOptions) error {
	t := newTerminal(opt)
	t.indent = 0
	t.replay(r)
	_, err := io.WriteString(w, t.text())
	return err
}

func (t *terminal) replay(r ReplayResult) {
	verdict, colour := r.verdict()
	f := r.Finding
	t.block(0, "", 0, say(named(f.Cluster), " "+verdict), bold, colour)
	for _, c := range comparisons(&event.Stream{Versions: []event.Versions{r.Versions}}) {
		t.block(0, "", 0, c.line())
	}
	f.Base, f.Head, f.Changed = r.Base.Result, r.Head.Result, r.Changed
	t.line("")
	if r.differs() {
		t.block(0, "", 0, claim(f), bold)
		t.line("")
	}
	t.input(f, len(f.Input))
	if f.Rung == event.Reached {
		t.call(f)
	} else {
		t.block(0, "test", labelWidth, testOf(f))
	}
	for _, n := range f.Negations {
		t.block(0, "forced", labelWidth, forced(n))
	}
	if len(r.Changed) > 0 {
		t.block(0, "changed", labelWidth, say(names(functionNames(r.Changed), len(r.Changed)), " ran"))
	} else {
		t.block(0, "changed", labelWidth, words("no changed function ran"))
	}
	t.block(0, "runs", labelWidth, words(fmt.Sprintf("base: %s, head: %s, each in a fresh process", r.Base.alike(), r.Head.alike())))
	t.line("")
	t.row("", []string{"base " + shortHash(r.Versions.Base.Commit)}, []string{"head " + shortHash(r.Versions.Head.Commit)}, dim, dim)
	t.row("outcome", []string{ended(f, f.Base)}, []string{ended(f, f.Head)})
	x, y := whole(r.Base.Result.Message), whole(r.Head.Result.Message)
	t.row("message", x, y)
	if f.Rung == event.Reached {
		t.row("value", whole(cmp.Or(f.Base.Value, noValue(f, f.Base))), whole(cmp.Or(f.Head.Value, noValue(f, f.Head))), red, green)
		t.line("")
		t.goTest(f)
		return
	}
	for _, s := range r.sites() {
		t.line("")
		t.block(0, "", 0, say(quoted(s.Expression), " at ", quoted(position(s.File, s.Line))))
		t.row("value", seen(s.Base), seen(s.Head), red, green)
	}
}

// sites falls back to the recorded one where the run gave no list.
func (r ReplayResult) sites() []ReplaySite {
	b, h := r.Base.Result, r.Head.Result
	if len(r.Sites) > 0 || b.Value == "" && h.Value == "" {
		return r.Sites
	}
	at := h
	if at.Site == "" {
		at = b
	}
	return []ReplaySite{{at.Site, at.File, at.Line, b.Value, h.Value}}
}

func (r ReplayResult) verdict() (text, colour string) {
	switch {
	case !r.differs():
		return "not reproduced: base and head do the same now", yellow
	case !r.steady():
		return "differs, but not in the same way in every run: it may be noise", yellow
	}
	return "reproduced", red
}

func (s ReplaySide) alike() string {
	if s.Runs == s.Alike {
		return count(s.Runs, "run") + " alike"
	}
	return fmt.Sprintf("%d of %s alike", s.Alike, count(s.Runs, "run"))
}

// whole does not cut: a replay is asked for to see everything.
func whole(text string) []string {
	if text == "" {
		return nil
	}
	return visibleLines(text)
}

func seen(value string) []string {
	if value == "" {
		return []string{event.ValueNotReached}
	}
	return visibleLines(value)
}
