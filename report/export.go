package report

import (
	"io"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/diff/policy"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/report/html"
	"github.com/isodelta/isodelta/report/junit"
	"github.com/isodelta/isodelta/report/sarif"
)

// HTML writes the report as one HTML file, see package page. It returns the
// error of w.
func HTML(w io.Writer, s *event.Stream) error {
	p := newPage(s)
	tones := map[tone]string{alert: "alert", doubt: "doubt", calm: "calm"}
	r := html.Report{
		Title: "isodelta: " + plainText(p.verdict), Tone: tones[p.tone], Verdict: pageText(p.verdict), Notes: pageTexts(p.notes),
		Legend: pageTexts(legend(p.all())), Explored: pageRows(p.explored), Footer: pageTexts(p.footer), Graphs: visibleGraphs(s.Graphs),
	}
	if p.settings != nil {
		r.Notes = append([]html.Text{pageText(p.settings)}, r.Notes...)
	}
	for _, c := range p.compared {
		r.Compared = append(r.Compared, pageText(c.line()))
	}
	for _, u := range p.upgrades {
		r.Compared = append(r.Compared, pageText(u.line()))
	}
	r.Adequacy, r.Parts, r.MoreParts = pageMeasures(p.measures), pageMeasures(p.parts), p.unlisted
	r.Relations = pageRelations(p.relations)
	findings := membersOf(s.Findings)
	group := func(title string, of status, list []cluster, folded bool) {
		g := html.Group{Title: title, Folded: folded}
		for _, c := range list {
			g.Clusters = append(g.Clusters, pageCluster(c, p.blame, findings[groupKey{c.representative.Cluster, of}]))
		}
		r.Groups = append(r.Groups, g)
	}
	group("Behaviour changes", open, p.open, false)
	group(facetsTitle, open, facetsOf(p.open), true)
	group(smallTitle, open, p.small, true)
	group(intendedTitle, intended, p.intended, true)
	group("Accepted", accepted, p.accepted, true)
	for _, l := range p.missed {
		r.Missed = append(r.Missed, pageList(l))
	}
	if len(p.called.items) > 0 {
		l := pageList(p.called)
		r.Called = &l
	}
	if s.Foreign {
		markForeign(&r)
	}
	return html.Write(w, r)
}

// markForeign says of every test on the page that strangers may have written it.
func markForeign(r *html.Report) {
	mark := func(l *html.Listing) {
		if l != nil {
			l.Foreign = true
		}
	}
	for _, g := range r.Groups {
		for _, c := range g.Clusters {
			mark(c.Test)
			if c.Relation != nil {
				mark(c.Relation.Test)
			}
		}
	}
	for _, g := range r.Relations {
		for _, e := range g.Relations {
			mark(e.Test)
		}
	}
}

// SARIF writes the findings for code scanning, see package sarif. It returns the
// error of w.
func SARIF(w io.Writer, s *event.Stream) error {
	verdict, _ := headline(s, clustersOf(s))
	return sarif.Write(w, s, sarif.Words{
		Verdict: plainText(verdict), Visible: visible, Objects: objections(s),
		Claim: Claim, Beside: Beside,
		Relation: RelationClaim, Fails: policy.Of(s.Config).Relations(s),
		Accepted:         func(f event.Finding) string { return plainText(acceptedBy(f)) },
		Intended:         func(f event.Finding) string { return plainText(intendedBy(f)) },
		AcceptedRelation: func(r event.Relation) string { return plainText(byItself(acceptanceOf(r.Accepted, nil))) },
	})
}

// JUnit writes the comparison as test results, see package junit. It returns the
// error of w.
func JUnit(w io.Writer, s *event.Stream) error {
	p := newPage(s)
	words := junit.Words{
		Verdict: plainText(p.verdict), Visible: visible, Objects: objections(s),
		Claim: Claim, Beside: Beside,
		Evidence: Evidence,
		Relation: RelationClaim, RelationEvidence: RelationEvidence, Fails: policy.Of(s.Config).Relations(s),
		Target: func(t event.Target) string { return plainText(fate(t)) },
	}
	words.Work = append(words.Work, words.Verdict)
	for _, r := range p.explored {
		words.Work = append(words.Work, r.label+": "+plainText(r.text))
	}
	for _, m := range append(slices.Clone(p.measures), p.parts...) {
		words.Work = append(words.Work, plainText(m.label)+": base "+m.share(m.base)+", head "+m.share(m.head))
	}
	for _, l := range p.missed {
		words.Work = append(words.Work, "not explored: "+plainText(l.title))
		for _, i := range l.items {
			words.Work = append(words.Work, "\t"+plainText(i))
		}
		if l.more > 0 {
			words.Work = append(words.Work, "\tand "+number(l.more)+" more")
		}
	}
	return junit.Write(w, s, words)
}

