package expectation

import (
	"strings"
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

// A test that needs the edits to blame explains a call with one of its new texts.
func TestOfTried(t *testing.T) {
	t.Parallel()
	const before = "package p\n\nfunc TestOld(t *testing.T) { Parse(`env:\"A\"`) }\n"
	const after = before + "\nfunc TestHelp(t *testing.T) {\n\tvar cli struct {\n\t\tFlag string `env:\"-\"`\n\t}\n\tParse(&cli, `env:\"A\"`)\n\tParse(\"a\")\n}\n" +
		"\nfunc TestOther(t *testing.T) { Parse(\"other\") }\n"
	e := Edits{hunks: []hunk{{file: "p_test.go", line: 4, added: cut(strings.Split(after, "\n"), 4, 11, whole), whole: after, before: before}}}
	for _, c := range []struct {
		name, input string
		set         func(f *event.Finding)
		want        int
	}{
		{"a tag", "Help(&struct{ Flag string `env:\"-\"` }{})", nil, 7},
		{"a tag that base has", "Help(`env:\"A\"`)", nil, 0},
		{"a short text", `Help("a")`, nil, 0},
		{"a text of another test", `Help("other")`, nil, 0},
		{"a row of the test", "Help(`env:\"-\"`)", func(f *event.Finding) { f.Blamed[0].ExpectedBy = "TestHelp/row" }, 7},
		{"an edit that no test needs", "Help(`env:\"-\"`)", func(f *event.Finding) { f.Blamed = append(f.Blamed, event.Edit{}) }, 0},
		{"an error on head", "Help(`env:\"-\"`)", func(f *event.Finding) { f.Kind = event.KindValueToError }, 0},
		{"an error on head of what the test calls", "Parse(`env:\"-\"`)", func(f *event.Finding) { f.Kind, f.Function = event.KindValueToError, "Parse" }, 7},
		{"a panic", "Help(`env:\"-\"`)", func(f *event.Finding) { f.Kind = event.KindPanic }, 0},
	} {
		f := event.Finding{Rung: event.Reached, Kind: event.KindValue, Function: "Help", Input: c.input, Blamed: []event.Edit{{File: "p.go", ExpectedBy: "TestHelp"}},
			Base: event.Result{Outcome: event.Pass, Value: `"($-)"`}, Head: event.Result{Outcome: event.Pass, Value: `""`}}
		if c.set != nil {
			c.set(&f)
		}
		line := 0
		if x := e.Mark([]event.Finding{f})[0].Expected; x != nil {
			line = x.Line
		}
		if line != c.want {
			t.Errorf("%s: line %d, want %d", c.name, line, c.want)
		}
	}
}
