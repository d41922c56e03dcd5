package present

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/bot"
	"github.com/isodelta/isodelta/diff/policy"
	"github.com/isodelta/isodelta/report"
	"github.com/isodelta/isodelta/report/event"
)

// Annotations are one for each cluster of open findings, on the lines of the
// change that caused it, the strongest first, and then one for each broken
// relation that is open and each violated one, on the function's line; Path is ""
// where that is not known. What the policy objects to is a failure. Texts are plain lines of
// hostile words, made visible.
func Annotations(s *event.Stream) []bot.Annotation {
	objects, places := policy.Of(s.Config).Findings(s), placesOf(s)
	beside := besideOf(s.Findings)
	var list []bot.Annotation
	for _, f := range Voices(s) {
		a := bot.Annotation{Level: "warning", Title: fmt.Sprintf("%s behaves differently (%s)", report.Name(concerned(f), 80), report.Name(string(f.Rung), 20)), Message: evidence(f, beside[f.ID])}
		switch {
		case objects(f):
			a.Level = "failure"
		case f.Rung == event.Forced:
			a.Level = "notice"
		}
		a.Path, a.Start, a.End = places.of(f)
		list = append(list, a)
	}
	return append(list, relations(s, places)...)
}

// relations are the annotations of relations, the broken ones first.
func relations(s *event.Stream, places places) []bot.Annotation {
	relating, objects := s.Relating(), policy.Of(s.Config).Relations(s)
	var list []bot.Annotation
	for _, r := range slices.SortedFunc(slices.Values(s.Relations), event.CompareRelations) {
		a := bot.Annotation{Path: r.File, Start: r.Line, Message: explain(report.RelationClaim(r), report.RelationEvidence(r))}
		switch {
		case relating.Open(r):
			a.Level, a.Title = "warning", report.Name(r.Function, 80)+" breaks a relation"
		case r.State == event.Violated:
			a.Level, a.Title = "notice", report.Name(r.Function, 80)+" violates a declared relation"
		default:
			continue
		}
		if objects(r) {
			a.Level = "failure"
		}
		if a.Path == "" {
			a.Path, a.Start, a.End = places.of(event.Finding{Changed: []string{r.Function}})
		}
		list = append(list, a)
	}
	return list
}

// brokenRelations counts those that are open.
func brokenRelations(s *event.Stream) int {
	relating, n := s.Relating(), 0
	for _, r := range s.Relations {
		if relating.Open(r) {
			n++
		}
	}
	return n
}

// Voices are the findings that speak for the clusters of open ones that are not small, in
// the order in which reports show them.
func Voices(s *event.Stream) []event.Finding {
	byCluster := map[string]event.Finding{}
	for _, f := range s.Findings {
		if !f.Open() || f.Small() {
			continue
		}
		have, seen := byCluster[f.Cluster]
		better := !seen || f.Representative && !have.Representative ||
			f.Representative == have.Representative && event.CompareFindings(f, have) < 0
		if better {
			byCluster[f.Cluster] = f
		}
	}
	var list []event.Finding
	for _, f := range byCluster {
		list = append(list, f)
	}
	slices.SortFunc(list, s.Relating().Compare)
	return list
}

func concerned(f event.Finding) string {
	if f.Function != "" {
		return f.Function
	}
	return f.Test
}

// places knows where the changed functions are that head still has, by their names.
type places map[string]event.ChangedItem

func placesOf(s *event.Stream) places {
	p := places{}
	for _, m := range s.Matches {
		for _, c := range m.Changed {
			if _, seen := p[c.Function]; !seen && c.Status != "deleted" && c.File != "" {
				p[c.Function] = c
			}
		}
	}
	return p
}

// of is where the change is: the first edit to blame, else the first changed function that ran and that head
// still has, else where the finding itself is.
func (p places) of(f event.Finding) (path string, start, end int) {
	if len(f.Blamed) > 0 {
		e := f.Blamed[0]
		return e.File, e.Line, max(e.EndLine, e.Line) // GitHub refuses an end before the start
	}
	for _, name := range f.Changed {
		if c, ok := p[name]; ok {
			return c.File, c.Line, c.EndLine
		}
	}
	return f.File, f.Line, 0
}

// besideOf is what else differs of a call, by the identifier of the finding that tells it.
func besideOf(findings []event.Finding) map[string][]event.Finding {
	beside := map[string][]event.Finding{}
	for i, l := range event.Leaders(findings) {
		if l != i && findings[l].Cluster == findings[i].Cluster {
			beside[findings[l].ID] = append(beside[findings[l].ID], findings[i])
		}
	}
	return beside
}

// evidence is what was seen.
func evidence(f event.Finding, beside []event.Finding) string {
	lines := report.Evidence(f)
	if len(beside) > 0 {
		lines = append([]string{"with it: " + report.Beside(beside)}, lines...)
	}
	return explain(report.Claim(f), lines)
}

// explain is a claim and what shows it, in lines for people who read the diff. The
// test to paste, which follows an empty line, is left to the report.
func explain(claim string, evidence []string) string {
	lines := []string{cut(claim, 400), ""}
	for _, l := range evidence {
		if l == "" {
			break
		}
		lines = append(lines, cut(l, 400))
	}
	return strings.Join(lines, "\n")
}

// cut bounds a text, in characters.
func cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
