package report

import (
	"sync"

	"github.com/isodelta/isodelta/report/event"
)

// Groups that a report lists among the limits although no Limit tells of them.
const (
	groupPruning event.LimitKind = "pruning" // Match.PruneBlockers
	groupStream  event.LimitKind = "stream"  // Stream.Skipped
)

// titled is a kind of limits and the heading above them.
type titled struct {
	kind  event.LimitKind
	title string
}

// titles has the heading of every kind of limits, in the order in which they are shown.
func titles() []titled {
	return []titled{
		{event.LimitShard, "parts of the work that are missing"},
		{event.LimitNotBuilt, "packages or tests that do not build"},
		{event.LimitFailing, "failing before anything was forced"},
		{event.LimitUnstable, "unstable tests or values, left out"},
		{event.LimitDroppedTest, "tests that do not fit the other version, not compared"},
		{event.LimitBudget, "left when the budget ended"},
		{event.LimitCalls, "calls with generated input that were not made"},
		{event.LimitDependencies, "of dependencies and of Go itself"},
		{event.LimitRelations, "relations that were not checked or not believed"},
		{event.LimitNotRerun, "differences that were not run again, so not reported"},
		{event.LimitRepetitions, "run less often than usual before being believed"},
		{event.LimitSetAside, "tests left out"},
		{event.LimitConstraint, "changed files that build constraints leave out"},
		{event.LimitConstant, "exported constants with another value"},
		{event.LimitTestMain, "without the TestMain of the package"},
		{event.LimitNotNegated, "files whose branches were not forced"},
		{event.LimitPattern, "patterns that name no package"},
		{event.LimitModule, "about modules"},
		{event.LimitInfrastructure, "what went wrong while comparing"},
		{event.LimitInterrupted, "interrupted"},
		{event.LimitCancelled, "cancelled"},
		{event.LimitStaleAcceptance, "acceptances that count no more"},
		{event.LimitTestdata, "test data that the change touches"},
		{event.LimitCheckout, "files that could not be laid out as they are"},
		{event.LimitCommits, "about the commits that were compared"},
		{event.LimitCache, "taken from an earlier run"},
		{event.LimitRuntime, "run time"},
		{event.LimitGraph, "drawings left out or cut"},
		{groupPruning, "reasons why less could be proved equal"},
		{groupStream, "lines of the stream that this isodelta does not know"},
	}
}

// isWrong reports whether limits of a kind are something that somebody should mend: the
// machine, the call of isodelta, or the code.
func isWrong(kind event.LimitKind) bool {
	switch kind {
	case event.LimitConstraint, event.LimitInfrastructure, event.LimitNotBuilt, event.LimitPattern, event.LimitCheckout:
		return true
	}
	return false
}

// ranks are the places of kinds among the titles. A stream may hold limits by the
// ten thousand, so they are looked up.
var ranks = sync.OnceValue(func() map[event.LimitKind]int {
	at := map[event.LimitKind]int{}
	for i, t := range titles() {
		at[t.kind] = i
	}
	return at
})

// kindRank returns the place of a kind; what has no title comes behind all that have one.
func kindRank(kind event.LimitKind) int {
	if i, ok := ranks()[kind]; ok {
		return i
	}
	return len(ranks())
}

// kindTitle is the heading above n limits of a kind, which may be one that a newer
// isodelta wrote.
func kindTitle(kind event.LimitKind, n int) phrase {
	title := say("other limits, of the kind ", named(shorten(string(kind), 30)))
	if i := kindRank(kind); i < len(ranks()) {
		title = words(titles()[i].title)
	}
	if n > 1 {
		title = say(title, " ("+number(n)+")")
	}
	return title
}
