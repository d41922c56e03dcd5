package report

import (
	"fmt"

	"github.com/isodelta/isodelta/report/event"
)

// measure is one number about how thorough the testing of each version was.
type measure struct {
	label      phrase
	base, head *event.Met // nil where it is not known
}

// share is "77.6 % (163 of 210)", or "1 of 2" where a percentage says no more.
func share(m *event.Met) string {
	if m == nil {
		return "–"
	}
	if m.Of < 20 {
		return number(int(m.Met)) + " of " + number(int(m.Of))
	}
	return fmt.Sprintf("%.1f %% (%s of %s)", 100*m.Met/m.Of, number(int(m.Met)), number(int(m.Of)))
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

func measures(s *event.Stream) []measure {
	var list []measure
	for _, a := range s.Adequacies {
		if a.Scope != "total" {
			continue
		}
		label := words(map[string]string{
			event.BranchCriterion:   "branches covered by the tests",
			event.PatchCriterion:    "branches of changed functions covered",
			event.ExtendedCriterion: "those, and branches taken by force",
		}[a.Criterion])
		if len(s.Versions) > 1 {
			label = say(label, ", ", named(a.Module))
		}
		list = append(list, measure{label, a.Base, a.Head})
	}
	compared, changed := 0, 0
	for _, t := range s.Targets {
		if t.Role == "changed" {
			changed++
			if t.State == event.Compared {
				compared++
			}
		}
	}
	if changed > 0 {
		list = append(list, measure{label: words("changed functions called on both versions"), head: &event.Met{Met: float64(compared), Of: float64(changed)}})
	}
	return list
}
