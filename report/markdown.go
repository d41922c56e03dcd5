package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/report/event"
)

// MarkdownOptions fit the report to where it is shown. The zero value makes a
// report without links, of any size.
type MarkdownOptions struct {
	// Limit is the largest size in bytes, 0 for none; GitHub takes 65,536
	// characters in a comment and 1 MiB in a step summary. The report is cut at
	// the borders of its sections, evidence before claims, and says so. Verdict
	// and notes are never cut, so a limit below about 4,096 may be exceeded.
	Limit int
	// Link gives the address of a line of a version, "base" or "head"; "" for
	// none. Where it ends with "#L" and the line, the end of a range is added. It
	// is called with names from the stream. Nil makes no links.
	Link func(side, file string, line int) string
	// Commit gives the address of a commit by its full hash, "" for none. It is
	// called with hashes from the stream. Nil makes no links.
	Commit func(hash string) string
	// Run is the address of the run that made the report, and Report the one of
	// the whole report, such as an artifact; "" for none.
	Run, Report string
	// Commands shows the comments that isodelta understands: where it reads them.
	Commands bool
	// Key tells the reports of one pull request apart; "" and DefaultKey stand for
	// the only one.
	Key string
}

// DefaultKey is the key of a report where nobody chose one.
const DefaultKey = "isodelta"

// Markdown writes the report as GitHub-flavoured Markdown. It returns the error
// of w. Of a foreign stream no Go test is shown: nobody shall paste a stranger's
// code because we told them to.
func Markdown(w io.Writer, s *event.Stream, opt MarkdownOptions) error {
	if s.Foreign {
		s = withoutTests(s)
	}
	p := newPage(s)
	m := &markdown{opt: opt, blame: p.blame}
	_, err := io.WriteString(w, fit(m.sections(p), opt.Limit, m.cut()))
	return err
}

type markdown struct {
	opt   MarkdownOptions
	blame blame
}

func (m *markdown) sections(p page) []part {
	parts := []part{{m.head(p), needed}}
	add := func(rank int, text string) {
		if text != "" {
			parts = append(parts, part{text, rank})
		}
	}
	full := p.open[:min(len(p.open), detailed)]
	add(useful, m.numbered(full, 0))
	for i, c := range full {
		add(evidence, m.details(i+1, c))
	}
	add(useful, m.brokenList(p.broken))
	for i, r := range p.broken {
		add(evidence, m.brokenDetails(i+1, r))
	}
	m.oneEach(add, "more function", " with broken relations", p.further)
	rest := p.open[len(full):]
	m.folded(add, extra, count(len(rest), "more behaviour change"), rest, detailed)
	m.folded(add, extra, count(len(p.small), "small difference")+": "+smallKinds, p.small, 0)
	m.folded(add, extra, count(len(p.intended), "intended change")+": the change edits what a test expects", p.intended, 0)
	m.folded(add, extra, count(len(p.accepted), "accepted change"), p.accepted, 0)
	m.relations(add, "broken relation", ", accepted or of differences that are intended or accepted", p.settled)
	m.relations(add, "violated relation", ": declared, and true on neither version", p.violated)
	m.oneEach(add, "function", " with new relations: true on head and not on base", oneEach(p.gained))
	if p.thorough() {
		add(numbers, m.adequacy(p))
		add(numbers, m.explored(p))
	}
	add(numbers, m.missed(p))
	add(needed, m.footer(p))
	return parts
}

// cut stands for sections that were left out.
func (m *markdown) cut() string {
	where := "`isodelta report` shows all of it from the recorded stream"
	if attribute(m.opt.Report) != "" {
		where = anchor(m.opt.Report, "the full report") + " has it"
	} else if attribute(m.opt.Run) != "" {
		where = "the artifacts of " + anchor(m.opt.Run, "the run") + " have it"
	}
	return "*Left out to fit the size allowed here; " + where + ".*\n"
}

func (m *markdown) head(p page) string {
	title := "### isodelta"
	if m.opt.Key != "" && m.opt.Key != DefaultKey {
		title += " (" + inlineCode(shorten(m.opt.Key, siteLength)) + ")"
	}
	text := title + ": " + m.inline(p.verdict) + "\n"
	if p.settings != nil {
		text += "\n> " + m.inline(p.settings) + "\n"
	}
	if lines := m.comparisons(p); lines != "" {
		text += "\n" + lines + "\n"
	}
	if lines := m.upgrades(p); lines != "" {
		text += "\n" + lines + "\n"
	}
	for _, n := range p.notes {
		text += "\n> " + m.inline(n) + "\n"
	}
	return text
}

// comparisons says what was compared with what, and where more is.
func (m *markdown) comparisons(p page) string {
	var lines []string
	for _, c := range p.compared {
		line := "Comparing " + m.version("base", c.base) + " with " + m.version("head", c.head)
		if len(p.compared) > 1 {
			line += " in " + m.inline(c.module)
		}
		if c.changed > 0 {
			line += " · " + count(c.changed, "function") + " changed"
		}
		lines = append(lines, line)
	}
	if n := len(lines); n > listed {
		lines = append(lines[:listed:listed], "and "+count(n-listed, "more module"))
	}
	if links := m.links(); links != "" {
		lines = append(lines, links)
		if len(lines) == 2 {
			return lines[0] + " · " + lines[1]
		}
	}
	return strings.Join(lines, "\\\n")
}

