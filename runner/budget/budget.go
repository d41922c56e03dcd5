package budget

import "time"

// Shares are in percent. Of the whole budget:
const (
	// buildBegins is derived: what is built later would have no time to run.
	buildBegins = 50
	// buildEnds is derived: the floor of calls and confirming follow it.
	buildEnds = 80
	// firstBuildEnds is a guess: without one package nothing is known, and calls of a few seconds show something.
	firstBuildEnds = 95
	// callFloor is decided: calls find most of what is found, and a slow build
	// must not leave them without time.
	callFloor = 22
	// callsEnd is derived: the floor after the latest build.
	callsEnd = buildEnds + callFloor
	// turn is decided: relations and negation have a slice of every run whose tests
	// are built in time, however long building and calls took.
	turn = 4
	// confirmEnds is derived from end: what is to blame and tests to paste need a rest.
	confirmEnds = 107
	// undoEnds is a guess: calls without each edit take some seconds, and tests to paste need the rest.
	undoEnds = 111
	// minUndo is what they have where confirming took longer; a guess.
	minUndo = 2 * time.Second
	// blameEnds is decided: what is to blame is worth less than an end in time.
	blameEnds = 112
	// end is decided: whoever gives a budget of ten minutes accepts eleven and a
	// half, not twenty. The rest of these fifteen percent is for work that cannot be cut off.
	end = 113
	// forcedGoals is a guess: negation leaves that much for inputs that take the branches
	// which it forced. Where it found nothing, calls go on instead.
	forcedGoals = 6
	// reserved is a guess, and minReserved what there is at least, if the budget has four times as much:
	// two builds of one package, for tests to paste, and six more, to find what is to blame.
	reserved    = 10
	minReserved = 12 * time.Second
)

// Of what is left of the budget when a stage begins:
const (
	// baselineShare is a guess: observed differences are worth most, but a slow
	// suite must not leave calls without time.
	baselineShare = 40
	// aloneShare is a guess: tests that fit one version alone show no difference.
	aloneShare = 25
	// callShare is a guess: calls find more in a second than negation does.
	callShare = 60
	// goalShare is a guess: what the search finds, calls go on from.
	goalShare = 30
	// relateShare is a guess.
	relateShare = 25
	// varyShare is a guess: what a test shows with another input is worth more than what a forced branch does.
	varyShare = 45
	// moreShare is derived: what is found then wants to be confirmed, too.
	moreShare = 85
	// inferShare is for runs that check relations and nothing else.
	inferShare = 90
	// Of an upgrade, guesses: the tests of a module hardly ever show what its dependencies
	// do otherwise, nor do branches of its own code, which is the same.
	upgradeBaselineShare = 20
	upgradeGoalShare     = 8
	upgradeNegationShare = 20
)

// placeShare is the part of the time for calls that is kept for calls in place;
// a guess.
const placeShare = 25

// ExamineShare is the part of the time, or of the sequences, for calls in one package
// after which what was seen is looked into for the first time; a guess.
const ExamineShare = 40

const (
	// firstShare of the budget, and maxFirst, bound calls before the tests run, to
	// show a first difference while others would still be waited for; guesses.
	firstShare = 5
	maxFirst   = 3 * time.Second
)

const (
	// GlanceShare is the same for the first difference alone, and maxGlance its
	// bound; guesses: who waits wants to see something soon, but the sooner it is
	// told the less there is to tell it by.
	GlanceShare = 10
	maxGlance   = 3 * time.Second
)

const (
	// tellShare of what is left is what learning which inputs show a difference may take,
	// and maxTell its bound; guesses: some hundred inputs are run for each finding.
	tellShare = 10
	maxTell   = 4 * time.Second
)

const (
	// maxConfirm bounds how long a stage's differences are confirmed after its
	// end; a guess, five fresh processes of two versions take a second or two.
	maxConfirm = 8 * time.Second
	// confirmPart of the budget is the same bound for short budgets; derived.
	// minConfirm is what there is at least: less confirms nothing.
	confirmPart = 8
	minConfirm  = 5 * time.Second
	// iterationPart of what is left for baselines is what one iteration may
	// take, and a second; a guess.
	iterationPart = 8
	// repeatPart of the budget, and minRepeat, is what repeating one test in the
	// baseline may take; a guess.
	repeatPart = 60
	minRepeat  = 500 * time.Millisecond
	// unlimitedStage is what calls and relations take without a budget: neither
	// comes to an end by itself.
	unlimitedStage = 20 * time.Minute
	// forever is longer than any run.
	forever = 10 * 365 * 24 * time.Hour
)

