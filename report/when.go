package report

import (
	"github.com/isodelta/isodelta/report/event"
)

// maxConditions bounds the conditions that are told.
const maxConditions = 4

// whenDiffers says for which inputs the versions differ; nil where nothing is known.
func whenDiffers(w *event.When) phrase {
	switch {
	case w == nil:
		return nil
	case len(w.Conditions) == 0:
		return words("differs for nearly all inputs: " + number(w.Differ) + " of " + number(w.Compared) + " that were made for this")
	}
	p := words("differs for " + number(w.Differ) + " of " + count(w.Compared, "input") + " made for this: only if ")
	if w.Exact {
		p = words("differs for " + number(w.Differ) + " of " + count(w.Compared, "input") + " made for this: whenever ")
	}
	for i, c := range w.Conditions[:min(len(w.Conditions), maxConditions)] {
		if i > 0 {
			p = append(p, span{" and ", plain})
		}
		p = say(p, quoted(shorten(c.Code, valueLength)), " ", span{shorten(c.Says, siteLength), prose})
		if c.File != "" && c.Line > 0 {
			p = say(p, " (", named(position(c.File, c.Line)), ")")
		}
	}
	return p
}
