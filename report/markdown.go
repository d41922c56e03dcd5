package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/isodelta/isodelta/report/event"
)

// MarkdownOptions fit the report to where it is shown.
type MarkdownOptions struct {
	// Limit is the largest size in bytes, 0 for none; GitHub takes 65,536
	// characters in a comment and 1 MiB in a step summary. The report is cut at
	// the borders of its sections, evidence before claims, and says so. Verdict
	// and notes are never cut, so a limit below about 4,096 may be exceeded.
	Limit int
	// Link gives the address of a line of the head version, "" for none. It is
	// called with names from the stream; nil makes no links.
	Link func(file string, line int) string
}

// Markdown writes the report as GitHub-flavoured Markdown. It returns the error
// of w.
func Markdown(w io.Writer, s *event.Stream, opt MarkdownOptions) error {
	m := &markdown{link: opt.Link}
	_, err := io.WriteString(w, fit(m.sections(newPage(s)), opt.Limit))
	return err
}

type markdown struct {
	link func(file string, line int) string
}

// part is a section; those with a higher rank are left out first, and among
// equals the last one.
type part struct {
	text string
	rank int
}

// Ranks of sections.
const (
	needed = iota
	useful
	numbers
	evidence
	extra
)

func (m *markdown) sections(p page) []part {
	parts := []part{{m.head(p), needed}}
	add := func(rank int, text string) {
		if text != "" {
			parts = append(parts, part{text, rank})
		}
	}
	full := p.open[:min(len(p.open), detailed)]
	add(useful, m.table(full, 0))
	for i, c := range full {
		add(evidence, m.details(i+1, c))
	}
	if rest := p.open[len(full):]; len(rest) > 0 {
		add(extra, fold(htmlText(count(len(rest), "more behaviour change")), m.table(rest, detailed)))
	}
	if len(p.intended) > 0 {
		summary := htmlText(count(len(p.intended), "intended change") + ": the tests' expectations were edited")
		add(extra, fold(summary, m.table(p.intended, 0)))
	}
	add(numbers, m.legend(p))
	add(numbers, m.explored(p))
	add(numbers, m.called(p))
	add(numbers, m.missed(p))
	add(needed, m.footer(p))
	return parts
}

// fit leaves sections out until the rest is small enough.
func fit(parts []part, limit int) string {
	for {
		text := joined(parts)
		if limit <= 0 || len(text) <= limit {
			return text
		}
		worst := -1
		for i, p := range parts {
			if p.rank > needed && p.text != cut && (worst < 0 || p.rank >= parts[worst].rank) {
				worst = i
			}
		}
		if worst < 0 {
			return text
		}
		parts[worst].text = cut
	}
}

// cut stands for sections that were left out.
const cut = "*Left out to fit the size allowed here; the full report has it.*\n"

func joined(parts []part) string {
	var texts []string
	for _, p := range parts {
		if n := len(texts); p.text == cut && n > 0 && texts[n-1] == cut {
			continue
		}
		texts = append(texts, p.text)
	}
	return strings.Join(texts, "\n")
}

func (m *markdown) head(p page) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### isodelta: %s\n\n", m.inline(p.verdict))
	for _, c := range p.compared {
		fmt.Fprintf(&b, "%s\\\n", m.inline(c))
	}
	text := strings.TrimSuffix(b.String(), "\\\n") + "\n"
	for _, n := range p.notes {
		text += "\n> " + m.inline(n) + "\n"
	}
	return text
}

func (m *markdown) table(list []cluster, from int) string {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("| | what differs | evidence |\n| :-: | --- | --- |\n")
	for i, c := range list {
		f := c.voice
		seen := say(badge(f), ", in ", quoted(shorten(f.Test, siteLength)))
		if f.Rung == event.Reached {
			seen = say(badge(f), ", ", way(f))
		}
		if c.size > 1 {
			seen = say(seen, " and "+count(c.size-1, "more finding"))
		}
		fmt.Fprintf(&b, "| %d | %s | %s · %s |\n", from+i+1, m.inline(claim(f)), m.inline(seen), inlineCode(shorten(f.ID, valueLength)))
	}
	return b.String()
}

func (m *markdown) details(n int, c cluster) string {
	f := c.voice
	var b strings.Builder
	base, head := valueLines(f.Base.Value, f.Head.Value, noValue(f, f.Base), noValue(f, f.Head))
	if base == nil && f.Rung != event.Reached {
		base, head = valueLines(f.Base.Message, f.Head.Message, "(no message)", "(no message)")
	}
	if f.Rung == event.Reached {
		b.WriteString(m.callDiff(f, base, head))
	} else if base != nil {
		site := f.Base.Site
		if site == "" {
			site = f.Head.Site
		}
		var lines []string
		if site != "" {
			lines = append(lines, "  "+shorten(site, valueWidth))
		}
		b.WriteString(fenced("diff", append(lines, append(prefixed("- ", base), prefixed("+ ", head)...)...)))
		b.WriteString("\n")
	}
	item := func(label string, p phrase) { fmt.Fprintf(&b, "- %s: %s\n", label, m.inline(p)) }
	if f.Rung == event.Reached {
		item("called", target(f))
		item("found", found(f))
		if len(f.Merged) > 0 {
			fmt.Fprintf(&b, "- %s\n", m.inline(negating(f)))
		}
	} else {
		item("test", say(testOf(f), "; it "+outcomes(f)))
	}
	for _, neg := range f.Negations {
		fmt.Fprintf(&b, "- forced: %s%s\n", m.inline(forced(neg)), m.anchor(neg.File, neg.Line))
	}
	if len(f.Changed) > 0 {
		item("changed functions that ran", names(f.Changed, listed))
	}
	if c.size > 1 {
		item("also", also(c))
	}
	item("replay", quoted(replayCommand(f.ID)))
	b.WriteString(m.goTest(f))
	return fold(fmt.Sprintf("<b>%d</b> · %s", n, m.summary(f)), b.String())
}

