package report

import (
	"slices"
	"strconv"

	"github.com/isodelta/isodelta/report/event"
)

// inputsFor says, after a proof, what became of the search for inputs that take the branches of
// a forced finding; nil where nothing is known of it.
func inputsFor(f *event.Fate, branches int) phrase {
	it := "it"
	if branches > 1 {
		it = "all of them"
	}
	switch {
	case f == nil:
		return nil
	case f.State == event.GoalTaken && f.Calls == 1:
		return words("; one call takes " + it + ", and does not show this")
	case f.State == event.GoalTaken && f.Calls > 0:
		return words("; " + count(f.Calls, "call") + " take " + it + ", and none shows this")
	case f.State == event.GoalTaken && branches > 1:
		return words("; calls take each of them, and none takes all")
	case f.State == event.GoalNotFound && f.Tried > 0:
		return words("; " + count(f.Tried, "input") + " tried, none takes " + it)
	}
	return words("; no input was searched for")
}

// maxGoalsNamed bounds the branches that are named of those that no input was found for.
const maxGoalsNamed = 3

// sought says for which branches of the change inputs were searched, and what came of it;
// nil if there were none.
func sought(list []event.Goal) phrase {
	if len(list) == 0 {
		return nil
	}
	byState := map[event.GoalState][]event.Goal{}
	for _, g := range list {
		byState[g.State] = append(byState[g.State], g)
	}
	p := words(strconv.Itoa(len(byState[event.GoalTaken])) + " of " + count(len(list), "branch") + " that nothing had taken: inputs were found")
	if missed := byState[event.GoalNotFound]; len(missed) > 0 {
		p = say(p, "; none for ")
		for i, g := range missed[:min(len(missed), maxGoalsNamed)] {
			if i > 0 {
				p = say(p, ", ")
			}
			p = say(p, quoted(shorten(g.Branch, valueLength)), " in ", named(g.Function), " ("+count(g.Tried, "input")+" tried)")
		}
		if n := len(missed) - maxGoalsNamed; n > 0 {
			p = say(p, ", and "+number(n)+" more")
		}
	}
	if n := len(byState[event.GoalInfeasible]); n > 0 {
		p = say(p, "; no input takes "+number(n)+" of them, as equations for all paths show")
	}
	if left := byState[event.GoalNotTried]; len(left) > 0 {
		why := left[0].Why
		if slices.ContainsFunc(left, func(g event.Goal) bool { return g.Why != why }) {
			why = "for several reasons"
		}
		p = say(p, "; "+number(len(left))+" not searched for: ", span{shorten(why, reasonLength), prose})
	}
	return p
}
