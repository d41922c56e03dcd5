package event

import (
	"errors"
	"fmt"
	"io"
	"slices"
)

// Stream is a whole comparison, grouped for renderers. The order within a
// group is the order of the stream. Progress events are left out.
type Stream struct {
	// Source names where the stream came from, for messages: a file name, or
	// "" where it was never written.
	Source string
	// Foreign says that strangers' code had a hand in the stream as a whole, as in a
	// pull request from a fork: it says what they want, and reports say so.
	Foreign bool

	Config     Config // Version is 0 where the stream holds none
	Versions   []Versions
	Matches    []Match
	Baselines  []Baseline
	Targets    []Target
	Findings   []Finding
	Relations  []Relation
	Graphs     []Graph
	Adequacies []Adequacy
	Phases     []Phase
	Limits     []Limit
	Summary    *Summary // nil where the stream was cut off

	Skipped []Skipped // lines of types that this version does not know
}

// NewStream groups events. It fails where they cannot be one stream: a second
// config, or anything but progress after the summary, or more of a type than a stream
// may have, or relations that were not judged as the summary says.
func NewStream(events []Event) (*Stream, error) {
	s, counter := &Stream{}, Counter{}
	for _, e := range events {
		err := counter.Add(e)
		if err == nil {
			err = s.add(e)
		}
		if err != nil {
			s.Summary = nil
			return s, err
		}
	}
	if err := s.checkJudged(); err != nil {
		s.Summary = nil
		return s, err
	}
	return s, nil
}

func (s *Stream) add(e Event) error {
	e, err := complete(e)
	if err != nil {
		return err
	}
	if _, isProgress := e.(Progress); isProgress {
		return nil
	}
	if s.Summary != nil {
		return fmt.Errorf("a %s event follows the summary: these are several streams in one; merge them from separate files", e.EventType())
	}
	switch e := e.(type) {
	case Config:
		if s.Config.Version != 0 {
			return errors.New("a second config event: these are several streams in one; merge them from separate files")
		}
		s.Config = e
	case Versions:
		s.Versions = append(s.Versions, e)
	case Match:
		s.Matches = append(s.Matches, e)
	case Baseline:
		s.Baselines = append(s.Baselines, e)
	case Target:
		s.Targets = append(s.Targets, e)
	case Finding:
		s.Findings = append(s.Findings, e)
	case Relation:
		s.Relations = append(s.Relations, e)
	case Graph:
		s.Graphs = append(s.Graphs, e)
	case Adequacy:
		s.Adequacies = append(s.Adequacies, e)
	case Phase:
		s.Phases = append(s.Phases, e)
	case Limit:
		s.Limits = append(s.Limits, e)
	case Summary:
		s.Summary = &e
	}
	return nil
}

// ReadStream reads and groups a stream of at most limit bytes (0 is no limit).
// With an error it still returns what stood before the bad line; such a stream
// has no Summary, so that it is rendered as incomplete.
func ReadStream(r io.Reader, limit int64) (*Stream, error) {
	events, skipped, readErr := readAll(r, limit)
	s, err := NewStream(events)
	s.Skipped = skipped
	if readErr != nil {
		s.Summary = nil
		return s, readErr
	}
	return s, err
}

// Events returns the stream back in the order in which the engine writes it.
func (s *Stream) Events() []Event {
	var events []Event
	if s.Config.Version != 0 {
		events = append(events, s.Config)
	}
	events = appendAll(events, s.Versions)
	events = appendAll(events, s.Matches)
	events = appendAll(events, s.Baselines)
	events = appendAll(events, s.Targets)
	events = appendAll(events, s.Findings)
	events = appendAll(events, s.Relations)
	events = appendAll(events, s.Graphs)
	events = appendAll(events, s.Adequacies)
	events = appendAll(events, s.Phases)
	events = appendAll(events, s.Limits)
	if s.Summary != nil {
		events = append(events, *s.Summary)
	}
	return events
}

func appendAll[E Event](events []Event, more []E) []Event {
	for _, e := range more {
		events = append(events, e)
	}
	return events
}

// Verdict is what the stream as a whole says. The summary's own verdict counts
// only so far as the events bear it out: findings and broken relations that
// nobody has taken on make it Differences, a stream
// without a summary is Incomplete, and nothing that was run is NothingExplored,
// whatever the summary claims. So no renderer can show green without work.
func (s *Stream) Verdict() Verdict {
	switch {
	case s.Summary == nil, s.Summary.Verdict == Incomplete, s.Summary.Interrupted:
		return Incomplete
	case s.hasFinding(Finding.Open), s.hasOpenRelation():
		return Differences
	case s.Summary.Verdict == Differences && !s.hasFinding(isAccepted) && !slices.ContainsFunc(s.Relations, isBroken),
		(s.Summary.Verdict == IntendedOnly || s.Summary.Verdict == AcceptedOnly) && len(s.Findings) == 0 && !s.hasAccepted():
		return Incomplete // the summary counts findings that are not in the stream
	case s.hasAccepted():
		return AcceptedOnly
	case len(s.Findings) > 0:
		return IntendedOnly
	case s.Summary.Verdict == NoExecutableChange && !s.hasChange():
		return NoExecutableChange
	case s.Summary.Verdict == NothingExplored, !s.ranAnything():
		return NothingExplored
	}
	return NoDifference
}

func (s *Stream) hasFinding(is func(Finding) bool) bool { return slices.ContainsFunc(s.Findings, is) }

// isAccepted reports whether it takes an acceptance to close f.
func isAccepted(f Finding) bool { return !f.Intended && f.Accepted != nil }

func (s *Stream) hasChange() bool {
	for _, m := range s.Matches {
		if len(m.Changed) > 0 {
			return true
		}
	}
	return false
}

// ranAnything reports whether tests ran and, unless the code has no branch, took
// one, or calls of our own were compared.
func (s *Stream) ranAnything() bool {
	sum := s.Summary
	return sum.Calls > 0 || sum.Tests > 0 && (sum.Branches == 0 || sum.Covered+sum.Explored > 0)
}
