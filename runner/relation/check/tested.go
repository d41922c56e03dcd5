package check

import (
	"slices"

	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/coverage"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/version"
)

// associate books with which forms of relations in force each source input was checked.
// On base those that hold there are in force, on head those that hold on head.
func (s *Stage) associate(op surface.Operation, rows version.Both[[]wire.RelatedRow], tallies []tally) *coverage.Tested {
	m := &coverage.Tested{Op: op, Rows: rows, Choices: s.choiceSet(op.Name)}
	for side := range rows {
		m.With[side] = make([]map[string]bool, len(rows[side]))
		for k, r := range rows[side] {
			m.With[side][k] = map[string]bool{}
			for i, t := range tallies {
				form := t.OutputForm()
				if form != "" && i < len(r.Verdicts) && says(r.Verdicts[i]) && t.inForce(version.Side(side)) {
					m.With[side][k][form] = true
				}
			}
		}
	}
	s.Tested = append(s.Tested, m)
	return m
}

// choiceSet is what the configuration declares of a function; nil if nothing.
func (s *Stage) choiceSet(function string) *relation.ChoiceSet {
	list := s.Declared.Categories
	i := slices.IndexFunc(list, func(x relation.ChoiceSet) bool { return x.Function == function })
	if i < 0 {
		return nil
	}
	return &list[i]
}