// Plan says until when each stage of a run may go on.
type Plan struct {
	Total time.Duration // the budget; 0 is no limit
	Start time.Time     // of the run
	// Found says that there is something to write tests to paste for.
	Found bool
	// Upgrade says that the module's own code is the same and that it reaches what differs in
	// dependencies: no branch of it is changed, and what differs shows in calls.
	Upgrade bool
	// RelationsOnly says that the run checks relations and nothing else.
	RelationsOnly bool
}

// Unlimited reports whether there is no budget.
func (p Plan) Unlimited() bool { return p.Total <= 0 }

// at returns when so many percent of the budget are over.
func (p Plan) at(percent int) time.Time {
	if p.Unlimited() {
		return p.Start.Add(forever)
	}
	return p.Start.Add(share(p.Total, percent))
}

func share(d time.Duration, percent int) time.Duration {
	return time.Duration(float64(d) * float64(percent) / 100)
}

// Left returns how long it is until exploring has to end; it is not negative.
func (p Plan) Left(now time.Time) time.Duration { return max(p.Exploring().Sub(now), 0) }

// Exploring returns when exploring has to end, but for what Relations and Negation
// allow.
func (p Plan) Exploring() time.Time {
	if p.Found && !p.Unlimited() {
		rest := max(share(p.Total, reserved), min(minReserved, p.Total/4))
		return p.at(100).Add(-rest)
	}
	return p.at(100)
}

// MayBuild reports whether the tests of one more package are built. The first
// package is built in any case.
func (p Plan) MayBuild(first bool, now time.Time) bool {
	return first || !now.After(p.at(buildBegins))
}

// Building returns when every build has to end but the first of a run.
func (p Plan) Building() time.Time { return p.at(buildEnds) }

// FirstBuilding returns when that one has to end, which compiles what a cache lacks.
func (p Plan) FirstBuilding() time.Time { return p.at(firstBuildEnds) }

// Baseline returns when baselines that begin now have to end.
func (p Plan) Baseline(now time.Time) time.Time {
	if p.Unlimited() {
		return p.at(100)
	}
	if p.Upgrade {
		return now.Add(share(p.Left(now), upgradeBaselineShare))
	}
	return now.Add(share(p.Left(now), baselineShare))
}

// Alone returns when tests that fit one version alone have to end, from now on.
func (p Plan) Alone(now time.Time) time.Time {
	if p.Unlimited() {
		return p.at(100)
	}
	return now.Add(share(p.Left(now), aloneShare))
}

// Iteration bounds one execution of a test in a baseline that ends at a time.
func (p Plan) Iteration(until, now time.Time) time.Duration {
	return max(until.Sub(now), 0)/iterationPart + time.Second
}

// Repeating returns how long a test may be repeated in the baseline.
func (p Plan) Repeating() time.Duration {
	if p.Unlimited() {
		return forever
	}
	return max(minRepeat, p.Total/repeatPart)
}

// FirstCalls returns when calls end that are made before the tests run. Without a
// budget there are none, for nobody waits for them.
func (p Plan) FirstCalls(now time.Time) time.Time {
	if p.Unlimited() {
		return now
	}
	return now.Add(min(share(p.Total, firstShare), maxFirst, p.Left(now)))
}

// Calls returns when generated calls that begin now have to end, and when calls in
// place after them have to.
func (p Plan) Calls(now time.Time) (generated, inPlace time.Time) {
	length := unlimitedStage
	if !p.Unlimited() {
		length = max(share(p.Left(now), callShare), share(p.Total, callFloor))
		length = max(min(length, p.at(callsEnd).Sub(now)), 0)
	}
	return now.Add(share(length, 100-placeShare)), now.Add(length)
}

// Glance returns from when on the first of what calls in one package have shown is
// confirmed.
func (p Plan) Glance(until, now time.Time) time.Time {
	return now.Add(min(share(until.Sub(now), GlanceShare), maxGlance))
}

