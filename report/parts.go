package report

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/isodelta/isodelta/report/event"
)

// differingPart is a part of what a call gave that is not the same on both versions, cut to what a
// line holds.
type differingPart struct{ path, base, head string }

// nothing stands for a part that one version lacks.
const nothing = "(nothing)"

// partsOf are the parts to show of a call of a counterexample: where the texts of its
// values are the same, as where only unexported state differs, or too long to be compared
// by eye.
func partsOf(c event.RelatedCall) []differingPart { return partsToShow(c.Base, c.Head, c.Differs) }

func partsToShow(base, head string, differs []event.PartDiffers) []differingPart {
	if base != head && max(utf8.RuneCountInString(base), utf8.RuneCountInString(head)) <= valueLength {
		return nil
	}
	var out []differingPart
	for _, d := range differs {
		if told(d, differs) {
			continue
		}
		base, head := sentenceExcerpts(d.Base, d.Head, valueLength)
		out = append(out, differingPart{shorten(strings.ReplaceAll(d.Path, "\n", " "), nameLength), cmp.Or(base, nothing), cmp.Or(head, nothing)})
	}
	return out
}

// told reports whether a part is the length of something that another part tells more of: of a
// map by the key that is new or gone, and of a list that one version does not have by what is in it.
func told(d event.PartDiffers, differs []event.PartDiffers) bool {
	if !strings.HasPrefix(d.Path, "len(") {
		return false
	}
	of := strings.TrimSuffix(strings.TrimPrefix(d.Path, "len("), ")")
	return slices.ContainsFunc(differs, func(other event.PartDiffers) bool {
		path := strings.TrimPrefix(other.Path, "len(")
		return other.Path != d.Path && (strings.HasPrefix(path, of+`["`) || strings.HasPrefix(path, of+"[") && (d.Base == "" || d.Head == ""))
	})
}

// maxParts bounds the parts that a sentence tells.
const maxParts = 3

// inParts says of which parts of its value a finding is about; nil where the value says so
// itself.
func inParts(f event.Finding) phrase {
	parts := partsToShow(f.Base.Value, f.Head.Value, f.Differs)
	if len(parts) == 0 || len(parts) == 1 && (f.Base.Value == f.Head.Value || leftBehind(f) != nil) {
		return nil // the claim has it
	}
	var list []phrase
	for _, d := range parts[:min(len(parts), maxParts)] {
		list = append(list, partSays(d))
	}
	return separated(list, "; ")
}

// given says, in so many parts at most, what a call was given where its input cannot be
// written as Go; nil where it can.
func given(f event.Finding, most int) phrase {
	if len(f.Given) == 0 {
		return nil
	}
	var list []phrase
	for _, p := range f.Given[:min(len(f.Given), most)] {
		list = append(list, say(quoted(shorten(p.Path, nameLength)), " = ", quoted(shorten(p.Value, valueLength))))
	}
	if len(f.Given) > most || len(f.Given) == event.MaxGiven {
		list = append(list, words("and more"))
	}
	return separated(list, "; ")
}

func partSays(d differingPart) phrase {
	return say(quoted(d.path), " is ", quoted(d.base), " on base, ", quoted(d.head), " on head")
}
