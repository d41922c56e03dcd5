package report

import (
	"strings"

	"github.com/rivo/uniseg"

	"github.com/isodelta/isodelta/report/event"
)

// What a report for a terminal shows that is not asked for all, in lines or members.
const (
	shortHeight  = 60
	shortNotes   = 3
	shortInput   = 8 // lines of the code of an input
	shortNames   = 3 // changed functions
	shortFacets  = 2
	shortSettled = 3 // clusters that are small, intended or accepted
	shortGaps    = 4 // lines on what was not explored
	shortMeasure = 3 // lines on the adequacy of the testing
)

// short shows what a reader needs first, on a screen or two: what differs, worst first, as
// much in full as there is room for; then a line or two each on how thorough the testing
// was, on what was explored, and on what was not.
func (t *terminal) short(p page, whole string) {
	t.heading(p, shortNotes)
	tail := t.part(func(t *terminal) {
		t.settledInShort(p)
		t.line("")
		t.atMost(shortMeasure, func(t *terminal) { t.labelled("adequacy", adequacyInShort(p.measures)) })
		t.labelled("explored", p.work)
		for _, g := range p.missed {
			switch {
			case g.wrong:
				t.atMost(shortGaps, func(t *terminal) { t.labelled("wrong", inOne(g)) })
			case p.inDoubt() && len(g.items) > 0:
				t.atMost(shortGaps, func(t *terminal) { t.labelled("because", inOne(g)) })
			}
		}
		t.atMost(shortGaps, func(t *terminal) { t.labelled("left out", gapsInShort(p)) })
		if len(p.footer) > 0 {
			t.block(0, "", 0, dots(p.footer), dim)
		}
		if whole != "" {
			t.block(0, "", 0, say(span{whole, prose}, " shows all of it"), dim)
		}
	})
	t.items(p, shortHeight-len(t.lines)-len(tail))
	t.lines = append(t.lines, tail...)
}

// part returns the lines that show writes.
func (t *terminal) part(show func(*terminal)) []string {
	sub := &terminal{ink: t.ink, width: t.width, indent: t.indent}
	show(sub)
	return sub.lines
}

// atMost writes at most n lines of those that show writes.
func (t *terminal) atMost(n int, show func(*terminal)) {
	lines := t.part(show)
	if len(lines) > n {
		last := lines[n-1]
		if i := strings.LastIndexByte(last, ' '); uniseg.StringWidth(last)+len(" .") > t.width && i > 0 {
			last = strings.TrimRight(last[:i], " ")
		}
		lines = append(lines[:n-1:n-1], last+" …")
	}
	t.lines = append(t.lines, lines...)
}

// labelled writes a phrase behind a label, unless there is nothing to say.
func (t *terminal) labelled(label string, p phrase) {
	if p != nil {
		t.block(0, label, labelWidth, p)
	}
}

// items shows what differs within so many lines: as many in full as there is room for, but
// the first in any case, then some in short, and of the rest the number.
func (t *terminal) items(p page, height int) {
	type item struct{ full, brief func(*terminal) }
	var list []item
	for i, c := range p.open {
		list = append(list, item{
			func(t *terminal) { t.line(""); t.clusterInShort(i+1, c, p.blame) },
			func(t *terminal) { t.inBrief(i+1, c) },
		})
	}
	for _, r := range append(p.broken[:len(p.broken):len(p.broken)], p.further...) {
		show := func(t *terminal) { t.relation(r.Relation, false, r.others()) }
		list = append(list, item{func(t *terminal) { t.line(""); show(t) }, show})
	}
	const few, each = 3, 3 // of those that follow: so many should have room in short, in so many lines
	inFull := true
	for i, x := range list {
		lines, rest := t.part(x.full), len(list)-i-1
		if inFull = inFull && (i == 0 || len(lines)+min(rest, few)*each <= height); !inFull {
			lines = t.part(x.brief)
			if len(lines)+min(rest, 1) > height {
				t.block(2, "", 0, words("and "+number(rest+1)+" more"))
				return
			}
		}
		t.lines = append(t.lines, lines...)
		height -= len(lines)
	}
}

// clusterInShort shows one without tables of values.
func (t *terminal) clusterInShort(n int, c cluster, b blame) {
	f := c.representative
	t.claimed(n, c)
	t.input(f, shortInput)
	t.facts(c, b, shortNames)
	if c.size > 1 {
		t.block(4, "also", labelWidth, also(c))
	}
	t.facets(c, shortFacets)
	replay := say(span{replayCommand(f.Cluster), prose})
	if f.GoTest != "" {
		replay = say(replay, "; with --test, a Go test that passes on base and fails on head")
	}
	t.block(4, "replay", labelWidth, replay)
}

// settledInShort shows the first of what hardly matters, or somebody meant.
func (t *terminal) settledInShort(p page) {
	for _, group := range []struct {
		title string
		list  []cluster
	}{{smallTitle, p.small}, {intendedTitle, p.intended}, {"Accepted", p.accepted}} {
		if len(group.list) == 0 {
			continue
		}
		t.title(group.title)
		for _, c := range group.list[:min(len(group.list), shortSettled)] {
			t.block(2, "", 2, say(claim(c.representative), meantInShort(c), " · ", named(shorten(c.representative.Cluster, valueLength))))
		}
		if n := len(group.list) - shortSettled; n > 0 {
			t.block(2, "", 2, words("and "+number(n)+" more"))
		}
	}
}

// adequacyInShort tells the measures that say most, base before head; nil for none.
func adequacyInShort(list []measure) phrase {
	var parts []phrase
	for _, short := range []struct{ criterion, words string }{
		{event.BranchCriterion, "branches covered"},
		{event.PatchCriterion, "those of changed functions"},
		{event.ExtendedCriterion, "with branches taken by force"},
		{event.KMRBranch, "k-MR coverage of branches"},
		{relationsCriterion, "relations that hold"},
		{calledCriterion, "changed functions called"},
	} {
		for _, m := range list {
			if m.criterion == short.criterion {
				part := words(short.words + " " + m.inShort())
				if m.module != nil {
					part = say(part, " in ", m.module)
				}
				parts = append(parts, part)
			}
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return separated(parts, "; ")
}

// inDoubt reports whether nothing was found and that says little, so that a reader asks why.
func (p page) inDoubt() bool { return p.tone == doubt && len(p.all()) == 0 }

// gapsInShort names the kinds of things that were not explored, without those that are told
// in full; nil for none.
func gapsInShort(p page) phrase {
	var titles []phrase
	if len(p.uncalled.items) > 0 {
		titles = append(titles, p.uncalled.title)
	}
	for _, g := range p.missed {
		if !g.wrong && !(p.inDoubt() && len(g.items) > 0) {
			titles = append(titles, g.title)
		}
	}
	return separated(titles, "; ")
}

// inOne is a list as one phrase.
func inOne(l list) phrase {
	p := say(l.title, ": ", separated(l.items, "; "))
	if l.more > 0 {
		p = say(p, "; and "+number(l.more)+" more")
	}
	return p
}
