package report

import (
	"fmt"
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/report/event"
)

// details is the evidence of one cluster, closed at first: the two values, how
// they were got, the test to paste, and what to do next.
func (m *markdown) details(n int, c cluster) string {
	f := c.representative
	var b strings.Builder
	b.WriteString(m.values(f))
	item := func(p phrase) { fmt.Fprintf(&b, "- %s\n", m.inline(p)) }
	hunks := m.blame.hunks(f)
	if f.Rung == event.Reached {
		item(say("called: ", target(f)))
		if f.Entry != "" {
			item(say("reached ", found(f)))
		}
		if len(f.Merged) > 0 {
			item(negating(f))
		}
	} else {
		item(say("test: ", testOf(f), "; it "+outcomes(f)))
	}
	for _, neg := range f.Negations {
		fmt.Fprintf(&b, "- forced: %s%s\n", m.inline(forced(neg)), m.source(neg.File, neg.Line))
	}
	if p := whenDiffers(f.When); p != nil {
		item(p)
	}
	if p := perhapsMeant(c); p != nil {
		item(say("meant? ", p))
	}
	if p := given(f, event.MaxGiven); p != nil {
		item(say("given: ", p))
	}
	if p := inParts(f); p != nil {
		item(say("in it, ", p))
	}
	if p := signed(f); p != nil {
		item(say("signature: ", p))
	}
	if p := m.blame.through(f); p != nil {
		item(say("through ", p))
	}
	if len(f.Changed) > min(len(hunks), blamed) {
		item(say("changed functions that ran: ", names(functionNames(f.Changed), listed)))
	}
	if len(c.beside) > 0 {
		item(say("with it, ", beside(c.beside)))
	}
	if c.size > 1 {
		item(also(c))
	}
	for i, p := range facets(c, listed) {
		line := m.inline(say("besides, ", p))
		if command := m.accept(c.facets[i].representative.Cause); command != "" && i < listed {
			line += " · if that is meant: " + command
		}
		fmt.Fprintf(&b, "- %s\n", line)
	}
	if p := acceptedBy(f); p != nil {
		item(p)
	}
	if p := bearing(c); p != nil {
		item(p)
	}
	if c.shown != nil {
		b.WriteString(m.relation(*c.shown))
	}
	b.WriteString(m.goTest(f))
	if c.shown != nil && f.GoTest == "" {
		b.WriteString(m.relationTest(*c.shown))
	} else if c.shown != nil && c.shown.GoTest != "" {
		b.WriteString("\n" + fold("A test of the relation", m.relationTest(*c.shown)))
	}
	b.WriteString(m.next(f))
	return fold(fmt.Sprintf("<b>%d</b> · %s", n, m.summary(f)), b.String())
}

// blamed is the largest number of places on the line that opens a fold.
const blamed = 2

// summary is the line that opens a fold, in HTML: what is concerned, and the
// change that is to blame.
func (m *markdown) summary(f event.Finding) string {
	concerned := functionName(f.Function)
	if concerned == "" {
		concerned = f.Test
	}
	text := htmlCode(shorten(concerned, siteLength))
	hunks := m.blame.hunks(f)
	if len(hunks) == 0 {
		return text
	}
	for i, h := range hunks[:min(len(hunks), blamed)] {
		how := " · changed at "
		if h.Status == event.StatusThrough {
			how = " · calls it at "
		}
		text += []string{how, ", "}[min(i, 1)] + m.place(h)
	}
	if more := len(hunks) - blamed; more > 0 {
		text += " and " + number(more) + " more"
	}
	return text
}

// values shows what was asked, and under it what each side gives.
func (m *markdown) values(f event.Finding) string {
	base, head := valueLines(f.Base.Value, f.Head.Value, noValue(f, f.Base), noValue(f, f.Head))
	if f.Rung == event.Reached {
		return m.callDiff(f, base, head)
	}
	if base == nil {
		base, head = valueLines(f.Base.Message, f.Head.Message, "(no message)", "(no message)")
	}
	if base == nil {
		return ""
	}
	var lines []string
	if site := f.Base.Site + f.Head.Site; site != "" {
		if f.Base.Site != "" {
			site = f.Base.Site
		}
		lines = append(lines, "  "+shorten(site, valueWidth))
	}
	return fenced("diff", append(lines, append(prefixed("- ", base), prefixed("+ ", head)...)...)) + "\n"
}

