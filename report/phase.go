package report

import (
	"fmt"
	"strings"

	"github.com/isodelta/isodelta/report/event"
)

// phaseWords are what the phases of a run are called, in the order in which they
// are told.
var phaseWords = []struct{ name, words string }{
	{event.PhaseLoad, "loading and matching"},
	{event.PhaseBuild, "building"},
	{event.PhaseBaseline, "the tests as they are"},
	{event.PhaseCalls, "calls"},
	{event.PhaseGoals, "inputs for branches"},
	{event.PhaseVariation, "tests with other inputs"},
	{event.PhaseRelations, "relations"},
	{event.PhaseNegation, "forced branches"},
	{event.PhaseConfirm, "confirming the rest"},
	{event.PhaseTests, "trying tests to paste"},
	{event.PhaseBlame, "what is to blame"},
	{event.PhaseReport, "summing up"},
}

// minShare is the least part of the time that is worth naming.
const minShare = 0.01

// spent says how the time was spent, stage by stage; "" if the stream does not.
func spent(s *event.Stream) string {
	took, total := map[string]float64{}, 0.0
	for _, p := range s.Phases {
		took[p.Name] += p.Seconds
		total += p.Seconds
	}
	var parts []string
	for _, p := range phaseWords {
		if share := took[p.name] / total; total > 0 && share >= minShare {
			parts = append(parts, fmt.Sprintf("%s %s (%.0f %%)", p.words, seconds(took[p.name]), 100*share))
		}
	}
	return strings.Join(parts, ", ")
}
