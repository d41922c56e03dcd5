package acceptance

import (
	"fmt"
	"slices"
	"time"

	"github.com/isodelta/isodelta/diff"
	"github.com/isodelta/isodelta/report/event"
)

// Stale is an entry without effect, and why.
type Stale struct {
	Entry
	Why string // one sentence without a full stop
}

// Apply marks the findings and broken relations that the entries cover, groups all
// findings anew, adds a Limit for each entry without effect and corrects the summary. Findings
// that carry an acceptance already keep it, so that entries of a second source
// can be applied later. It returns the entries without effect.
func Apply(s *event.Stream, entries []Entry, today time.Time) []Stale {
	changes := diff.ChangesOf(s.Matches)
	s.Relations = changes.Identify(s.Relations)
	stale, counting := screen(s, changes, entries, today)
	s.Findings = diff.Group(s.Findings, changes)
	seen := make([]bool, len(counting))
	for i, e := range counting {
		for _, k := range diff.BrokenRelations(s.Relations, e.ID) {
			seen[i] = true
			if r := &s.Relations[k]; r.Accepted == nil {
				r.Accepted = e.event()
			}
		}
	}
	for again := true; again; {
		again = false
		causes := changes.Causes(s.Findings)
		for i, e := range counting {
			if cause, found := causes.Find(e.ID); found {
				marked := mark(s.Findings, cause, e.event())
				again = again || marked || !seen[i]
				seen[i] = true
			}
		}
		// What one entry covers leaves its cluster, and the rest of it can be what
		// another one names.
		s.Findings = diff.Group(s.Findings, changes)
	}
	var unseen []Entry
	for i, e := range counting {
		if !seen[i] {
			unseen = append(unseen, e)
		}
	}
	unseen = slices.DeleteFunc(unseen, func(e Entry) bool { return e.Earlier })
	stale = append(stale, gone(s, changes, unseen)...)
	report(s, stale)
	if s.Summary != nil {
		sum := *s.Summary // it may be shared with whoever recorded the stream
		s.Summary = &sum
		settle(s)
	}
	return stale
}

// screen returns the entries that count, and those that do not, with the reason.
func screen(s *event.Stream, changes diff.Changes, entries []Entry, today time.Time) (stale []Stale, counting []Entry) {
	causes := changes.Causes(s.Findings)
	for _, e := range entries {
		switch {
		case CheckCounts(e.ID) != nil:
			stale = append(stale, Stale{e, fmt.Sprintf("its identifier has less than %d digits, so that other code could be made to have it; it does not count, accept the difference again", MinDigits)})
		case e.expired(midnight(today)):
			why := "it ran out on " + e.Expires.Format(time.DateOnly)
			_, found := causes.Find(e.ID)
			if found || len(diff.BrokenRelations(s.Relations, e.ID)) > 0 {
				why += ", so what it was about counts again"
			}
			stale = append(stale, Stale{e, why})
		default:
			counting = append(counting, e)
		}
	}
	return stale, counting
}

// gone are the entries that stand for nothing, as far as that can be told: what
// a comparison did not show may still be there.
func gone(s *event.Stream, changes diff.Changes, unseen []Entry) []Stale {
	if len(unseen) == 0 {
		return nil
	}
	var ids []string
	for _, e := range unseen {
		ids = append(ids, e.ID)
	}
	standing, exhaustive := changes.Standing(ids)
	if !complete(s, exhaustive) {
		return nil
	}
	var stale []Stale
	for _, e := range unseen {
		if !standing[e.ID] {
			stale = append(stale, Stale{e, "nothing in this comparison has this identifier: the difference is gone, or its code was edited after it was accepted, or it is about a relation that was not found broken this time"})
		}
	}
	return stale
}

// Propose marks what entries that do not count would cover, so that the report
// can say so. It takes findings and relations that are open after Apply.
func Propose(s *event.Stream, entries []Entry, today time.Time) {
	changes := diff.ChangesOf(s.Matches)
	causes := changes.Causes(s.Findings)
	s.Relations = changes.Identify(s.Relations)
	for _, e := range entries {
		if CheckCounts(e.ID) != nil || e.expired(midnight(today)) {
			continue
		}
		for _, k := range diff.BrokenRelations(s.Relations, e.ID) {
			if r := &s.Relations[k]; r.Accepted == nil {
				r.Proposed = e.event()
			}
		}
		cause, found := causes.Find(e.ID)
		if !found {
			continue
		}
		for i, covered := range cause.Covered(s.Findings) {
			if f := &s.Findings[i]; f.Open() && covered {
				f.Proposed = e.event()
			}
		}
	}
}

// mark accepts what the cause covers, and reports whether that is anything new. The
// first entry of several counts.
func mark(findings []event.Finding, cause diff.Cause, a *event.Acceptance) bool {
	marked := false
	for i, covered := range cause.Covered(findings) {
		if f := &findings[i]; f.Open() && covered {
			f.Accepted, marked = a, true
		}
	}
	return marked
}

// complete reports whether a comparison has seen enough to call an entry stale.
func complete(s *event.Stream, exhaustive bool) bool {
	switch s.Verdict() {
	case event.Incomplete, event.NothingExplored:
		return false
	}
	if s.Config.Shard != "" {
		return false
	}
	return exhaustive || !slices.ContainsFunc(s.Limits, func(l event.Limit) bool { return l.Kind == event.LimitBudget })
}

// report adds the limits, each once however often the entries are applied.
func report(s *event.Stream, stale []Stale) {
	have := map[event.Limit]bool{}
	for _, l := range s.Limits {
		have[l] = true
	}
	limits := slices.Clone(s.Limits) // they may be shared with whoever recorded the stream
	for _, e := range stale {
		l := event.Limit{Type: "limit", Kind: event.LimitStaleAcceptance, What: Short(e.ID), Reason: e.Why}
		if !have[l] {
			have[l] = true
			limits = append(limits, l)
		}
	}
	s.Limits = limits
}

// settle makes the summary agree with the findings and relations.
func settle(s *event.Stream) {
	seen := map[string]bool{}
	open, accepted := false, false
	for _, f := range s.Findings {
		seen[f.Cluster] = true
		open = open || f.Open()
		accepted = accepted || f.Accepted != nil && !f.Intended
	}
	s.Summary.Findings, s.Summary.Clusters = len(s.Findings), len(seen)
	relating := s.Relating()
	for _, r := range s.Relations {
		open = open || relating.Open(r)
		accepted = accepted || r.State == event.Broken && r.Accepted != nil
	}
	switch {
	case s.Summary.Verdict != event.Differences || open || len(s.Findings) == 0 && !accepted:
	case accepted:
		s.Summary.Verdict = event.AcceptedOnly
	default:
		s.Summary.Verdict = event.IntendedOnly
	}
}