// callDiff shows the call, and under it what it gives on each side.
func (m *markdown) callDiff(f event.Finding, base, head []string) string {
	lines := prefixed("  ", inputLines(f, inputHeight))
	if c := component(f); c != aboutResult && f.Component != "panic" {
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
	l := listingOf(f, testHeight)
	intro := say("Put this into ", fileOf(f), " if base is right; it passes on base and fails on head:")
	if !l.exact {
		intro = say("A test for ", fileOf(f), " that passes on base and fails on head; not all of it can be shown here, and replay with --test prints it as it is:")
	}
	return "\n" + m.inline(intro) + "\n\n" + fenced("go", l.lines)
}

func outcomes(f event.Finding) string {
	if f.Base.Outcome == f.Head.Outcome {
		return outcome(f.Base.Outcome) + " on both"
	}
	return outcome(f.Base.Outcome) + " on base, " + outcome(f.Head.Outcome) + " on head"
}

// summary is the line that opens a fold: what is concerned, in HTML.
func (m *markdown) summary(f event.Finding) string {
	concerned := f.Function
	if concerned == "" {
		concerned = f.Test
	}
	return htmlCode(shorten(concerned, siteLength)) + htmlText(" · "+badge(f))
}

func prefixed(prefix string, lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = prefix + l
	}
	return out
}

func (m *markdown) legend(p page) string {
	var b strings.Builder
	for _, l := range legend(append(append([]cluster(nil), p.open...), p.intended...)) {
		fmt.Fprintf(&b, "<sub>%s</sub>\\\n", m.inline(l))
	}
	if b.Len() == 0 {
		return ""
	}
	return strings.TrimSuffix(b.String(), "\\\n") + "\n"
}

func (m *markdown) explored(p page) string {
	if len(p.explored) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("| explored | |\n| --- | --- |\n")
	for _, r := range p.explored {
		fmt.Fprintf(&b, "| **%s** | %s |\n", r.label, m.inline(r.text))
	}
	return b.String()
}

// called lists the functions that calls of our own were made to.
func (m *markdown) called(p page) string {
	if len(p.called.items) == 0 {
		return ""
	}
	return fold(htmlText(p.called.title), m.items("", p.called))
}

// items writes a list, indented.
func (m *markdown) items(indent string, l list) string {
	var b strings.Builder
	for _, i := range l.items {
		fmt.Fprintf(&b, "%s- %s\n", indent, m.inline(i))
	}
	if l.more > 0 {
		fmt.Fprintf(&b, "%s- and %s more\n", indent, number(l.more))
	}
	return b.String()
}

func (m *markdown) missed(p page) string {
	if len(p.missed) == 0 {
		return ""
	}
	var b strings.Builder
	for _, l := range p.missed {
		fmt.Fprintf(&b, "- %s\n%s", inlineText(l.title), m.items("  ", l))
	}
	return fold(htmlText("Not explored: "+count(len(p.missed), "reason")), b.String())
}

func (m *markdown) footer(p page) string {
	if len(p.footer) == 0 {
		return ""
	}
	return "<sub>" + m.inline(dots(p.footer)) + "</sub>\n"
}

// fold hides a body behind a summary, which is HTML.
func fold(summary, body string) string {
	return "<details><summary>" + summary + "</summary>\n\n" + strings.TrimRight(body, "\n") + "\n\n</details>\n"
}

// htmlText writes our own words in an HTML block.
func htmlText(s string) string { return inlineText(s) }

func (m *markdown) inline(p phrase) string {
	var b strings.Builder
	for _, s := range p {
		switch s.style {
		case code, name:
			b.WriteString(inlineCode(s.text))
		case strong:
			b.WriteString("**" + inlineText(s.text) + "**")
		case prose:
			b.WriteString(inlineProse(s.text))
		default:
			b.WriteString(inlineText(s.text))
		}
	}
	return b.String()
}

// anchor links to a line of head, where the caller knows how.
func (m *markdown) anchor(file string, line int) string {
	if m.link == nil {
		return ""
	}
	address := m.link(file, line)
	if address == "" {
		return ""
	}
	return ` (<a href="` + attribute(address) + `">source</a>)`
}

// attribute writes an address so that it can neither end the attribute nor
// name a scheme that runs something.
func attribute(address string) string {
	if !strings.HasPrefix(address, "https://") && !strings.HasPrefix(address, "http://") {
		return "#"
	}
	var b strings.Builder
	for i := range len(address) {
		c := address[i]
		if isAlphanumeric(rune(c)) || strings.IndexByte("/:.-_~?#=&%+", c) >= 0 {
			if c == '&' {
				b.WriteString("&amp;")
				continue
			}
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}
