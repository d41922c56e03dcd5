package report

import (
	"fmt"

	"github.com/isodelta/isodelta/report/event"
)

// measure is one number about how thorough the testing of each version was.
type measure struct {
	criterion  string // as in event.Adequacy, or one of those below
	label      phrase
	module     phrase     // whose it is, where several are compared; nil otherwise
	base, head *event.Met // nil where it is not known
	parts      bool       // what is met need not be a whole number
}

// Measures that are no criteria of event.Adequacy.
const (
	relationsCriterion = "relations"
	calledCriterion    = "called"
)

// inShort is the shares of both versions, or the one where both are the same.
func (m measure) inShort() string {
	share := func(side *event.Met) string {
		switch {
		case side == nil || side.Of == 0:
			return "–"
		case !m.parts && side.Of < 20:
			return number(int(side.Met)) + " of " + number(int(side.Of))
		}
		return fmt.Sprintf("%.1f %%", 100*side.Met/side.Of)
	}
	base, head := share(m.base), share(m.head)
	if m.base == nil || base == head {
		return head
	}
	return base + " → " + head
}

// share is "77.6 % (163 of 210)", or "1 of 2" where a percentage says no more. What
// counts in parts is a percentage alone.
func (m measure) share(side *event.Met) string {
	switch {
	case side == nil:
		return "–"
	case m.parts && side.Of > 0:
		return fmt.Sprintf("%.1f %%", 100*side.Met/side.Of)
	case side.Of < 20:
		return number(int(side.Met)) + " of " + number(int(side.Of))
	}
	return fmt.Sprintf("%.1f %% (%s of %s)", 100*side.Met/side.Of, number(int(side.Met)), number(int(side.Of)))
}

// delta is the difference in percentage points, "" where it is not known or
// nothing.
func (m measure) delta() string {
	if m.base == nil || m.head == nil || m.base.Of == 0 || m.head.Of == 0 {
		return ""
	}
	d := fmt.Sprintf("%+.1f", 100*(m.head.Met/m.head.Of-m.base.Met/m.base.Of))
	switch {
	case d == "+0.0" || d == "-0.0":
		return "±0"
	case d[0] == '-':
		return "−" + d[1:]
	}
	return d
}

// criterion names what is measured.
func criterion(a event.Adequacy) string {
	if event.IsKMR(a.Criterion) {
		return fmt.Sprintf("k-MR coverage, %s (k=%d)", map[string]string{
			event.KMRBranch:      "branches",
			event.KMRStatement:   "statements",
			event.KMRIChoice:     "input choices",
			event.KMRIChoicePair: "pairs of input choices",
			event.KMRIOCTF:       "input with output choices",
		}[a.Criterion], a.K)
	}
	return map[string]string{
		event.BranchCriterion:   "branches covered by the tests",
		event.PatchCriterion:    "branches of changed functions covered",
		event.ExtendedCriterion: "those, and branches taken by force",
	}[a.Criterion]
}

// measures are those of everything that was compared.
func measures(s *event.Stream) []measure {
	var list []measure
	for _, a := range s.Adequacies {
		if a.Scope != "total" {
			continue
		}
		m := measure{criterion: a.Criterion, label: words(criterion(a)), base: a.Base, head: a.Head, parts: event.IsKMR(a.Criterion)}
		if len(s.Versions) > 1 {
			m.module = named(shorten(a.Module, siteLength))
			m.label = say(m.label, ", ", m.module)
		}
		list = append(list, m)
	}
	if m, ok := relationsHold(s.Relations); ok {
		list = append(list, m)
	}
	compared, changed := 0, 0
	for _, t := range s.Targets {
		if t.Role == event.RoleChanged {
			changed++
			if t.State == event.Compared {
				compared++
			}
		}
	}
	if changed > 0 {
		list = append(list, measure{criterion: calledCriterion, label: words("changed functions called on both versions"), head: &event.Met{Met: float64(compared), Of: float64(changed)}})
	}
	return list
}

// partsShown is the largest number of measures of packages and functions that
// are listed.
const partsShown = 40

// partMeasures are those of packages and functions; more were left out.
func partMeasures(s *event.Stream) (list []measure, more int) {
	for _, a := range s.Adequacies {
		if a.Scope == "total" {
			continue
		}
		if len(list) == partsShown {
			more++
			continue
		}
		name := a.Name
		if a.Scope == "function" {
			name = functionName(name)
		}
		list = append(list, measure{criterion: a.Criterion, label: say(named(shorten(name, siteLength)), ": "+criterion(a)), base: a.Base, head: a.Head, parts: event.IsKMR(a.Criterion)})
	}
	return list, more
}

// relationsHold counts on each version the relations that hold there.
func relationsHold(relations []event.Relation) (measure, bool) {
	n := map[event.RelationState]int{}
	for _, r := range relations {
		n[r.State]++
	}
	of := float64(len(relations))
	return measure{
		criterion: relationsCriterion,
		label:     words("relations that hold (" + statesCounted(n) + ")"),
		base:      &event.Met{Met: float64(n[event.Kept] + n[event.Broken]), Of: of},
		head:      &event.Met{Met: float64(n[event.Kept] + n[event.New]), Of: of},
	}, len(relations) > 0
}
