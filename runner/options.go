package runner

import (
	"regexp"
	"time"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/aim"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/relation/declare"
	"github.com/isodelta/isodelta/runner/symbolic"
)

// Options of a comparison. The zero value of a field means what its comment
// says; Defaults gives what the command uses.
type Options struct {
	Dir       string   // any folder of the repository
	Module    string   // the folder of the module to compare, seen from the top of the repository; "" for the one that Dir is in, or that the change is in
	Revisions []string // as revision.Resolve takes them
	Objects   []string // object directories to read beside the repository's, see revision.Open
	Packages  []string // patterns of packages whose tests run; none means ./...
	Exclude   []string // patterns of packages whose tests do not run
	Tags      []string // build tags

	TestFlags []string       // passed to the test binaries
	TestEnv   []string       // KEY=value, added to their environment
	Withheld  []string       // names of variables that this process was started with and took away, for the report
	SkipTests *regexp.Regexp // tests left out, nil for none

	Budget       time.Duration            // for the whole comparison; 0 is no limit
	Overtime     time.Duration            // after which a comparison over its budget is ended; 0 is as long as the budget, and at least 10 minutes
	MaxVariants  int                      // 0 is no limit
	Depth        int                      // of negation sets; 0 is any
	Universal    bool                     // explore the universal list only
	BothBranches bool                     // after the unique list, invert conditions that a test takes both ways
	Strict       bool                     // match as the paper does, without resynchronising
	NoPrune      bool                     // run also what provably cannot differ
	Generated    bool                     // negate in generated files too
	MaxSequences int                      // sequences of calls for each package; 0 is no limit
	NoCalls      bool                     // make no calls of our own
	NoRelations  bool                     // check no metamorphic relations
	VaryTests    bool                     // run tests with literals and statements of theirs changed
	AutoMR       string                   // method by which relations are inferred: see package automr, or "off"; "" is its default
	Cache        string                   // folder in which inferred relations are kept, "" for none
	ConfigFile   string                   // of the configuration, for messages
	Relations    []declare.Declaration    // declared in the configuration
	Categories   []declare.Categorisation // likewise
	Unchanged    bool                     // explore although nothing executable changed, without pruning
	Repetitions  int                      // of the baseline and of each confirmation
	PerCluster   int                      // differences confirmed for each cluster; 0 is no limit
	Sandbox      string                   // auto, require or off
	Seeded       bool                     // use the deterministic run time where Go allows it
	Solvers      Solvers                  // of equations for branches

	// FirstSources bounds the source inputs that relations of a function are checked on, those
	// first whose paths differ most; 0 for all.
	FirstSources  int
	Shard, Shards int // this part of so many, counted from 1; 0 and 0 for the whole

	Seed   int64
	FailOn []string // recorded in the stream, as is Policy
	Policy []event.PolicyRule
	// Loaded is given both type-checked versions before they are compared, nil
	// for nobody. Its error ends the comparison.
	Loaded     func(base, head *load.Tree) error
	Executable string // our own, for the sandbox's helper
	Temp       string // folder for temporary files; "" is the system's
	Tool       string // version of isodelta

	relationsOnly bool // check relations of all functions, and nothing else
}

// Solvers say who is asked for inputs that trying does not find.
type Solvers int

// The zero value asks all there are.
const (
	InstalledSolvers Solvers = iota // our own, and those on the PATH
	EmbeddedSolver                  // our own
	NoSolver
)

const (
	// equationsLimit is how long equations may take for a goal that somebody has asked for.
	equationsLimit = 20 * time.Second
	// promoteLimit is how long they may take for one of the many goals of a comparison; a
	// guess.
	promoteLimit = 2 * time.Second
)

// equations are what solvers are asked for each goal, within a time.
func (s Solvers) equations(limit time.Duration) *aim.Equations {
	switch s {
	case NoSolver:
		return nil
	case EmbeddedSolver:
		return &aim.Equations{Panel: symbolic.Embedded(), Limit: limit}
	}
	return &aim.Equations{Panel: symbolic.Installed(), Limit: limit}
}

// Defaults are the command's.
func Defaults() Options {
	return Options{
		Budget: 10 * time.Minute, Depth: 1, Repetitions: 5, PerCluster: 3,
		Sandbox: "auto", Seeded: true, Seed: 1,
	}
}
