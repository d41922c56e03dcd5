package config

import (
	"time"

	"github.com/isodelta/isodelta/diff/acceptance"
	"github.com/isodelta/isodelta/diff/policy"
	"github.com/isodelta/isodelta/runner/relation/declare"
)

// FileName is the name of the file that Load looks for.
const FileName = ".isodelta.yml"

// Config holds the settings of one comparison.
type Config struct {
	Packages    []string // patterns as for go list; none means ./...
	Exclude     []string // patterns of packages left out, likewise
	Tags        []string // build tags
	Test        Test
	Budget      time.Duration // for the whole comparison; more than 0
	MaxVariants int           // 0 is no limit
	// MaxSequences bounds the sequences of calls in each package; 0 is no limit.
	MaxSequences int
	Depth        int      // largest negation set; 0 is any
	List         string   // universal, or unique: universal first, then unique
	Match        string   // strict or resynchronised
	Generated    bool     // negate conditions in generated files too
	Sandbox      string   // auto, require or off
	FailOn       []string // terms of package policy that make the exit status 1
	Seed         int64
	Calls        bool // make calls of our own (rung reached)
	Prune        bool // leave out variants that provably cannot differ

	Policy []policy.Rule      // exceptions to FailOn
	Accept []acceptance.Entry // differences taken on, each identifier once

	Relations  []declare.Declaration    // declared metamorphic relations
	Categories []declare.Categorisation // of inputs and outputs, for adequacy
	AutoMR     string                   // method of inference: null-space, paper or off

	// File is where the settings were read from, "" for none.
	File string
}

// Test says how the module's tests are run.
type Test struct {
	Flags []string          // for the test binary or the build, such as -short
	Env   map[string]string // added to the scrubbed environment
	Skip  []string          // regular expressions, as for go test -skip
}

// Default holds the settings of a repository without the file.
//
// The depth is 1 and not any: negating one condition at a time shows most of
// what can be shown, and each further negation leads the tests further from any
// state that the program can be in.
func Default() Config {
	return Config{
		Budget:  10 * time.Minute,
		Depth:   1,
		List:    "unique",
		Match:   "resynchronised",
		Sandbox: "auto",
		Seed:    1,
		Calls:   true,
		Prune:   true,
		AutoMR:  "null-space",
	}
}
