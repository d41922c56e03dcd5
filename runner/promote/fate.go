package promote

import (
	"fmt"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/version"
)

// Goals tells what became of the branches of the change that nothing took.
func (s *Stage) Goals() []event.Goal {
	var out []event.Goal
	for _, g := range s.order {
		x := event.Goal{Version: g.side.String(), Function: g.Function, File: g.File, Line: g.Line, Branch: g.String(), State: event.GoalNotTried,
			Why: "no calls of our own were made in a package that leads there"}
		if st := s.states[g.branch]; st != nil {
			x.State, x.Tried, x.Why = st.state, st.tried, st.why
		}
		out = append(out, x)
	}
	return out
}

// Settle gives each forced finding its fate, and takes out those that force a branch which
// no input takes: what they show cannot be. s may be nil, where no calls are made.
func (s *Stage) Settle(findings []event.Finding) (kept []event.Finding, proved []event.Folded) {
	for _, f := range findings {
		if f.Rung == event.Forced {
			if n, ok := s.infeasible(f); ok {
				proved = append(proved, event.Folded{Condition: n.Text, Function: n.Function, Taken: n.Taken, Kind: f.Kind, Infeasible: true})
				continue
			}
			f.Fate = s.Fate(f)
		}
		kept = append(kept, f)
	}
	return kept, proved
}

// infeasible returns the first branch that a forced finding negates and that no input
// takes on head; false if there is none.
func (s *Stage) infeasible(f event.Finding) (event.Negation, bool) {
	if s == nil {
		return event.Negation{}, false
	}
	for _, n := range f.Negations {
		if st := s.stateOf(n); st != nil && st.state == event.GoalInfeasible {
			return n, true
		}
	}
	return event.Negation{}, false
}

// stateOf returns what became of the search for a negated branch, nil if there was none.
func (s *Stage) stateOf(n event.Negation) *state {
	pair, ok := s.Matching.Find(n.ID)
	if !ok || n.Inverted {
		return nil
	}
	return s.states[branch{version.Head, s.Matching.On(version.Head, outcome.Of(pair, n.Taken))}]
}

// Fate says what became of the search for inputs that take the branches of a forced
// finding. s may be nil, where no calls are made.
func (s *Stage) Fate(f event.Finding) *event.Fate {
	fate := &event.Fate{State: event.GoalNotTried}
	switch {
	case len(f.Negations) == 0:
		fate.Why = "it negates nothing that is known here"
		return fate
	case s == nil:
		fate.Why = "no calls of our own are made"
		return fate
	}
	fate.Calls = min(s.Matching.Times(version.Base, s.Calls.Taken(version.Base), f.Negations), s.Matching.Times(version.Head, s.Calls.Taken(version.Head), f.Negations))
	if fate.Calls > 0 {
		fate.State = event.GoalTaken
	}
	for _, n := range f.Negations {
		if n.Inverted {
			fate.State, fate.Why = event.GoalNotTried, fmt.Sprintf("the test takes %s both ways, and each time the other one was forced", n.Text)
			return fate
		}
		st := s.stateOf(n)
		if st == nil {
			continue
		}
		fate.Tried += st.tried
		if fate.State != event.GoalTaken && st.state != event.GoalTaken {
			fate.State, fate.Why = st.state, st.why
		}
	}
	if fate.State == event.GoalNotTried && fate.Why == "" {
		fate.Why = "there was no time for it"
	}
	return fate
}