// callDiff shows the call, and under it what it gives on each side.
func (m *markdown) callDiff(f event.Finding, base, head []string) string {
	lines := prefixed("  ", inputLines(f, inputHeight))
	if c := component(f); c != aboutResult && c != aboutVariable && f.Component != event.ComponentPanic {
		lines = append(lines, "  // "+shorten(f.Component, nameLength)+":")
	}
	if base == nil {
		base, head = []string{noValue(f, f.Base)}, []string{noValue(f, f.Head)}
	}
	side := func(prefix string, values []string, r event.Result) []string {
		out := prefixed(prefix, values)
		if breaks(r) && r.Message != "" {
			for i, l := range whole(r.Message) {
				if i == valueHeight {
					break
				}
				out = append(out, prefix+shorten(l, valueWidth))
			}
		}
		return out
	}
	lines = append(append(lines, side("- ", base, f.Base)...), side("+ ", head, f.Head)...)
	return fenced("diff", lines) + "\n"
}

// goTest is the test to paste.
func (m *markdown) goTest(f event.Finding) string {
	if f.GoTest == "" {
		return ""
	}
	l := listingOf(f.GoTest, testHeight)
	intro := say("If base is right, put this into ", fileOf(f), "; it passes on base and fails on head:")
	if !l.exact {
		intro = say("A test for ", fileOf(f), " that passes on base and fails on head. Not all of it can be shown here; replay with --test prints it as it is:")
	}
	return "\n" + m.inline(intro) + "\n\n" + fenced("go", l.lines)
}

// next says what a reader can do about it.
func (m *markdown) next(f event.Finding) string {
	return m.nextOf(f.Cluster, f.Cause)
}

// nextOf says it of whatever has an identifier and a cause.
func (m *markdown) nextOf(id, cause string) string {
	text := "Replay: " + inlineCode(replayCommand(id))
	if command := m.accept(cause); command != "" {
		text = "If head is meant: " + command + " · replay: " + inlineCode(replayCommand(id))
	}
	return "\n" + text + "\n"
}

// accept is the comment that accepts a cause; "" where nobody reads comments.
func (m *markdown) accept(cause string) string {
	if !m.opt.Commands || !causeHash().MatchString(cause) {
		return ""
	}
	return inlineCode("/isodelta accept " + cause[:commandDigits] + " why it is meant")
}

// commandDigits of a cause stand in a comment that accepts it: enough that no
// other code can be made to have them, see package acceptance.
const commandDigits = 32

var causeHash = lazyregexp.New(`^[0-9a-f]{64}$`)

// acceptance says who took a difference on, and why. A name in an entry that
// head adds is not shown: whoever wrote the entry could write any.
func acceptance(f event.Finding) phrase {
	if f.Intended {
		return acceptanceOf(f.Accepted, nil)
	}
	return acceptanceOf(f.Accepted, f.Proposed)
}

// acceptanceOf says so of whatever can be accepted.
func acceptanceOf(accepted, proposed *event.Acceptance) phrase {
	a, p := accepted, words("; accepted")
	if a == nil && proposed != nil {
		a, p = proposed, words("; head's own configuration accepts it, which does not count")
	}
	if a == nil {
		return nil
	}
	if a.By != "" && a.From != "head" && accepted != nil {
		p = say(p, " by ", named(shorten(a.By, valueLength)))
	}
	switch {
	case accepted == nil:
	case a.From == "config":
		p = say(p, " in the configuration")
	case a.From == "comment":
		p = say(p, " in a comment")
	case a.From == "head":
		p = say(p, " by an entry that head itself adds to the configuration")
	}
	if a.Expires != "" {
		p = say(p, " until ", named(shorten(a.Expires, 20)))
	}
	if a.Reason != "" {
		p = say(p, ": ", span{shorten(a.Reason, reasonLength), prose})
	}
	return p
}

func outcomes(f event.Finding) string {
	if f.Base.Outcome == f.Head.Outcome {
		return outcome(f.Base.Outcome) + " on both"
	}
	return outcome(f.Base.Outcome) + " on base, " + outcome(f.Head.Outcome) + " on head"
}

func prefixed(prefix string, lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = prefix + l
	}
	return out
}
