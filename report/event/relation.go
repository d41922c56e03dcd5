package event

// Relation is a metamorphic relation of one function and what has become of it:
// if inputs are related so, outputs are related so.
type Relation struct {
	Type     string `json:"type" jsonschema:"enum=relation"`
	Module   string `json:"module,omitempty"` // joins it to its Versions where a repository has several modules
	ID       string `json:"id"`               // of function and relation, the same from run to run
	Function string `json:"function"`         // as in the changed set
	Package  string `json:"package"`
	File     string `json:"file,omitempty"` // of head; relative to the repository
	Line     int    `json:"line,omitempty"`
	Exported bool   `json:"exported"`
	Name     string `json:"name"`     // odd, idempotent, periodic …, or as declared
	Relation string `json:"relation"` // in mathematical notation: f(-x) = -f(x)
	Source   string `json:"source" jsonschema:"enum=declared,enum=template,enum=automr,enum=genmorph,enum=test"`
	State    string `json:"state" jsonschema:"enum=kept,enum=broken,enum=new,enum=violated"`
	Groups   int    `json:"groups"` // metamorphic groups that were run on both versions
	// Failing are the groups for which it does not hold: on head, of a new
	// relation on base, of a violated one on either.
	Failing int `json:"failing"`
	// Tolerance is the relative one for floating-point outputs, 0 for none.
	Tolerance float64 `json:"tolerance,omitempty"`
	// Counterexample is the smallest group that fails: the source call first,
	// then the follow-up calls.
	Counterexample []RelatedCall `json:"counterexample,omitempty" jsonschema:"maxItems=16"`
	// GoTest is a whole Go test file that passes on base and fails on head.
	GoTest     string `json:"go_test,omitempty"`
	GoTestFile string `json:"go_test_file,omitempty"` // where to put it, relative to the repository
}

// RelatedCall is one call of a metamorphic group and what both versions gave.
type RelatedCall struct {
	Call string `json:"call"` // a Go expression, or statements of which the last is the call
	Base string `json:"base"`
	Head string `json:"head"`
}

// Where a relation comes from.
const (
	Declared = "declared" // the repository's configuration
	Template = "template" // a general relation tried on the function
	AutoMR   = "automr"   // inferred by package swarm
	GenMorph = "genmorph"
	FromTest = "test"
)

// States of a relation.
const (
	Kept     = "kept"     // holds on both versions
	Broken   = "broken"   // holds on base, not on head
	New      = "new"      // holds on head, not on base
	Violated = "violated" // declared, and holds on neither
)

func (Relation) EventType() string { return "relation" }
