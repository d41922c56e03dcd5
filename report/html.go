package report

import (
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/report/html"
)

// The parts of report.html that are about relations and adequacy.

// relationsOnPage is the largest number of relations of one state on the page.
const relationsOnPage = 200

func pageMeasures(list []measure) []html.Adequacy {
	var out []html.Adequacy
	for _, m := range list {
		out = append(out, html.Adequacy{Label: pageText(m.label), Base: m.share(m.base), Head: m.share(m.head), Delta: m.delta()})
	}
	return out
}

func pageRelations(r relations) []html.Relations {
	var out []html.Relations
	group := func(title string, list []event.Relation, folded bool) {
		g := html.Relations{Title: title, Folded: folded, Total: len(list), More: max(0, len(list)-relationsOnPage)}
		for _, r := range list[:min(len(list), relationsOnPage)] {
			g.Relations = append(g.Relations, pageRelation(r))
		}
		if len(list) > 0 {
			out = append(out, g)
		}
	}
	var broken []event.Relation
	for _, b := range r.broken {
		broken = append(broken, b.Relation)
	}
	group("Broken: held on base and do not hold on head", broken, false)
	group("More broken ones", r.also, true)
	group("Broken, and accepted or with a difference that is intended or accepted", r.settled, true)
	group("Violated: declared, and true on neither version", r.violated, true)
	group("New: true on head and not on base", r.gained, true)
	group("Kept: true on both versions", r.kept, true)
	return out
}

func pageRelation(r event.Relation) html.Relation {
	out := html.Relation{
		Claim: pageText(relationClaim(r)),
		Rows:  []html.Row{{Label: "relation", Text: pageText(quoted(shorten(r.Relation, event.MaxRelation)))}, {Label: "about", Text: pageText(aboutRelation(r))}, {Label: "checked", Text: pageText(checked(r))}},
	}
	if place := relationPlace(r); place != nil {
		out.Rows = append(out.Rows, html.Row{Label: "function", Text: pageText(place)})
	}
	if r.State == event.Broken {
		out.Rows = append(out.Rows, html.Row{Label: "replay", Text: pageText(named(replayCommand(r.ID)))})
	}
	for _, c := range r.Counterexample {
		base, head := valueLines(c.Base, c.Head, nothing, nothing)
		out.Calls = append(out.Calls, html.RelatedCall{Call: visibleLines(c.Call), Sides: html.Sides{Base: base, Head: head}})
		for _, p := range partsOf(c) {
			out.Calls = append(out.Calls, html.RelatedCall{Call: []string{p.path}, Part: true, Sides: html.Sides{Base: []string{p.base}, Head: []string{p.head}}})
		}
	}
	if r.GoTest != "" {
		l := listingOf(r.GoTest, 1<<20)
		out.Test, out.Proves = &html.Listing{Lines: l.lines, File: pageText(testFile(r.GoTestFile, r.Package)), Exact: l.exact}, testProves(r)
	}
	return out
}
