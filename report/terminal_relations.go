package report

import (
	"strings"

	"github.com/rivo/uniseg"

	"github.com/isodelta/isodelta/report/event"
)

// The parts of a terminal report that are about relations and adequacy.

// relations shows what no cluster does: broken ones in full, the others in short.
func (t *terminal) relations(p page) {
	group := func(title string, list []represented, full int) {
		if len(list) == 0 {
			return
		}
		t.title(title)
		for i, r := range list {
			if i == relationsListed {
				t.block(2, "", 0, words("and "+number(len(list)-relationsListed)+" more"))
				break
			}
			t.relation(r.Relation, i < full, r.others())
		}
	}
	if len(p.broken) > 0 {
		t.title("Broken relations")
		for i, r := range p.broken {
			if i > 0 {
				t.line("")
			}
			t.relation(r.Relation, true, r.others())
		}
	}
	group("Broken relations of more functions", p.further, 0)
	group("Broken relations that are accepted, or of differences that are intended or accepted", oneEach(p.settled), 0)
	group("Violated relations: declared, and true on neither version", alone(p.violated), relationsInFull)
	group("New relations: true on head and not on base", oneEach(p.gained), 0)
}

// relation shows one, and with full what shows it.
func (t *terminal) relation(r event.Relation, full bool, others phrase) {
	t.block(2, "", 0, relationClaim(r), bold)
	about := say(aboutRelation(r), "; ", checked(r), others)
	if place := relationPlace(r); place != nil {
		about = say(about, "; see ", place)
	}
	t.block(4, "", 0, about, dim)
	if full {
		t.line("")
		t.counterexample(r)
		if r.State == event.Broken {
			t.block(t.indent, "replay", labelWidth, say(span{replayCommand(r.ID), prose}))
		}
		t.relationTest(r)
	}
}

// counterexample shows the calls of a group one below the other, each with what
// both sides give.
func (t *terminal) counterexample(r event.Relation) {
	for i, c := range counterexample(r) {
		if i == 0 {
			t.row("", []string{"base"}, []string{"head"}, dim, dim)
		}
		t.block(t.indent, "call", labelWidth, named(c.call))
		colours := []string{}
		if c.differ {
			colours = []string{red, green}
		}
		t.row("gives", []string{c.base}, []string{c.head}, colours...)
		for _, p := range c.parts {
			t.block(t.indent, "in it", labelWidth, named(p.path))
			t.row("", []string{p.base}, []string{p.head}, red, green)
		}
	}
}

func (t *terminal) relationTest(r event.Relation) {
	if r.GoTest == "" {
		return
	}
	l := listingOf(r.GoTest, testTerminal).spaced()
	margin := t.indent + 4
	file := testFile(r.GoTestFile, r.Package)
	if !l.exact || !all(l.lines, func(line string) bool { return uniseg.StringWidth(line) <= t.width-margin }) {
		t.block(t.indent, "go test", labelWidth, say(span{replayCommand(r.ID) + " --test", prose}, " prints one that "+testProves(r)+", for ", file))
		return
	}
	t.block(t.indent, "go test", labelWidth, say(testProves(r)+"; put it into ", file, ":"))
	t.line("")
	for _, line := range l.lines {
		t.line(strings.Repeat(" ", margin) + line)
	}
}

// measures shows how thorough the testing was, a line for each criterion.
func (t *terminal) measures(p page) {
	if len(p.measures) == 0 || !p.thorough() {
		return
	}
	t.title("How thorough the testing was")
	for _, m := range p.measures {
		text := m.share(m.head) + " on head"
		if m.base != nil {
			text = m.share(m.base) + " on base, " + text
		}
		if d := m.delta(); d != "" {
			text += " (" + d + ")"
		}
		t.block(2, "", 0, say(m.label, ": "+text))
	}
	if n := len(p.parts) + p.unlisted; n > 0 {
		t.block(2, "", 0, words(count(n, "number")+" of packages and functions "+isAre(n)+" in the other formats"))
	}
}