// upgrades says which dependencies have other code, with a link to what changed in them.
func (m *markdown) upgrades(p page) string {
	var lines []string
	for _, u := range p.upgrades {
		lines = append(lines, m.inline(u.module)+" "+anchor(u.address, m.inline(u.versions))+": "+m.inline(u.says))
	}
	if p.unnamed > 0 {
		lines = append(lines, "and "+count(p.unnamed, "more dependency"))
	}
	return strings.Join(lines, "\\\n")
}

func (m *markdown) links() string {
	var links []string
	if attribute(m.opt.Report) != "" {
		links = append(links, anchor(m.opt.Report, "full report"))
	}
	if attribute(m.opt.Run) != "" {
		links = append(links, anchor(m.opt.Run, "run"))
	}
	return strings.Join(links, " · ")
}

func (m *markdown) version(side string, v version) string {
	switch {
	case v.commit == "" && len(v.name) == 0:
		return side
	case v.commit == "":
		return m.inline(v.name) + " (" + side + ")"
	}
	text := m.commit(v.commit) + " (" + side
	if len(v.name) > 0 {
		text += ", " + m.inline(v.name)
	}
	return text + ")"
}

func (m *markdown) commit(hash string) string {
	text := inlineCode(shortHash(hash))
	if m.opt.Commit == nil || !commitName().MatchString(hash) {
		return text
	}
	return anchor(m.opt.Commit(hash), text)
}

// folded adds a list that is closed at first.
func (m *markdown) folded(add func(int, string), rank int, title string, list []cluster, from int) {
	if len(list) > 0 {
		add(rank, fold(inlineText(title), m.numbered(list, from)))
	}
}

// numbered returns each cluster an item of a list: what differs, and under it how that is known.
// Long code breaks in a list, and makes a table wider than a telephone is.
func (m *markdown) numbered(list []cluster, from int) string {
	var b strings.Builder
	for i, c := range list[:min(len(list), brief)] {
		f := c.representative
		what := m.inline(claim(f))
		if p := whenDiffers(f.When); p != nil {
			what += "<br>" + m.inline(p)
		}
		if p := breaksProperty(c); p != nil {
			what += "<br>" + m.inline(p)
		}
		if i > 0 {
			b.WriteByte('\n') // room between the items
		}
		bullet := fmt.Sprintf("%d. ", from+i+1)
		fmt.Fprintf(&b, "%s%s<br><sub>%s · %s</sub>\n", bullet, what, m.inline(say(proven(c), more(c), meantInShort(c), acceptance(f))), inlineCode(shorten(f.Cluster, valueLength)))
		for _, p := range facets(c, shownFacets) {
			fmt.Fprintf(&b, "%s- besides, %s\n", strings.Repeat(" ", len(bullet)), m.inline(p))
		}
	}
	if n := len(list) - brief; n > 0 {
		fmt.Fprintf(&b, "\nand %s more\n", number(n))
	}
	return b.String()
}

func (m *markdown) adequacy(p page) string {
	if len(p.measures)+len(p.parts) == 0 {
		return ""
	}
	short := ""
	if line := adequacyInShort(p.measures); line != nil {
		short = "Adequacy of the testing: " + m.inline(line) + "\n\n"
	}
	var b strings.Builder
	m.measures(&b, "adequacy of the testing", p.measures)
	if len(p.parts) > 0 {
		b.WriteString("\n")
		m.measures(&b, "by package and function", p.parts)
	}
	if p.unlisted > 0 {
		fmt.Fprintf(&b, "\nand %s more\n", number(p.unlisted))
	}
	return short + fold("Adequacy in numbers", b.String())
}

func (m *markdown) measures(b *strings.Builder, title string, list []measure) {
	b.WriteString("| " + title + " | base | head | |\n| :-- | --: | --: | --: |\n")
	for _, a := range list {
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", m.inline(a.label), inlineText(a.share(a.base)), inlineText(a.share(a.head)), inlineText(a.delta()))
	}
}

// explored is the method: the rungs, the numbers, and the functions called.
func (m *markdown) explored(p page) string {
	var b strings.Builder
	for _, l := range legend(p.all()) {
		fmt.Fprintf(&b, "- %s\n", m.inline(l))
	}
	if len(p.explored) > 0 {
		b.WriteString("\n| explored | |\n| --- | --- |\n")
		for _, r := range p.explored {
			fmt.Fprintf(&b, "| **%s** | %s |\n", r.label, m.inline(r.text))
		}
	}
	if len(p.called.items) > 0 {
		fmt.Fprintf(&b, "\n%s\n\n%s", m.inline(p.called.title), m.items("", p.called))
	}
	if b.Len() == 0 {
		return ""
	}
	return fold("What was explored, and how", b.String())
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
		fmt.Fprintf(&b, "- %s\n%s", m.inline(l.title), m.items("  ", l))
	}
	return fold("Not explored: "+count(len(p.missed), "reason"), b.String())
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

// place is a range of lines with a link to it, in HTML.
func (m *markdown) place(c event.ChangedItem) string {
	text := htmlCode(lineRange(c))
	if m.opt.Link == nil || c.Line <= 0 {
		return text
	}
	address := m.opt.Link(sideOf(c), c.File, c.Line)
	if line := "#L" + strconv.Itoa(c.Line); strings.HasSuffix(address, line) && c.EndLine > c.Line {
		address += "-L" + strconv.Itoa(c.EndLine)
	}
	return anchor(address, text)
}

// source links to a line of head.
func (m *markdown) source(file string, line int) string {
	if m.opt.Link == nil || file == "" || line <= 0 {
		return ""
	}
	if link := anchor(m.opt.Link("head", file, line), "source"); link != "source" {
		return " (" + link + ")"
	}
	return ""
}
