package report

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/isodelta/isodelta/report/event"
)

// differingPart is a part of what a call gave that is not the same on both versions, cut to what a
// line holds.
type differingPart struct{ path, base, head string }

// partsOf are the parts to show of a call of a counterexample: where the texts of its
// values are the same, as where only unexported state differs, or too long to be compared
// by eye.
func partsOf(c event.RelatedCall) []differingPart {
	if c.Base != c.Head && max(utf8.RuneCountInString(c.Base), utf8.RuneCountInString(c.Head)) <= valueLength {
		return nil
	}
	var out []differingPart
	for _, d := range c.Differs {
		base, head := sentenceExcerpts(d.Base, d.Head, valueLength)
		out = append(out, differingPart{shorten(strings.ReplaceAll(d.Path, "\n", " "), nameLength), cmp.Or(base, "(nothing)"), cmp.Or(head, "(nothing)")})
	}
	return out
}
