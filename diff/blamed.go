package diff

import (
	"slices"

	"github.com/isodelta/isodelta/report/event"
)

// sameEdits reports whether the very same edits are to blame for two findings, which come out alike: each
// version ends as in the other, and where one fails, with words of one shape. Of a long edit, the same part
// of the same function's calls differs in both.
func sameEdits(f, g *seen) bool {
	if len(f.Blamed) == 0 || !slices.EqualFunc(f.Blamed, g.Blamed, event.Edit.Same) || !judgedAlike(f.Finding, g.Finding) || f.small != g.small {
		return false
	}
	if f.Kind != g.Kind || f.Base.Outcome != g.Base.Outcome || f.Head.Outcome != g.Head.Outcome || f.after != g.after {
		return false
	}
	if f.Kind != event.KindValue && !slices.Equal(f.failure, g.failure) {
		return false
	}
	short := !slices.ContainsFunc(f.Blamed, func(e event.Edit) bool { return !e.Short() })
	return short || f.Function == g.Function && f.Component == g.Component
}

// otherEdits reports whether the edits to blame for two findings are known, and there is none that is to
// blame for both.
func otherEdits(f, g *seen) bool {
	if len(f.Blamed) == 0 || len(g.Blamed) == 0 {
		return false
	}
	return !slices.ContainsFunc(f.Blamed, func(e event.Edit) bool {
		return slices.ContainsFunc(g.Blamed, e.Same)
	})
}
