package report

import (
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

func TestWhenDiffers(t *testing.T) {
	t.Parallel()
	negative := event.WhenCondition{Code: "n", Says: "is negative"}
	branch := event.WhenCondition{Code: "x == y", Says: "is true", File: "m.go", Line: 14}
	for want, w := range map[string]*event.When{
		"": nil,
		"differs for nearly all inputs: 590 of 600 that were made for this":                                    {Differ: 590, Compared: 600},
		"differs for 57 of 600 inputs made for this: whenever n is negative":                                   {Conditions: []event.WhenCondition{negative}, Exact: true, Differ: 57, Compared: 600},
		"differs for 57 of 600 inputs made for this: only if x == y is true (m.go:14)":                         {Conditions: []event.WhenCondition{branch}, Differ: 57, Compared: 600},
		"differs for 1,057 of 6,000 inputs made for this: whenever n is negative and x == y is true (m.go:14)": {Conditions: []event.WhenCondition{negative, branch}, Exact: true, Differ: 1057, Compared: 6000},
	} {
		if got := shown(whenDiffers(w)); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	hostile := event.WhenCondition{Code: "`<b>@all`\n", Says: "[x](https://example.com)", File: "a`b.go", Line: 1}
	text := (&markdown{}).inline(whenDiffers(&event.When{Conditions: []event.WhenCondition{hostile}, Exact: true, Differ: 1, Compared: 2}))
	if wrong := harmless(text); wrong != "" {
		t.Error(wrong)
	}
}