// Beside says in what else a call differs: what event.Leaders puts behind the finding
// that tells it.
func Beside(findings []event.Finding) string { return plainText(beside(findings)) }

// Claim is one sentence in plain text about what differs. Names and values in it
// are those of the tested code, made visible.
func Claim(f event.Finding) string { return plainText(claim(f)) }

// Evidence is what shows it, in lines of plain text: input, values, and how to
// see it again.
func Evidence(f event.Finding) []string {
	lines := inputLines(f, inputHeight)
	base, head := valueLines(f.Base.Value, f.Head.Value, noValue(f, f.Base), noValue(f, f.Head))
	lines = append(append(lines, prefixed("base: ", base)...), prefixed("head: ", head)...)
	if f.Base.Outcome != f.Head.Outcome {
		lines = append(lines, "base "+ended(f, f.Base)+", head "+ended(f, f.Head))
	}
	base, head = valueLines(f.Base.Message, f.Head.Message, "", "")
	lines = append(append(lines, prefixed("base says: ", base)...), prefixed("head says: ", head)...)
	if f.Rung == event.Reached {
		lines = append(lines, "called: "+plainText(target(f)))
	} else {
		lines = append(lines, "test: "+plainText(testOf(f)))
	}
	for _, n := range f.Negations {
		lines = append(lines, "forced: "+plainText(forced(n)))
	}
	if f.Intended {
		lines = append(lines, "intended: "+plainText(intendedBy(f)))
	}
	if p := acceptedBy(f); p != nil {
		lines = append(lines, plainText(p))
	}
	lines = append(lines, "replay: "+replayCommand(f.Cluster))
	if f.GoTest != "" {
		lines = append(append(lines, "", "A test that passes on base and fails on head, for "+plainText(fileOf(f))+":"), listingOf(f.GoTest, testHeight).lines...)
	}
	return lines
}

// acceptedBy is acceptance as a sentence of its own.
func acceptedBy(f event.Finding) phrase { return byItself(acceptance(f)) }

// byItself is what acceptanceOf says as a sentence of its own.
func byItself(p phrase) phrase {
	if len(p) == 0 {
		return nil
	}
	return append(words(strings.TrimPrefix(p[0].text, "; ")), p[1:]...)
}

// objections reports whether the stream's own policy objects to a finding.
func objections(s *event.Stream) func(event.Finding) bool {
	return policy.Of(s.Config).Findings(s)
}

type groupKey struct {
	cluster string
	status  status
}

// membersOf lists the findings of each cluster in order.
func membersOf(findings []event.Finding) map[groupKey][]event.Finding {
	groups := map[groupKey][]event.Finding{}
	for _, f := range findings {
		k := groupKey{f.Cluster, statusOf(f)}
		groups[k] = append(groups[k], f)
	}
	for _, g := range groups {
		slices.SortFunc(g, event.CompareFindings)
	}
	return groups
}

