package diff

import (
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/outcome"
)

// Plausible reports whether a difference under a negation set tells something
// about states that the program may be in. Negation makes states that no input
// leads to, and there a refactoring may do anything:
//
//   - if both versions crash, how they word it is no behaviour;
//   - a crash counts against a version that passes the test, not against one
//     that fails it: the forced state was wrong for both;
//   - if both versions fail the test, the negated conditions must be matched
//     strictly. Past an edit in the same function, the edited code itself is
//     what meets the forced state.
//
// strict says that all negated conditions are strict matches. Differences that
// are not plausible are counted, not reported.
func Plausible(base, head outcome.Result, strict bool) bool {
	passes := base.Outcome == event.Pass || head.Outcome == event.Pass
	if crashed(base.Outcome) || crashed(head.Outcome) {
		return passes
	}
	return passes || strict
}
