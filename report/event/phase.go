package event

// Phase is how long one stage of a run took, everything that belongs to it included:
// differences that it showed are confirmed in its time.
type Phase struct {
	Type    string  `json:"type" jsonschema:"enum=phase"`
	Name    string  `json:"name" jsonschema:"enum=load,enum=build,enum=baseline,enum=calls,enum=goals,enum=variation,enum=relations,enum=negation,enum=confirm,enum=tests,enum=blame,enum=report"`
	Seconds float64 `json:"seconds"`
	Share   float64 `json:"share"` // of the whole run, at most 1
}

// The phases of a run, in the order in which they begin.
const (
	PhaseLoad      = "load"      // lay out, type-check and match both versions
	PhaseBuild     = "build"     // instrument and build the tests
	PhaseBaseline  = "baseline"  // run the tests as they are
	PhaseCalls     = "calls"     // make calls of our own
	PhaseGoals     = "goals"     // search inputs that take branches
	PhaseRelations = "relations" // check metamorphic relations
	PhaseVariation = "variation" // run the tests with literals and statements of theirs varied
	PhaseNegation  = "negation"  // run the tests with branches negated
	PhaseConfirm   = "confirm"   // confirm what was left over
	PhaseTests     = "tests"     // try tests to paste
	PhaseBlame     = "blame"     // find the edits to blame
	PhaseReport    = "report"    // group, draw and sum up
)

// EventType names the type of the event.
func (Phase) EventType() string { return "phase" }

// mergePhases adds up what shards spent. A share is that of all their time.
func mergePhases(shards []shard) []Phase {
	var all []Phase
	for _, s := range shards {
		all = append(all, s.Phases...)
	}
	return JoinPhases(all)
}
