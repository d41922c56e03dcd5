package event

// Phase is how long one stage of a run took, everything that belongs to it included:
// differences that it showed are confirmed in its time.
type Phase struct {
	Type    string  `json:"type" jsonschema:"enum=phase"`
	Name    string  `json:"name" jsonschema:"enum=load,enum=build,enum=baseline,enum=calls,enum=relations,enum=negation,enum=confirm,enum=tests,enum=report"`
	Seconds float64 `json:"seconds"`
	Share   float64 `json:"share"` // of the whole run, at most 1
}

// The phases of a run, in the order in which they begin.
const (
	PhaseLoad      = "load"      // lay out, type-check and match both versions
	PhaseBuild     = "build"     // instrument and build the tests
	PhaseBaseline  = "baseline"  // run the tests as they are
	PhaseCalls     = "calls"     // make calls of our own
	PhaseRelations = "relations" // check metamorphic relations
	PhaseNegation  = "negation"  // run the tests with branches negated
	PhaseConfirm   = "confirm"   // confirm what was left over
	PhaseTests     = "tests"     // try tests to paste
	PhaseReport    = "report"    // group, draw and sum up
)

// EventType names the type of the event.
func (Phase) EventType() string { return "phase" }

// mergePhases adds up what shards spent. A share is that of all their time.
func mergePhases(shards []shard) []Phase {
	var merged []Phase
	total := 0.0
	at := map[string]int{}
	for _, s := range shards {
		for _, p := range s.Phases {
			i, ok := at[p.Name]
			if !ok {
				i = len(merged)
				at[p.Name] = i
				merged = append(merged, Phase{Type: p.Type, Name: p.Name})
			}
			merged[i].Seconds += p.Seconds
			total += p.Seconds
		}
	}
	for i := range merged {
		if total > 0 {
			merged[i].Share = merged[i].Seconds / total
		}
	}
	return merged
}
