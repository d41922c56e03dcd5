package report

import (
	"fmt"
	"strings"

	"github.com/isodelta/isodelta/report/event"
)

// The parts of a Markdown report that are about relations.

// brokenList returns each function with a broken relation that no cluster shows an
// item.
func (m *markdown) brokenList(list []represented) string {
	var b strings.Builder
	for i, r := range list {
		fmt.Fprintf(&b, "- **R%d** %s<br><sub>%s</sub>\n", i+1, m.inline(relationClaim(r.Relation)), m.inline(say(aboutRelation(r.Relation), " · ", checked(r.Relation), r.others())))
	}
	return b.String()
}

// brokenDetails is the evidence of one broken relation, closed at first.
func (m *markdown) brokenDetails(n int, r represented) string {
	summary := fmt.Sprintf("<b>R%d</b> · %s", n, htmlCode(shorten(functionName(r.Function), siteLength)))
	if r.File != "" {
		summary += " at " + m.place(event.ChangedItem{File: r.File, Line: r.Line})
	}
	return fold(summary, m.relation(r.Relation)+m.relationTest(r.Relation)+m.nextOf(r.ID, r.Cause))
}

// relation is an item of a list, with the calls that break it in a table.
func (m *markdown) relation(r event.Relation) string {
	item := say("relation: ", quoted(shorten(r.Relation, relationLength)), ", ", aboutRelation(r), "; ", checked(r))
	return "- " + m.inline(item) + "\n\n" + m.counterexample(r)
}

func (m *markdown) counterexample(r event.Relation) string {
	if len(r.Counterexample) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("| call | base | head |\n| :-- | :-- | :-- |\n")
	for _, c := range counterexample(r) {
		head := inlineCode(c.head)
		if c.differ {
			head = "**" + head + "**"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", inlineCode(c.call), inlineCode(c.base), head)
		for _, p := range c.parts {
			fmt.Fprintf(&b, "| in it: %s | %s | **%s** |\n", inlineCode(p.path), inlineCode(p.base), inlineCode(p.head))
		}
	}
	return b.String()
}

func (m *markdown) relationTest(r event.Relation) string {
	if r.GoTest == "" {
		return ""
	}
	l := listingOf(r.GoTest, testHeight)
	file := testFile(r.GoTestFile, r.Package)
	intro := say("A test for ", file, " that "+testProves(r)+":")
	switch {
	case !l.exact:
		intro = say("A test for ", file, " that "+testProves(r)+". Not all of it can be shown here; the recorded stream holds it as it is:")
	case r.State == event.Broken:
		intro = say("If base is right, put this into ", file, "; it "+testProves(r)+":")
	}
	return "\n" + m.inline(intro) + "\n\n" + fenced("go", l.lines)
}

// oneEach adds a fold with a line for each function.
func (m *markdown) oneEach(add func(int, string), noun, rest string, list []represented) {
	if len(list) > 0 {
		add(extra, fold(inlineText(count(len(list), noun)+rest), m.lines(list)))
	}
}

// lines are the items of a list of relations.
func (m *markdown) lines(list []represented) string {
	var b strings.Builder
	for i, r := range list {
		if i == relationsListed {
			fmt.Fprintf(&b, "- and %s more\n", number(len(list)-relationsListed))
			break
		}
		fmt.Fprintf(&b, "- %s (%s; %s)\n", m.inline(relationClaim(r.Relation)), m.inline(aboutRelation(r.Relation)), m.inline(say(checked(r.Relation), r.others())))
	}
	return b.String()
}

// relations adds a fold of relations of one state: a line for each, and under the
// first what shows it.
func (m *markdown) relations(add func(int, string), noun, rest string, list []event.Relation) {
	if len(list) == 0 {
		return
	}
	var b strings.Builder
	b.WriteString(m.lines(alone(list)))
	tests := 0
	for _, r := range list[:min(len(list), relationsInFull)] {
		if len(r.Counterexample) == 0 && r.GoTest == "" || r.State == event.Kept {
			continue
		}
		fmt.Fprintf(&b, "\n%s:\n\n%s", inlineCode(shorten(r.Relation, relationLength)), m.counterexample(r))
		if tests++; tests <= relationTests {
			b.WriteString(m.relationTest(r))
		}
	}
	add(extra, fold(inlineText(count(len(list), noun)+rest), b.String()))
}
