package report

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rivo/uniseg"

	"github.com/isodelta/isodelta/report/event"
)

func renderTerminal(t *testing.T, s *event.Stream, opt TerminalOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := Terminal(&b, s, opt); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var colourCode = regexp.MustCompile("\x1b\\[[0-9]+m")

// TestTerminalWidth: no line is wider than the terminal, and colours change
// neither the text nor its places.
func TestTerminalWidth(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"figure1", "everything", "reached", "hostile", "no-difference"} {
		s := fixture(t, name)
		for _, width := range []int{60, 80, 120} {
			plain := renderTerminal(t, s, TerminalOptions{Width: width})
			short := renderTerminal(t, s, TerminalOptions{Width: width, Short: true, Whole: "isodelta report --verbose"})
			if n := strings.Count(short, "\n"); width >= 80 && n > shortHeight {
				t.Errorf("%s: a short report has %d lines on a terminal of %d", name, n, width)
			}
			for line := range strings.SplitSeq(plain+short, "\n") {
				if n := uniseg.StringWidth(line); n > width {
					t.Errorf("%s: %d columns on a terminal of %d: %q", name, n, width, line)
				}
			}
			coloured := renderTerminal(t, s, TerminalOptions{Width: width, Color: true})
			if coloured == plain {
				t.Errorf("%s: no colour", name)
			}
			if diff := cmp.Diff(plain, trimmed(colourCode.ReplaceAllString(coloured, ""))); diff != "" {
				t.Errorf("%s, width %d: colours change the text:\n%s", name, width, diff)
			}
		}
	}
}

// trimmed takes the spaces off the ends of lines, which in coloured text stand
// before a colour's end.
func trimmed(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// FuzzTerminal: whatever a text is, nothing that acts on a terminal comes out.
func FuzzTerminal(f *testing.F) {
	for _, s := range []string{"a", "\x1b]0;x\x07", "\u202e", "\r", "\x9b31m", "世界", "e\u0301", "\xff", strings.Repeat("x", 300), "a\n\tb\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 2000 {
			t.Skip()
		}
		out := renderTerminal(t, hostileStream(s), TerminalOptions{Width: 70})
		var replay bytes.Buffer
		h := hostileStream(s)
		r := ReplayResult{Finding: h.Findings[0], Versions: h.Versions[0], Changed: []string{s}, Base: ReplaySide{Result: h.Findings[0].Base}, Head: ReplaySide{Result: h.Findings[0].Head}, Sites: []ReplaySite{{s, s, 1, s, s + "x"}}}
		if err := Replay(&replay, r, TerminalOptions{}); err != nil {
			t.Fatal(err)
		}
		for _, f := range h.Findings[2:] {
			if err := Replay(&replay, ReplayResult{Finding: f, Versions: h.Versions[0], Base: ReplaySide{Result: f.Base}, Head: ReplaySide{Result: f.Head}}, TerminalOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		for line := range strings.SplitSeq(out+replay.String(), "\n") {
			if line != visible(line) {
				t.Fatalf("text %q: %q", s, line)
			}
		}
	})
}

// TestTone: green is for work that was done and found nothing, and for nothing
// else.
func TestTone(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]tone{
		"figure1":              alert,
		"everything":           alert,
		"fails-test":           alert,
		"cut-off":              alert,
		"interrupted":          doubt,
		"nothing-explored":     doubt,
		"untouched":            doubt,
		"no-difference":        calm,
		"called":               calm,
		"reached":              alert,
		"no-executable-change": calm,
		"intended-only":        calm,
	} {
		p := newPage(fixture(t, name))
		if p.tone != want {
			t.Errorf("%s: tone %d, want %d", name, p.tone, want)
		}
		if green := strings.Contains(renderTerminal(t, fixture(t, name), TerminalOptions{Color: true}), bold+green); green != (want == calm) {
			t.Errorf("%s: green verdict: %v", name, green)
		}
	}
	empty := newPage(&event.Stream{})
	if empty.tone == calm {
		t.Error("an empty stream is green")
	}
}

func TestOrder(t *testing.T) {
	t.Parallel()
	var ids []string
	p := newPage(fixture(t, "everything"))
	for _, c := range slices.Concat(p.open, facetsOf(p.open), p.small) {
		ids = append(ids, c.representative.ID)
	}
	want := "a1b2c7 a1b2c6 a1b2c4 a1b2c8 a1b2c3 b0 b1 b2 b3 a1b2d2 a1b2c9 a1b2d1 a1b2d0"
	if len(p.small) != 4 {
		t.Errorf("%d of them small, want 4", len(p.small))
	}
	if got := strings.Join(ids, " "); got != want {
		t.Errorf("order %s\n want %s", got, want)
	}
}
