package expectation

import (
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

// A word that the edit to blame adds explains a call with that word. It does not explain a call that fails on head.
func TestOfWord(t *testing.T) {
	t.Parallel()
	before := []string{"switch s {", `case "execution":`, `if s == "known" {`}
	for _, c := range []struct {
		name  string
		added string
		input string
		set   func(f *event.Finding)
		want  bool
	}{
		{"a case", `	case "execution", "jobs":`, `Apply("jobs", false)`, nil, true},
		{"a key", `	"jobs": runJobs,`, `Apply("jobs", false)`, nil, true},
		{"a comparison", `	if s == "jobs" {`, `Apply("jobs", false)`, nil, true},
		{"a list", `	known = []string{"jobs", "execution"}`, `Apply("jobs", false)`, nil, true},
		{"the rest of a list", `		"jobs", "execution",`, `Apply("jobs", false)`, nil, true},
		{"an argument", `	run("jobs",`, `Apply("jobs", false)`, nil, false},
		{"the case beside it", `	case "execution", "jobs":`, `Apply("execution", false)`, nil, false},
		{"a word that is known in the file", `	case "known", "more":`, `Apply("known", false)`, nil, false},
		{"a text", `	log("jobs")`, `Apply("jobs", false)`, nil, false},
		{"a part of a text", `	case "jobs":`, `Apply("my jobs", false)`, nil, false},
		{"another edit", `	case "jobs":`, `Apply("jobs", false)`, func(f *event.Finding) { f.Blamed[0].Line, f.Blamed[0].EndLine = 20, 22 }, false},
		{"no edit", `	case "jobs":`, `Apply("jobs", false)`, func(f *event.Finding) { f.Blamed = nil }, false},
		{"an error on head", `	case "jobs":`, `Apply("jobs", false)`, func(f *event.Finding) { f.Kind = event.KindValueToError }, false},
	} {
		e := Edits{words: addedWords("log/settings.go", 7, []string{"", c.added}, before)}
		f := event.Finding{Rung: event.Reached, Kind: event.KindValue, Input: c.input, Blamed: []event.Edit{{File: "log/settings.go", Line: 8, EndLine: 8}},
			Base: event.Result{Outcome: event.Pass, Value: "false"}, Head: event.Result{Outcome: event.Pass, Value: "true"}}
		if c.set != nil {
			c.set(&f)
		}
		got := e.Mark([]event.Finding{f})[0].Expected
		if (got != nil) != c.want || got != nil && (got.File != "log/settings.go" || got.Line != 8) {
			t.Errorf("%s: %+v, want one %t", c.name, got, c.want)
		}
	}
}
