package runner

import (
	"fmt"
	"math"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/coverage"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/relation/check"
	"github.com/isodelta/isodelta/runner/version"
)

// begun is a summary with what is known after the matching.
func (r *run) begun() event.Summary {
	m := r.matching.Event()
	return event.Summary{Type: "summary", Functions: m.Functions, MatchedFunctions: m.MatchedFunctions,
		Conditions: m.Conditions, MatchedConditions: m.MatchedConditions}
}

// sumUpIdle closes the stream of versions that do not differ in executable code.
func (r *run) sumUpIdle() {
	sum := r.begun()
	r.noteUnchecked()
	sum.Verdict = event.NoExecutableChange
	r.end(&sum)
}

// noteUnchecked lists all declared relations, where none are checked. Of a run in
// shards, the first one lists them for all.
func (r *run) noteUnchecked() {
	if r.opt.Shard > 1 {
		return
	}
	for _, l := range check.Unreached(r.declared, nil) {
		r.env.Limit(l)
	}
}

// end tells how the time was spent, and closes the stream.
func (r *run) end(sum *event.Summary) {
	total := r.env.Now().Sub(r.env.Plan.Start)
	for _, e := range r.phases.events(total) {
		r.env.Sink.Emit(e)
	}
	sum.Seconds, sum.BuildSeconds, sum.ReachedSeconds = total.Seconds(), r.phases.seconds(event.PhaseBuild), r.phases.seconds(event.PhaseCalls)
	sum.FirstSeconds = r.first.seconds(r.env.Plan.Start)
	if spent := sum.Seconds - sum.BuildSeconds; spent > 0 {
		sum.VariantsPerSecond = float64(sum.Variants) / spent
	}
	r.env.Sink.Emit(*sum)
}

// sumUp groups and emits the findings, tells what was covered, and closes the stream.
func (c *comparison) sumUp() event.Summary {
	sum := c.begun()
	_ = c.phases.measure(c.env, event.PhaseReport, func() error { c.emit(&sum); return nil })
	c.end(&sum)
	return sum
}

// emit sends all that is known at the end but the summary, which it fills in.
func (c *comparison) emit(sum *event.Summary) {
	c.count(sum)
	found := c.findings()
	if c.calls != nil {
		if !c.opt.relationsOnly {
			for _, t := range c.calls.Targets(found) {
				sum.Targets++
				if t.State == event.Compared {
					sum.TargetsCompared++
				}
				c.env.Sink.Emit(t)
			}
		}
		found, sum.Folded = c.calls.Fold(found, version.Both[map[int]int]{c.record.Tests(version.Base), c.record.Tests(version.Head)})
	}
	var proved []event.Folded
	found, proved = c.promote.Settle(found)
	sum.Folded = append(sum.Folded, proved...)
	if c.promote != nil {
		sum.Goals = c.promote.Goals()
	}
	found = c.matching.Group(found)
	clusters := map[string]bool{}
	intended := 0
	for _, f := range found {
		clusters[f.Cluster] = true
		if f.Intended {
			intended++
		}
		c.env.Sink.Emit(f)
	}
	sum.Findings, sum.Clusters = len(found), len(clusters)
	c.emitCoverage(sum, found)
	if n := sum.NotConfirmed; n > 0 {
		c.env.Limit(event.Limit{Kind: event.LimitNotRerun, What: "differences",
			Reason: fmt.Sprintf("%d further differences were not run again: others that ran the same changed functions with the same outcomes were, or there was no time", n)})
	}
	sum.RelationsJudged = true // what was not is left out
	sum.Verdict = c.verdict(sum, intended)
}

