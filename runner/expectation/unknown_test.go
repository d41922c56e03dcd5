package expectation

import (
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

// A call that base refuses for a word that the change adds is an expected difference.
func TestOfUnknown(t *testing.T) {
	t.Parallel()
	e := Edits{texts: map[string]addedText{}}
	addedTexts(e.texts, "builtins.go", 20, []string{"", `	Name: "freeze",`}, `"copy"`)
	const refused = `error("unresolved reference 'freeze' at (main):1:4")`
	for _, c := range []struct {
		name, input, base string
		kind              event.Kind
		want              int
	}{
		{"a word of the input", `NewScript([]byte("a:=freeze")).Compile()`, refused, event.KindErrorToValue, 21},
		{"a word that is not in the input", `NewScript([]byte("a:=b")).Compile()`, refused, event.KindErrorToValue, 0},
		{"a part of a word", `NewScript([]byte("a:=freezer")).Compile()`, `error("unresolved reference 'freezer'")`, event.KindErrorToValue, 0},
		{"another word", `NewScript([]byte("a:=copy")).Compile()`, `error("unresolved reference 'copy'")`, event.KindErrorToValue, 0},
		{"an error on head, too", `NewScript([]byte("a:=freeze")).Compile()`, refused, event.KindErrorText, 0},
	} {
		f := event.Finding{Rung: event.Reached, Kind: c.kind, Function: "Compile", Input: c.input,
			Base: event.Result{Outcome: event.Pass, Value: c.base}, Head: event.Result{Outcome: event.Pass, Value: "nil"}}
		line := 0
		if x := e.Mark([]event.Finding{f})[0].Expected; x != nil {
			line = x.Line
		}
		if line != c.want {
			t.Errorf("%s: line %d, want %d", c.name, line, c.want)
		}
	}
}
