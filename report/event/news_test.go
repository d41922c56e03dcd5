package event

import (
	"slices"
	"testing"
)

// Of an upgrade of which nothing but small differences are known, what it mends is told, or else the first error that
// has another text; where there is something else, nothing small is.
func TestNoteNews(t *testing.T) {
	text := Finding{Rung: Reached, Exported: true, Representative: true, Kind: KindErrorText,
		Base: Result{Outcome: Pass, Value: `error("line 1: bad")`}, Head: Result{Outcome: Pass, Value: `error("1:1: bad")`}}
	mended := Finding{Rung: Reached, Exported: true, Representative: true, Kind: KindErrorToValue,
		Base: Result{Outcome: Panic, Message: "runtime error: index out of range [0] with length 0"}, Head: Result{Outcome: Pass}}
	value := Finding{Rung: Reached, Exported: true, Representative: true, Kind: KindValue,
		Base: Result{Outcome: Pass, Value: "1"}, Head: Result{Outcome: Pass, Value: "2"}}
	foreign := value
	foreign.Foreign = true
	unexported, misused, meant := text, mended, mended
	unexported.Exported, misused.Misuse, meant.Intended = false, "nil", true
	for _, c := range []struct {
		name string
		list []Finding
		want int // place of the news, -1 for none
	}{
		{"nothing", nil, -1},
		{"an error with another text", []Finding{unexported, text, text}, 1},
		{"a mended crash before it", []Finding{text, mended, mended}, 1},
		{"something larger", []Finding{text, value}, -1},
		{"what nobody calls so", []Finding{misused, meant}, -1},
		{"a dependency by itself, behind what the module shows", []Finding{foreign, text}, 1},
		{"a dependency by itself", []Finding{foreign}, 0},
		{"an unexported function alone", []Finding{unexported}, 0},
	} {
		NoteNews(c.list, func(Finding) bool { return true })
		if c.want >= 0 {
			own := slices.Clone(c.list)
			own[c.want].News = false
			if NoteNews(own, func(Finding) bool { return false }); own[c.want].News {
				t.Errorf("%s: what the module's own code does is news", c.name)
			}
		}
		for i, f := range c.list {
			if f.News != (i == c.want) {
				t.Errorf("%s: finding %d is news: %t", c.name, i, f.News)
			}
			if f.News && f.Small() {
				t.Errorf("%s: the news is small", c.name)
			}
		}
	}
}
