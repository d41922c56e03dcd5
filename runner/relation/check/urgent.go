package check

import (
	"cmp"
	"slices"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/reach"
)

// Relations of functions that differ in most calls are urgent: where a change is intended
// and shows everywhere, that results differ says nothing any more, and only relations tell
// what became of the rest. They are checked before those of other functions, so that the
// budget does not end before, and evolved before anything is inferred.

// urgentFirst returns operations with urgent ones first, and otherwise in their order.
func urgentFirst(p *reach.Package, ops []wire.Op) []wire.Op {
	out := slices.Clone(ops)
	slices.SortStableFunc(out, func(a, b wire.Op) int {
		return cmp.Compare(rankOf(p.Search.MostlyDiffers(a)), rankOf(p.Search.MostlyDiffers(b)))
	})
	return out
}

// urgentOf counts the urgent ones at the beginning of a list. By the time that they were
// checked more calls of them were compared, so that it is asked again.
func urgentOf(p *reach.Package, list []relatedFunction) int {
	n := 0
	for n < len(list) && p.Search.MostlyDiffers(list[n].op) {
		n++
	}
	return n
}

// hasUrgent reports whether some function of a package is urgent.
func (s *Stage) hasUrgent(p *reach.Package) bool {
	return slices.ContainsFunc(s.own(p.API), p.Search.MostlyDiffers)
}