// Examine returns when to look for the first time into all that calls in one package
// have shown.
func (p Plan) Examine(until, now time.Time) time.Time {
	return now.Add(share(until.Sub(now), ExamineShare))
}

// FirstExamination returns when that has to end, so that as much time again is there for calls, and to confirm what
// they show then.
func (p Plan) FirstExamination(until, now time.Time) time.Time {
	if p.Unlimited() {
		return until
	}
	return now.Add(until.Sub(now) / 2)
}

// Relations returns when checking relations has to end that begins now.
func (p Plan) Relations(now time.Time) time.Time {
	switch {
	case p.Unlimited():
		return now.Add(unlimitedStage)
	case p.RelationsOnly:
		return now.Add(share(p.Left(now), inferShare))
	}
	return later(now.Add(share(p.Left(now), relateShare)), p.turn(now))
}

// Variation returns when varying tests has to end that begins now.
func (p Plan) Variation(now time.Time) time.Time {
	if p.Unlimited() {
		return now.Add(unlimitedStage)
	}
	return later(now.Add(share(p.Left(now), varyShare)), p.turn(now))
}

// Negation returns when negation has to end that begins now.
func (p Plan) Negation(now time.Time) time.Time {
	if p.Unlimited() {
		return p.Exploring()
	}
	if p.Upgrade {
		return later(now.Add(share(p.Left(now), upgradeNegationShare)), p.turn(now))
	}
	return later(p.Exploring().Add(-share(p.Total, forcedGoals)), p.turn(now))
}

// Goals returns when the search for inputs has to end that begins now.
func (p Plan) Goals(now time.Time) time.Time {
	if p.Unlimited() {
		return now.Add(unlimitedStage)
	}
	if p.Upgrade {
		return now.Add(share(p.Left(now), upgradeGoalShare))
	}
	return now.Add(share(p.Left(now), goalShare))
}

// ForcedGoals returns when the search for inputs has to end that begins when branches
// have been forced.
func (p Plan) ForcedGoals(now time.Time) time.Time {
	if p.Unlimited() {
		return now.Add(unlimitedStage)
	}
	return later(p.Exploring(), p.turn(now))
}

// turn returns when the least slice of a stage that begins now is over.
func (p Plan) turn(now time.Time) time.Time {
	if p.Unlimited() {
		return now
	}
	after := now.Add(share(p.Total, turn))
	if last := p.at(callsEnd); after.After(last) {
		return last
	}
	return after
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// TellingApart returns when learning which inputs show a difference has to end that begins
// now.
func (p Plan) TellingApart(now time.Time) time.Time {
	if p.Unlimited() {
		return now.Add(unlimitedStage)
	}
	return now.Add(min(maxTell, share(p.Left(now), tellShare)))
}

// MoreCalls returns when calls that go on after negation have to end.
func (p Plan) MoreCalls(now time.Time) time.Time { return now.Add(share(p.Left(now), moreShare)) }

// Confirming returns when confirming what a stage has seen has to end; until is the end
// of the stage.
func (p Plan) Confirming(until time.Time) time.Time {
	if p.Unlimited() {
		return p.at(100)
	}
	if last := p.at(confirmEnds); until.After(last) {
		return last
	}
	after := until.Add(min(maxConfirm, max(p.Total/confirmPart, minConfirm)))
	if last := p.at(confirmEnds); after.After(last) {
		return last
	}
	return after
}

// LastConfirmation returns when every confirmation has to end.
func (p Plan) LastConfirmation() time.Time { return p.at(confirmEnds) }

// Undoing returns when making calls without each edit has to end that begins now.
func (p Plan) Undoing(now time.Time) time.Time {
	until := later(p.at(undoEnds), now.Add(minUndo))
	if last := p.End(); until.After(last) {
		return last
	}
	return until
}

// Blaming returns when looking for the edits to blame has to end.
func (p Plan) Blaming() time.Time { return p.at(blameEnds) }

// End returns when the run has to end, tests to paste included.
func (p Plan) End() time.Time { return p.at(end) }

// Loading returns when loading both versions has to end: nothing is done afterwards with what it gives.
func (p Plan) Loading() time.Time { return p.at(100) }
