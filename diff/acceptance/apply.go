package acceptance

import (
	"fmt"
	"slices"
	"time"

	"github.com/isodelta/isodelta/diff"
	"github.com/isodelta/isodelta/report/event"
)

// LimitKind is the kind of the Limit that reports an entry without effect.
const LimitKind = "stale-acceptance"

// Stale is an entry without effect, and why.
type Stale struct {
	Entry
	Why string // one sentence without a full stop
}

// Apply marks the findings that the entries cover, groups all findings anew,
// adds a Limit for each entry without effect and corrects the summary. Findings
// that carry an acceptance already keep it, so that entries of a second source
// can be applied later. It returns the entries without effect, in their order.
func Apply(s *event.Stream, entries []Entry, today time.Time) []Stale {
	changes := diff.ChangesOf(s.Matches)
	causes := changes.Causes(s.Findings)
	var stale []Stale
	for _, e := range entries {
		cause, found := causes.Find(e.ID)
		switch {
		case e.expired(midnight(today)):
			why := "it ran out on " + e.Expires.Format(time.DateOnly)
			if found {
				why += ", so what it was about counts again"
			}
			stale = append(stale, Stale{e, why})
		case found:
			mark(s.Findings, cause, e.event())
		case complete(s, causes.Exhaustive) && !e.Earlier:
			stale = append(stale, Stale{e, unknown(s, e.ID)})
		}
	}
	s.Findings = diff.Group(s.Findings, changes)
	report(s, stale)
	if s.Summary != nil {
		sum := *s.Summary // it may be shared with whoever recorded the stream
		s.Summary = &sum
		settle(s)
	}
	return stale
}

// Propose marks what entries that do not count would cover, so that the report
// can say so. It takes findings that are open after Apply.
func Propose(s *event.Stream, entries []Entry, today time.Time) {
	causes := diff.ChangesOf(s.Matches).Causes(s.Findings)
	for _, e := range entries {
		cause, found := causes.Find(e.ID)
		if !found || e.expired(midnight(today)) {
			continue
		}
		for i := range s.Findings {
			if f := &s.Findings[i]; f.Open() && cause.Covers(*f) {
				f.Proposed = e.event()
			}
		}
	}
}

// mark accepts what the cause covers. The first entry of several counts.
func mark(findings []event.Finding, cause diff.Cause, a *event.Acceptance) {
	for i := range findings {
		if f := &findings[i]; f.Open() && cause.Covers(*f) {
			f.Accepted = a
		}
	}
}

// unknown says why nothing has the identifier, as far as that can be told.
func unknown(s *event.Stream, id string) string {
	for _, f := range s.Findings {
		if f.ID == id && f.Cluster != id {
			return fmt.Sprintf("it names one finding, not the difference that this one belongs to; accept %s", f.Cluster)
		}
	}
	return "nothing in this comparison has this identifier: the difference is gone, or its code was edited after it was accepted"
}

// complete says whether a comparison has seen enough to call an entry stale.
func complete(s *event.Stream, exhaustive bool) bool {
	switch s.Verdict() {
	case event.Incomplete, event.NothingExplored:
		return false
	}
	if s.Config.Shard != "" {
		return false
	}
	return exhaustive || !slices.ContainsFunc(s.Limits, func(l event.Limit) bool { return l.Kind == "budget" })
}

// report adds the limits, each once however often the entries are applied.
func report(s *event.Stream, stale []Stale) {
	for _, e := range stale {
		l := event.Limit{Type: "limit", Kind: LimitKind, What: e.ID, Reason: e.Why}
		if !slices.Contains(s.Limits, l) {
			s.Limits = append(slices.Clone(s.Limits), l)
		}
	}
}

// settle makes the summary agree with the findings.
func settle(s *event.Stream) {
	seen := map[string]bool{}
	open, accepted := false, false
	for _, f := range s.Findings {
		seen[f.Cluster] = true
		open = open || f.Open()
		accepted = accepted || f.Accepted != nil && !f.Intended
	}
	s.Summary.Findings, s.Summary.Clusters = len(s.Findings), len(seen)
	switch {
	case s.Summary.Verdict != event.Differences || open || len(s.Findings) == 0:
	case accepted:
		s.Summary.Verdict = event.AcceptedOnly
	default:
		s.Summary.Verdict = event.IntendedOnly
	}
}
