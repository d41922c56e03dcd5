package expectation

import (
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

// A list that gains an entry with a text of added code is an expected difference.
func TestOfEntry(t *testing.T) {
	t.Parallel()
	e := Edits{texts: map[string]addedText{}}
	addedTexts(e.texts, "lexers/rc.go", 20, []string{"func Config() {", `	name("Plan 9 rc", "rc", "known", "plan9")`}, `name("known")`)
	e.types = map[string]addedText{}
	addedTypes(e.types, "lexers/rc.go", 30, []string{"", "type RC struct {"}, "type Other struct {")
	part := func(path, base, head string) event.PartDiffers {
		return event.PartDiffers{Path: path, Base: base, Head: head}
	}
	for _, c := range []struct {
		name    string
		differs []event.PartDiffers
		want    int
	}{
		{"one in between", []event.PartDiffers{part("len(result)", "3", "4"), part("result[1]", `"Q"`, `"Plan 9 rc"`), part("result[2]", `"R"`, `"Q"`), part("result[3]", "", `"R"`)}, 21},
		{"one at the end", []event.PartDiffers{part("len(result)", "3", "4"), part("result[3]", "", `"plan9"`)}, 21},
		{"cut off", []event.PartDiffers{part("len(result)", "9", "10"), part("result[1]", `"Q"`, `"Plan 9 rc"`), part("result[2]", `"R"`, `"Q"`)}, 21},
		{"two", []event.PartDiffers{part("len(result)", "1", "3"), part("result[0]", `"Q"`, `"Plan 9 rc"`), part("result[1]", "", `"plan9"`), part("result[2]", "", `"Q"`)}, 21},
		{"one more than the list is longer by", []event.PartDiffers{part("len(result)", "2", "3"), part("result[0]", `"Q"`, `"Plan 9 rc"`), part("result[1]", `"R"`, `"plan9"`), part("result[2]", "", `"R"`)}, 0},
		{"a text that the file had", []event.PartDiffers{part("len(result)", "3", "4"), part("result[3]", "", `"known"`)}, 0},
		{"a text of nobody", []event.PartDiffers{part("len(result)", "3", "4"), part("result[3]", "", `"other"`)}, 0},
		{"a text of the code and one of nobody", []event.PartDiffers{part("len(result)", "3", "5"), part("result[3]", "", `"plan9"`), part("result[4]", "", `"plan8"`)}, 0},
		{"a shorter list", []event.PartDiffers{part("len(result)", "4", "3"), part("result[2]", `"Q"`, `"plan9"`)}, 0},
		{"another part", []event.PartDiffers{part("len(result.Names)", "3", "4"), part("result.Text[3]", "", `"plan9"`)}, 0},
		{"a struct at the end", []event.PartDiffers{part("len(result)", "3", "4"), part("result[3].Name", "", `"plan9"`), part("result[3].Value", "", "not nil")}, 21},
		{"a struct of other texts", []event.PartDiffers{part("len(result)", "3", "4"), part("result[3].Name", "", `"other"`)}, 0},
		{"a struct in between", []event.PartDiffers{part("len(result)", "3", "4"), part("result[2].Name", `"Q"`, `"plan9"`), part("result[3].Value", "", "not nil")}, 0},
		{"a struct in front of one of base's", []event.PartDiffers{part("len(result)", "3", "4"), part("result[0].Name", `"Q"`, `"plan9"`), part("result[0].Size", "1", "2"), part("result[1].Name", `"R"`, `"Q"`)}, 21},
		{"the same, and something else", []event.PartDiffers{part("len(result)", "3", "4"), part("result[0].Name", `"Q"`, `"plan9"`), part("result[1].Name", `"R"`, `"Q"`), part("other", "1", "2")}, 0},
		{"a struct of a new type", []event.PartDiffers{part("len(result)", "3", "4"), part("result[3].(type)", "", "*lexers.RC")}, 31},
		{"a struct of another type", []event.PartDiffers{part("len(result)", "3", "4"), part("result[3].(type)", "", "*lexers.Other")}, 0},
		{"no list", []event.PartDiffers{part("result.Name", `"Q"`, `"plan9"`)}, 0},
	} {
		f := event.Finding{Rung: event.Reached, Kind: event.KindValue, Function: "Names", Input: "Names(false)", Differs: c.differs,
			Base: event.Result{Outcome: event.Pass, Value: "[...]"}, Head: event.Result{Outcome: event.Pass, Value: "[...]"}}
		line := 0
		if x := e.Mark([]event.Finding{f})[0].Expected; x != nil {
			line = x.Line
		}
		if line != c.want {
			t.Errorf("%s: line %d, want %d", c.name, line, c.want)
		}
	}
}

// A value that a test sees on head only is expected if added code has all its texts.
func TestOfSight(t *testing.T) {
	t.Parallel()
	e := Edits{texts: map[string]addedText{}}
	addedTexts(e.texts, "lexers/rc.go", 20, []string{"func Config() {", `	name("Plan 9 rc", "rc", "plan9")`}, "")
	for _, c := range []struct {
		name, base, head string
		rung             event.Rung
		want             int
	}{
		{"what is added", event.ValueNotSeen, `&Config{Name:"Plan 9 rc" Aliases:["plan9" "rc"]}`, event.Observed, 21},
		{"a text of nobody", event.ValueNotSeen, `&Config{Name:"Plan 9 rc" Aliases:["other"]}`, event.Observed, 0},
		{"no text", event.ValueNotSeen, `&Config{Name:""}`, event.Observed, 0},
		{"another value on base", `"Plan 8 rc"`, `"Plan 9 rc"`, event.Observed, 0},
		{"not observed", event.ValueNotSeen, `"Plan 9 rc"`, event.Forced, 0},
	} {
		f := event.Finding{Rung: c.rung, Kind: event.KindValue, Function: "Config", Base: event.Result{Outcome: event.Pass, Value: c.base}, Head: event.Result{Outcome: event.Pass, Value: c.head}}
		line := 0
		if x := e.Mark([]event.Finding{f})[0].Expected; x != nil {
			line = x.Line
		}
		if line != c.want {
			t.Errorf("%s: line %d, want %d", c.name, line, c.want)
		}
	}
}