func pageCluster(c cluster, b blame, members []event.Finding) html.Cluster {
	f := c.representative
	out := html.Cluster{
		ID: visible(f.Cluster), Rung: visible(string(f.Strength())), Kind: kindWords(f.Kind), Claim: pageText(claim(f)), Replay: replayCommand(f.Cluster),
		Functions: append(slices.Clone(f.Changed), f.Function),
	}
	if lines := inputLines(f, inputHeight); len(lines) > 1 {
		out.Input = lines
	}
	slices.Sort(out.Functions[:len(f.Changed)])
	out.Functions = unique(out.Functions)
	row := func(label string, p phrase) { out.Rows = append(out.Rows, html.Row{Label: label, Text: pageText(p)}) }
	side := func(label string, base, head []string) {
		if len(base)+len(head) > 0 {
			out.Sides = append(out.Sides, html.Sides{Label: label, Base: base, Head: head})
		}
	}
	base, head := valueLines(f.Base.Value, f.Head.Value, noValue(f, f.Base), noValue(f, f.Head))
	side("value", base, head)
	side("outcome", []string{ended(f, f.Base)}, []string{ended(f, f.Head)})
	base, head = valueLines(f.Base.Message, f.Head.Message, "", "")
	side("message", base, head)
	if f.Rung == event.Reached {
		row("called", target(f))
		row("found", found(f))
		if len(f.Merged) > 0 {
			row("negation", negating(f))
		}
	} else {
		row("test", testOf(f))
	}
	for _, n := range f.Negations {
		row("forced", forced(n))
		out.Conditions = append(out.Conditions, n.ID)
	}
	if len(c.beside) > 0 {
		row("with it", beside(c.beside))
	}
	for _, p := range facets(c, listed) {
		row("besides", p)
	}
	if p := bearing(c); p != nil {
		row("relations", p)
	}
	if c.shown != nil {
		shown := pageRelation(*c.shown)
		out.Relation = &shown
	}
	if p := whenDiffers(f.When); p != nil {
		row("when", p)
	}
	if p := perhapsMeant(c); p != nil {
		row("meant?", p)
	}
	if p := given(f, event.MaxGiven); p != nil {
		row("given", p)
	}
	if p := inParts(f); p != nil {
		row("in it", p)
	}
	if p := signed(f); p != nil {
		row("signature", p)
	}
	if p := b.through(f); p != nil {
		row("through", p)
	}
	if own := b.itself(f); len(own) > 0 {
		row("changed", say(names(own, listed), " ran", b.places(f)))
	}
	if p := acceptedBy(f); p != nil {
		row("accepted", p)
	}
	if f.GoTest != "" {
		l := listingOf(f.GoTest, 1<<20)
		out.Test = &html.Listing{Lines: l.lines, File: pageText(fileOf(f)), Exact: l.exact}
	}
	for _, t := range callsOf(members) {
		m := t.finding
		where := m.Test
		if m.Rung == event.Reached {
			where = functionName(m.Function)
		}
		says := claim(m)
		if len(t.beside) > 0 {
			says = say(says, "; with it, ", beside(t.beside))
		}
		out.Members = append(out.Members, html.Member{ID: visible(m.ID), Where: shorten(where, nameLength), Claim: pageText(says)})
	}
	for i, name := range out.Functions {
		out.Functions[i] = visible(name)
	}
	for i, id := range out.Conditions {
		out.Conditions[i] = visible(id)
	}
	return out
}

// unique keeps the first of equal names.
func unique(names []string) []string {
	var out []string
	for _, n := range names {
		if n != "" && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

func kindWords(kind event.Kind) string {
	switch kind {
	case event.KindPanic:
		return "panic"
	case event.KindValueToError:
		return "value becomes error"
	case event.KindErrorToValue:
		return "error becomes value"
	case event.KindValue:
		return "another value"
	case event.KindNilEmpty:
		return "nil against empty"
	case event.KindErrorText:
		return "error text"
	}
	return "other"
}

func pageText(p phrase) html.Text {
	var out html.Text
	for _, s := range p {
		out = append(out, html.Span{Text: visible(s.text), Code: s.style == code || s.style == name})
	}
	return out
}

func pageTexts(list []phrase) []html.Text {
	var out []html.Text
	for _, p := range list {
		out = append(out, pageText(p))
	}
	return out
}

func pageRows(list []row) []html.Row {
	var out []html.Row
	for _, r := range list {
		out = append(out, html.Row{Label: r.label, Text: pageText(r.text)})
	}
	return out
}

func pageList(l list) html.List {
	return html.List{Title: pageText(l.title), Items: pageTexts(l.items), More: l.more}
}

// plainText is a phrase without what its parts say they are.
func plainText(p phrase) string {
	var b strings.Builder
	for _, s := range p {
		b.WriteString(visible(s.text))
	}
	return b.String()
}

// visibleGraphs spells out what could not be seen in the pictures. What is no
// valid graph, which no reader of streams lets through, is left out.
func visibleGraphs(list []event.Graph) []event.Graph {
	out := slices.DeleteFunc(slices.Clone(list), func(g event.Graph) bool { return event.Validate(g) != nil })
	for i := range out {
		g := &out[i]
		g.Module, g.Package, g.Function = visible(g.Module), visible(g.Package), visible(g.Function)
		for _, f := range []*event.Flow{&g.Base, &g.Head} {
			f.File = shorten(f.File, nameLength)
			f.Nodes = slices.Clone(f.Nodes)
			for k := range f.Nodes {
				n := &f.Nodes[k]
				n.Text = strings.Join(visibleLines(n.Text), "\n")
				n.Condition = visible(n.Condition)
			}
		}
		g.Hunks = slices.Clone(g.Hunks)
		for k := range g.Hunks {
			h := &g.Hunks[k]
			h.Lines = slices.Clone(h.Lines)
			for j, l := range h.Lines {
				if l != "" {
					h.Lines[j] = l[:1] + strings.Join(visibleLines(l[1:]), `\n`)
				}
			}
		}
	}
	return out
}