// emitCoverage sends graphs, relations, and how adequate the testing was.
func (c *comparison) emitCoverage(sum *event.Summary, found []event.Finding) {
	if c.calls != nil {
		for _, p := range c.calls.Packages {
			if p.Search != nil {
				for _, side := range version.Sides {
					c.record.SawCalls(side, p.Search.Branches[side])
				}
				c.record.SawEntered(p.Search.Entered)
			}
		}
	}
	if !c.opt.relationsOnly {
		sum.Unexecuted, sum.Outside = c.record.Unexecuted(c.matching, c.builder.Within(c.suites))
	}
	all := &coverage.Coverage{Env: c.env, Matching: c.matching, Record: c.record, Strict: c.opt.Strict}
	for _, g := range all.Graphs(found) {
		c.env.Sink.Emit(g)
	}
	if c.relation != nil {
		c.relation.NoteUnreached()
		c.relation.LeaveOutUnjudged(found)
		for _, e := range c.matching.Identify(c.relation.Sorted()) {
			c.env.Sink.Emit(e)
		}
	} else {
		c.noteUnchecked()
	}
	var extended outcome.Bits // where no variant was run, nothing is said of them
	if sum.Variants > 0 {
		extended = outcome.Join(c.explored.Explored, c.tests.Covered)
	}
	for _, a := range all.Branches(extended) {
		c.env.Sink.Emit(a)
	}
	if c.relation != nil {
		for _, a := range all.Metamorphic(c.relation.Tested) {
			c.env.Sink.Emit(a)
		}
	}
}

// count adds up what the stages counted.
func (c *comparison) count(sum *event.Summary) {
	x := c.explored
	sum.Variants, sum.Skipped, sum.Pruned, sum.Died, sum.Hung, sum.Exhausted = x.Variants, x.Skipped, x.Pruned, x.Died, x.Hung, x.Exhausted
	sum.Varied = c.varied
	sum.Implausible, sum.HiddenHints = x.Implausible, x.Hidden
	sum.Tests, sum.UnstableTests = c.tests.Ran, c.tests.Unstable
	sum.TestsAlone = c.alone.ran
	sum.TestsLeftOut = max(c.suites.Known-c.tests.Ran-c.alone.more, 0)
	sum.Unconfirmed, sum.NotConfirmed = c.queue.Unconfirmed, c.queue.NotConfirmed()
	sum.Interrupted = c.interrupted
	c.countBranches(sum)
	if c.calls != nil {
		n := c.calls.Count()
		sum.Unconfirmed += c.calls.Unconfirmed
		sum.NotConfirmed += n.NotConfirmed
		sum.Implausible += c.calls.Implausible
		sum.UnexportedOnly = c.calls.Unexported
		if !c.opt.relationsOnly {
			sum.Sequences, sum.Calls, sum.Reaching = n.Sequences, n.Calls, n.Reaching
			sum.Behaviours, sum.NewBehaviours = n.Behaviours, math.Round(n.NewBehaviours*100)/100
			if c.calls.Seconds > 0 {
				sum.CallsPerSecond = float64(sum.Calls) / c.calls.Seconds
			}
		}
	}
	if c.relation != nil {
		sum.Unconfirmed += c.relation.Unconfirmed
	}
}

// countBranches counts head's branches in the binaries that ran.
func (c *comparison) countBranches(sum *event.Summary) {
	linked := c.tests.Linked
	sum.Branches = linked.Count()
	var explored []int
	for _, i := range linked.Members() {
		switch {
		case c.tests.Covered.Has(i):
			sum.Covered++
		case c.explored.Explored.Has(i):
			explored = append(explored, i)
		}
	}
	sum.Explored = len(explored)
	if c.opt.Shards > 1 && len(explored) > 0 {
		sum.ExploredBranches = map[string]event.Ranges{c.module(): event.RangesOf(explored)}
	}
}

func (c *comparison) verdict(sum *event.Summary, intended int) event.Verdict {
	ran := sum.Calls > 0
	for _, t := range c.tests.Tests {
		ran = ran || t.Usable
	}
	switch {
	case sum.Findings > intended, c.relation != nil && c.relation.Breaks():
		return event.Differences
	case c.interrupted:
		return event.Incomplete
	case intended > 0:
		return event.IntendedOnly
	case !ran:
		return event.NothingExplored
	}
	return event.NoDifference
}
