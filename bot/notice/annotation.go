package action

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/report/event"
)

// Annotation is a remark on lines of the head version.
type Annotation struct {
	Level      string // LevelError, LevelWarning or LevelNotice
	Path       string // relative to the repository, "" for none
	Start, End int    // lines from 1; 0 for none
	Title      string
	Message    string // lines of text
}

// text is the annotation as a line of the log, for where it cannot be more.
func (a Annotation) text() string {
	where := ""
	if a.Path != "" {
		where = fmt.Sprintf("%s:%d", a.Path, a.Start)
	}
	parts := slices.DeleteFunc([]string{a.Level, where, a.Title, a.Message}, func(s string) bool { return s == "" })
	return strings.Join(parts, ": ")
}

// annotationsOf makes one annotation for each cluster of open findings, on the
// lines of the change that caused it, the strongest first. fails says whether
// the policy objects to a finding.
func annotationsOf(s *event.Stream, fails func(event.Finding) bool) []Annotation {
	var list []Annotation
	for _, f := range voices(s) {
		a := Annotation{Level: LevelWarning, Title: fmt.Sprintf("%s behaves differently (%s)", cut(concerned(f), 80), f.Rung), Message: evidence(f)}
		switch {
		case fails(f):
			a.Level = LevelError
		case f.Rung == event.Forced:
			a.Level = LevelNotice
		}
		a.Path, a.Start, a.End = place(s, f)
		list = append(list, a)
	}
	return list
}

// voices are the findings that speak for the clusters of open ones.
func voices(s *event.Stream) []event.Finding {
	byCluster := map[string]event.Finding{}
	for _, f := range s.Findings {
		if !f.Open() {
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
	slices.SortFunc(list, event.CompareFindings)
	return list
}

func concerned(f event.Finding) string {
	if f.Function != "" {
		return f.Function
	}
	return f.Test
}

// place is where the change is: the first changed function that ran and that
// head still has, else where the finding itself is.
func place(s *event.Stream, f event.Finding) (path string, start, end int) {
	for _, name := range f.Changed {
		for _, m := range s.Matches {
			i := slices.IndexFunc(m.Changed, func(c event.ChangedItem) bool { return c.Function == name })
			if i >= 0 && m.Changed[i].Status != "deleted" && m.Changed[i].File != "" {
				return m.Changed[i].File, m.Changed[i].Line, m.Changed[i].EndLine
			}
		}
	}
	return f.File, f.Line, 0
}

// evidence is what was seen, in lines for people who read the diff.
func evidence(f event.Finding) string {
	var b strings.Builder
	switch {
	case f.Input != "":
		fmt.Fprintf(&b, "%s\n", cut(f.Input, 400))
	case f.Test != "":
		fmt.Fprintf(&b, "%s\n", cut("in "+f.Test, 200))
	}
	if f.Condition != "" {
		fmt.Fprintf(&b, "with %s forced the other way\n", cut(f.Condition, 200))
	}
	fmt.Fprintf(&b, "base: %s\nhead: %s\n", outcome(f.Base), outcome(f.Head))
	fmt.Fprintf(&b, "isodelta replay %s", f.ID)
	return b.String()
}

func outcome(r event.Result) string {
	value := r.Value
	if value == "" || r.Outcome != event.Pass && r.Message != "" {
		value = r.Message
	}
	if r.Outcome == event.Pass && value != "" {
		return cut(value, 300)
	}
	return cut(string(r.Outcome)+prefixed(": ", value), 300)
}

// cut bounds a text, in characters.
func cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
