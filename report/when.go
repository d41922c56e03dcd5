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
	relation := "only if "
	if w.Exact {
		relation = "whenever "
	}
	var conditions []phrase
	for _, c := range w.Conditions[:min(len(w.Conditions), maxConditions)] {
		p := say(quoted(shorten(c.Code, valueLength)), " ", span{shorten(c.Says, siteLength), prose})
		if c.File != "" && c.Line > 0 {
			p = say(p, " (", named(position(c.File, c.Line)), ")")
		}
		conditions = append(conditions, p)
	}
	return say("differs for "+number(w.Differ)+" of "+count(w.Compared, "input")+" made for this: "+relation, separated(conditions, " and "))
}
